"""Once its pots are paid, a hand is marked as a bluff, a bad beat and so on, and gets a score for its drama.

At the end of a tournament, the biggest bluff and the best call earn awards. Beliefs decide what is a bluff.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.commentary.awards import Awards
from broadcast.commentary.belief import believes_ahead
from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.drama import Drama, drama_of
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.events import EquitiesChanged, HighlightMarked
from broadcast.on_air.picture_state import Highlight
from broadcast.on_air.picture_tournament import MARKS_KEPT
from broadcast.on_air.shared_types import Notice
from broadcast.on_air.table_state import HandOdds, TableEntry
from broadcast.show.hold_times import DULL_SCORE
from server.game.events import HandEnded, HandStarted, NoteGiven, PotAwarded, SeatVacated
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.games.hand_events import at_table, hand_events

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


def recorded(script: Script) -> list[TableEntry]:
    return at_table(each.event for each in script.entries if type(each.event).__module__.startswith("server."))


def last_hand(script: Script) -> list[TableEntry]:
    events = [entry.event for entry in recorded(script)]
    return at_table(events[max(at for at, event in enumerate(events) if isinstance(event, HandStarted)) :])


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
        ("Hero call", None, ("raise:400 call call call call call call call", (EIGHTS, KING_HIGH))),
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
        ("I have six high.", False),
        ("I don't have a pair.", False),
        ("He has a set of nines.", False),
        ("I'm bluffing with a pair of sixes.", False),
        ("A bet of 900 as a bluff. I am about 60% to win.", False),
    ],
)
def test_bot_that_gives_an_even_chance_or_a_made_hand_believes_that_it_is_ahead(thought: str, *, ahead: bool) -> None:
    reader = ThoughtReader()
    for entry in recorded(duel(BLUFF, ("Ah Qd", "6h 2d"), BLUFF_BOARD)):
        reader.apply(entry.event)
    reading = reader.apply(NoteGiven(2, 3, thought))
    assert reading
    assert believes_ahead(thought, reading) == ahead


def test_small_hands_earn_only_eliminations() -> None:
    won = duel("raise:150 call", board=KING_ON_RIVER, stacks=(9850, 150))
    assert marks(won) == {}, "the short stack won, so no bot is eliminated"
    assert list(marks(duel("raise:150 call", ACES_KINGS[::-1], stacks=(150, 9850)))) == ["Elimination"]


def test_unseated_bot_earns_no_elimination_mark() -> None:
    script = duel("raise:3000 call call call call call call call")
    *before, ended = [entry.event for entry in last_hand(script)]
    gone = at_table([*before, SeatVacated(1, 2000), ended])
    assert drama_of(gone, chances_of(gone)) == drama(script)


def test_marks_come_after_the_hand_has_ended_and_scores_are_0_to_100() -> None:
    seen = 0
    for seed in range(40):
        script = Script(NAMES[:6]).connect().stage(games=1, advance=0).game().put(*hand_events(seed))
        kinds = [type(entry.event) for entry in script.entries]
        if HighlightMarked in kinds:
            assert kinds.index(HighlightMarked) > kinds.index(HandEnded) > kinds.index(PotAwarded)
            seen += 1
        judgement, hand = drama(script), last_hand(script)
        assert 0 <= judgement.score <= 100
        assert all(hand[0].table.seats[seat].starting_stack for marked in judgement.marks for seat in marked.seats)
    assert seen


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
    for entry in recorded(script):
        odds = HandOdds() if isinstance(entry.event, HandStarted) else odds
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
