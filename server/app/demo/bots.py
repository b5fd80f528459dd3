"""The house bots of a demo, which come in as the bots of their contest do: over TCP, or as servers that are called."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from broadcast.app import Studio
from server.app.enova.pages import enova_router
from server.app.enova.ready_check import enova_bots, ready_check
from server.app.enova.registry import EnovaRegistry
from server.app.enova.store import registrations_of
from server.app.event.check_in import CheckInDesk
from server.app.event.house_entrants import enter_characters
from server.app.event.http_bots import arena_bots, find_bots
from server.bots.house.characters import CHARACTERS, Character
from server.bots.house.processes import house_hosts
from server.bots.house.quickdraw import play, register
from server.bots.house.styles import styles
from server.bots.http_bot import HttpBot
from server.bots.transports.http import Address
from server.config.settings import Settings
from server.game.events import Entrant
from server.registration.register import register_router
from server.tournament.director import Director

THINK_SECONDS = 2.0
"""The longest a house bot thinks, at speed 1."""


class DemoBots(Struct, frozen=True):
    """The bots that play; `seat` has them come to the table and returns once all are there."""

    entrants: tuple[Entrant, ...]
    seat: Callable[[Director], Awaitable[None]]


@asynccontextmanager
async def demo_bots(
    contest: str, settings: Settings, studio: Studio, base: str, journal: Path
) -> AsyncIterator[DemoBots]:
    """The house bots for a contest; `base` is this server's address, and they end with the context.

    `journal` is where the contest is recorded. Raises OSError or TimeoutError where they cannot be started.
    """
    gathering = {"quick-draw": _by_tcp, "enova": _registered, "arena": _found}[contest]
    async with gathering(settings, studio, base, journal) as gathered:
        yield gathered


def think_seconds(settings: Settings) -> float:
    """The longest a house bot thinks in this show, in seconds."""
    return THINK_SECONDS / settings.speed if settings.speed else 0.0


# -- Quick Draw: they register and connect -----------------------------------------------------------


@asynccontextmanager
async def _by_tcp(settings: Settings, studio: Studio, base: str, _journal: Path) -> AsyncIterator[DemoBots]:
    entrants = tuple(enter_characters(settings))
    port = int(base.rpartition(":")[2])
    async with asyncio.TaskGroup() as tasks:
        playing: list[asyncio.Task[None]] = []

        async def seat(director: Director) -> None:
            check_in = CheckInDesk(entrants, director, settings.host)
            studio.app.include_router(register_router(check_in.check_in))
            playing.extend(tasks.create_task(_join(character, settings, port)) for character in CHARACTERS)
            await check_in.everybody.wait()

        yield DemoBots(entrants, seat)
        for task in playing:
            task.cancel()


async def _join(character: Character, settings: Settings, port: int) -> None:
    """Registers a bot over HTTP and plays to the end, as any bot would."""
    door = await register(settings.host, port, character.name)
    rng = random.Random(f"{settings.seed.hex()} {character.name}")  # noqa: S311 (how a house bot plays, never cards)
    await play(settings.host, door, character.name, styles()[character.style], rng, think_seconds(settings))


# -- Enova and Arena: they are servers that are called -------------------------------------------------


@asynccontextmanager
async def _registered(settings: Settings, studio: Studio, base: str, journal: Path) -> AsyncIterator[DemoBots]:
    """Bots that register with the server by themselves, as any bot would."""
    registry = EnovaRegistry(registrations_of(journal))
    studio.app.include_router(enova_router(registry))
    async with house_hosts("enova", CHARACTERS, settings.seed.hex(), think_seconds(settings), register_at=base) as urls:
        await registry.gathered(len(CHARACTERS))
        registry.close()
        seated = await ready_check(registry.registered)
        looks = {_port(url): one for url, one in zip(urls, enter_characters(settings), strict=True)}
        entrants = tuple(
            replace(looks[seated.addresses[one.bot].port], bot=one.bot, name=one.name, player=one.player)
            for one in seated.entrants
        )
        yield DemoBots(entrants, partial(_welcome, lambda hear: enova_bots(seated.addresses, hear)))


@asynccontextmanager
async def _found(settings: Settings, _studio: Studio, _base: str, _journal: Path) -> AsyncIterator[DemoBots]:
    async with house_hosts("arena", CHARACTERS, settings.seed.hex(), think_seconds(settings)) as urls:
        entrants = tuple(enter_characters(settings))
        addresses = _addresses([found.address for found in await find_bots(urls, ())])
        yield DemoBots(entrants, partial(_welcome, lambda hear: arena_bots(entrants, addresses, hear)))


async def _welcome(bots: Callable[[Callable[..., object]], Sequence[HttpBot]], director: Director) -> None:
    for bot in bots(director.hear):
        director.welcome(bot)


def _addresses(found: Sequence[Address | None]) -> dict[int, Address]:
    return {bot: address for bot, address in enumerate(found, 1) if address}


def _port(url: str) -> int:
    return int(url.rpartition(":")[2])
