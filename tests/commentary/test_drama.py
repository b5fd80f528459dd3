"""Once its pots are paid, a hand is marked as a bluff, a bad beat and so on, and gets a score for its drama."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from broadcast.commentary.drama import Drama, drama_of
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.events import EquitiesChanged, HighlightMarked
from broadcast.on_air.picture_state import Highlight
from broadcast.on_air.picture_tournament import MARKS_KEPT
from broadcast.on_air.table_state import TableEntry
from broadcast.show.hold_times import DULL
from server.game.events import HandEnded, HandStarted, PotAwarded, SeatVacated
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.hand_events import at_table, hand_events

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
    script = Script(NAMES[:2]).connect().stage(games=1, advance=0).game((1, 2), stacks)
    return script.hand(acts, holes=dict(enumerate(holes)), board=board)


def chances_of(hand: Sequence[TableEntry]) -> dict[int, EquitiesChanged]:
    return {at: equities_of(found) for at, entry in enumerate(hand) if (found := situation_after(entry))}


def last_hand(script: Script) -> list[TableEntry]:
    events = [entry.event for entry in script.entries]
    started = max(at for at, event in enumerate(events) if isinstance(event, HandStarted))
    return at_table(event for event in events[started:] if type(event).__module__.startswith("server."))


def drama(script: Script) -> Drama:
    """The drama of a script's last hand."""
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
        ("Upset", None, (ALL_IN,)),
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
    ],
)  # fmt: skip
def test_marks_follow_their_rules(mark: str, seats: tuple[int, ...] | None, hand: tuple[Any, ...]) -> None:
    assert marks(duel(*hand)).get(mark) == seats


def test_hero_call_is_an_expensive_winning_river_call_with_a_pair_at_most() -> None:
    callers = [marks(duel(RIVER_BET, holes)) for holes in ((EIGHTS, KING_HIGH), (KING_HIGH, EIGHTS))]
    assert sum("Hero call" in found for found in callers) == 1
    assert "Hero call" not in marks(duel("raise:400 call " + "call " * 6, (EIGHTS, KING_HIGH)))
    for strong in (("9d Td", KING_HIGH), (KING_HIGH, "9d Td")):
        assert "Hero call" not in marks(duel(RIVER_BET, strong)), "two pair is too strong for a hero call"


def test_bluff_makes_everybody_else_fold_when_the_bettor_has_almost_no_chance() -> None:
    acts, board = "raise:700 call raise:900 fold", "Ac Kd 9h Ts 3c"
    assert marks(duel(acts, ("4h 3d", "4c 3s"), board)) == {}, "a tie is not a bluff"
    bluffers = (marks(duel(acts, holes, board)) for holes in (("6h 2d", "Ah Qd"), ("Ah Qd", "6h 2d")))
    assert sorted(list(found) for found in bluffers) == [[], ["Bluff"]]
    hand = last_hand(duel(acts, ("Ah Qd", "6h 2d"), board))
    odds = chances_of(hand)
    honest = [replace(entry, believes_ahead=True) for entry in hand]
    assert [mark.mark for mark in drama_of(hand, odds).marks] == ["Bluff"]
    assert drama_of(honest, odds).marks == (), "a bot that believes that it is ahead does not bluff"


def test_small_hands_earn_only_eliminations() -> None:
    assert marks(duel("raise:150 call", board=KING_ON_RIVER, stacks=(9850, 150))) == {}, (
        "the short stack won, so no bot is eliminated"
    )
    lost = duel("raise:150 call", ACES_KINGS[::-1], stacks=(150, 9850))
    assert list(marks(lost)) == ["Elimination"]


def test_unseated_bot_earns_no_elimination_mark() -> None:
    script = duel("raise:3000 call call call call call call call")
    *before, ended = [entry.event for entry in last_hand(script)]
    gone = at_table([*before, SeatVacated(1, 2000), ended])
    assert drama_of(gone, chances_of(gone)) == drama(script)


@pytest.mark.parametrize("seed", range(40))
def test_marks_come_after_the_hand_has_ended_and_scores_are_0_to_100(seed: int) -> None:
    script = Script(NAMES[:6]).connect().stage(games=1, advance=0).game()
    script.put(*hand_events(seed))
    kinds = [type(entry.event) for entry in script.entries]
    if HighlightMarked in kinds:
        assert kinds.index(HighlightMarked) > kinds.index(HandEnded) > kinds.index(PotAwarded)
    hand = at_table(hand_events(seed))
    judgement = drama_of(hand, chances_of(hand))
    assert 0 <= judgement.score <= 100
    assert all(hand[0].table.seats[seat].start for marked in judgement.marks for seat in marked.seats)


def test_hand_in_which_all_fold_to_the_big_blind_is_dull() -> None:
    script = Script(NAMES[:6]).connect().stage(games=1, advance=0).game().hand("fold fold fold fold fold")
    assert drama(script).score < DULL
    assert drama(duel(ALL_IN, board=KING_ON_RIVER)).score == 100


def test_hand_without_chances_lacks_the_marks_that_depend_on_chances() -> None:
    without = drama_of(last_hand(duel(ALL_IN, board=KING_ON_RIVER)), {})
    assert {marked.mark for marked in without.marks} == {"All-in showdown", "Elimination", "Big pot"}


def test_picture_keeps_the_last_marks() -> None:
    script = duel(ALL_IN, board=KING_ON_RIVER)
    assert picture_after(script.entries).marks[0] == Highlight("Bad beat", 1, 1, (1,), 100)
    script.put(*(HighlightMarked("Bluff", hand, (1,), 30) for hand in range(30)))
    assert [mark.hand for mark in picture_after(script.entries).marks] == list(range(30 - MARKS_KEPT, 30))


def test_marks_are_ranked_by_the_chips_won_and_lost() -> None:
    script = Script(NAMES[:3]).connect().stage(games=1, advance=0).game((1, 2, 3), (5000, 600, 5000))
    script.hand("raise:600 call call raise:4400 call", holes=dict(enumerate(("Kh Kd", "Ah Ad", "Qh Qd"))),
                board="2c 7d 9h Ks Ac")  # fmt: skip
    judgement = drama(script)
    assert judgement.marks[0].mark == "Elimination", judgement
    assert judgement.score > drama(duel("raise:1200 call call call call call call call", board=KING_ON_RIVER)).score
