"""Runs the commentary on a recording, and the checker on everything it says about hands."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from broadcast.commentary.commentary import Commentary
from broadcast.odds.calculator import odds_of, situation_after
from broadcast.on_air.events import CaptionSpoken, EquitiesChanged, HandNamed, HandTold, HighlightMarked, SceneShown
from broadcast.on_air.table_state import TableEntry, with_tables
from server.game.events import HAND_EVENTS, Event, HandStarted, SeatVacated
from server.journal.journal import Entry
from tests.commentary.checker.captions import CaptionCheck, Wrong
from tests.commentary.storyteller.check import is_true
from tests.commentary.storyteller.evening import Evening


class CheckedRecording:
    """The result of checking a recording: its number of hands and of statements, and the false statements."""

    def __init__(self, entries: Iterable[Entry], count_every: int = 1) -> None:
        self.hands = 0
        self.wrong: list[str] = []
        self._evening = Evening()
        self._hand, commentary = CaptionCheck(count_every), Commentary()
        for stretch in _by_hand(with_tables(entries)):
            odds = odds_of(stretch)
            for entry in stretch:
                self.hands += isinstance(entry.event, HandStarted)
                situation = situation_after(entry)
                chances = [odds[situation]] if situation and situation in odds else []
                self._check(entry, chances, commentary.after(entry, chances))

    @property
    def statements(self) -> int:
        """The number of statements that were checked."""
        return self._hand.checked

    def _check(self, entry: TableEntry, chances: Sequence[EquitiesChanged], said: Sequence[Event]) -> None:
        self._hand.apply(entry)
        try:
            for change in chances:
                self._hand.chances(change)
            self._hand.marks = [each for each in said if isinstance(each, HighlightMarked)]
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
                self._hand.caption(event, text)
            case HandNamed():
                self._hand.named(said)
            case HandTold(text=text):
                self._hand.hand_line(text)
            case _:
                pass


def _by_hand(entries: Iterable[TableEntry]) -> Iterator[list[TableEntry]]:
    """The entries in groups. Each group reaches from the start of a hand to the start of the next."""
    hands = 0

    def number(entry: TableEntry) -> int:
        nonlocal hands
        hands += isinstance(entry.event, HandStarted)
        return hands

    return (list(stretch) for _, stretch in groupby(entries, key=number))
