"""`highnoon practice`: gives every registered bot its own game against built-in bots, shown on its own channel."""

import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

from broadcast.app import Studio
from broadcast.web.serve import address_of, listen, serving_on
from server.app.evening.entries import enter_characters
from server.app.practice.agents import PracticeDoor
from server.app.practice.author_routes import challenge_router, practice_page_router
from server.app.practice.guests import Guest
from server.app.practice.practice_server import PracticeServer
from server.app.practice.status import Status, status_router
from server.app.private_links import say_private
from server.app.recordings.archive import add_archive, make_is_over
from server.config.settings import Settings
from server.console import print_addresses, say
from server.contests import CONTESTS, DEFAULT
from server.contests.contest import NO_PRACTICE
from server.errors import Refusal
from server.process import limit_gc
from server.text.characters import printable


async def practice(
    settings: Settings,
    contest: str = DEFAULT,
    networks: Sequence[str] = (),
    *,
    pages_port: int | None = None,
    hosts: Sequence[str] = (),
    api_for_all: bool = False,
    workers: int = 0,
) -> int:
    """Serves practice games until interrupted.

    HTTP bots may be on this machine and in `networks` ("192.168.1.0/24"). If `pages_port` is given, everything is also
    served at this port, and the printed addresses of pages have this port. `hosts` are other names of this machine. If
    `api_for_all` is true, pages of any web site may read the API. `workers` is the number of processes that play the
    games. 0 means one per processor. Raises OSError, or Refusal for a contest without practice games.
    """
    chosen_contest = CONTESTS[contest]
    if not chosen_contest.has_practice:
        raise Refusal(NO_PRACTICE.format(name=chosen_contest.name))
    ports = [settings.port, *([] if pages_port is None else [pages_port])]
    listeners = [listen(settings.host, port) for port in ports]  # done first, because a port may be in use
    studio = Studio(settings.media, time.monotonic, hosts, api_for_all=api_for_all)
    metrics = studio.add_metrics() if settings.metrics else None
    add_archive(studio, settings.recordings, make_is_over(studio))
    server = PracticeServer(settings, studio, enter_characters(settings), workers=workers)
    server.guests.listeners.append(_print_change)
    if metrics:
        metrics.sources.append(server.readings)
    kept_remark = f"The latest {settings.practice_kept} practice recordings are kept."
    studio.show_pages.remarks.append(kept_remark)
    status = Status(server)
    studio.app.include_router(status_router(status))
    studio.app.include_router(practice_page_router(server))
    studio.app.include_router(challenge_router(server, contest))
    setup = chosen_contest.venue().practice_setup(server, networks)
    studio.app.include_router(setup.router)
    async with AsyncExitStack() as exit_stack:
        exit_stack.push_async_callback(server.stop)
        server.start_processes()
        agents_text = await _serve_agents(studio, PracticeDoor(server, chosen_contest, setup.make_format), exit_stack)
        for listener in listeners:
            await exit_stack.enter_async_context(serving_on(studio.app, listener))
        base, pages = address_of(listeners[0]), address_of(listeners[-1])
        say("High Noon practice: bots register and play at once. Ctrl-C ends it.")
        say(f"  register        {setup.route.format(base=base)}")
        say(f"  agents          {agents_text.format(base=base)}")
        if chosen_contest.uses_http:
            say(f"  bots may be on this machine{''.join(f' or in {network}' for network in networks)}")
        say(f"  recordings      the latest {settings.practice_kept} are kept, in {settings.recordings / 'practice'}")
        status_page = f"{pages}/practice/status/{server.practice_pages.organiser_token}   (for you only)"
        say_private(settings.data / "practice", [("status", status_page)])
        print_addresses(pages, "practice-1")
        limit_gc()  # called only now, so that the garbage collector does not scan the routes and the MCP SDK
        await status.measure_lag()
    return 0


async def _serve_agents(studio: Studio, door: PracticeDoor, exit_stack: AsyncExitStack) -> str:
    """Serves agents until `exit_stack` ends. Returns the address for agents. If the MCP SDK is not installed, returns a
    message that says so. "{base}" in the result stands for this server's address.
    """
    try:
        from server.app.mcp.serve import add_agent_routes  # noqa: PLC0415  the MCP SDK may not be installed
    except Refusal as missing:
        return str(missing)
    await exit_stack.enter_async_context(add_agent_routes(studio.app, door))
    return "{base}/mcp   (by MCP; they read {base}/llms.txt)"


def _print_change(guest: Guest, text: str) -> None:
    """Prints each finished game and each fault of a guest (a bot). The bot's author may be watching this terminal."""
    if guest.over or text != guest.status:
        say(f"  {guest.channel}: {printable(guest.name)}{' ' if guest.over else ', '}{printable(text)}")
