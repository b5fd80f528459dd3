"""`highnoon practice`: each bot that registers plays a game of its own against house bots, shown on its own channel."""

import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack

from fastapi import APIRouter
from msgspec import Struct

from broadcast.app import Studio
from broadcast.web.serve import address_of, listen, serving_on
from server.app.event.house_entrants import enter_characters
from server.app.practice.challenge_router import challenge_router
from server.app.practice.channels import PracticeChannels
from server.app.practice.games.contests import arena_kind, enova_kind
from server.app.practice.guests import Guest
from server.app.practice.http_games import HttpGames
from server.app.practice.own_router import own_router
from server.app.practice.pages import arena_practice_router, enova_practice_router, quick_draw_router
from server.app.practice.status import Status, status_router
from server.app.practice.tcp_games import TcpGames
from server.app.recordings.archive import add_archive, unless_on_air
from server.config.settings import Settings
from server.console import addresses, plain, say
from server.errors import Refusal


class _Offer(Struct, frozen=True):
    """How the bots of a contest register for practice."""

    route: str
    """The request that registers a bot, as it is printed; "{base}" stands for the server's address."""
    router: Callable[[PracticeChannels, Sequence[str]], APIRouter]
    called: bool = True
    """Whether this server calls the bots; otherwise they connect to it."""


async def practice(
    settings: Settings,
    contest: str = "quick-draw",
    networks: Sequence[str] = (),
    *,
    pages_port: int | None = None,
    hosts: Sequence[str] = (),
    workers: int = 0,
) -> int:
    """Serves practice games until it is interrupted.

    Bots that are called may be on this machine and in `networks` ("192.168.1.0/24"). With a `pages_port` everything
    is served at that port too, and the addresses of pages that are printed lead there; `hosts` are further names of
    this machine. So many `workers`, which are processes, play the games; 0: one for each processor. Raises Refusal for
    UPAC, which has no practice games, and OSError where a port or the data folder cannot be used.
    """
    if contest == "upac":
        raise Refusal("UPAC has no practice games; highnoon check plays a bot's test game against itself")
    ports = [settings.port, *([] if pages_port is None else [pages_port])]
    listeners = [listen(settings.host, port) for port in ports]  # first: where one is taken, nothing is left behind
    offer = _offer(contest)
    studio = Studio(settings.media, time.monotonic, hosts)
    add_archive(studio, settings.recordings, unless_on_air(studio))
    channels = PracticeChannels(settings, studio, enter_characters(settings), workers=workers)
    channels.guests.listeners.append(_tell)
    kept = f"The latest {settings.practice_kept} practice recordings are kept."
    studio.front.remarks.append(kept)
    status = Status(channels.guests, channels.places, settings.recordings / "practice", channels.health)
    studio.app.include_router(status_router(status, channels.own.organiser))
    studio.app.include_router(own_router(channels.own, channels.guests, channels.invitations, settings))
    studio.app.include_router(challenge_router(channels.own, channels.guests, channels.invitations, contest))
    studio.app.include_router(offer.router(channels, networks))
    async with AsyncExitStack() as closing:
        closing.push_async_callback(channels.end)
        channels.begin()
        for listener in listeners:
            await closing.enter_async_context(serving_on(studio.app, listener))
        base, pages = address_of(listeners[0]), address_of(listeners[-1])
        say("High Noon practice: bots register and play at once. Ctrl-C ends it.")
        say(f"  register        {offer.route.format(base=base)}")
        if offer.called:
            say(f"  bots are called on this machine{''.join(f', in {network}' for network in networks)}")
        say(f"  recordings      the latest {settings.practice_kept} are kept, in {settings.recordings / 'practice'}")
        say(f"  status          {pages}/practice/status/{channels.own.organiser}   (for you alone)")
        addresses(pages, "practice-1")
        await status.beat()
    return 0


def _offer(contest: str) -> _Offer:
    match contest:
        case "enova":
            route = "POST {base}/tournament/register   (hostname and name; or the form there)"
            return _Offer(route, lambda channels, at: enova_practice_router(HttpGames(enova_kind(), channels), at))
        case "arena":
            route = "POST {base}/practice   (url, such as http://127.0.0.1:5001; or the form there)"
            return _Offer(route, lambda channels, at: arena_practice_router(HttpGames(arena_kind(), channels), at))
        case _:
            route = "POST {base}/register"
            return _Offer(
                route, lambda channels, _: quick_draw_router(TcpGames(channels), channels.guests), called=False
            )


def _tell(guest: Guest, words: str) -> None:
    """Prints a line for each game that is over and for each fault: a bot's author often sits at this terminal."""
    if guest.over or words != guest.stands:
        say(f"  {guest.channel}: {plain(guest.name)}{' ' if guest.over else ', '}{plain(words)}")
