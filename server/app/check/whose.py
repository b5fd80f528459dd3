"""For which contest something was handed in."""

from pathlib import Path

from server.app.check.checker import Checker
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import Contest


def contest_of(path: Path) -> Contest:
    """The contest whose marks are at `path`; the first of all where there are none. Raises OSError."""
    others = (each for each in CONTESTS.values() if each.id != DEFAULT and each.checker)
    return next((each for each in others if checker_of(each).handed_in(path)), CONTESTS[DEFAULT])


def checker_of(contest: Contest) -> Checker:
    """What checks the submissions of a contest in which bots are handed in."""
    assert contest.checker, f"nothing is handed in for {contest.name}"
    return contest.checker()
