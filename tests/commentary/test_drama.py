"""Once its pots are paid, a hand is marked as a bluff, a bad beat and so on, and gets a score for its drama.

At the end of a tournament, the biggest bluff and the best call earn awards. Beliefs decide what is a bluff. During a
hand, stakes tell the bot's place after a fold, a lost call and a won call.
"""

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

EVEN = (5000, 5000)
ACES_KINGS = ("Ah Ad", "Kh Kd")
ACES_WIN, KING_ON_RIVER = "2c 7d 9h Ts 3c", "2c 7d 9h Ts Kc"
"""Boards: on the first, the aces win; on the second, they lose to a king on the river."""
ALL_IN = "raise:5000 call"
CHECKED = "raise:700 call call call call call call call"
BET = "raise:600 call raise:300 call call call call call"
RIVER_BET = "raise:400 call call call call call raise:900 call"
EIGHTS, KING_HIGH = "8h 8d", "Kh Qd"


def duel(acts: str, holes: Sequence[str] = ACES_KINGS, board: str = ACES_WIN, stacks: Sequence[int] = EVEN) -> Script:
    """A hand with one seat for each stack, usually two; the first seat has the button."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=1, advance=0)
    return script.game(range(1, len(stacks) + 1), stacks).hand(acts, holes=dict(enumerate(holes)), board=board)


def chances_of(hand: Sequence[TableEntry]) -> dict[int, EquitiesChanged]:
    return {at: equities_of(found) for at, entry in enumerate(hand) if (found := situation_after(entry))}


def journal_of(script: Script) -> list[TableEntry]:
    return at_table(each.event for each in script.entries if type(each.event).__module__.startswith("server."))


def last_hand(script: Script) -> list[TableEntry]:
    happened = [entry.event for entry in journal_of(script)]
    return at_table(happened[max(at for at, event in enumerate(happened) if isinstance(event, events.HandStarted)) :])


def drama(script: Script) -> Drama:
    hand = last_hand(script)
    return drama_of(hand, chances_of(hand))


def marks(script: Script) -> dict[str, tuple[int, ...]]:
    return {marked.mark: marked.seats for marked in drama(script).marks}


@pytest.mark.parametrize(
    ("mark", "seats", "hand"),
    [
        ("All-in showdown", (0, 1), (ALL_IN,)),
        ("All-in showdown", None, (CHECKED,)),
        ("Elimination", (1,), (ALL_IN,)),
        ("Elimination", None, ("raise:3000 call call call call call call call", ACES_KINGS, ACES_WIN, (5000, 3100))),
        ("Upset", (1,), (ALL_IN, ACES_KINGS, KING_ON_RIVER)),
        ("Upset", None, (CHECKED, ACES_KINGS, KING_ON_RIVER)),  # both only checked from the flop on
        ("Bad beat", (0,), (BET, ACES_KINGS, KING_ON_RIVER)),
        ("Bad beat", None, (CHECKED,)),
        # A bot that was ahead but only checked, or bet only on the river, has no bad beat.
        ("Bad beat", None, ("raise:1000 call call call call call call call", ("9s Qc", "8h 9c"), "6d Kc 2d 4s 8c")),
        (
            "Bad beat", None,
            ("raise:1000 call call call call call raise:500 call", ("9s Qc", "8h 9c"), "6d Kc 2d 4s 8c"),
        ),
        (
            "Bad beat", (0,),
            ("raise:1000 call call call raise:600 call call call", ("Ks Qc", "8h 8d"), "Kc Kh 2d 4s 8c"),
        ),
        ("High hand", (0,), (CHECKED, ("Ah Ad", "Kh Qd"), "Ac Kd Ks 2h 3c")),
        ("High hand", None, (CHECKED, ("Ah 2d", "Kh Qd"), "9c 9d 9s Th Tc")),  # the high hand is on the board
        ("Big pot", (0,), ("raise:2000 call call call call call call call",)),
        ("Big pot", None, ("raise:500 call call call call call call call",)),
        # The pot has only 200 chips of 10,000.
        ("Bad beat", None, ("call call call call call call call call", ACES_KINGS, KING_ON_RIVER)),
        # A hero call is an expensive winning call on the river with a pair at most.
        ("Hero call", (0,), (RIVER_BET, (EIGHTS, KING_HIGH))),
        ("Hero call", None, (RIVER_BET, (KING_HIGH, EIGHTS))),
        ("Hero call", None, (RIVER_BET, ("9d Td", KING_HIGH))),  # two pair is too strong
    ],
)  # fmt: skip
def test_marks_follow_their_rules(mark: str, seats: tuple[int, ...] | None, hand: tuple[Any, ...]) -> None:
    assert marks(duel(*hand)).get(mark) == seats


BLUFF, BLUFF_BOARD = "raise:700 call raise:900 fold", "Ac Kd 9h Ts 3c"


def test_bluff_makes_everybody_else_fold_when_the_bettor_has_almost_no_chance_and_knows_it() -> None:
    assert marks(duel(BLUFF, ("4h 3d", "4c 3s"), BLUFF_BOARD)) == {}, "a tie is not a bluff"
    assert marks(duel(BLUFF, ("6h 2d", "Ah Qd"), BLUFF_BOARD)) == {}
    hand = last_hand(duel(BLUFF, ("Ah Qd", "6h 2d"), BLUFF_BOARD))
    assert [mark.mark for mark in drama_of(hand, chances_of(hand)).marks] == ["Bluff"]
    honest = [replace(entry, believes_ahead=True) for entry in hand]
    assert drama_of(honest, chances_of(hand)).marks == (), "a bot that believes that it is ahead does not bluff"


@pytest.mark.parametrize(
    ("thought", "ahead"),
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
def test_bot_that_gives_an_even_chance_or_a_made_hand_believes_that_it_is_ahead(thought: str, *, ahead: bool) -> None:
    reader = ThoughtReader()
    for entry in journal_of(duel(BLUFF, ("Ah Qd", "6h 2d"), BLUFF_BOARD)):
        reader.apply(entry.event)
    reading = reader.apply(events.NoteGiven(2, 3, thought))
    assert reading
    assert believes_ahead(thought, reading) == ahead


def test_small_hands_earn_only_eliminations() -> None:
    won = duel("raise:150 call", board=KING_ON_RIVER, stacks=(9850, 150))
    assert marks(won) == {}, "the short stack won, so no bot is eliminated"
    assert list(marks(duel("raise:150 call", ACES_KINGS[::-1], stacks=(150, 9850)))) == ["Elimination"]


def test_unseated_bot_earns_no_elimination_mark() -> None:
    script = duel("raise:3000 call call call call call call call")
    *before, ended = [entry.event for entry in last_hand(script)]
    gone = at_table([*before, events.SeatVacated(1, 2000), ended])
    assert drama_of(gone, chances_of(gone)) == drama(script)


def test_drama_grows_with_the_chips_won_and_lost_and_without_chances_lacks_the_marks_that_need_them() -> None:
    walk = Script(NAMES[:6]).connect().stage(games=1, advance=0).game().hand("fold fold fold fold fold")
    assert drama(walk).score < DULL_SCORE
    upset = duel(ALL_IN, board=KING_ON_RIVER)
    assert drama(upset).score == 100
    without = drama_of(last_hand(upset), {})
    assert {marked.mark for marked in without.marks} == {"All-in showdown", "Elimination", "Big pot"}
    three = (("Kh Kd", "Ah Ad", "Qh Qd"), "2c 7d 9h Ks Ac", (5000, 600, 5000))
    judgement = drama(duel("raise:600 call call raise:4400 call", *three))
    assert judgement.marks[0].mark == "Elimination", judgement
    assert judgement.score > drama(duel("raise:1200 call call call call call call call", board=KING_ON_RIVER)).score


def test_picture_keeps_the_last_marks() -> None:
    script = duel(ALL_IN, board=KING_ON_RIVER)
    assert picture_after(script.entries).marks[0] == Highlight("Bad beat", 1, 1, (1,), 100)
    script.put(*(HighlightMarked("Bluff", hand, (1,), 30) for hand in range(30)))
    assert [mark.hand for mark in picture_after(script.entries).marks] == list(range(30 - MARKS_KEPT, 30))


WEAK, STRONG, BLUFFED = "3c 5d", "Ks Kd", "call raise:300 call raise:900 fold"
AWARD_BOARD = "Kh 9h 4c 7s 2d"


def awards(*hands: tuple[str, str, str], ahead: bool = False) -> dict[str, Notice]:
    """The awards after ten folded hands and `hands`: the acts, and the hole cards of both seats."""
    script = Script(NAMES[:2]).connect().stage("High Noon", games=1, hands=90, advance=0).game((1, 2))
    for _ in range(10):
        script.hand("fold")
    for acts, *holes in hands:
        script.hand(acts, holes=dict(enumerate(holes)), board=AWARD_BOARD)
    chosen, odds = Awards(), HandOdds()
    for entry in journal_of(script):
        odds = HandOdds() if isinstance(entry.event, events.HandStarted) else odds
        if situation := situation_after(entry):
            odds = odds.after(equities_of(situation))
        chosen.apply(replace(entry, believes_ahead=ahead), odds)
    return {award.title: award for award in chosen.choose([])}


def test_biggest_bluff_won_the_most_chips_from_behind_without_a_pair_and_without_believing_to_be_ahead() -> None:
    hopeless, drawing = (BLUFFED, STRONG, WEAK), ("call raise:320 call call call raise:900 fold", "Qh Jh", STRONG)
    bluffs = [("call call raise:400 fold", WEAK, STRONG), hopeless, drawing]
    both = [(acts, *pair) for acts, one, other in bluffs for pair in ((one, other), (other, one))]
    assert awards(*both)["Biggest bluff"] == Notice("Biggest bluff", 2, "won 320 with nothing")
    assert "Biggest bluff" not in awards(*both, ahead=True)
    ahead, pair = [("raise:900 fold", STRONG, WEAK), (BLUFFED, WEAK, "Kc 9s")], "4s 5d"
    assert "Biggest bluff" not in awards(*ahead, (BLUFFED, pair, STRONG), (BLUFFED, STRONG, pair))


def test_best_call_is_the_most_expensive_correct_call_that_won_with_a_weak_hand() -> None:
    def calls(*amounts: int, holes: tuple[str, str]) -> dict[str, Notice]:
        acts = (
            f"{before} raise:{amount} call down" for amount in amounts for before in ("call call", "call call call")
        )
        return awards(*((each, *holes) for each in acts))

    best = calls(200, 600, 300, holes=("Ac 5d", "Qs Jd"))["Best call"]
    assert best == Notice("Best call", 1, "600 chips with ace high")
    assert "Best call" not in calls(600, holes=("Kc Kd", "9c 9d")), "a set is no weak hand"


def stakes_of(script: Script) -> dict[str, Outcome]:
    last = script.entries[-1].event
    return {outcome.case: outcome for outcome in last.outcomes} if isinstance(last, StakesShown) else {}


def final(stacks: Sequence[int], acts: str, hands: int = 24, **more: Any) -> Script:
    """Plays one hand in the last stage. Seat 0 has the button."""
    script = Script(NAMES[: len(stacks)]).connect().stage("High Noon", games=1, hands=hands, advance=0)
    return script.game(range(1, len(stacks) + 1), stacks, hands=hands).hand(acts, **more)


def trials(stacks: Sequence[int], acts: str, advance: int = 2) -> Script:
    """Plays one hand in a stage from which `advance` bots ride on."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=3, advance=advance)
    return script.game(range(1, len(stacks) + 1), stacks).hand(acts)


def tables(stacks: Sequence[int], acts: str) -> Script:
    """Plays one hand of Enova's first stage, in which bots keep their chips and four of them ride on."""
    script = Script(NAMES[:5], contest="enova").connect()
    script.stage("The Tables", games=0, hands=8, advance=4, onto="The Last Table")
    return script.game(range(1, len(stacks) + 1), stacks, hands=8).hand(acts)


def series(stacks: Sequence[int], acts: str) -> Script:
    bots = tuple(range(1, len(stacks) + 1))
    script = Script(NAMES[: len(stacks)]).put(
        events.StageStarted(1, "The Arena", 2, 0, bots, tuple(stacks), series=True)
    )
    return script.game(bots, stacks, hands=0).hand(acts)


def rated(ratings: Sequence[int], acts: str) -> Script:
    """Plays one hand between two bots with these ratings, in hundredths of a point."""
    script = Script(NAMES[:2])
    opened = script.entries[0].event
    assert isinstance(opened, events.TournamentOpened)
    entrants = (replace(entrant, rating=rating) for entrant, rating in zip(opened.entrants, ratings, strict=True))
    script.put(replace(opened, entrants=tuple(entrants))).stage(games=1, hands=100, advance=0)
    return script.game((1, 2), hands=100).hand(acts)


TURN = "call call call call raise:2000"
RIVER = "call call call call call call raise:2000"
ACES, KINGS, DRY = "Ah Ad", "Kh Kd", "2c 7d 9h Ts 3c"
NINES, LOW = "9c 9d", "2s 3d"
AHEAD = {0: ACES, 1: KINGS}
"""The hands of the bot that is asked, seat 0, and of the other bot."""


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        (lambda: final((5000, 5000, 5000), "call"), {}),  # neither the call nor the pot is large
        # Seat 1 has 3,000 and is asked for 2,000: if it wins, it has 5,100, seat 2 has 3,900 and seat 0 has 3,000.
        (lambda: final((5000, 3000, 4000), "raise:2000"),
            {"wins": "1st by 1,200", "loses": "3rd, 2,900 behind 3", "folds": "3rd, 950 behind 3"}),
        (lambda: final((5000, 5000), "raise:5000"),
            {"wins": "wins it all", "loses": "out in 2nd place", "folds": "2nd, 200 behind 2"}),
        # The other bots in the pot may have any hands, so they may come in any order.
        (lambda: final((6000, 3000, 3000, 3000), "raise:2000 call"),
            {"wins": "1st by 3,100", "loses": "3rd or 4th", "folds": "2nd or 3rd"}),
        # Lots are drawn between bots that lose equal stacks in the same hand.
        (lambda: final((2000, 2000, 2000, 6000), "raise:2000 call"),
            {"wins": "1st by 2,100", "loses": "out in 3rd or 4th place", "folds": "2nd or 3rd"}),
        (lambda: trials((5000, 4000, 3000, 6000), "raise:2000"), {
            "wins": "1st, 3,200 chips above the line", "loses": "3rd, 950 chips below the line",
            "folds": "2nd, 1,050 chips above the line",
        }),
        (lambda: trials((4000, 4000, 3000), "raise:4000"),
            {"wins": "rides on to High Noon", "loses": "out in 3rd place", "folds": "2nd, 1,050 chips above the line"}),
        (lambda: trials((6000, 1000, 3000, 3000, 4000), "raise:3000 call call call", 3),
            {"wins": "rides on to High Noon", "loses": "out in 3rd to 5th place", "folds": "2nd to 4th"}),
        (lambda: series((5000, 4000), "raise:4000"),
            {"wins": "wins the game", "loses": "2nd, 7,000 behind 2", "folds": "1st by 800"}),
        # The weaker bot can lose 12 / (1 + 10 ** (80 / 400)) points, which is 4.6, and gain 12 minus that.
        (lambda: rated((960_00, 1040_00), "raise:5000"), {
            "wins": "wins the game: rated 967.4 (+7.4)", "loses": "loses the game: rated 955.4 (-4.6)",
            "folds": "rated 961.2 (+1.2)",
        }),
        # With open cards, the river has one outcome. On the turn, outcomes that no river card can bring are left out.
        (lambda: final((5000, 5000), RIVER, holes=AHEAD, board=DRY),
            {"wins": "1st by 4,200", "folds": "2nd, 200 behind 2"}),
        (lambda: final((5000, 5000), RIVER, holes={0: ACES, 1: "As Ac"}, board=DRY),
            {"shares": "1st, level with 2", "folds": "2nd, 200 behind 2"}),
        (lambda: final((5000, 5000), TURN, holes={0: NINES, 1: LOW}, board="9s 9h Ah Ts 3c"),
            {"wins": "1st by 4,200", "folds": "2nd, 200 behind 2"}),
    ],
)  # fmt: skip
def test_stakes_say_the_place_after_each_outcome(play: Callable[[], Script], expected: dict[str, str]) -> None:
    found = stakes_of(play())
    assert {case: f"{each.text} {each.rival or ''}".rstrip() for case, each in found.items()} == expected


@pytest.mark.parametrize(
    ("play", "chances"),
    [
        (lambda: final((5000, 3000, 4000), "raise:2000", hands=1), {"wins": 1000, "loses": 0, "folds": 0}),
        (lambda: final((5000, 5000), RIVER, holes=AHEAD, board=DRY), {"wins": 848, "folds": 469}),
        (lambda: trials((5000, 4000, 3000, 6000), "raise:2000"), dict.fromkeys(("wins", "loses", "folds"))),
        # The stage is a freezeout, so a bot's chance to win the title is its share of all chips.
        (lambda: tables((5000, 4000, 3000, 3000, 5000), "call raise:2000"), {"wins": 362, "loses": 150, "folds": 250}),
    ],
)
def test_stakes_have_the_chance_to_win_the_title_where_chips_decide_it(
    play: Callable[[], Script], chances: dict[str, int | None]
) -> None:
    assert {case: each.title for case, each in stakes_of(play()).items()} == chances


def test_stakes_stay_long_enough_to_read_and_disappear_after_the_decision() -> None:
    script = final((5000, 3000, 4000), "raise:2000 call")
    at = next(at for at, entry in enumerate(script.entries) if isinstance(entry.event, StakesShown))
    stakes = picture_after(script.entries[: at + 1]).stakes
    assert stakes
    assert stakes.seat == 1
    assert picture_after(script.entries[: at + 2]).stakes is None
    slow = Script(NAMES[:3], speed=1).connect().stage("High Noon", games=1, hands=24, advance=0)
    slow.game((1, 2, 3), (5000, 3000, 4000), hands=24).hand("raise:2000 call")
    assert all(entry.hold_ms >= STAKES_MS for entry in slow.entries if isinstance(entry.event, StakesShown))


def test_impossible_turn_of_a_forged_hand_is_shown_without_stakes() -> None:
    contest = ContestState()
    for event in [*opening(), *hand_events(3)[:9]]:
        contest.apply(event)
    for forged in (events.TurnStarted(9, 5000, 0, 0, 0), events.TurnStarted(0, 5000, 0, 0, 0)):
        contest.apply(events.BetsCollected((events.Pot(10, (7,)),)))
        assert stakes_events(contest, forged) == []
