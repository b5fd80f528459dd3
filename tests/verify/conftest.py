"""Makes simple alterations of recordings, and runs the JavaScript of `/verify` in Node, without a browser.

Each test module has one Node process.
"""

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
    """Yields the kind of event, what was done to it (or the field that was changed), and the altered recording."""
    first: dict[type[Event], int] = {}
    for at, entry in enumerate(entries):
        first.setdefault(type(entry.event), at)
    for kind, at in first.items():
        before, event, after = entries[:at], entries[at], entries[at + 1 :]
        yield kind, "left out", numbered([*before, *after])
        yield kind, "twice", numbered([*before, event, *entries[at:]])
        yield kind, "moved", numbered([*before, *after[:1], event, *after[1:]])
        for field, other in _others(event.event):
            yield kind, field, numbered([*before, replace(event, event=other), *after])


def first_of(entries: Sequence[Entry], kind: type[Event]) -> int:
    """The index of the first event of a kind."""
    return next(at for at, entry in enumerate(entries) if isinstance(entry.event, kind))


def with_first(entries: Sequence[Entry], kind: type[Event], **changes: object) -> list[Entry]:
    """The entries with other values in the first event of a kind."""
    at = first_of(entries, kind)
    return with_event(entries, at, replace(entries[at].event, **changes))


def with_event(entries: Sequence[Entry], at: int, event: Event) -> list[Entry]:
    return [*entries[:at], replace(entries[at], event=event), *entries[at + 1 :]]


def numbered(entries: Sequence[Entry]) -> list[Entry]:
    return [Entry(seq, 0, entry.event) for seq, entry in enumerate(entries, 1)]


def _others(event: Event) -> Iterator[tuple[str, Event]]:
    """Yields copies of the event, each with another value in one field, after the field's name."""
    fields = msgspec.json.decode(msgspec.json.encode(event))  # `to_builtins` would keep tuples instead of lists
    for name, value in fields.items():
        for other in _values(value) if name != "type" else ():
            with suppress(msgspec.ValidationError):
                yield f"no {name}" if other in ("", []) else name, msgspec.convert({**fields, name: other}, type(event))


def _values(value: Any) -> Sequence[Any]:
    """Returns values to try instead of `value`."""
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


_PROVED = """async (path, load) => {
  const { verifyFile } = await load("/static/js/verify/file.js");
  return verifyFile(new Uint8Array(process.getBuiltinModule("fs").readFileSync(path)));
}"""


class Prover:
    """Checks files with the JavaScript of `/verify`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "recording.jsonl"
        self._node = Node()

    def file(self, path: Path) -> dict[str, Any]:
        verdict: dict[str, Any] = self._node.evaluate(_PROVED, str(path))
        return verdict

    def content(self, content: bytes) -> dict[str, Any]:
        self._path.write_bytes(content)
        return self.file(self._path)

    def entries(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """Returns the verdict on a recording of these entries, with valid checksums."""
        self._path.unlink(missing_ok=True)
        write(self._path, entries)
        return self.file(self._path)

    def close(self) -> None:
        self._node.close()


@pytest.fixture(scope="module")
def prover(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prover]:
    with closing(Prover(tmp_path_factory.mktemp("proved"))) as opened:
        yield opened
