"""Runs the commentary over a recording, and the second program over everything that it says."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import asdict

from broadcast.commentary.commentary import Commentary
from broadcast.odds.calculator import odds_of, situation_after
from broadcast.on_air.events import (
    CaptionSpoken,
    EquitiesChanged,
    HandNamed,
    HandTold,
    HighlightMarked,
    SceneShown,
    StatisticsChanged,
)
from broadcast.on_air.table_state import TableEntry, with_tables
from server.game.events import ActionTaken, Event, HandStarted
from server.journal.journal import Entry
from tests.commentary.checker.captions import CaptionCheck, Wrong
from tests.commentary.checker.events import EventCheck
from tests.commentary.slow_storylines import Evening


class Checked:
    """The check of a recording: how many hands and statements, and what is wrong, in words."""

    def __init__(self, entries: Iterable[Entry], count_every: int = 1) -> None:
        self.hands = 0
        self.wrong: list[str] = []
        self._past: list[Event] = []
        self._hand, self._around, commentary = CaptionCheck(count_every), EventCheck(), Commentary()
        for stretch in _by_hand(with_tables(entries)):
            odds = odds_of(stretch)
            for entry in stretch:
                self.hands += isinstance(entry.event, HandStarted)
                situation = situation_after(entry)
                chances = [odds[situation]] if situation and situation in odds else []
                self._check(entry.event, chances, commentary.after(entry, chances))

    @property
    def statements(self) -> int:
        """How many statements were read and checked."""
        return self._hand.checked + self._around.checked

    def _check(self, event: Event, chances: Sequence[EquitiesChanged], said: Sequence[Event]) -> None:
        self._hand.apply(event)
        self._around.apply(event)
        try:
            for change in chances:
                self._hand.chances(change)
            if isinstance(event, ActionTaken):
                self._hand.acted()
            closing = next((each for each in said if isinstance(each, StatisticsChanged) and each.closing), None)
            interrupted = any(isinstance(each, SceneShown) for each in said)
            for each in said:
                if interrupted and isinstance(each, CaptionSpoken) and _has_numbers_of(event, each.text):
                    continue
                if closing and isinstance(each, CaptionSpoken) and self._around.is_plain_truth(each.text, closing):
                    continue
                self._statement(event, each)
        except Wrong as wrong:
            self.wrong.append(str(wrong))
        self._past.append(event)

    def _is_storyline(self, event: Event, text: str) -> bool:
        """Whether `text` is a true storyline, which may replace a new hand's number."""
        return isinstance(event, HandStarted) and Evening(self._past).is_true(text)

    def _statement(self, event: Event, said: Event) -> None:
        match said:
            case CaptionSpoken(text=text):
                is_true = self._around.caption(event, text)
                if is_true is None:
                    self._hand.caption(event, text)
                elif not is_true and not self._is_storyline(event, text):
                    raise Wrong(f"{text!r} after {event}")
            case HandNamed():
                self._hand.named(said)
            case HighlightMarked():
                self._hand.highlight(said)
            case HandTold(text=text):
                self._hand.hand_line(text)
            case _:
                pass


def _has_numbers_of(event: Event, text: str) -> bool:
    """Whether every number in the caption of a scene is one of the event's."""
    own = {value for value in asdict(event).values() if isinstance(value, int)}
    return {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)} <= own


def _by_hand(entries: Iterable[TableEntry]) -> Iterator[list[TableEntry]]:
    """Entries in groups that begin with a hand."""
    hands = 0

    def number(entry: TableEntry) -> int:
        nonlocal hands
        hands += isinstance(entry.event, HandStarted)
        return hands

    return (list(stretch) for _, stretch in groupby(entries, key=number))
