"""The browser's prover without a browser: recordings are proved in Node, one after the other."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from server.journal.journal import Entry
from server.season.events import SeasonEnded
from server.verify.entries import follow
from server.verify.file import verdict_on
from server.verify.refutation import Refuted
from server.verify.season import Ledger, is_ledger
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

    def agreed(self, path: Path) -> dict[str, Any]:
        """The verdict on a file, once the server's prover has come to the same one in the very same words."""
        theirs, ours = self.file(path), verdict_on(path)
        verdict = theirs["holds"], theirs["whole"], theirs["where"], theirs["fault"]
        assert verdict == (ours.holds, ours.whole, ours.where, ours.fault)
        return theirs

    def agreed_content(self, content: bytes) -> dict[str, Any]:
        """As `agreed`, for a file of that content."""
        self._path.write_bytes(content)
        return self.agreed(self._path)

    def agreed_entries(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """As `agreed`, for a recording of these entries, with sums that fit."""
        self._written(entries)
        return self.agreed(self._path)

    def agreed_ledger(self, facts: Sequence[Entry]) -> dict[str, Any]:
        """As `agreed_entries`, for the ledger of a season without its games, which the browser does not see."""
        self._written(facts)
        if not is_ledger(self._path):
            return self.agreed(self._path)
        seeds = [fact.event.seed for fact in facts if isinstance(fact.event, SeasonEnded)]
        theirs, where, fault = self.file(self._path), "", ""
        try:
            follow(facts, lambda opened: Ledger(opened, seeds[0] if seeds else ""))
        except Refuted as refuted:
            where, fault = refuted.where, refuted.what
        assert (theirs["where"], theirs["fault"]) == (where, fault)
        return theirs

    def content(self, content: bytes) -> dict[str, Any]:
        """The verdict on a file of that content."""
        self._path.write_bytes(content)
        return self.file(self._path)

    def entries(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """The verdict on a recording of these entries, with sums that fit."""
        self._written(entries)
        return self.file(self._path)

    def _written(self, entries: Sequence[Entry]) -> None:
        self._path.unlink(missing_ok=True)
        write(self._path, entries)

    def close(self) -> None:
        """Ends the process."""
        self._node.close()
