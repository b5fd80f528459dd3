"""Quick Draw tournaments for tests: just opened, at the start of the Trials, or random and complete, step by step."""

from collections.abc import Iterator, Sequence

from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import Entrant, Event, StageStarted, TournamentOpened
from server.game.tournament import Tournament, evolve, open_tournament
from tests.support.random_contests import STACK, RandomContest, opening

TRIALS, FINALS = QUICK_DRAW_FORMAT.stages
CONTESTS = 200
"""How many random contests each test plays, all different."""


def opened(bots: int) -> TournamentOpened:
    return opening(tuple(Entrant(bot, f"Bot {bot}") for bot in range(1, bots + 1)))


def steps(contest: RandomContest) -> Iterator[tuple[Tournament, Event, Tournament]]:
    """Yields every event with the tournament before and after it."""
    before = contest.tournament
    for event in contest.events():
        yield before, event, contest.tournament
        before = contest.tournament


def started(bots: int) -> Tournament:
    """Returns a tournament of `bots` bots at the start of its first stage."""
    tournament = open_tournament(opened(bots))
    return evolve(tournament, StageStarted(1, "The Trials", 15, 6, tuple(tournament.records), (STACK,) * bots, 6))


def in_order(bots: Sequence[int], _drawn: str) -> list[int]:
    """A shuffle that keeps the order of the bots."""
    return list(bots)


def reversed_order(bots: Sequence[int], _drawn: str) -> list[int]:
    """A shuffle that puts the highest numbers first."""
    return sorted(bots, reverse=True)
