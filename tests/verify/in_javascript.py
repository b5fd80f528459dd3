"""The page's prover without the page: one node process that proves file after file."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from server.journal.journal import Entry, Journal
from tests.house.files import ROOT

_PROVER = """
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
const { prove } = await import(process.argv[1]);
for await (const path of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(prove(new Uint8Array(readFileSync(path)))));
}
"""
NODE = ROOT / ".venv/bin/node"


class Prover:
    """Proves files by the JavaScript of `/verify`."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where recordings are written."""
        self._path = folder / "recording.jsonl"
        module = (ROOT / "static/js/verify/prove.js").as_uri()
        self._node = subprocess.Popen(
            [NODE, "--input-type=module", "-e", _PROVER, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def file(self, path: Path) -> dict[str, Any]:
        """The verdict on a file."""
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(f"{path}\n")
        self._node.stdin.flush()
        verdict: dict[str, Any] = json.loads(self._node.stdout.readline())
        return verdict

    def content(self, content: bytes) -> dict[str, Any]:
        """The verdict on a file of that content."""
        self._path.write_bytes(content)
        return self.file(self._path)

    def entries(self, entries: Sequence[Entry]) -> dict[str, Any]:
        """The verdict on a recording of these entries, with sums that fit."""
        self._path.unlink(missing_ok=True)
        journal = Journal(self._path)
        journal.append(entries)
        journal.close()
        return self.file(self._path)

    def close(self) -> None:
        assert self._node.stdin
        self._node.stdin.close()
        self._node.wait()
        assert self._node.stdout
        self._node.stdout.close()
