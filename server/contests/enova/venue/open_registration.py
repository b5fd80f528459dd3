"""Registration for an Enova tournament. Registration is open until the organiser closes it. Then the server calls the
bots to their seats.

If the event file says `start = "bots"`, registration closes by itself once the bots of that file are ready. Later
registrations are refused.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response

from broadcast.web.access import is_same_link
from broadcast.web.connections.limits import MAX_CALLER_CONNECTIONS
from broadcast.web.routes import PlainError, Route
from broadcast.web.serve import address_of, listen_with_retries, serving_on
from broadcast.web.templates import page_templates
from server.app.evening.boxed_bots import BotEntry
from server.app.evening.entries import EnteredBots
from server.app.private_links import say_private
from server.config.event_file import EveningPlan
from server.console import say
from server.contests.enova.dialect import READY_REQUEST
from server.contests.enova.venue.ready_check import (
    ReadyCheckResult,
    bots_of_resumed_tournament,
    find_refusals,
    ready_check,
)
from server.contests.enova.venue.registry import EnovaRegistry, RegisteredBot, enova_app, registrations_path
from server.game.events import TournamentOpened
from server.game.formats import Format
from server.journal.begin_journal import BegunRecording
from server.system.sockets import watched_input
from server.text.characters import printable

SHORT_STACK_BIG_BLINDS = 20
"""A tournament ends soon if stacks are at most this many times the big blind of the last level."""
READY_CHECK_SECONDS = 1.0
"""With `start = "bots"`, the server checks again and again whether the event file's bots are ready. This many seconds
pass between two checks.
"""
MIN_BOTS = 2
"""The fewest bots that can play a game."""
_CLOSE_PATH = "/tournament/close"


async def wait_for_entrants(
    plan: EveningPlan, begun_recording: BegunRecording, token: str, exit_stack: AsyncExitStack
) -> EnteredBots:
    """Waits for the bots that will play. Bots must register before registration is closed. After that, they must answer
    that they are ready.

    If `begun_recording` has events, the tournament resumes with the earlier entrants, and no bot is called. `token`
    opens the organiser's page. The registration page is served until `exit_stack` ends. Raises OSError if the port or a
    file cannot be opened, and Refusal if the file of registrations is damaged.
    """
    registry = EnovaRegistry(registrations_path(plan.journal), plan.bot_networks, title=plan.name)
    closed_event = asyncio.Event()
    app = enova_app(registry, plan.hosts, plan.media)
    app.include_router(_close_router(registry, token, closed_event.set))
    listener = await listen_with_retries(plan.host, plan.register_port)
    await exit_stack.enter_async_context(serving_on(app, listener, max_connections=MAX_CALLER_CONNECTIONS))
    if begun_recording.entries:
        registry.is_open = False
        opened = begun_recording.entries[0].event
        assert isinstance(opened, TournamentOpened), "a journal must begin with TournamentOpened"
        return _entered_bots(_print_absent(bots_of_resumed_tournament(opened.entrants, registry.registered)))
    if warning := length_warning(plan.contest_format):
        say(f"  {warning}")
    base = address_of(listener)
    say(f"  registration    {base}/tournament/register   (POST hostname and name), or the form on that page")
    say_private(plan.journal, [("to close it", f"{base}{_CLOSE_PATH}?token={token}")])
    expected_bots, refusals = await registry.enter(plan.entries)
    for refusal in refusals:
        say(f"  {printable(refusal)}")
    closes_by_itself = plan.start == "bots" and bool(expected_bots) and not refusals
    if plan.start == "bots" and not closes_by_itself:
        reason = "not all bots of the event file could be entered" if refusals else "the event file names no bot"
        say(f"  {reason}: the tournament begins when you close registration")
    print_task = asyncio.create_task(_print_registrations(registry))
    try:
        return await _wait_until_closed(registry, closed_event, expected_bots if closes_by_itself else ())
    finally:
        print_task.cancel()


async def _print_registrations(registry: EnovaRegistry) -> None:
    """Prints a line for each bot that registers. Runs until it is cancelled."""
    printed_count = 0
    while True:
        await registry.wait_for_bots(printed_count + 1)
        for bot in registry.registered[printed_count:]:
            printed_count += 1
            say(f"  [{printed_count}] {printable(bot.name)}, {bot.address.name}")


async def _wait_until_closed(
    registry: EnovaRegistry, closed_event: asyncio.Event, expected_bots: Sequence[RegisteredBot]
) -> EnteredBots:
    """Waits until registration is closed and enough bots are ready. If too few bots are ready, reopens registration.

    If `expected_bots` is not empty, registration also closes by itself once all these bots are ready.
    """
    with _on_enter_key(closed_event.set):
        while True:
            close_task = (
                asyncio.create_task(_close_when_ready(registry, closed_event, expected_bots)) if expected_bots else None
            )
            await closed_event.wait()
            if close_task:
                close_task.cancel()
            closed_event.clear()
            registry.is_open = False
            seated = _print_absent(await ready_check(registry.registered))
            if len(seated.entrants) >= MIN_BOTS:
                return _entered_bots(seated)
            ready = f"{len(seated.entrants)} of {len(registry.registered)} bots are ready"
            say(f"{ready}, too few for a game: registration is open again")
            registry.is_open = True


async def _close_when_ready(
    registry: EnovaRegistry, closed_event: asyncio.Event, expected_bots: Sequence[RegisteredBot]
) -> None:
    """Closes registration once all `expected_bots` are ready and MIN_BOTS have registered. Prints the missing bots'
    names at the start and after each change.
    """
    printed: list[str] = []
    while not closed_event.is_set():
        missing = [*await find_refusals(expected_bots, READY_REQUEST)] or ["another bot"] * (
            len(registry.registered) < MIN_BOTS
        )
        if not missing:
            say("all bots of the event file are ready: registration is closed")
            closed_event.set()
        elif missing != printed:
            printed = missing
            say(f"waiting for {printable(', '.join(missing))}; then the tournament begins by itself")
        await asyncio.sleep(READY_CHECK_SECONDS)


def _print_absent(seated: ReadyCheckResult) -> ReadyCheckResult:
    """Prints which bots do not play, and why. Returns `seated`."""
    for name, reason in seated.unseated_reasons.items():
        say(f"  {printable(name)} is not seated: {printable(reason)}")
    return seated


def length_warning(contest_format: Format) -> str:
    """Returns a warning if blinds stay so small that the tournament may take very long. Otherwise returns ""."""
    rules, stack = contest_format.rules, contest_format.starting_stack
    big = rules.levels[-1].big
    if contest_format.stages[-1].hands or stack <= SHORT_STACK_BIG_BLINDS * big:
        return ""
    return (
        f"with stacks of {stack} and blinds that stay at {rules.levels[-1].small}/{big} this may take thousands of"
        " hands: under [table], let blinds rise with blinds and hands_per_level, or set most_hands"
    )


def _entered_bots(seated: ReadyCheckResult) -> EnteredBots:
    entries = [
        BotEntry(entrant.bot, entrant.name, url=f"http://{seated.addresses[entrant.bot].name}")
        if entrant.bot in seated.addresses
        else BotEntry(entrant.bot, entrant.name, fault="its address is lost")
        for entrant in seated.entrants
    ]
    return EnteredBots(seated.entrants, tuple(entries), seated.addresses)


@contextmanager
def _on_enter_key(on_press: Callable[[], object]) -> Iterator[None]:
    """Calls `on_press` when Enter is pressed in the terminal."""
    if not sys.stdin.isatty():
        yield
        return
    say("  or press Enter here")
    with watched_input(on_press):
        yield


def _close_router(registry: EnovaRegistry, token: str, close: Callable[[], object]) -> APIRouter:
    """Returns the routes of the organiser's page. The page opens only with the secret `token`, which also opens the
    operator's page. The button on the organiser's page calls `close`.
    """

    async def organisers_only(given_token: Annotated[str, Query(alias="token")] = "") -> None:
        if not is_same_link(given_token, token):
            raise PlainError(403, "this page needs the desk's token, which was printed at the start")

    router = APIRouter(route_class=Route, dependencies=[Depends(organisers_only)])
    templates = page_templates()

    def page(request: Request, refusal: str = "", status: int = 200) -> Response:
        headers = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
        return templates.TemplateResponse(
            request, "contests/registration_close.html", {"registry": registry, "refusal": refusal}, status, headers
        )

    @router.get(_CLOSE_PATH)
    async def look(request: Request) -> Response:
        """Returns the page, with the button and a list of the bots that have registered."""
        return page(request)

    @router.post(_CLOSE_PATH)
    async def press(request: Request) -> Response:
        """Closes registration if enough bots have registered."""
        if len(registry.registered) < MIN_BOTS:
            return page(request, f"{len(registry.registered)} have registered; a game needs {MIN_BOTS}", 409)
        close()
        return RedirectResponse(str(request.url.include_query_params()), 303)

    return router
