"""Runs the JavaScript of `/verify` in Node, without a browser: one process for each test module."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server.journal.journal import Entry
from tests.support.games.recordings import write
from tests.support.programs.in_node import Node

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
