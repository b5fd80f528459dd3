"""A starter reports in one line what is missing, and exits."""

import shutil
import sys
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS
from tests.starters.unanswered import (
    REGISTERS,
    says_that_it_has_no_configuration,
    says_that_its_port_is_taken,
    says_that_nobody_answers,
)
from tests.support.starters import PROGRAMS

INTERPRETERS = {"python": sys.executable, "javascript": str(Path(sys.executable).parent / "node")}


@pytest.mark.parametrize("contest", REGISTERS)
@pytest.mark.parametrize("language", INTERPRETERS)
def test_starter_reports_that_nobody_answers(contest: str, language: str) -> None:
    program = STARTERS / contest / language / PROGRAMS[contest][language]
    says_that_nobody_answers(contest, [INTERPRETERS[language], str(program)])


@pytest.mark.parametrize("contest", ["arena", "enova"])
@pytest.mark.parametrize("language", INTERPRETERS)
def test_starter_reports_an_occupied_port(contest: str, language: str) -> None:
    says_that_its_port_is_taken(
        [INTERPRETERS[language], str(STARTERS / contest / language / PROGRAMS[contest][language])]
    )


@pytest.mark.parametrize("language", INTERPRETERS)
def test_starter_reports_a_missing_configuration(language: str, tmp_path: Path) -> None:
    program = shutil.copy(STARTERS / "quick-draw" / language / PROGRAMS["quick-draw"][language], tmp_path)
    says_that_it_has_no_configuration([INTERPRETERS[language], str(program)], tmp_path)
