"""An Enova tournament's registration: open until the organiser closes it, then the bots are called to their seats.

A bot that registers while the tournament is played is told that there is none to join.
"""

import asyncio
import hmac
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from fastapi.templating import Jinja2Templates

from broadcast.web.serve import MOST_OF_CALLERS, address_of, listen_soon, serving_on
from server.app.enova.pages import enova_app
from server.app.enova.ready_check import Mustered, muster, mustered_before
from server.app.enova.registry import EnovaHall
from server.app.enova.store import roll_of
from server.app.event.boxed_bots import Stall
from server.app.event.entries import Field
from server.config.event_file import EventPlan
from server.console import plain, say
from server.game.events import TournamentOpened
from server.game.tournament import Contest
from server.journal.resume import Begun
from server.paths import TEMPLATES

FEW_BLINDS = 20
"""A contest whose stacks are so many big blinds, or fewer, is soon over, even where blinds never rise."""
LEAST = 2
"""The fewest bots that a game needs."""
_CLOSE = "/tournament/close"


async def enova_field(plan: EventPlan, begun: Begun, token: str, closing: AsyncExitStack) -> Field:
    """Who plays: the bots that register before the organiser closes registration, and are ready.

    If `begun`, what the journal holds already, shows that the tournament has begun, its entrants play on and nobody is
    called. `token` opens the organiser's page; registration is served until `closing` ends. Raises OSError where the
    port or a file cannot be opened, RollDamaged where the file of registrations holds something else.
    """
    roll = roll_of(plan.journal)
    hall = EnovaHall(roll, plan.bot_networks, title=plan.name)
    closed = asyncio.Event()
    app = enova_app(hall, plan.hosts)
    app.include_router(_close_router(hall, token, closed.set))
    listener = await listen_soon(plan.host, plan.register_port)
    await closing.enter_async_context(serving_on(app, listener, most=MOST_OF_CALLERS))
    if begun.entries:
        hall.close()
        opened = begun.entries[0].event
        assert isinstance(opened, TournamentOpened), "a journal begins with it"
        return _field(_told(mustered_before(opened.entrants, hall.roll)))
    if warning := length_warning(plan.arranged):
        say(f"  {warning}")
    base = address_of(listener)
    say(f"  registration    {base}/tournament/register   (POST hostname and name, or the form there)")
    say(f"  to close it     {base}{_CLOSE}?token={token}")
    for refusal in await hall.enter(plan.entries):
        say(f"  {plain(refusal)}")
    telling = asyncio.create_task(_tell(hall))
    try:
        return await _gathered(hall, closed)
    finally:
        telling.cancel()


async def _tell(hall: EnovaHall) -> None:
    """Prints a line for each bot that registers, until it is cancelled."""
    told = 0
    while True:
        await hall.gathered(told + 1)
        for bot in hall.roll[told:]:
            told += 1
            say(f"  [{told}] {plain(bot.name)}, {bot.address.name}")


async def _gathered(hall: EnovaHall, closed: asyncio.Event) -> Field:
    """Waits until registration is closed and enough bots are ready; with too few ready it opens again."""
    with _EnterKey(closed.set):
        while True:
            await closed.wait()
            closed.clear()
            hall.close()
            mustered = _told(await muster(hall.roll))
            if len(mustered.entrants) >= LEAST:
                return _field(mustered)
            ready = f"{len(mustered.entrants)} of {len(hall.roll)} bots are ready"
            say(f"{ready}, too few for a game: registration is open again")
            hall.reopen()


def _told(mustered: Mustered) -> Mustered:
    """Prints which bots do not play, and why; returns what it was given."""
    for out in mustered.out:
        say(f"  {plain(out.name)} is not seated: {plain(out.why)}")
    return mustered


def length_warning(contest: Contest) -> str:
    """A warning where blinds stay so small that the contest may take very long; "" where they do not."""
    rules, stack = contest.rules, contest.starting_stack
    big = rules.levels[-1].big
    if contest.stages[-1].hands or stack <= FEW_BLINDS * big:
        return ""
    return (
        f"with stacks of {stack} and blinds that stay at {rules.levels[-1].small}/{big} this may take thousands of"
        " hands: let blinds rise, with blinds and hands_per_level under [table], or set most_hands there"
    )


def _field(mustered: Mustered) -> Field:
    stalls = [
        Stall(one.bot, one.name, url=f"http://{mustered.addresses[one.bot].name}")
        if one.bot in mustered.addresses
        else Stall(one.bot, one.name, fault="nobody knows any more where it is")
        for one in mustered.entrants
    ]
    return Field(mustered.entrants, tuple(stalls), mustered.addresses)


class _EnterKey:
    """Inside this context the Enter key in the terminal calls `pressed`, as the button of the organiser's page does."""

    def __init__(self, pressed: Callable[[], object]) -> None:
        self._pressed = pressed

    def __enter__(self) -> None:
        if sys.stdin.isatty():
            say("  or press Enter here")
            asyncio.get_running_loop().add_reader(sys.stdin, self._read)

    def __exit__(self, *_: object) -> None:
        if sys.stdin.isatty():
            asyncio.get_running_loop().remove_reader(sys.stdin)

    def _read(self) -> None:
        sys.stdin.readline()
        self._pressed()


def _close_router(hall: EnovaHall, token: str, close: Callable[[], object]) -> APIRouter:
    """The organiser's page, on which a button calls `close`; it opens with the desk's `token`."""
    router = APIRouter()
    templates = Jinja2Templates(TEMPLATES)

    def page(request: Request, told: str = "", status: int = 200) -> Response:
        headers = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
        return templates.TemplateResponse(
            request, "contests/enova_close.html", {"hall": hall, "told": told}, status, headers
        )

    def refused(request: Request) -> Response | None:
        shown = request.query_params.get("token", "")
        if hmac.compare_digest(shown.encode(), token.encode()):
            return None
        return Response("this page needs the desk's token, as it was printed at the start", 403)

    @router.get(_CLOSE)
    def look(request: Request) -> Response:
        """The bots that have registered, and the button."""
        return refused(request) or page(request)

    @router.post(_CLOSE)
    def press(request: Request) -> Response:
        """The button: closes registration, unless too few have registered."""
        if (refusal := refused(request)) is not None:
            return refusal
        if len(hall.roll) < LEAST:
            return page(request, f"{len(hall.roll)} have registered; a game needs {LEAST}", 409)
        close()
        return RedirectResponse(str(request.url.include_query_params()), 303)

    return router
