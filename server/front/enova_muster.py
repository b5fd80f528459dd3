"""Before an Enova tournament begins: who answers, who takes its seat, who is out and why. Then the bots themselves."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from server.bots.called import CalledBot, call_within
from server.bots.dialects.calls import Request
from server.bots.dialects.enova import READY, Enova, seat_request
from server.bots.transports.http import Address, CallFailed, HttpWire
from server.front.enova_roll import Registered, same_name
from server.game.events import Entrant, Event

CALL_SECONDS = 5.0
""" "Every call to a bot had a 5 s limit"."""
TABLE = 8
"""Seats at a table: so few know where they sit before the first draw."""
OK = 200


class Out(Struct, frozen=True):
    """Somebody who registered and is not entered; `why` in words for its author."""

    name: str
    why: str


class Mustered(Struct, frozen=True):
    """Who plays, numbered from 1 in the order of registration, where each is called, and who does not play."""

    entrants: tuple[Entrant, ...]
    addresses: Mapping[int, Address]
    out: tuple[Out, ...] = ()


async def muster(roll: Sequence[Registered], seconds: float = CALL_SECONDS) -> Mustered:
    """Calls everybody at once: first whether it is ready, then, who is, to its seat. No bot's doing raises.

    With more than one table the seats are drawn table by table, and each bot hears of its table when that begins;
    the seat it is called to here is then in the hall, `game_table_0`.
    """
    whys = dict(zip(roll, await _call_all(roll, READY, seconds), strict=True))
    ready = [bot for bot in roll if not whys[bot]]
    seat = seat_request(1 if len(ready) <= TABLE else 0)
    whys |= dict(zip(ready, await _call_all(ready, seat, seconds), strict=True))
    seated = [bot for bot in roll if not whys[bot]]
    entrants = tuple(Entrant(number, bot.name, bot.player or bot.name) for number, bot in enumerate(seated, 1))
    out = tuple(Out(bot.name, whys[bot]) for bot in roll if whys[bot])
    return Mustered(entrants, {number: bot.address for number, bot in enumerate(seated, 1)}, out)


def mustered_before(entrants: Sequence[Entrant], roll: Sequence[Registered]) -> Mustered:
    """The same for a tournament that is taken up: nobody is called, for all have their seats.

    Who is missing from the roll, which nobody but the organiser can have changed, is out.
    """
    found = {one.bot: bot.address for one in entrants for bot in roll if same_name(bot.name, one.name)}
    lost = [Out(one.name, "nobody knows any more where it is") for one in entrants if one.bot not in found]
    return Mustered(tuple(entrants), found, tuple(lost))


def enova_bots(mustered: Mustered, notify: Callable[[Event], object]) -> list[CalledBot]:
    """The bots to welcome at the table, from inside the running loop; `notify` is the director's `hear`."""
    return [CalledBot(bot, Enova(), HttpWire(address), notify) for bot, address in mustered.addresses.items()]


async def _call_all(bots: Sequence[Registered], request: Request, seconds: float) -> list[str]:
    return await asyncio.gather(*(_refusal(bot.address, request, seconds) for bot in bots))


async def _refusal(address: Address, request: Request, seconds: float) -> str:
    """Why the bot there does not take the call; "" if it does."""
    wire = HttpWire(address)
    try:
        reply = await call_within(wire, request, seconds, asyncio.get_running_loop())
    except CallFailed as failed:
        return f"{request.path}: {failed}"
    finally:
        await wire.close()
    return "" if reply.status == OK else f"{request.path}: answered with status {reply.status} instead of 200"
