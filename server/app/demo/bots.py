"""The house bots of a demo, which come in as the bots of their contest do."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct

from server.app.event.http_bots import called_bots
from server.bots.transports.http import Address
from server.config.settings import Settings
from server.contests.contest import Contest
from server.game.events import Entrant
from server.tournament.director import Director

THINK_SECONDS = 2.0
"""The longest a house bot thinks, at speed 1."""


class DemoBots(Struct, frozen=True):
    """The bots that play; `seat` has them come to the table and returns once all are there."""

    entrants: tuple[Entrant, ...]
    seat: Callable[[Director], Awaitable[None]]


def think_seconds(settings: Settings) -> float:
    """The longest a house bot thinks in this show, in seconds."""
    return THINK_SECONDS / settings.speed if settings.speed else 0.0


def demo_of_called(contest: Contest, entrants: Sequence[Entrant], addresses: Mapping[int, Address]) -> DemoBots:
    """Bots that are called at their addresses, by bot number."""

    async def seat(director: Director) -> None:
        for bot in called_bots(contest, entrants, addresses, director.hear):
            director.welcome(bot)

    return DemoBots(tuple(entrants), seat)
