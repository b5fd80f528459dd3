"""A slow checker confirms all that is said about hands. Scripted hands test the statements that it cannot check."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

import pytest

from broadcast.commentary.commentary import Commentary
from broadcast.film.highlights import ranked_picks
from broadcast.film.outline import OutlineBuilder
from broadcast.odds.calculator import odds_of, situation_after
from broadcast.on_air.events import CaptionSpoken, EquitiesChanged, HandNamed, HandTold, HighlightMarked, SceneShown
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_state import State
from broadcast.on_air.table_state import TableEntry, with_tables
from server.contests import CONTESTS
from server.game.events import HAND_EVENTS, Event, HandShown, HandStarted, SeatVacated
from server.journal.journal import Entry, read_journal
from tests.commentary.checker.captions import CaptionCheck, Wrong
from tests.commentary.storyteller.check import is_true
from tests.commentary.storyteller.evening import Evening
from tests.commentary.test_drama import duel
from tests.overlay.support.scripted_show import Script, picture_after
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import KEPT_CONTESTS, KEPT_RECORDINGS

BOTS = {"quick-draw": 8, "upac": 2}
"""The number of bots in a contest. Other contests have 6."""
HANDS = 40
COUNT_EVERY = 10
"""Chances on the flop take long to count, so they are checked only in every tenth hand; later chances in every hand."""


class CheckedRecording:
    def __init__(self, entries: Iterable[Entry], count_every: int = 1) -> None:
        self.hands = 0
        self.wrong: list[str] = []
        self.check, self._evening, commentary = CaptionCheck(count_every), Evening(), Commentary()
        for _, hand in groupby(with_tables(entries), key=self._number):
            stretch = [*hand]
            odds = odds_of(stretch)
            for entry in stretch:
                situation = situation_after(entry)
                chances = [odds[situation]] if situation and situation in odds else []
                self._apply(entry, chances, commentary.events_after(entry, chances))
        assert self.wrong == []
        assert self.check.checked > self.hands > 0

    def _number(self, entry: TableEntry) -> int:
        self.hands += isinstance(entry.event, HandStarted)
        return self.hands

    def _apply(self, entry: TableEntry, chances: Sequence[EquitiesChanged], said: Sequence[Event]) -> None:
        self.check.apply(entry)
        try:
            for change in chances:
                self.check.chances(change)
            self.check.marks = [each for each in said if isinstance(each, HighlightMarked)]
            is_scene = any(isinstance(each, SceneShown) for each in said)
            for each in said:
                if not (is_scene and isinstance(each, CaptionSpoken)):
                    self._statement(entry.event, each)
        except Wrong as wrong:
            self.wrong.append(str(wrong))
        self._evening.add(entry.event)

    def _statement(self, event: Event, said: Event) -> None:
        match said:
            case CaptionSpoken(text=text) if isinstance(event, HandStarted):
                if not text.startswith(("Hand ", "Deal ")) and not is_true(self._evening, text):
                    raise Wrong(f"{text!r} after {event}")
            case CaptionSpoken(text=text) if isinstance(event, HAND_EVENTS) and not isinstance(event, SeatVacated):
                self.check.caption(event, text)
            case HandNamed(seat=seat, ranking=ranking):
                if ranking != self.check.name(seat):
                    raise Wrong(f"{said} instead of {self.check.name(seat)}")
            case HandTold(text=text):
                self.check.hand_line(text)
            case _:
                pass


@pytest.mark.parametrize("recording", KEPT_RECORDINGS)
def test_everything_said_about_kept_recordings_is_true(recording: str) -> None:
    CheckedRecording(read_journal(KEPT_CONTESTS / recording).entries)


def play_random_contest(contest: str, seed: int, bots: int) -> list[Entry]:
    return play_contest(seed, bots, CONTESTS[contest].format)


@pytest.mark.parametrize("contest", CONTESTS)
@pytest.mark.parametrize("play", [play_house_contest, play_random_contest], ids=["house bots", "random bots"])
def test_everything_said_about_bots_is_true(play: Callable[[str, int, int], Sequence[Entry]], contest: str) -> None:
    hands = statements = 0
    for seed in range(5, 50):
        checked = CheckedRecording(play(contest, seed, BOTS.get(contest, 6)), COUNT_EVERY)
        hands, statements = hands + checked.hands, statements + checked.check.checked
        if hands >= HANDS:
            break
    assert statements > 3 * hands >= 3 * HANDS


ALL_IN = "raise:1000 raise:3000 call"
STACKS = (1000, 3000, 3000)
EQUAL = (3000, 3000, 3000)
BOARD = "7h As Qd 2c 3s"


def said_in(script: Script) -> list[str]:
    return [entry.event.text for entry in script.entries if isinstance(entry.event, CaptionSpoken)]


def test_summary_and_highlight_of_a_hand_name_the_winner_and_the_marked_bots() -> None:
    script = duel(ALL_IN, ("7s Jd", "Ah Ac", "7d Td"), BOARD, STACKS)
    builder, state = OutlineBuilder(), State()
    for entry in script.entries:
        state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
        builder.record(entry, state)
    hand = builder.outline.hands[-1]
    (line,) = (entry.event.text for entry in script.entries if isinstance(entry.event, HandTold))
    assert line == hand.told == "Doc Holobyte wins 7,000 with three aces"
    assert (hand.marks[0], hand.stars[0]) == ("Elimination", [1, 3])
    (pick,) = ranked_picks(builder.outline)
    assert pick.caption == f"Elimination of Billy the Kid and Calamity Bayes: {line}"


@pytest.mark.parametrize(
    ("acts", "holes", "board", "stacks", "caption"),
    [
        ("call call call call", ("As Kd", "Qh Jh", "9s 9d", "7c 6c"), "8d 5c Ts 2d 3s", (3000,) * 4,
            "The flop comes ten-eight-five, and Calamity Bayes is in front with pocket nines."),
        ("call call down", ("9h 8h", "Ad Tc", "4s 3c"), "Th 7h 2c Kd Ks", EQUAL,
            "The flop comes ten-seven-deuce, and Billy the Kid is the favourite, 59% to win."),
        ("call call call raise:2900", ("9s 8h", "2h 2c", "As Kd"), "2d 2s 4c Td Jc", EQUAL,
            "Billy the Kid moves all in for 2,900, drawing dead against Doc Holobyte."),
        ("call call call call call call call call call raise:2900", ("9s 8h", "Ah Kd", "Qh Qc"), BOARD, EQUAL,
            "Billy the Kid shoves for 2,900, but Calamity Bayes has the best hand."),
        ("", ("As Kd", "Qh Qc", "9s 8h"), BOARD, (3000, 3000, 60),
            "Calamity Bayes posts its last 60 chips as the big blind."),
        ("raise:300 fold fold", ("5h 4c", "9h 9c", "6s 5d"), BOARD, EQUAL,
            "The uncalled 200 goes back to Billy the Kid."),
        ("call call down", ("Ks 2d", "Qs 3c", "9h 8h"), "As 7s 4c 5s 6s", EQUAL,
            "Billy the Kid takes 300 chips with an ace-king-high flush."),
        ("call call down", ("2s Kd", "9s 8c", "Jh 8h"), "Ah 3s 4c 5d Qh", EQUAL,
            "Billy the Kid takes 300 chips with a wheel."),
        ("call call down", ("As Ac", "Ks 2c", "Jh 8h"), "Ah Kd Kc 5d Qh", EQUAL,
            "Billy the Kid takes 300 chips with aces full of kings."),
        ("call call down", ("Ks 2d", "Kc 3c", "9h 8h"), "As Qd 4c 5s 6h", EQUAL,
            "Billy the Kid and Doc Holobyte split 300 chips: both have ace-king high."),
        ("call call down", ("2s Kd", "2c Kc", "2h Kh"), "As 7d Qc Js Th", EQUAL,
            "Billy the Kid, Doc Holobyte and Calamity Bayes split 300 chips: all have an ace-high straight."),
    ],
)  # fmt: skip
def test_rare_moments_have_these_captions(
    acts: str, holes: tuple[str, ...], board: str, stacks: tuple[int, ...], caption: str
) -> None:
    assert caption in said_in(duel(acts, holes, board, stacks))


def test_captions_leave_out_a_favourite_that_has_no_better_chance_and_chips_that_need_no_mention() -> None:
    level = said_in(duel("", ("As Kd", "Ah Kc"), stacks=(3000, 3000)))
    assert level[-1] == "Hand 1 of 6. Billy the Kid has the button."
    walk = said_in(duel("fold fold", ("5h 4c", "9h 9c", "6s 5d"), stacks=EQUAL))
    assert not [text for text in walk if "uncalled" in text], "a walk's winner gets its own blind back"
    for acts, stacks, mentioned in (("raise:3000 call call", EQUAL, 0), (ALL_IN, STACKS, 1)):
        big_pot = duel(acts, ("5s Jd", "Ah Ac", "7d Td"), BOARD, stacks)
        assert [mark for each in big_pot.entries if (mark := getattr(each.event, "mark", "")) == "Big pot"]
        assert sum("big pot" in text for text in said_in(big_pot)) == mentioned, (
            "the caption of the other big pot says its amount"
        )


def test_picture_leaves_out_kickers_that_decide_nothing() -> None:
    script = duel(ALL_IN, ("Ks Kc", "7s Jd", "8d Td"), BOARD, STACKS)
    shown = [entry.event for entry in script.entries if isinstance(entry.event, HandShown)]
    assert next(each.ranking for each in shown if each.seat == 0) == "pair of kings, ace kicker"
    assert picture_after(script.entries).seats[0].ranking == "pair of kings"
