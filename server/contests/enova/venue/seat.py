"""How a bot of Enova comes to a match: it may register first, then it is called to its seat."""

from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.bots.http_bot import HttpBot
from server.contests.enova.venue.pages import enova_router
from server.contests.enova.venue.ready_check import why_not_seated
from server.contests.enova.venue.registry import EnovaRegistry


async def seat(seats: Seats, bot: int, side: Side) -> HttpBot:
    """Raises Refusal where the bot does not take its seat, OSError."""
    registration = enova_router(EnovaRegistry(seats.work / f"registered-{bot}.json"))
    return await seats.called(bot, side, why_not_seated, registration)
