"""The name of a contest does not occur outside the contest's folder."""

import re

from server.contests import CONTESTS
from tests.support.source_files import text_files

HOME = "server/contests/"
SOURCES = (".py", ".js", ".css", ".html")
SEASON = ("server/season/game.py", "server/season/outcome.py", "server/season/bot_setup.py")
"""Exceptions: only one contest has seasons, so their code uses that contest's rules and messages."""


def test_name_of_a_contest_does_not_occur_outside_its_folder() -> None:
    names = "|".join(re.escape(word) for each in CONTESTS.values() for word in _spellings(each.id, each.name))
    spelled = re.compile(rf"(?<![a-z])(?:{names})(?![a-z])", re.IGNORECASE)
    sources = [(path, text) for path, text in text_files() if path.suffix in SOURCES]
    found = {
        path.as_posix()
        for path, text in sources
        if path.parts[0] in ("server", "broadcast", "static")
        and not path.as_posix().startswith(HOME)
        and spelled.search(text)
    }
    assert found == set(SEASON)


def _spellings(contest: str, name: str) -> set[str]:
    """The spellings of a contest's id and name, also as Python names."""
    word = name.removeprefix("The ")
    return {contest, contest.replace("-", "_"), word, word.replace(" ", "")}
