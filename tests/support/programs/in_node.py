"""A Node process that runs the pages' JavaScript without a page."""

import json
import subprocess
from typing import Any

import msgspec

from tests.support.source_files import ROOT

_EVALUATING_SCRIPT = """
import { createInterface } from "node:readline";
const load = (path) => import(new URL(`.${path}`, process.argv[1]));
const globals = Object.getOwnPropertyDescriptors(globalThis);
for await (const line of createInterface({ input: process.stdin })) {
  const [code, argument] = JSON.parse(line);
  const call = async () => ({ result: await (0, eval)(`(${code})`)(argument, load) });
  const answer = await call().catch((error) => ({ error: String(error.stack) }));
  for (const key of Object.keys(globalThis)) if (!Object.hasOwn(globals, key)) delete globalThis[key];
  Object.defineProperties(globalThis, globals);
  console.log(JSON.stringify(answer));
}
"""


class Node:
    def __init__(self) -> None:
        words = [str(ROOT / ".venv/bin/node"), "--input-type=module", "-e", _EVALUATING_SCRIPT, f"{ROOT.as_uri()}/"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def evaluate(self, code: str, argument: Any = None) -> Any:
        """Calls the JavaScript function in `code`. Returns its result. `argument` and the result must be JSON values.

        The function gets `argument` and `load`, which imports a module: `load("/static/js/common/format.js")`. After
        each call, `globalThis` is as it was before, even if the function failed.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{json.dumps([code, argument])}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "Node failed: see standard error"
        outcome = msgspec.json.decode(answer)
        assert "error" not in outcome, outcome["error"]
        return outcome.get("result")

    def close(self) -> None:
        self._process.communicate()
