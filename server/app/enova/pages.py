"""Registration over HTTP: `POST /tournament/register` for bots, and a page on which a bot is registered by hand."""

from collections.abc import Iterable
from urllib.parse import parse_qs

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from broadcast.guide.routes import guide_router
from broadcast.web.guarded_app import guarded_app
from broadcast.web.routes import Route
from broadcast.web.static_files import StaticFolder
from broadcast.web.templates import page_templates
from server.app.enova.registry import EnovaRegistry
from server.console import plain
from server.paths import ASSETS, STATIC
from server.registration.register import Refused
from server.registration.wishes import ignored

WELCOME = "Welcome to the party!"
MOST_FIELDS = 16
_PATH = "/tournament/register"
_FORM = "hostname=10.23.221.24:3000&name=Bot Awesome (netid2)"
_OTHERS = {b"{": "JSON", b"[": "JSON", b"--": "multipart"}
"""How a body begins that is something else."""
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
            request, "contests/enova.html", {"registry": registry, **about}, status, dict(_HEADERS)
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


def header_text(text: str) -> str:
    """Words as they may stand in a header, of which HTTP takes plain ASCII."""
    return plain(text).encode("ascii", "backslashreplace").decode()


def own_port(request: Request) -> int:
    """The port of this server that a request came to."""
    server: tuple[str, int] = request.scope["server"]
    return server[1]


def read_fields(body: bytes) -> dict[str, str]:
    """The fields of an urlencoded form, the first of each name. Raises Refused (400) where the body is none."""
    other = next((kind for begins, kind in _OTHERS.items() if body.lstrip().startswith(begins)), "")
    if other:
        raise Refused(400, f"The body must be a form such as {_FORM}, urlencoded; this one is {other}")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, f"The body must be a form such as {_FORM}, urlencoded") from None
    return {name: values[0] for name, values in fields.items()}
