"""A slow checker confirms captions about hands. Scripted hands test the statements that it cannot check."""

from collections.abc import Callable, Sequence

import pytest

from broadcast.film.highlights import ranked
from broadcast.film.outline import OutlineBuilder
from broadcast.on_air.events import CaptionSpoken, HandTold, HighlightMarked
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from server.contests import CONTESTS
from server.game.events import BetReturned, Event, HandShown
from server.journal.journal import Entry, read_journal
from tests.commentary.checker.check import CheckedRecording
from tests.overlay.support.scripted_show import NAMES, Script, picture_after
from tests.support.contests import play_contest
from tests.support.house_contests import play_house_contest
from tests.support.recordings import KEPT_CONTESTS, KEPT_RECORDINGS

BOTS = {"quick-draw": 8, "upac": 2}
"""The number of bots in a contest. Other contests have 6."""
HANDS = 40
COUNT_EVERY = 10
"""Chances on the flop are recounted in one of this many hands, and later chances in every hand."""


@pytest.mark.parametrize("recording", KEPT_RECORDINGS)
def test_everything_said_about_kept_recordings_is_true(recording: str) -> None:
    checked = CheckedRecording(read_journal(KEPT_CONTESTS / recording).entries)
    assert checked.wrong == []
    assert checked.statements > checked.hands > 0


def check_contests(play: Callable[[int], Sequence[Entry]]) -> None:
    """Checks contests with consecutive seeds until they have at least `HANDS` hands in total."""
    hands = statements = 0
    for seed in range(5, 50):
        checked = CheckedRecording(play(seed), COUNT_EVERY)
        assert checked.wrong == []
        hands, statements = hands + checked.hands, statements + checked.statements
        if hands >= HANDS:
            break
    assert statements > 3 * hands >= 3 * HANDS


@pytest.mark.parametrize("contest", CONTESTS)
def test_everything_said_about_house_bots_is_true(contest: str) -> None:
    check_contests(lambda seed: play_house_contest(contest, seed, BOTS.get(contest, 6)))


@pytest.mark.parametrize("contest", CONTESTS)
def test_everything_said_about_random_bots_is_true(contest: str) -> None:
    check_contests(lambda seed: play_contest(seed, BOTS.get(contest, 6), CONTESTS[contest].format))


ALL_IN = "raise:1000 raise:3000 call"
STACKS = (1000, 3000, 3000)
BOARD = "7h As Qd 2c 3s"


def play(acts: str, holes: tuple[str, ...], board: str = BOARD, stacks: tuple[int, ...] = STACKS) -> Script:
    """A hand with one seat for each stack; the first seat has the button."""
    script = Script(NAMES[: len(stacks)]).connect().stage(games=1, advance=0)
    return script.game(tuple(range(1, len(stacks) + 1)), stacks).hand(acts, holes=dict(enumerate(holes)), board=board)


def events_of(script: Script) -> list[Event]:
    return [entry.event for entry in script.entries]


def said_in(script: Script) -> list[str]:
    return [event.text for event in events_of(script) if isinstance(event, CaptionSpoken)]


def test_summary_and_highlight_of_a_hand_name_the_winner_and_the_marked_bots() -> None:
    script = play(ALL_IN, ("7s Jd", "Ah Ac", "7d Td"))
    builder, state = OutlineBuilder(), State()
    for entry in script.entries:
        state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
        builder.record(entry, state)
    hand = builder.outline.hands[-1]
    (line,) = (event.text for event in events_of(script) if isinstance(event, HandTold))
    assert line == hand.told == "Doc Holobyte wins 7,000 with three aces"
    assert (hand.marks[0], hand.stars[0]) == ("Elimination", [1, 3])
    (pick,) = ranked(builder.outline)
    assert pick.why == f"Elimination of Billy the Kid and Calamity Bayes: {line}"


@pytest.mark.parametrize(
    ("acts", "holes", "board", "stacks", "caption"),
    [
        ("call call call call", ("As Kd", "Qh Jh", "9s 9d", "7c 6c"), "8d 5c Ts 2d 3s", (3000,) * 4,
            "The flop comes ten-eight-five, and Calamity Bayes is in front with pocket nines."),
        ("call call down", ("9h 8h", "Ad Tc", "4s 3c"), "Th 7h 2c Kd Ks", (3000,) * 3,
            "The flop comes ten-seven-deuce, and Billy the Kid is the favourite, 59% to win."),
        ("call call call raise:2900", ("9s 8h", "2h 2c", "As Kd"), "2d 2s 4c Td Jc", (3000,) * 3,
            "Billy the Kid moves all in for 2,900, drawing dead against Doc Holobyte."),
        ("call call call call call call call call call raise:2900", ("9s 8h", "Ah Kd", "Qh Qc"), BOARD, (3000,) * 3,
            "Billy the Kid shoves for 2,900, but Calamity Bayes has the best hand."),
        ("", ("As Kd", "Qh Qc", "9s 8h"), BOARD, (3000, 3000, 60),
            "Calamity Bayes posts its last 60 chips as the big blind."),
        ("call call down", ("Ks 2d", "Qs 3c", "9h 8h"), "As 7s 4c 5s 6s", (3000,) * 3,
            "Billy the Kid takes 300 chips with an ace-king-high flush."),
        ("call call down", ("Ts 2d", "9s 3c", "Jh 8h"), "As Qs 4c 5s 6s", (3000,) * 3,
            "Billy the Kid takes 300 chips with an ace-high flush."),
        ("call call down", ("2s Kd", "9s 8c", "Jh 8h"), "Ah 3s 4c 5d Qh", (3000,) * 3,
            "Billy the Kid takes 300 chips with a wheel."),
        ("call call down", ("Ks 2d", "Kc 3c", "9h 8h"), "As Qd 4c 5s 6h", (3000,) * 3,
            "Billy the Kid and Doc Holobyte split 300 chips: both have ace-king high."),
        ("call call down", ("2s 3d", "2c 3c", "9h 8h"), "As Kd Qc Js Th", (3000,) * 3,
            "Billy the Kid, Doc Holobyte and Calamity Bayes split 300 chips: the board plays."),
        ("call call down", ("2s Kd", "2c Kc", "2h Kh"), "As 7d Qc Js Th", (3000,) * 3,
            "Billy the Kid, Doc Holobyte and Calamity Bayes split 300 chips: all have an ace-high straight."),
    ],
)  # fmt: skip
def test_rare_moments_have_these_captions(
    acts: str, holes: tuple[str, ...], board: str, stacks: tuple[int, ...], caption: str
) -> None:
    assert caption in said_in(play(acts, holes, board, stacks))


def test_no_hand_is_called_the_favourite_if_another_has_the_same_chance() -> None:
    assert said_in(play("", ("As Kd", "Ah Kc"), stacks=(3000,) * 2))[-1] == "Hand 1 of 6. Billy the Kid has the button."


@pytest.mark.parametrize(("acts", "captions"), [("fold fold", 0), ("raise:300 fold fold", 1)])
def test_returned_bet_has_a_caption_except_for_the_blind_in_a_walk(acts: str, captions: int) -> None:
    events = events_of(play(acts, ("5h 4c", "9h 9c", "6s 5d"), stacks=(3000,) * 3))
    after = [events[at + 1] for at, event in enumerate(events) if isinstance(event, BetReturned)]
    assert after
    assert sum(isinstance(event, CaptionSpoken) for event in after) == captions


@pytest.mark.parametrize(
    ("acts", "stacks", "is_mentioned"), [("raise:3000 call call", (3000,) * 3, False), (ALL_IN, STACKS, True)]
)
def test_big_pot_is_mentioned_only_if_its_winner_won_several_pots(
    acts: str, stacks: tuple[int, ...], *, is_mentioned: bool
) -> None:
    events = events_of(play(acts, ("5s Jd", "Ah Ac", "7d Td"), stacks=stacks))
    assert any(isinstance(event, HighlightMarked) and event.mark == "Big pot" for event in events)
    said = [event.text for event in events if isinstance(event, CaptionSpoken) and "big pot" in event.text]
    assert len(said) == is_mentioned


def test_picture_leaves_out_kickers_that_decide_nothing() -> None:
    script = play(ALL_IN, ("Ks Kc", "7s Jd", "8d Td"))
    shown = next(event for event in events_of(script) if isinstance(event, HandShown) and event.seat == 0)
    assert shown.ranking == "pair of kings, ace kicker"
    assert picture_after(script.entries).seats[0].ranking == "pair of kings"
