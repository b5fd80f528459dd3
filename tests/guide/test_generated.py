"""The guide's generated parts and its changelog agree with the program."""

import re
import subprocess
import sys

from assets.make.api import EXAMPLE, OFFERED
from assets.make.house import FLOORS, drawing
from server.paths import GUIDE, ROOT
from server.version import VERSION
from tests.house.test_imports import FOLDERS, row_of
from tests.support.source_files import modules_with_code

RELEASE = re.compile(r"^## (\d+)\.(\d+)\.(\d+), \d{1,2} [A-Z][a-z]+ \d{4}$", re.MULTILINE)


def test_example_for_python_programs_runs_and_everything_offered_to_them_has_a_docstring() -> None:
    ended = subprocess.run([sys.executable, "-c", EXAMPLE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "TournamentEnded" in ended.stdout
    modules = [each for chapter in OFFERED.values() for each in chapter.items()]
    assert all(getattr(module, name).__doc__ for module, names in modules for name in names)


def test_every_source_folder_is_drawn_once_in_the_order_of_imports() -> None:
    """A folder may import all folders drawn below it, which FOLDERS in test_imports lists."""
    folders = {row_of(module.path.parent.as_posix()) for module in modules_with_code()}
    drawn = [folder for floor in FLOORS.values() for folder in floor]
    assert sorted(drawn) == sorted(folders)
    assert drawn == [folder for folder in FOLDERS if folder in drawn]
    picture = drawing()
    assert [picture.count(f">{folder}<") for folder in drawn] == [1] * len(drawn)


def test_newest_release_in_the_changelog_is_this_version() -> None:
    releases = [tuple(map(int, numbers)) for numbers in RELEASE.findall((GUIDE / "changelog.md").read_text())]
    assert releases == sorted(releases, reverse=True)
    assert ".".join(map(str, releases[0])) == VERSION
