"""The practice pages, one for each contest, which list the games; and the requests that register a bot.

Enova bots register as in a tournament, Arena bots with `POST /practice`, both also by a form on their page.
"""

from codecs import BOM_UTF8
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol
from urllib.parse import urljoin

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from msgspec import Struct

from broadcast.web.routes import Json, Route
from broadcast.web.templates import page_templates
from server.app.enova.pages import WELCOME, header_text, own_port, read_fields
from server.app.enova.registry import NOT_US, NOT_YOURS, is_ours, is_this_server, look_at
from server.app.event.http_bots import THIS_MACHINE, probe
from server.app.host_lookup import HostLookup
from server.app.practice.guests import Guest, Guests
from server.app.practice.http_games import HttpGames
from server.app.practice.tcp_games import TcpGames
from server.bots.house.ladder import LADDER
from server.bots.transports.http import HostRefused
from server.console import plain, say
from server.registration.register import Refused, register_router
from server.registration.wishes import HOUSE_WISHES, WISHES_IN_WORDS, asked_in, fields_of_form, ignored, refused_wishes
from server.text.names_and_chat import MOST_LETTERS, name_fault
from server.text.strict_json import BadJson, read_object

_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}

Fields = dict[str, object]
"""What a registration says; numbers where wishes are."""
Take = Callable[[Fields, str, int], Awaitable[tuple[Guest, list[str]]]]
"""Starts a bot's game, with warnings: from the fields, the client's address, and our own port. Raises Refused."""


class Page(Protocol):
    """Renders the practice page with these values and HTTP status."""

    def __call__(self, request: Request, status: int = 200, **about: object) -> Response: ...


class Said(Struct, frozen=True):
    """What a program is told of its bot's game: the URL that shows it, that of its author's page, what is not done."""

    guest: Guest
    watch_url: str
    own_url: str
    warnings: list[str]


class Named(Struct, frozen=True, omit_defaults=True):
    """What an Arena bot's registration is answered: the bot's name, the addresses, what is not done."""

    name: str
    watch_url: str
    own_url: str = ""
    house_bots: str = ""
    warnings: list[str] = []


class Form(Struct, frozen=True):
    """The form of one contest's page: its title and path, its field with a label and an example, and what it does."""

    title: str
    path: str
    field: str = ""
    label: str = ""
    example: str = ""
    about: str = ""
    named: bool = False
    """Whether the form asks for a name, too."""
    read: Callable[[bytes], Fields] = lambda body: fields_of_form(read_fields(body))
    how: str = ""
    """How a bot registers where the page has no form."""


def quick_draw_router(games: TcpGames, guests: Guests) -> APIRouter:
    """Quick Draw: `POST /register` as in a tournament, and the page `/practice`."""
    form = Form(
        "Practice for Quick Draw",
        "/practice",
        how="POST /register with your bot's name, then connect to the port that comes back: its game begins at once. "
        "The own_url that comes back is a page for you alone; with a key of your choice the next game is on it, too.",
    )
    router = APIRouter(route_class=Route)
    router.include_router(register_router(games.check_in, _warn))
    page = _page_of(guests, form)

    @router.get(form.path)
    async def look(request: Request) -> Response:
        """The page that lists the games."""
        return page(request)

    return router


def enova_practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """Enova: `/tournament/register` answers as in a tournament; the headers `Watch-Url` and `Own-Url` are the pages.

    Bots may be on this machine and in `networks`.
    """

    find = HostLookup((*THIS_MACHINE, *networks))

    async def take(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        bot = await look_at(_text(fields, "hostname"), _text(fields, "name"), client, find, port)
        return games.welcome(bot.name, bot.address, client, asked_in(fields))

    form = Form(
        "Practice for Enova",
        "/tournament/register",
        "hostname",
        "Host and port",
        "10.23.221.24:3000",
        "Where your bot listens. It must answer GET /player/ready and POST /player/seat with 200, and then it plays.",
        named=True,
    )
    return _router(games, form, take, _welcomed)


def arena_practice_router(games: HttpGames, networks: Sequence[str]) -> APIRouter:
    """Arena: `/practice` takes a url, and a name if there is one, as a form or JSON; the answer is JSON.

    Bots may be on this machine and in `networks`.
    """

    find = HostLookup((*THIS_MACHINE, *networks))

    async def take(fields: Fields, client: str, port: int) -> tuple[Guest, list[str]]:
        url, name = _text(fields, "url").strip(), _text(fields, "name").strip()
        if not url:
            raise Refused(400, "url is missing, or no text: where your bot listens, such as http://127.0.0.1:5001")
        if name and (fault := name_fault(name, MOST_LETTERS)):
            raise Refused(400, fault)
        try:
            address = await find(url, client)
        except HostRefused as refused:
            raise Refused(400, f"{url} {refused}") from None
        if is_ours(address, client):
            raise Refused(400, f"url {NOT_YOURS}")
        if is_this_server(address, port):
            raise Refused(400, f"url {NOT_US}")
        if why := (await probe(address, url)).why:
            raise Refused(400, why)
        return games.welcome(name, address, client, asked_in(fields))

    form = Form(
        "Practice for the Arena",
        "/practice",
        "url",
        "Address",
        "http://127.0.0.1:5001",
        "Where your bot listens. It is asked with POST /action, as in a tournament.",
        read=_form_or_json,
    )
    return _router(games, form, take, _named, Named)


def _warn(name: str, warnings: list[str]) -> None:
    """Says in the terminal what a bot is told of its registration."""
    for warning in warnings:
        say(f"  {plain(name)}: {plain(warning)}")


def _welcomed(said: Said) -> Response:
    own = {"Own-Url": said.own_url} if said.own_url else {}
    house = {"House-Bots": said.guest.house} if said.guest.house else {}
    warnings = {"Warnings": header_text("; ".join(said.warnings))} if said.warnings else {}
    return PlainTextResponse(WELCOME, headers={"Watch-Url": said.watch_url, **own, **house, **warnings})


def _named(said: Said) -> Response:
    return Json(Named(said.guest.name, said.watch_url, said.own_url, said.guest.house, said.warnings))


def _router(
    games: HttpGames, form: Form, take: Take, reply: Callable[[Said], Response], answer: type | None = None
) -> APIRouter:
    router = APIRouter(route_class=Route)
    page = _page_of(games.guests, form)

    @router.get(form.path)
    async def look(request: Request) -> Response:
        """The form, and the list of games; the code of a challenge may stand in the address."""
        return page(request, fields={"challenge": request.query_params.get("challenge", "")})

    @router.post(form.path, response_model=answer)
    async def register(request: Request) -> Response:
        """Starts a game; a program is answered as its contest does, a browser with the page."""
        by_hand = "text/html" in request.headers.get("accept", "")
        fields: Fields = {}
        try:
            fields = form.read(await request.body())
            guest, warnings = await take(fields, request.client.host if request.client else "", own_port(request))
        except Refused as refusal:
            if by_hand:
                return page(request, refusal.status, words=refusal.text, fields=fields)
            return _refused(form, refusal)
        known = (form.field, "name", *HOUSE_WISHES, *WISHES_IN_WORDS)
        warnings += [*refused_wishes(HOUSE_WISHES, fields), *ignored(fields, known)]
        _warn(guest.name, warnings)
        if by_hand:
            return page(request, words=WELCOME, guest=guest, warnings=warnings, fields=fields)
        base = str(request.base_url)
        own_url = guest.own_url and urljoin(base, guest.own_url[1:])
        return reply(Said(guest, urljoin(base, guest.watch_url[1:]), own_url, warnings))

    return router


def _page_of(guests: Guests, form: Form) -> Page:
    templates = page_templates()

    def page(request: Request, status: int = 200, **about: object) -> Response:
        shown = {
            "form": form,
            "guests": tuple(guests.latest),
            "fields": {},
            "words": "",
            "guest": None,
            "warnings": (),
            "ladder": LADDER,
            **about,
        }
        return templates.TemplateResponse(request, "contests/practice.html", shown, status, dict(_HEADERS))

    return page


def _form_or_json(body: bytes) -> Fields:
    """The fields of a form or of a JSON object. Raises Refused (400) where the body is neither."""
    if not body.removeprefix(BOM_UTF8).lstrip().startswith((b"{", b"[", b'"')):
        return fields_of_form(read_fields(body))
    found = read_object(body)
    if isinstance(found, BadJson):
        raise Refused(400, f"The body must be a form or a JSON object ({found.reason})")
    return found


def _text(fields: Fields, key: str) -> str:
    text = fields.get(key)
    return text if isinstance(text, str) else ""


def _refused(form: Form, refusal: Refused) -> Response:
    """A refusal as each contest's bots expect it: plain text for Enova, JSON for the Arena."""
    if form.named:
        return PlainTextResponse(refusal.text, refusal.status)
    return JSONResponse({"error": refusal.text}, refusal.status)
