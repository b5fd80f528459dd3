"""Fixtures: a folder with a valid bot, and a reader of submissions."""

from collections.abc import Callable
from pathlib import Path

import pytest

from server.submissions.submission import Submission
from server.submissions.submissions_reader import read_submissions
from tests.support.bots.submission import write_bot

Reader = Callable[[Path], list[Submission]]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """`read(path)` returns all submissions in this folder or archive."""
    return lambda path: read_submissions(path, tmp_path / "work")


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The folder of a valid bot. Its particle is the picture that flies when the bot wins."""
    return write_bot(tmp_path / "abe", has_particle_and_sound=True)
