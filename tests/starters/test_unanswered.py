"""A starter that registers says in one line that nobody answers where it was sent, and ends."""

import sys
from pathlib import Path

import pytest

from server.commands.authors.new import PROGRAMS, STARTERS
from tests.starters.unanswered import REGISTERS, says_that_nobody_answers

INTERPRETERS = {"python": sys.executable, "javascript": str(Path(sys.executable).parent / "node")}


@pytest.mark.parametrize("contest", REGISTERS)
@pytest.mark.parametrize("language", INTERPRETERS)
def test_a_starter_says_that_nobody_answers(contest: str, language: str) -> None:
    program = STARTERS / contest / language / PROGRAMS[contest][language]
    says_that_nobody_answers(contest, [INTERPRETERS[language], str(program)])
