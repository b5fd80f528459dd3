"""The page of what other Python programs may import: its example runs, and all that it offers is described."""

import subprocess
import sys

from assets.make.api import EXAMPLE, OFFERED
from server.paths import ROOT


def test_example_runs_as_it_is_written() -> None:
    ended = subprocess.run([sys.executable, "-c", EXAMPLE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "TournamentEnded" in ended.stdout


def test_everything_offered_has_a_docstring() -> None:
    offered = [(module, name) for chapter in OFFERED.values() for module, names in chapter.items() for name in names]
    assert not [name for module, name in offered if not getattr(module, name).__doc__]
