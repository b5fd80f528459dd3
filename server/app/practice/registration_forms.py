"""Serves the page that lists the practice games, and registers bots on request. Each contest has its own form."""

from collections.abc import Awaitable, Callable
from typing import Protocol
from urllib.parse import urljoin

from fastapi import APIRouter, Request
from fastapi.responses import Response
from msgspec import Struct

from broadcast.web.routes import Route
from broadcast.web.templates import page_templates
from server.app.bot_registration import WELCOME, read_fields, server_port
from server.app.practice.connect_bots import HttpGames, TcpGames
from server.app.practice.guests import Guest, Guests
from server.bots.house.ladder import LADDER
from server.console import say
from server.game.formats import Format
from server.registration.practice_options import (
    HOUSE_OPTIONS,
    TEXT_OPTIONS,
    fields_of_form,
    ignored_key_warnings,
    option_warnings,
)
from server.registration.register import RegistrationRefused, register_router
from server.text.characters import printable

_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}

Fields = dict[str, object]
"""The fields of a registration, keyed by name. Numeric options are numbers. All other fields are text."""
Admit = Callable[[Fields, str, int], Awaitable[tuple[Guest, list[str]]]]
"""Starts a game. Takes the form's fields, the client's address and the server's port. Returns the bot and warnings.
Raises RegistrationRefused.
"""
Reply = Callable[[Guest, str, str, list[str]], Response]
"""Answers a program that has registered a bot. Takes the bot, the show's URL, the author page's URL, and warnings."""


class Page(Protocol):
    """Renders the practice page with the given values and HTTP status."""

    def __call__(self, request: Request, status: int = 200, **values: object) -> Response: ...


def field_text(fields: Fields, key: str) -> str:
    """Returns the text of a field, or "" if the field is missing or not text."""
    text = fields.get(key)
    return text if isinstance(text, str) else ""


class PracticeSetup(Struct, frozen=True):
    """How the bots of a contest register for practice."""

    route: str
    """The request that registers a bot, as the author's page shows it. "{base}" stands for the server's address."""
    router: APIRouter
    make_format: Callable[[int, int], Format]
    """The format of a practice game with the given numbers of seats and hands."""


class PracticeForm(Struct, frozen=True):
    """A contest's practice page, and the form on the page. `field` is the form's main field, with its `label` and an
    `example`.
    """

    title: str
    path: str
    field: str = ""
    label: str = ""
    example: str = ""
    about: str = ""
    named: bool = False
    """Whether the form also asks for a name."""
    read: Callable[[bytes], Fields] = lambda body: fields_of_form(read_fields(body))
    how: str = ""
    """How a bot registers if the page has no form."""


def _print_warnings(name: str, warnings: list[str]) -> None:
    for warning in warnings:
        say(f"  {printable(name)}: {printable(warning)}")


def tcp_router(games: TcpGames, form: PracticeForm) -> APIRouter:
    """Returns the routes of a contest whose bots connect over TCP: the page that lists the games, and the registration
    of a bot.
    """
    router, _ = _page_router(games.guests, form)
    router.include_router(register_router(games.check_in, _print_warnings))
    return router


def http_router(  # noqa: PLR0917 (no two parameters belong together)
    games: HttpGames,
    form: PracticeForm,
    admit: Admit,
    reply: Reply,
    refuse: Callable[[RegistrationRefused], Response],
    answer_type: type | None = None,
) -> APIRouter:
    """Returns the routes of a contest whose bots are HTTP servers: the page that lists the games, and the registration
    of a bot.

    `admit` starts a game. `reply` answers a program, as JSON of the type `answer_type` if this type is given. `refuse`
    answers with the reason for a refusal.
    """
    router, page = _page_router(games.guests, form)

    @router.post(form.path, response_model=answer_type)
    async def register(request: Request) -> Response:
        """Starts a game. A program gets the answer that its contest defines, and a browser gets the page."""
        is_browser = "text/html" in request.headers.get("accept", "")
        fields: Fields = {}
        try:
            fields = form.read(await request.body())
            guest, warnings = await admit(fields, request.client.host if request.client else "", server_port(request))
        except RegistrationRefused as refusal:
            if is_browser:
                return page(request, refusal.status, words=refusal.text, fields=fields)
            return refuse(refusal)
        known_keys = (form.field, "name", *HOUSE_OPTIONS, *TEXT_OPTIONS)
        warnings += [*option_warnings(HOUSE_OPTIONS, fields), *ignored_key_warnings(fields, known_keys)]
        _print_warnings(guest.name, warnings)
        if is_browser:
            return page(request, words=WELCOME, guest=guest, warnings=warnings, fields=fields)
        base = str(request.base_url)
        own_url = guest.own_url and urljoin(base, guest.own_url[1:])
        return reply(guest, urljoin(base, guest.watch_url[1:]), own_url, warnings)

    return router


def _page_router(guests: Guests, form: PracticeForm) -> tuple[APIRouter, Page]:
    """Returns the route of a contest's practice page, and a function that renders this page: the form and the list of
    the games.
    """
    router, templates = APIRouter(route_class=Route), page_templates()

    def page(request: Request, status: int = 200, **values: object) -> Response:
        template_values = {
            "form": form,
            "guests": tuple(guests.latest),
            "fields": {},
            "words": "",
            "guest": None,
            "warnings": (),
            "ladder": LADDER,
            **values,
        }
        return templates.TemplateResponse(request, "contests/practice.html", template_values, status, dict(_HEADERS))

    @router.get(form.path)
    async def look(request: Request) -> Response:
        """The form and the list of games. With "?challenge=CODE" in the address, the form contains CODE."""
        return page(request, fields={"challenge": request.query_params.get("challenge", "")})

    return router, page
