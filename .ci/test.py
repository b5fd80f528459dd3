"""The tests, and a second try for those that fail: `python .ci/test.py ARGUMENTS OF PYTEST`.

Real processes, browsers and containers share two cores here, and now and then one of them gets none because of its
neighbours. So what fails is run once more, alone, and it is said plainly which tests needed that. The whole has failed
if one of them fails again, or if more than five did in the first place.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

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
        report = next(ElementTree.parse(folder / "report.xml").iter("testsuite"))  # noqa: S314 (it is pytest's own)
        if _causes(report) > MOST:
            print(f"==> {len(failed)} tests failed: too many for a second try")
            return status
        _list("Failed beside others, and tried once more, alone:", failed)
        status = subprocess.run([*command, "--last-failed", "-n", "0"], check=False).returncode
        if status == 0:
            _list("Passed at the second try, alone:", failed)
            print(_summary(report, len(failed)), flush=True)
        return status


def _failed(folder: Path) -> list[str]:
    noted = folder / "cache" / "v" / "cache" / "lastfailed"
    return list(json.loads(noted.read_text())) if noted.exists() else []


def _list(words: str, tests: list[str]) -> None:
    print("\n    ".join([f"==> {words}", *tests]), flush=True)


def _causes(report: Element) -> int:
    """How many failed; what could not even begin counts once for each file, whose tests share what they begin with."""
    failures = sum(case.find("failure") is not None for case in report.iter("testcase"))
    return failures + len({case.get("classname") for case in report.iter("testcase") if case.find("error") is not None})


def _summary(report: Element, again: int) -> str:
    """The last line, of all tests."""
    skipped = int(report.attrib["skipped"])
    passed = int(report.attrib["tests"]) - skipped
    return f"==> {passed} passed ({again} of them at the second try), {skipped} skipped in {report.attrib['time']}s"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
