"""Which contests are practised by being called, and what differs: the game, how a bot is found ready, what it is asked.

Short games: everybody has the full stack, the first blinds stay, and after `HANDS` hands it is over.
"""

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from server.bots.called import CalledBot
from server.bots.dialects.enova import Enova
from server.bots.transports.http import Address, HttpWire
from server.front.calling import arena_bots
from server.front.enova_muster import muster
from server.front.enova_roll import Registered
from server.game.contests import ARENA_CONTEST, ENOVA_CONTEST
from server.game.events import Entrant, Event
from server.game.tournament import Contest, StagePlan

HANDS = 24
SEATS = 6

Notify = Callable[[Event], object]


class Kind(Struct, frozen=True):
    """A contest as it is practised."""

    contest: Contest
    refusal: Callable[[Registered], Awaitable[str]]
    """Why a bot cannot take its seat, in words for its author; "" where it has taken it."""
    guest: Callable[[Sequence[Entrant], Address, Notify], CalledBot]
    """The bot at that address, which is entrant 1."""


def enova_kind() -> Kind:
    """Enova: called to be ready and to its seat, as before a tournament."""
    return Kind(_short(ENOVA_CONTEST), _enova_refusal, lambda _, at, hear: CalledBot(1, Enova(), HttpWire(at), hear))


def arena_kind() -> Kind:
    """The Arena: who is found when the game is asked for is there."""
    return Kind(_short(ARENA_CONTEST), _none, lambda all_, at, hear: arena_bots(all_, {1: at}, hear)[0])


def _short(contest: Contest) -> Contest:
    plan = StagePlan("Practice", 1, HANDS, seats=SEATS, draw=False)
    return replace(contest, stages=(plan,))


async def _enova_refusal(bot: Registered) -> str:
    mustered = await muster([bot])
    return mustered.out[0].why if mustered.out else ""


async def _none(_: Registered) -> str:
    return ""
