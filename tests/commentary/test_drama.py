"""A finished hand gets marks (such as "Bluff") and a drama score. Viewers see the stakes: what a decision changes."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.commentary.awards import Awards
from broadcast.commentary.belief import believes_ahead
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.contest_state import ContestState
from broadcast.commentary.drama import Drama, drama_of
from broadcast.commentary.stakes import stakes_events
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.events import EquitiesChanged, HighlightMarked, StakesShown
from broadcast.on_air.picture_state import Highlight
from broadcast.on_air.picture_tournament import MARKS_KEPT
from broadcast.on_air.shared_types import Notice, Outcome
from broadcast.on_air.table_state import HandOdds, TableEntry
from broadcast.show.hold_times import DULL_SCORE, STAKES_MS
from server.game import events
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.games.hand_events import at_table, hand_events, opening

EQUAL_STACKS = (5000, 5000)
ACES_KINGS, NINES_EIGHTS = ("Ah Ad", "Kh Kd"), ("9s Qc", "8h 9c")
ACES_WIN, KING_ON_RIVER = "2c 7d 9h Ts 3c", "2c 7d 9h Ts Kc"
"""Two boards. On the first, the aces win. On the second, they lose to a king on the river."""
ALL_IN = "raise:5000 call"
CHECKED_DOWN = "raise:700 call down"
RIVER_BET = "raise:400 call call call call call raise:900 call"
EIGHTS, KING_HIGH = "8h 8d", "Kh Qd"


def play_one_hand(
    acts: str, holes: Sequence[str] = ACES_KINGS, board: str = ACES_WIN, stacks: Sequence[int] = EQUAL_STACKS
) -> Script:
    """Plays one hand. The first of `stacks` has the button. After a final "down" in `acts`, all bots check or call."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=1, advance=0)
    return script.game(range(1, len(stacks) + 1), stacks).hand(acts, holes=dict(enumerate(holes)), board=board)


def chances_of(hand: Sequence[TableEntry]) -> dict[int, EquitiesChanged]:
    return {index: equities_of(situation) for index, entry in enumerate(hand) if (situation := situation_after(entry))}


def journal_of(script: Script) -> list[TableEntry]:
    return at_table(entry.event for entry in script.entries if type(entry.event).__module__.startswith("server."))


def last_hand(script: Script) -> list[TableEntry]:
    journal = [entry.event for entry in journal_of(script)]
    starts = [index for index, event in enumerate(journal) if isinstance(event, events.HandStarted)]
    return at_table(journal[starts[-1] :])


def judge_drama(script: Script) -> Drama:
    hand = last_hand(script)
    return drama_of(hand, chances_of(hand))


def marks_of(script: Script) -> dict[str, tuple[int, ...]]:
    return {marked.mark: marked.seats for marked in judge_drama(script).marks}


@pytest.mark.parametrize(
    ("mark", "seats", "hand"),
    [
        ("All-in showdown", (0, 1), (ALL_IN,)),
        ("All-in showdown", None, (CHECKED_DOWN,)),
        ("Elimination", (1,), (ALL_IN,)),
        ("Elimination", None, ("raise:3000 call down", ACES_KINGS, ACES_WIN, (5000, 3100))),
        ("Upset", (1,), (ALL_IN, ACES_KINGS, KING_ON_RIVER)),
        ("Upset", None, (CHECKED_DOWN, ACES_KINGS, KING_ON_RIVER)),  # Both bots only checked from the flop on.
        ("Bad beat", (0,), ("raise:600 call raise:300 call down", ACES_KINGS, KING_ON_RIVER)),
        ("Bad beat", None, (CHECKED_DOWN,)),
        # A bot that was ahead has no bad beat if it bet nothing on the flop and the turn.
        ("Bad beat", None, ("raise:1000 call down", NINES_EIGHTS, "6d Kc 2d 4s 8c")),
        ("Bad beat", None, ("raise:1000 call call call call call raise:500 call", NINES_EIGHTS, "6d Kc 2d 4s 8c")),
        ("Bad beat", (0,), ("raise:1000 call call call raise:600 call down", ("Ks Qc", "8h 8d"), "Kc Kh 2d 4s 8c")),
        ("High hand", (0,), (CHECKED_DOWN, ("Ah Ad", "Kh Qd"), "Ac Kd Ks 2h 3c")),
        ("High hand", None, (CHECKED_DOWN, ("Ah 2d", "Kh Qd"), "9c 9d 9s Th Tc")),  # The high hand is on the board.
        ("Big pot", (0,), ("raise:2000 call down",)),
        ("Big pot", None, ("raise:500 call down",)),
        # The pot is too small for a bad beat: only 200 of all 10,000 chips.
        ("Bad beat", None, ("call call down", ACES_KINGS, KING_ON_RIVER)),
        # A hero call is an expensive winning call on the river with at most a pair.
        ("Hero call", (0,), (RIVER_BET, (EIGHTS, KING_HIGH))),
        ("Hero call", None, (RIVER_BET, (KING_HIGH, EIGHTS))),
        ("Hero call", None, (RIVER_BET, ("9d Td", KING_HIGH))),  # Two pair is too strong.
    ],
)  # fmt: skip
def test_marks_follow_their_rules(mark: str, seats: tuple[int, ...] | None, hand: tuple[Any, ...]) -> None:
    assert marks_of(play_one_hand(*hand)).get(mark) == seats


BLUFF, BLUFF_BOARD = "raise:700 call raise:900 fold", "Ac Kd 9h Ts 3c"


def test_bluffer_has_almost_no_chance_and_knows_it() -> None:
    assert marks_of(play_one_hand(BLUFF, ("4h 3d", "4c 3s"), BLUFF_BOARD)) == {}, "a bet with an equal hand is no bluff"
    assert marks_of(play_one_hand(BLUFF, ("6h 2d", "Ah Qd"), BLUFF_BOARD)) == {}
    hand = last_hand(play_one_hand(BLUFF, ("Ah Qd", "6h 2d"), BLUFF_BOARD))
    assert [mark.mark for mark in drama_of(hand, chances_of(hand)).marks] == ["Bluff"]
    honest_hand = [replace(entry, believes_ahead=True) for entry in hand]
    assert drama_of(honest_hand, chances_of(hand)).marks == ()


@pytest.mark.parametrize(
    ("thought", "is_ahead"),
    [
        ("I am about 60% to win.", True),
        ("I have a pair of sixes.", True),
        ("He may be bluffing. I have two pair and bet for value.", True),
        ("I have a pair of sixes, but I am about 30% to win.", False),
        ("I don't have a pair.", False),
        ("He has a set of nines.", False),
        ("A bet of 900 as a bluff. I am about 60% to win.", False),
    ],
)
def test_thought_tells_whether_a_bot_believes_it_is_ahead(thought: str, *, is_ahead: bool) -> None:
    reader = ThoughtReader()
    for entry in journal_of(play_one_hand(BLUFF, ("Ah Qd", "6h 2d"), BLUFF_BOARD)):
        reader.apply(entry.event)
    reading = reader.apply(events.NoteGiven(2, 3, thought))
    assert reading
    assert believes_ahead(thought, reading) == is_ahead


def test_small_hands_earn_only_eliminations() -> None:
    survival = play_one_hand("raise:150 call", board=KING_ON_RIVER, stacks=(9850, 150))
    assert marks_of(survival) == {}, "the short stack won, so no bot is eliminated"
    assert list(marks_of(play_one_hand("raise:150 call", ACES_KINGS[::-1], stacks=(150, 9850)))) == ["Elimination"]


def test_unseated_bot_earns_no_elimination_mark() -> None:
    script = play_one_hand("raise:3000 call down")
    *hand, hand_ended = [entry.event for entry in last_hand(script)]
    vacated_hand = at_table([*hand, events.SeatVacated(1, 2000), hand_ended])
    assert drama_of(vacated_hand, chances_of(vacated_hand)) == judge_drama(script)


def test_drama_grows_with_chips_and_ignores_unknown_chances() -> None:
    walk = Script(NAMES[:6]).connect().stage(games=1, advance=0).game().hand("fold fold fold fold fold")
    assert judge_drama(walk).score < DULL_SCORE
    upset = play_one_hand(ALL_IN, board=KING_ON_RIVER)
    assert judge_drama(upset).score == 100
    without_chances = drama_of(last_hand(upset), {})
    assert {marked.mark for marked in without_chances.marks} == {"All-in showdown", "Elimination", "Big pot"}
    three_seats = (("Kh Kd", "Ah Ad", "Qh Qd"), "2c 7d 9h Ks Ac", (5000, 600, 5000))
    elimination = judge_drama(play_one_hand("raise:600 call call raise:4400 call", *three_seats))
    assert elimination.marks[0].mark == "Elimination", elimination
    assert elimination.score > judge_drama(play_one_hand("raise:1200 call down", board=KING_ON_RIVER)).score


def test_picture_keeps_the_last_marks() -> None:
    script = play_one_hand(ALL_IN, board=KING_ON_RIVER)
    assert picture_after(script.entries).marks[0] == Highlight("Bad beat", 1, 1, (1,), 100)
    script.put(*(HighlightMarked("Bluff", hand, (1,), 30) for hand in range(30)))
    assert [mark.hand for mark in picture_after(script.entries).marks] == list(range(30 - MARKS_KEPT, 30))


FIVE_HIGH, KINGS, BLUFF_ACTS = "3c 5d", "Ks Kd", "call raise:300 call raise:900 fold"


def award_notices(*hands: tuple[str, str, str], believes_ahead: bool = False) -> dict[str, Notice]:
    """Plays ten folded hands and then `hands` (acts, and hole cards of both seats). Returns the awards by title."""
    script = Script(NAMES[:2]).connect().stage("High Noon", games=1, hands=90, advance=0).game((1, 2))
    for _ in range(10):
        script.hand("fold")
    for acts, *holes in hands:
        script.hand(acts, holes=dict(enumerate(holes)), board="Kh 9h 4c 7s 2d")
    awards, odds = Awards(), HandOdds()
    for entry in journal_of(script):
        odds = HandOdds() if isinstance(entry.event, events.HandStarted) else odds
        if situation := situation_after(entry):
            odds = odds.after(equities_of(situation))
        awards.apply(replace(entry, believes_ahead=believes_ahead), odds)
    return {award.title: award for award in awards.choose([])}


def test_biggest_bluff_is_the_largest_win_by_a_bot_that_knew_it_was_behind() -> None:
    hopeless, drawing = (BLUFF_ACTS, KINGS, FIVE_HIGH), ("call raise:320 call call call raise:900 fold", "Qh Jh", KINGS)
    bluffs = [("call call raise:400 fold", FIVE_HIGH, KINGS), hopeless, drawing]
    in_both_seats = [(acts, *holes) for acts, one, other in bluffs for holes in ((one, other), (other, one))]
    assert award_notices(*in_both_seats)["Biggest bluff"] == Notice("Biggest bluff", 2, "won 320 with nothing")
    assert "Biggest bluff" not in award_notices(*in_both_seats, believes_ahead=True)
    bets_from_ahead, pair = [("raise:900 fold", KINGS, FIVE_HIGH), (BLUFF_ACTS, FIVE_HIGH, "Kc 9s")], "4s 5d"
    assert "Biggest bluff" not in award_notices(*bets_from_ahead, (BLUFF_ACTS, pair, KINGS), (BLUFF_ACTS, KINGS, pair))


def test_best_call_is_the_most_expensive_call_that_won_with_a_weak_hand() -> None:
    starts = ("call call", "call call call")
    calls = [(f"{start} raise:{amount} call down", "Ac 5d", "Qs Jd") for amount in (200, 600, 300) for start in starts]
    assert award_notices(*calls)["Best call"] == Notice("Best call", 1, "600 chips with ace high")
    sets = [(f"{start} raise:600 call down", "Kc Kd", "9c 9d") for start in starts]
    assert "Best call" not in award_notices(*sets), "a set must not count as a weak hand"


def stakes_of(script: Script) -> dict[str, Outcome]:
    event = script.entries[-1].event
    return {outcome.case: outcome for outcome in event.outcomes} if isinstance(event, StakesShown) else {}


Stage = dict[str, Any]
FINAL: Stage = {"title": "High Noon", "games": 1, "hands": 24, "advance": 0}
TRIALS: Stage = {"games": 3, "advance": 2}
TABLES: Stage = {"title": "The Tables", "games": 0, "hands": 8, "advance": 4, "next_title": "The Last Table"}


def play_in(stage: Stage, stacks: Sequence[int], acts: str, *, contest: str = "quick-draw", **more: Any) -> Script:
    """Plays one hand in a stage. Seat 0 has the button."""
    script = Script(NAMES[: len(stacks)], contest=contest).connect().stage(**stage)
    return script.game(range(1, len(stacks) + 1), stacks, hands=stage.get("hands", 6)).hand(acts, **more)


def play_series(stacks: Sequence[int], acts: str) -> Script:
    bots = tuple(range(1, len(stacks) + 1))
    script = Script(NAMES[: len(stacks)]).put(events.StageStarted(1, "Arena", 2, 0, bots, tuple(stacks), series=True))
    return script.game(bots, stacks, hands=0).hand(acts)


def play_rated(ratings: Sequence[int], acts: str) -> Script:
    """Plays one hand between two bots with `ratings`, in hundredths of a point."""
    script = Script(NAMES[:2])
    opened = script.entries[0].event
    assert isinstance(opened, events.TournamentOpened)
    entrants = (replace(entrant, rating=rating) for entrant, rating in zip(opened.entrants, ratings, strict=True))
    script.put(replace(opened, entrants=tuple(entrants))).stage(games=1, hands=100, advance=0)
    return script.game((1, 2), hands=100).hand(acts)


BET_ON_TURN = "call call call call raise:2000"
BET_ON_RIVER = "call call call call call call raise:2000"
ACES_AGAINST_KINGS = dict(enumerate(ACES_KINGS))
"""The hole cards of seats 0 and 1. Seat 0 has to decide."""


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (lambda: play_in(FINAL, (5000, 5000, 5000), "call"), {}),  # Neither the call nor the pot is large.
        # Seat 1 began with 3,000 chips and faces a raise to 2,000. If it wins, the stacks are 3,000, 5,100 and 3,900.
        (lambda: play_in(FINAL, (5000, 3000, 4000), "raise:2000"),
            {"wins": "1st by 1,200", "loses": "3rd, 2,900 behind 3", "folds": "3rd, 950 behind 3"}),
        (lambda: play_in(FINAL, (5000, 5000), "raise:5000"),
            {"wins": "wins it all", "loses": "out in 2nd place", "folds": "2nd, 200 behind 2"}),
        # The cards of the other bots in the pot are unknown, so these bots may finish in any order.
        (lambda: play_in(FINAL, (6000, 3000, 3000, 3000), "raise:2000 call"),
            {"wins": "1st by 3,100", "loses": "3rd or 4th", "folds": "2nd or 3rd"}),
        # If bots lose equal stacks in the same hand, their places are drawn by lot.
        (lambda: play_in(FINAL, (2000, 2000, 2000, 6000), "raise:2000 call"),
            {"wins": "1st by 2,100", "loses": "out in 3rd or 4th place", "folds": "2nd or 3rd"}),
        (lambda: play_in(TRIALS, (5000, 4000, 3000, 6000), "raise:2000"), {
            "wins": "1st, 3,200 chips above the line", "loses": "3rd, 950 chips below the line",
            "folds": "2nd, 1,050 chips above the line",
        }),
        (lambda: play_in(TRIALS, (4000, 4000, 3000), "raise:4000"),
            {"wins": "rides on to High Noon", "loses": "out in 3rd place", "folds": "2nd, 1,050 chips above the line"}),
        (lambda: play_in(TRIALS | {"advance": 3}, (6000, 1000, 3000, 3000, 4000), "raise:3000 call call call"),
            {"wins": "rides on to High Noon", "loses": "out in 3rd to 5th place", "folds": "2nd to 4th"}),
        (lambda: play_series((5000, 4000), "raise:4000"),
            {"wins": "wins the game", "loses": "2nd, 7,000 behind 2", "folds": "1st by 800"}),
        # The weaker bot can lose 12 / (1 + 10 ** (80 / 400)) = 4.6 points, or gain 12 - 4.6 = 7.4.
        (lambda: play_rated((960_00, 1040_00), "raise:5000"), {
            "wins": "wins the game: rated 967.4 (+7.4)", "loses": "loses the game: rated 955.4 (-4.6)",
            "folds": "rated 961.2 (+1.2)",
        }),
        # With all hole cards known, a call on the river has one outcome. On the turn, impossible outcomes are left out.
        (lambda: play_in(FINAL, (5000, 5000), BET_ON_RIVER, holes=ACES_AGAINST_KINGS, board=ACES_WIN),
            {"wins": "1st by 4,200", "folds": "2nd, 200 behind 2"}),
        (lambda: play_in(FINAL, (5000, 5000), BET_ON_RIVER, holes={0: "Ah Ad", 1: "As Ac"}, board=ACES_WIN),
            {"shares": "1st, level with 2", "folds": "2nd, 200 behind 2"}),
        (lambda: play_in(FINAL, (5000, 5000), BET_ON_TURN, holes={0: "9c 9d", 1: "2s 3d"}, board="9s 9h Ah Ts 3c"),
            {"wins": "1st by 4,200", "folds": "2nd, 200 behind 2"}),
    ],
)  # fmt: skip
def test_stakes_say_the_place_after_each_outcome(play: Callable[[], Script], expected: dict[str, str]) -> None:
    stakes = stakes_of(play())
    assert {case: f"{outcome.text} {outcome.rival or ''}".rstrip() for case, outcome in stakes.items()} == expected


@pytest.mark.parametrize(
    ("play", "chances"),
    [
        (lambda: play_in(FINAL | {"hands": 1}, (5000, 3000, 4000), "raise:2000"),
            {"wins": 1000, "loses": 0, "folds": 0}),
        (lambda: play_in(FINAL, (5000, 5000), BET_ON_RIVER, holes=ACES_AGAINST_KINGS, board=ACES_WIN),
            {"wins": 848, "folds": 469}),
        (lambda: play_in(TRIALS, (5000, 4000, 3000, 6000), "raise:2000"), dict.fromkeys(("wins", "loses", "folds"))),
        # The next stage is a freezeout with the same stacks. So a bot's chance of the title is its share of all chips.
        (lambda: play_in(TABLES, (5000, 4000, 3000, 3000, 5000), "call raise:2000", contest="enova"),
            {"wins": 362, "loses": 150, "folds": 250}),
    ],
)  # fmt: skip
def test_stakes_include_the_chance_to_win_the_title_where_chips_decide_it(
    play: Callable[[], Script], chances: dict[str, int | None]
) -> None:
    assert {case: outcome.title for case, outcome in stakes_of(play()).items()} == chances  # chances in tenths of 1%


def test_stakes_stay_long_enough_to_read_and_disappear_after_the_decision() -> None:
    script = play_in(FINAL, (5000, 3000, 4000), "raise:2000 call")
    index = next(index for index, entry in enumerate(script.entries) if isinstance(entry.event, StakesShown))
    stakes = picture_after(script.entries[: index + 1]).stakes
    assert stakes
    assert stakes.seat == 1
    assert picture_after(script.entries[: index + 2]).stakes is None
    slow_show = Script(NAMES[:3], speed=1).connect().stage("High Noon", games=1, hands=24, advance=0)
    slow_show.game((1, 2, 3), (5000, 3000, 4000), hands=24).hand("raise:2000 call")
    assert all(entry.hold_ms >= STAKES_MS for entry in slow_show.entries if isinstance(entry.event, StakesShown))


def test_impossible_turn_of_a_forged_hand_is_shown_without_stakes() -> None:
    contest = ContestState()
    for event in [*opening(), *hand_events(3)[:9]]:
        contest.apply(event)
    for seat in (9, 0):
        contest.apply(events.BetsCollected((events.Pot(10, (7,)),)))
        assert stakes_events(contest, events.TurnStarted(seat, 5000, 0, 0, 0)) == []
