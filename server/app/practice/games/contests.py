"""The contests whose bots are called, as they are practised: the game, how a bot is called to it, how it is asked.

Games are short: full stacks, blinds that stay at the first level, `HANDS` hands.
"""

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from server.app.enova.ready_check import ready_check
from server.app.enova.store import Registered
from server.bots.http_bot import HttpBot
from server.bots.record import Record
from server.bots.transports.http import Address, HttpConnection
from server.contests.arena.dialect import Arena, player_ids
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.dialect import Enova
from server.contests.enova.rules import ENOVA_FORMAT
from server.game.events import Entrant, Event
from server.game.tournament import Format, StagePlan

HANDS = 24
SEATS = 6

Notify = Callable[[Event], object]


class Kind(Struct, frozen=True):
    """One contest as it is practised."""

    contest: Format
    refusal: Callable[[Registered], Awaitable[str]]
    """Calls a bot to its seat; returns why it does not take it, in words for its author, or ""."""
    guest: Callable[[int, Sequence[Entrant], Address, Notify, Record], HttpBot]
    """The bot to seat as the entrant of that number, called at that address, with its record."""


def enova_kind() -> Kind:
    """Enova: a bot is asked whether it is ready and called to its seat, as before a tournament."""
    return Kind(
        short(ENOVA_FORMAT),
        _enova_refusal,
        lambda bot, _, at, hear, record: HttpBot(bot, Enova(), HttpConnection(at), hear, record=record),
    )


def arena_kind() -> Kind:
    """Arena: a bot that could be found when its game was asked for has taken its seat; there is no further call."""
    return Kind(
        short(ARENA_FORMAT),
        _none,
        lambda bot, all_, at, hear, record: HttpBot(
            bot, Arena(player_ids(all_)), HttpConnection(at), hear, record=record
        ),
    )


def kind_of(contest: str) -> Kind:
    """The contest of that id whose bots are called."""
    return arena_kind() if contest == ARENA_FORMAT.contest else enova_kind()


def short(contest: Format, seats: int = SEATS, hands: int = HANDS) -> Format:
    """A contest as it is practised: one game of so many seats and hands."""
    return replace(contest, stages=(StagePlan("Practice", 1, hands, seats=seats, draw=False),))


async def _enova_refusal(bot: Registered) -> str:
    seated = await ready_check([bot])
    return seated.out[0].why if seated.out else ""


async def _none(_: Registered) -> str:
    return ""
