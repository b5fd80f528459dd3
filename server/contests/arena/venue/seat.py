"""How a bot of the Arena comes to a match: as soon as it listens."""

from server.app.event.http_bots import probe
from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address


async def seat(seats: Seats, bot: int, side: Side) -> HttpBot:
    """Raises Refusal where nobody listens, OSError."""
    return await seats.called(bot, side, _nobody_listens)


async def _nobody_listens(_name: str, address: Address) -> str:
    return (await probe(address, address.name)).why
