"""Alters recordings in simple ways, and runs the JavaScript of the page `/verify` in Node, without a browser."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from server.game.events import Event
from server.journal.journal import Entry
from tests.support.games.recordings import write
from tests.support.programs.in_node import Node


def simple_alterations(entries: Sequence[Entry]) -> Iterator[tuple[type[Event], str, list[Entry]]]:
    """Alters the first event of each type in several ways. Yields the type, the alteration, and the altered recording.

    The alteration is "left out", "twice", "moved", the name of a changed field, or "no FIELD" for an emptied field.
    """
    first_indexes: dict[type[Event], int] = {}
    for index, entry in enumerate(entries):
        first_indexes.setdefault(type(entry.event), index)
    for event_type, index in first_indexes.items():
        before, entry, after = entries[:index], entries[index], entries[index + 1 :]
        yield event_type, "left out", numbered([*before, *after])
        yield event_type, "twice", numbered([*before, entry, *entries[index:]])
        yield event_type, "moved", numbered([*before, *after[:1], entry, *after[1:]])
        for field, other in _altered_events(entry.event):
            yield event_type, field, numbered([*before, replace(entry, event=other), *after])


def index_of_first(entries: Sequence[Entry], event_type: type[Event]) -> int:
    return next(index for index, entry in enumerate(entries) if isinstance(entry.event, event_type))


def with_first_event(entries: Sequence[Entry], event_type: type[Event], **changes: object) -> list[Entry]:
    """Returns the entries with `changes` to the fields of the first event of type `event_type`."""
    index = index_of_first(entries, event_type)
    return with_event(entries, index, replace(entries[index].event, **changes))


def with_event(entries: Sequence[Entry], index: int, event: Event) -> list[Entry]:
    return [*entries[:index], replace(entries[index], event=event), *entries[index + 1 :]]


def numbered(entries: Sequence[Entry]) -> list[Entry]:
    return [Entry(seq, 0, entry.event) for seq, entry in enumerate(entries, 1)]


def _altered_events(event: Event) -> Iterator[tuple[str, Event]]:
    """Yields the name of each alteration, and a copy of the event in which one field has another value."""
    fields = msgspec.json.decode(msgspec.json.encode(event))  # JSON turns tuples into lists.
    for name, value in fields.items():
        for other in _other_values(value) if name != "type" else ():
            with suppress(msgspec.ValidationError):
                yield f"no {name}" if other in ("", []) else name, msgspec.convert({**fields, name: other}, type(event))


def _other_values(value: Any) -> Sequence[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case str():
            return ["no key", "ab" * 32, ""] if value else ["ab" * 32]
        case [_, *_]:
            return [value[::-1], value[1:]]
    return []


_VERIFY_FILE = """async (path, load) => {
  const { verifyFile } = await load("/static/js/verify/file.js");
  return verifyFile(new Uint8Array(process.getBuiltinModule("fs").readFileSync(path)));
}"""


class Prover(Node):
    """Runs the code of the page `/verify`. Each method returns the page's verdict on its argument."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._path = folder / "recording.jsonl"

    def file(self, path: Path) -> dict[str, Any]:
        return dict(self.evaluate(_VERIFY_FILE, str(path)))

    def content(self, content: bytes) -> dict[str, Any]:
        self._path.write_bytes(content)
        return self.file(self._path)

    def entries(self, entries: Sequence[Entry]) -> dict[str, Any]:
        self._path.unlink(missing_ok=True)
        write(self._path, entries)
        return self.file(self._path)


@pytest.fixture(scope="module")
def prover(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    with closing(Prover(tmp_path_factory.mktemp("proved"))) as prover:
        yield prover
