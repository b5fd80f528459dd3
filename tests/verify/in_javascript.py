"""The proof of `/verify` without a browser: recordings are proved in Node, one after the other."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from server.journal.journal import Entry
from tests.support.in_node import Node
from tests.support.recordings import write

_PROVED = """async (path, load) => {
  const { prove } = await load("/static/js/verify/file.js");
  return prove(new Uint8Array(process.getBuiltinModule("fs").readFileSync(path)));
}"""


class Prover:
    """Proves files by the JavaScript of `/verify`."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where recordings are written."""
        self._path = folder / "recording.jsonl"
        self._node = Node()

    def file(self, path: Path) -> dict[str, Any]:
        """The verdict on a file."""
        verdict: dict[str, Any] = self._node.evaluate(_PROVED, str(path))
        return verdict

    def content(self, content: bytes) -> dict[str, Any]:
        """The verdict on a file of that content."""
        self._path.write_bytes(content)
        return self.file(self._path)

    def entries(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """The verdict on a recording of these entries, with valid checksums."""
        self._path.unlink(missing_ok=True)
        write(self._path, entries)
        return self.file(self._path)

    def close(self) -> None:
        """Ends the process."""
        self._node.close()
