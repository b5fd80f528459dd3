"""The page of what other Python programs may import: its example runs, and all that it offers is described."""

import subprocess
import sys
from importlib import import_module

from assets.make.api import EXAMPLE, OFFERED
from server.paths import ROOT


def test_example_runs_as_it_is_written() -> None:
    ended = subprocess.run([sys.executable, "-c", EXAMPLE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "TournamentEnded" in ended.stdout


def test_everything_offered_has_a_docstring() -> None:
    modules = {module: names for chapter in OFFERED.values() for module, names in chapter.items()}
    assert [
        name for module, names in modules.items() for name in names if not getattr(import_module(module), name).__doc__
    ] == []
