"""A starter reports in one line what is missing, and exits with status 1."""

import shutil
import sys
from pathlib import Path

import pytest

from server.commands.authors.new import STARTERS
from tests.starters.unanswered import REGISTERS, check_no_answer, check_no_configuration, check_occupied_port
from tests.support.starters import PROGRAMS

INTERPRETERS = {"python": sys.executable, "javascript": str(Path(sys.executable).parent / "node")}
each_language = pytest.mark.parametrize("language", INTERPRETERS)


def command(contest: str, language: str) -> list[str]:
    return [INTERPRETERS[language], str(STARTERS / contest / language / PROGRAMS[contest][language])]


@pytest.mark.parametrize("contest", REGISTERS)
@each_language
def test_starter_reports_that_nobody_answers(contest: str, language: str) -> None:
    check_no_answer(contest, command(contest, language))


@pytest.mark.parametrize("contest", ["arena", "enova"])
@each_language
def test_starter_reports_an_occupied_port(contest: str, language: str) -> None:
    check_occupied_port(command(contest, language))


@each_language
def test_starter_reports_a_missing_configuration(language: str, tmp_path: Path) -> None:
    interpreter, program = command("quick-draw", language)
    check_no_configuration([interpreter, str(shutil.copy(program, tmp_path))], tmp_path)
