"""Registration over HTTP: `POST /tournament/register` for bots, and a page on which a bot is registered by hand."""

from collections.abc import Iterable

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from broadcast.guide.routes import guide_router
from broadcast.web.guarded_app import guarded_app
from broadcast.web.routes import Route
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import page_templates
from server.app.registering import WELCOME, header_text, own_port, read_fields
from server.contests.enova.contest import CONTEST
from server.contests.enova.venue.registry import EnovaRegistry
from server.paths import ASSETS, STATIC
from server.registration.register import Refused
from server.registration.wishes import ignored

_PATH = "/tournament/register"
_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store"}
"""A form sent from a page that gives no referrer has no origin either, and would be refused as a stranger's."""


def enova_app(registry: EnovaRegistry, hosts: Iterable[str] = ()) -> FastAPI:
    """An app that serves registration and the files of its page; `hosts` are further names of this machine."""
    app = guarded_app(hosts)
    app.include_router(enova_router(registry))
    for kind in ("art", "css"):
        app.mount(f"/static/{kind}", StaticFolder(STATIC / kind))
    app.mount("/assets/fonts", StaticFolder(ASSETS / "fonts"))
    app.include_router(guide_router())
    return app


def enova_router(registry: EnovaRegistry) -> APIRouter:
    """The routes of `/tournament/register`: the page, and the request that registers."""
    router = APIRouter(route_class=Route)
    templates = page_templates()

    def page(request: Request, status: int = 200, **about: object) -> Response:
        return templates.TemplateResponse(
            request,
            "contests/registration.html",
            {"registry": registry, "contest": CONTEST, **about},
            status,
            dict(_HEADERS),
        )

    @router.get(_PATH)
    async def form(request: Request) -> Response:
        """The form, and the bots that have registered."""
        return page(request)

    @router.post(_PATH)
    async def register(request: Request) -> Response:
        """Registers a bot; a program is answered in plain text, a browser with the page and the same text in it."""
        fields: dict[str, str] = {}
        try:
            fields = read_fields(await request.body())
            client = request.client.host if request.client else ""
            bot = await registry.register(fields.get("hostname", ""), fields.get("name", ""), client, own_port(request))
        except Refused as refusal:
            status, words, done = refusal.status, refusal.text, False
        else:
            status, words, done = 200, WELCOME, True
        if "text/html" not in request.headers.get("accept", ""):
            warnings = header_text("; ".join(ignored(fields, ("hostname", "name"))))
            return PlainTextResponse(words, status, {"Warnings": warnings} if done and warnings else None)
        name = bot.name if done else fields.get("name", "")
        return page(request, status, words=words, done=done, hostname=fields.get("hostname", ""), name=name)

    return router
