"""The tests, and a second try for those that fail: `python .ci/test.py ARGUMENTS OF PYTEST`.

Real processes, browsers and containers share two cores here, and now and then one of them gets none because of its
neighbours. So what fails is run once more, alone, and it is said plainly which tests needed that. The whole has failed
if one of them fails again, or if more than five failed in the first place.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

MOST = 5
SOME_FAILED = 1  # the exit status of pytest; others are no matter of single tests


def main(arguments: list[str]) -> int:
    """The exit status of the tests."""
    with tempfile.TemporaryDirectory(prefix="highnoon-tests-") as name:
        folder = Path(name)
        command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={folder}/cache", *arguments]
        status = subprocess.run([*command, f"--junit-xml={folder}/report.xml"], check=False).returncode
        failed = _failed(folder)
        if status != SOME_FAILED or not failed:
            return status
        if len(failed) > MOST:
            print(f"==> {len(failed)} tests failed: too many for a second try")
            return status
        _list("Failed beside others, and tried once more, alone:", failed)
        status = subprocess.run([*command, "--last-failed", "-n", "0"], check=False).returncode
        if status == 0:
            _list("Passed at the second try, alone:", failed)
            print(_summary(folder / "report.xml", len(failed)), flush=True)
        return status


def _failed(folder: Path) -> list[str]:
    noted = folder / "cache" / "v" / "cache" / "lastfailed"
    return list(json.loads(noted.read_text())) if noted.exists() else []


def _list(words: str, tests: list[str]) -> None:
    print("\n    ".join([f"==> {words}", *tests]), flush=True)


def _summary(report: Path, again: int) -> str:
    """The last line, of all tests."""
    suite = next(ElementTree.parse(report).iter("testsuite"))  # noqa: S314 (it is pytest's own)
    skipped = int(suite.attrib["skipped"])
    passed = int(suite.attrib["tests"]) - skipped
    return f"==> {passed} passed ({again} of them at the second try), {skipped} skipped in {suite.attrib['time']}s"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
