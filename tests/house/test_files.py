"""Files contain no path of the machine they were made on, and lock files have a hash for each dependency."""

import re
import tomllib
from collections.abc import Iterable

from tests.support.source_files import ROOT, text_files

LOCKS = ("requirements.lock", "requirements-dev.lock", "static/package-lock.json")


def test_no_file_names_the_machine_it_was_made_on() -> None:
    machine_path = re.compile(r"(?<![\w.}/-])/(work|tmp|root|home/\w+)/")
    assert not [
        f"{path}:{number}"
        for path, text in text_files()
        if path.parts[0] not in ("tests", ".ci")
        for number, line in enumerate(text.splitlines(), start=1)
        if machine_path.search(line)
    ]


def test_lock_files_have_hashes_no_addresses_and_all_dependencies() -> None:
    locks = {path.as_posix(): text for path, text in text_files() if path.as_posix() in LOCKS}
    assert set(locks) == set(LOCKS)
    for lock in ("requirements.lock", "requirements-dev.lock"):
        assert "://" not in locks[lock]
        assert "--hash=sha256:" in locks[lock]
    assert '"resolved"' not in locks["static/package-lock.json"]
    assert '"integrity"' in locks["static/package-lock.json"]
    run, dev = _locked("requirements.lock"), _locked("requirements-dev.lock")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert run < dev
    assert _names(project["dependencies"]) <= _names(run)
    assert _names(project["optional-dependencies"]["dev"]) <= _names(dev)


def _locked(lock: str) -> set[str]:
    """The pinned packages, such as "numpy==2.4.6", on whatever systems they are installed."""
    return set(re.findall(r"^\S+==\S+", (ROOT / lock).read_text(), re.MULTILINE))


def _names(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement, maxsplit=1)[0].lower() for requirement in requirements}
