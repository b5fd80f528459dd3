"""Registers the bots of an Enova tournament.

A bot can name any machine as its host. So the host must be in a network that the organiser allows. The host is looked
up only once, because a later lookup could find another machine. A file beside the tournament's journal keeps the
registrations, so that a resumed tournament finds its bots.
"""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse, Response
from msgspec import Struct

from broadcast.guide.pages import guide_router
from broadcast.web.guarded_app import guarded_app
from broadcast.web.routes import Route
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import page_templates
from server.app.bot_registration import WELCOME, header_text, read_fields, server_port
from server.app.evening.http_bots import THIS_MACHINE
from server.app.host_lookup import HostLookup, is_same_server
from server.bots.transports.http import Address, LookUp
from server.config.event_entries import EntryPlan
from server.contests.enova.contest import CONTEST
from server.contests.enova.rules import accepted_name, are_confusable_names
from server.errors import Refusal
from server.journal.atomic_file import write_atomically
from server.paths import ASSETS, STATIC
from server.registration.practice_options import ignored_key_warnings
from server.registration.register import RegistrationRefused
from server.text.regular_file import read_regular

MAX_BOTS = 64
NO_TOURNAMENT = "No active tournaments."
_REGISTER_PATH = "/tournament/register"
_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
"""Lets browsers say which page a form comes from. This server refuses forms of unknown origin."""


class RegisteredBot(Struct, frozen=True):
    """A registered bot: its name for viewers, its address, and its player. If `player` is "", the player has the bot's
    name.
    """

    name: str
    address: Address
    player: str = ""


def registrations_path(journal: Path) -> Path:
    """Returns the path of the file with the registrations that belong to `journal`."""
    return journal.with_suffix(".bots.json")


def read_registrations(path: Path) -> tuple[RegisteredBot, ...]:
    """Returns the registrations in the file at `path`, in order, or () if there is no such file.

    Raises OSError if the file cannot be read, and Refusal if it is damaged.
    """
    try:
        return msgspec.json.decode(read_regular(path), type=tuple[RegisteredBot, ...])
    except FileNotFoundError:
        return ()
    except msgspec.DecodeError as error:
        raise Refusal(f"{path} is not a file of registrations ({error}): restore or remove it") from None


def save_registrations(path: Path, registered: Sequence[RegisteredBot]) -> None:
    """Writes all registrations to disk, or changes nothing. Raises OSError."""
    write_atomically(path, msgspec.json.format(msgspec.json.encode(registered)))


class EnovaRegistry:
    """The registrations of one tournament. A registration is on disk before it is confirmed."""

    def __init__(
        self, path: Path, networks: Sequence[str] = (), *, title: str = "Enova Hold'em", look_up: LookUp | None = None
    ) -> None:
        """Opens registration, and reads earlier registrations from the file at `path` if it exists.

        Bots may be on this machine and in `networks` ("192.168.1.0/24"). `title` names the tournament on its pages.
        `look_up` finds a host's addresses. By default, the system finds them. Raises the same errors as
        `read_registrations`.
        """
        self.title = title
        self.networks = (*THIS_MACHINE, *networks)
        self._path = path
        self._host_lookup = HostLookup(self.networks, look_up)
        self.registered = read_registrations(path)
        """The bots in the order of their registration."""
        self.is_open = True
        """Whether bots may register. Checked before and after the lookup of a host, which takes time."""
        self._has_new_bot = asyncio.Event()

    async def wait_for_bots(self, bots: int) -> None:
        """Returns once at least `bots` bots have registered."""
        while len(self.registered) < bots:
            self._has_new_bot.clear()
            await self._has_new_bot.wait()

    async def enter(self, entries: Sequence[EntryPlan]) -> tuple[list[RegisteredBot], list[str]]:
        """Registers the bots of the event file. Returns the registered bots, and "name: reason" for each other bot."""
        admitted, refusals = [], []
        for entry in entries:
            try:
                name = accepted_name(entry.bot)
                address = await self._host_lookup(entry.url)
                admitted.append(self._admit(RegisteredBot(name, address, entry.player)))
            except (ValueError, RegistrationRefused) as error:
                refusals.append(f"{entry.bot}: {error}")
        return admitted, refusals

    async def register(self, hostname: str, name: str, client: str, own_port: int = 0) -> RegisteredBot:
        """Registers a bot that listens at `hostname` ("10.23.221.24:3000"). A repeated registration changes nothing.

        `client` is the sender's address. `own_port` is the port on which this server got the request. Raises
        RegistrationRefused. The status is 404 while registration is closed, 400 for a bad host or name, and 503 if the
        disk fails. It is 409 if the name or host is taken, or the tournament is full.
        """
        self._check_open()
        bot = await check_registration(hostname, name, client, self._host_lookup, own_port)
        self._check_open()
        return self._admit(bot)

    def _check_open(self) -> None:
        if not self.is_open:
            raise RegistrationRefused(404, NO_TOURNAMENT)

    def _admit(self, bot: RegisteredBot) -> RegisteredBot:
        for other in self.registered:
            has_confusable_name = are_confusable_names(other.name, bot.name)
            has_same_address = is_same_server(other.address, bot.address)
            if has_confusable_name and has_same_address:
                return other
            if has_confusable_name:
                raise RegistrationRefused(409, f'The name "{bot.name}" is taken ("{other.name}"); choose another')
            if has_same_address:
                raise RegistrationRefused(409, f'{bot.address.name} is already registered, as "{other.name}"')
        if len(self.registered) >= MAX_BOTS:
            raise RegistrationRefused(409, f"The tournament is full: {MAX_BOTS} bots have registered")
        try:
            save_registrations(self._path, [*self.registered, bot])
        except OSError as error:
            raise RegistrationRefused(
                503, f"The registration cannot be saved ({error.strerror}); try again in a minute"
            ) from None
        self.registered = (*self.registered, bot)
        self._has_new_bot.set()
        return bot


async def check_registration(
    hostname: str, name: str, client: str, host_lookup: HostLookup, own_port: int = 0
) -> RegisteredBot:
    """Checks a bot's name and looks up its host with `host_lookup`. Stores nothing.

    `client` is the sender's address. `own_port` is the port on which this server got the request. Raises
    RegistrationRefused (400) if a field is missing, or if the host is unknown, is not allowed, or is this server
    itself.
    """
    if not hostname.strip():
        raise RegistrationRefused(400, "hostname is missing: where your bot listens, such as 10.23.221.24:3000")
    if not name.strip():
        raise RegistrationRefused(400, "name is missing: what your bot is called, such as Bot Awesome (netid2)")
    try:
        accepted = accepted_name(name)
    except ValueError as error:
        raise RegistrationRefused(400, str(error)) from None
    return RegisteredBot(accepted, await host_lookup.find_bot_address("hostname", hostname, client, own_port))


def enova_app(registry: EnovaRegistry, hosts: Iterable[str] = (), media: Path | None = None) -> FastAPI:
    """Returns an app with the registration page and its files. `hosts` are further names under which this machine
    answers, besides its own. If `media` is given, pages show the branding in that folder.
    """
    app = guarded_app(hosts, media=media)
    app.include_router(enova_router(registry))
    for subfolder in ("art", "css"):
        app.mount(f"/static/{subfolder}", StaticFolder(STATIC / subfolder))
    app.mount("/assets/fonts", StaticFolder(ASSETS / "fonts"))
    app.include_router(guide_router(app.state.brand))
    return app


def enova_router(registry: EnovaRegistry) -> APIRouter:
    """Returns the routes of `/tournament/register`: the page, and the request that registers a bot."""
    router = APIRouter(route_class=Route)
    templates = page_templates()

    def page(request: Request, status: int = 200, **values: object) -> Response:
        return templates.TemplateResponse(
            request,
            "contests/registration.html",
            {"registry": registry, "contest": CONTEST, **values},
            status,
            dict(_HEADERS),
        )

    @router.get(_REGISTER_PATH)
    async def form(request: Request) -> Response:
        """Returns the page, with the form and a list of the bots that have registered."""
        return page(request)

    @router.post(_REGISTER_PATH)
    async def register(request: Request) -> Response:
        """Registers a bot. A program gets the answer as plain text. A browser gets the page with the same text."""
        fields: dict[str, str] = {}
        try:
            fields = read_fields(await request.body())
            client = request.client.host if request.client else ""
            bot = await registry.register(
                fields.get("hostname", ""), fields.get("name", ""), client, server_port(request)
            )
        except RegistrationRefused as refusal:
            status, text, is_registered = refusal.status, refusal.text, False
        else:
            status, text, is_registered = 200, WELCOME, True
        if "text/html" not in request.headers.get("accept", ""):
            warnings = header_text("; ".join(ignored_key_warnings(fields, ("hostname", "name"))))
            return PlainTextResponse(text, status, {"Warnings": warnings} if is_registered and warnings else None)
        name = bot.name if is_registered else fields.get("name", "")
        return page(request, status, words=text, done=is_registered, hostname=fields.get("hostname", ""), name=name)

    return router
