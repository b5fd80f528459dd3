"""Marks, each by its rule and only after the pots are paid, and how dramatic a hand is."""

from collections.abc import Sequence

import pytest

from broadcast.commentary.drama import Drama, judged
from broadcast.odds.calculator import equities_of, situation_after
from broadcast.on_air.events import EquitiesChanged, HighlightMarked
from broadcast.on_air.picture_state import Highlight
from broadcast.on_air.picture_tournament import MARKS_KEPT
from broadcast.on_air.table_state import TableEntry
from broadcast.show.hold_times import DULL
from server.game.events import HandEnded, HandStarted, PotAwarded, SeatVacated
from tests.overlay.support.scripted_show import NAMES, Script, folded
from tests.support.hand_events import at_table, hand_events


def two(acts: str, holes: Sequence[str], board: str, stacks: Sequence[int] = (5000, 5000)) -> Script:
    """A heads-up hand."""
    script = Script(NAMES[:2]).connect().stage(games=1, advance=0).game((1, 2), stacks)
    return script.hand(acts, holes=dict(enumerate(holes)), board=board)


def chances_of(hand: Sequence[TableEntry]) -> dict[int, EquitiesChanged]:
    return {at: equities_of(found) for at, entry in enumerate(hand) if (found := situation_after(entry))}


def drama(script: Script) -> Drama:
    """The judgement of a script's last hand."""
    events = [entry.event for entry in script.entries]
    begun = max(at for at, event in enumerate(events) if isinstance(event, HandStarted))
    hand = at_table(event for event in events[begun:] if type(event).__module__.startswith("server."))
    return judged(hand, chances_of(hand))


def marks(script: Script) -> dict[str, tuple[int, ...]]:
    return {marked.mark: marked.seats for marked in drama(script).marks}


ALL_IN = "raise:5000 call"
CHECKED = "raise:700 call call call call call call call"


def test_all_in_showdown_has_a_bot_with_all_its_chips_in() -> None:
    shown = two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c")
    assert marks(shown)["All-in showdown"] == (0, 1)
    assert "All-in showdown" not in marks(two(CHECKED, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c"))


def test_elimination_takes_the_last_chip() -> None:
    assert marks(two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c"))["Elimination"] == (1,)
    short = two("raise:3000 call call call call call call call", ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c", (5000, 3100))
    assert "Elimination" not in marks(short)


def test_upset_wins_an_all_in_from_far_behind() -> None:
    assert marks(two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc"))["Upset"] == (1,)
    assert "Upset" not in marks(two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c"))
    assert "Upset" not in marks(two(CHECKED, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc")), "nothing was at stake"


def test_bad_beat_loses_after_80_percent_on_the_flop_or_turn() -> None:
    bet = "raise:600 call raise:300 call call call call call"
    assert marks(two(bet, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc"))["Bad beat"] == (0,)
    assert "Bad beat" not in marks(two(CHECKED, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c"))


def test_bot_that_only_checks_has_no_bad_beat() -> None:
    holes, board = ("9s Qc", "8h 9c"), "6d Kc 2d 4s 8c"
    limped = "raise:1000 call call call call call call call"
    assert "Bad beat" not in marks(two(limped, holes, board))
    assert "Bad beat" not in marks(two("raise:1000 call call call call call raise:500 call", holes, board))
    assert marks(two("raise:1000 call call call raise:600 call call call", ("Ks Qc", "8h 8d"), "Kc Kh 2d 4s 8c"))[
        "Bad beat"
    ] == (0,)


def test_unseated_bot_earns_no_elimination_mark() -> None:
    played = drama(script := two("raise:3000 call call call call call call call", ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c"))
    events = [entry.event for entry in script.entries if type(entry.event).__module__.startswith("server.")]
    begun = max(at for at, event in enumerate(events) if isinstance(event, HandStarted))
    gone = at_table([*events[begun:-1], SeatVacated(1, 2000), events[-1]])
    assert judged(gone, chances_of(gone)) == played


def test_high_hand_is_a_full_house_or_better_with_a_hole_card() -> None:
    assert marks(two(CHECKED, ("Ah Ad", "Kh Qd"), "Ac Kd Ks 2h 3c"))["High hand"] == (0,)
    assert "High hand" not in marks(two(CHECKED, ("Ah 2d", "Kh Qd"), "9c 9d 9s Th Tc"))


def test_big_pot_holds_over_a_third_of_all_chips() -> None:
    assert marks(two("raise:2000 call call call call call call call", ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c"))["Big pot"]
    small = two("raise:500 call call call call call call call", ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts 3c")
    assert "Big pot" not in marks(small)


def test_hero_call_is_an_expensive_winning_river_call_with_a_pair_at_most() -> None:
    acts = "raise:400 call call call call call raise:900 call"
    board = "2c 7d 9h Ts 3c"
    callers = [marks(two(acts, holes, board)) for holes in (("8h 8d", "Kh Qd"), ("Kh Qd", "8h 8d"))]
    assert sum("Hero call" in found for found in callers) == 1
    assert "Hero call" not in marks(two("raise:400 call " + "call " * 6, ("8h 8d", "Kh Qd"), board))
    for strong in (("9d Td", "Kh Qd"), ("Kh Qd", "9d Td")):
        assert "Hero call" not in marks(two(acts, strong, board)), "two pair is too strong for a hero call"


def test_bluff_drives_everybody_out_with_next_to_nothing() -> None:
    acts = "raise:700 call raise:900 fold"
    assert marks(two(acts, ("4h 3d", "4c 3s"), "Ac Kd 9h Ts 3c")) == {}, "a tie is no bluff"
    bluffers = (marks(two(acts, holes, "Ac Kd 9h Ts 3c")) for holes in (("6h 2d", "Ah Qd"), ("Ah Qd", "6h 2d")))
    assert sorted(list(found) for found in bluffers) == [[], ["Bluff"]]


@pytest.mark.parametrize("seed", range(40))
def test_marks_follow_the_end_of_the_hand_and_scores_go_from_0_to_100(seed: int) -> None:
    script = Script(NAMES[:6]).connect().stage(games=1, advance=0).game()
    script.tell(*hand_events(seed))
    kinds = [type(entry.event) for entry in script.entries]
    if HighlightMarked in kinds:
        assert kinds.index(HighlightMarked) > kinds.index(HandEnded) > kinds.index(PotAwarded)
    hand = at_table(hand_events(seed))
    judgement = judged(hand, chances_of(hand))
    assert 0 <= judgement.score <= 100
    assert all(hand[0].table.seats[seat].start for marked in judgement.marks for seat in marked.seats)


def test_hand_folded_around_is_the_dullest() -> None:
    script = Script(NAMES[:6]).connect().stage(games=1, advance=0).game().hand("fold fold fold fold fold")
    assert drama(script).score < DULL
    assert drama(two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc")).score == 100


def test_marks_that_need_chances_are_missing_without_them() -> None:
    script = two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc")
    hand = [entry.event for entry in script.entries]
    begun = next(at for at, event in enumerate(hand) if isinstance(event, HandStarted))
    blind = judged(at_table(hand[begun:]), {})
    assert {marked.mark for marked in blind.marks} == {"All-in showdown", "Elimination", "Big pot"}


def test_picture_keeps_the_last_marks() -> None:
    script = two(ALL_IN, ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc")
    kept = folded(script.entries).marks
    assert kept[0] == Highlight("Bad beat", 1, 1, (1,), 100)
    script.tell(*(HighlightMarked("Bluff", hand, (1,), 30) for hand in range(30)))
    assert [mark.hand for mark in folded(script.entries).marks] == list(range(30 - MARKS_KEPT, 30))


def test_small_hands_earn_no_mark_but_eliminations() -> None:
    holes, board = ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc"
    trivial = "call call call call call call call call"
    assert "Bad beat" not in marks(two(trivial, holes, board)), "200 chips among stacks of 5,000"
    assert marks(two("raise:150 call", holes, board, (9850, 150))) == {}, "the short stack has won"
    assert list(marks(two("raise:150 call", ("Kh Kd", "Ah Ad"), "2c 7d 9h Ts 3c", (150, 9850)))) == ["Elimination"]


def test_marks_rank_by_the_chips_won_and_lost() -> None:
    script = Script(NAMES[:3]).connect().stage(games=1, advance=0).game((1, 2, 3), (5000, 600, 5000))
    script.hand(
        "raise:600 call call raise:4400 call", holes={0: "Kh Kd", 1: "Ah Ad", 2: "Qh Qd"}, board="2c 7d 9h Ks Ac"
    )
    assert marks(script)
    judgement = drama(script)
    assert judgement.marks[0].mark == "Elimination", judgement
    assert (
        judgement.score
        > drama(two("raise:1200 call call call call call call call", ("Ah Ad", "Kh Kd"), "2c 7d 9h Ts Kc")).score
    )
