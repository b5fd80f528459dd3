"""One pass over an Arena's configuration: values by their keys, what is wrong with them, and what is not used.

Which keys there are stands here; what they mean does not.
"""

import codecs
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import NoReturn

from server.config import event_values as values
from server.config.event_file import EventFaults
from server.config.event_reader import Reading, Table
from server.text.json_faults import BadJson, decoded, parsed

KNOWN = {
    "": ("game_server", "tournament", "ais", "name", "description", "timeout", "bot_networks"),
    "tournament": (
        "rounds", "max_hands_per_round", "initial_chips", "max_players", "blind_structure_file", "delay_between_hands",
        "mode", "small_blind", "big_blind",
    ),
    "ais": ("ai_id", "ai_name", "url", "host", "port", "description"),
}  # fmt: skip
_MOST_REPORTED = 12
"""How many keys that are not used are named."""
_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def without_comments(text: str) -> str:
    """JSON with its `//` and `/* */` comments blanked out, so that lines and columns stay where they are."""

    def blank(match: re.Match[str]) -> str:
        piece = match[0]
        return piece if piece.startswith('"') else re.sub(r"[^\n]", " ", piece)

    return _TEXT_OR_COMMENT.sub(blank, text)


class ArenaReading(Reading):
    """A file being read, as an event file is; besides faults it collects the keys that are not used."""

    def __init__(self, file: str) -> None:
        super().__init__(file, {})
        self._unused: list[str] = []
        self._remarks: list[str] = []

    def parse(self, raw: bytes) -> object:
        """The JSON in `raw`, which may have comments. Raises EventFaults where it is none."""
        try:
            return parsed(without_comments(decoded(raw.removeprefix(codecs.BOM_UTF8))))
        except BadJson as error:
            self.stop(str(error))

    def table(self, found: Table, key: str) -> Table:
        """The object under `key`, {} where there is none; its unknown keys are reported."""
        table = found.get(key, {})
        if not isinstance(table, dict):
            self.fault(key, f"should be an object in braces, not {values.written(table)}")
            return {}
        self.known(table, key, key)
        return table

    def known(self, table: Table, kind: str, place: str) -> None:
        """Reports keys that are not known: a likely misspelling as a fault, others as not used."""
        for key in table:
            if key in KNOWN[kind]:
                continue
            meant = get_close_matches(key, KNOWN[kind], n=1, cutoff=0.75)
            if meant and meant[0] not in table:
                self.fault(at(place, key), f'there is no such key; did you mean "{meant[0]}"?')
            else:
                self.unused(at(place, key))

    def unused(self, place: str) -> None:
        """Notes that the key at this place is not used."""
        self._unused.append(place)

    def remark(self, words: str) -> None:
        """Notes a sentence for the organiser."""
        self._remarks.append(words)

    def remarks(self) -> tuple[str, ...]:
        """What the organiser should know, also of keys that are not used, in sentences."""
        named, rest = self._unused[:_MOST_REPORTED], len(self._unused) - _MOST_REPORTED
        listed = ", ".join(name[:60] for name in named) + (f" and {rest} more" if rest > 0 else "")
        return (*self._remarks, *([f"not used: {listed}"] if named else ()))

    def finish(self) -> None:
        """Raises EventFaults with all that is wrong, if anything is."""
        if self.faults:
            raise EventFaults([words for _, words in self.faults])

    def stop(self, words: str) -> NoReturn:
        """Raises EventFaults for a file that cannot be read any further."""
        raise EventFaults([f"{self.file}: {words}"])


def at(place: str, key: str) -> str:
    """Where a key is: "tournament.rounds"."""
    return f"{place}.{key}".lstrip(".")


def seconds(least: float, most: float) -> Callable[[object], float]:
    """A reader for a number of seconds, which may have a fraction. It raises ValueError."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise ValueError(f"should be a number of seconds from {least:g} to {most:g}, not {values.written(value)}")
        return float(value)

    return read
