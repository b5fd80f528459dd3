"""Quick Draw's starter bots as they are handed out: each folder is a submission without a fault."""

from pathlib import Path

from server.submissions.read import read_submissions
from tests.support.source_files import ROOT

STARTERS = ROOT / "assets" / "starters" / "quick-draw"


def test_starter_folders_have_no_fault(tmp_path: Path) -> None:
    found = read_submissions(STARTERS, tmp_path)
    assert [bot.name for bot in found] == ["C++ Starter", "Java Starter", "JavaScript Starter", "Python Starter"]
    assert not [(bot.faults, bot.mends, bot.notes) for bot in found if bot.faults or bot.mends or bot.notes]
