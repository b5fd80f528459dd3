"""The guard before every route and socket: Host, Origin, tokens, bodies. Plain ASGI; knows no page and no show.

A page is some fifty small files, so what comes before each of them must be little.
"""

import hmac
import secrets
from collections.abc import Iterator
from hashlib import sha256
from http import HTTPStatus
from typing import Literal
from urllib.parse import parse_qs

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.web.connections.limits import PLACE, Place
from broadcast.web.connections.refusal import Refusal
from broadcast.web.hosts import Admission
from broadcast.web.request_body import read_ahead, read_out

Right = Literal["", "view", "control"]
"""What a visitor may do at the desk: nothing, look, change."""
RIGHT = "highnoon.right"
"""Where the scope says it."""
SHORTEST_TOKEN = 12
_COOKIE_SECONDS = 24 * 3600
_POLICY = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors {framed}; base-uri 'none'; form-action 'self'; object-src 'none'"
)
_PAGES = ("/control", "/setup")
"""What a token in the address opens."""
_PRINTED = "the address that was printed at the start, /control?token=…"


class Tokens(Struct, frozen=True):
    """Two secrets: with one the desk can be used, with the other only looked at."""

    control: str
    view: str

    def __post_init__(self) -> None:
        if min(len(self.control), len(self.view)) < SHORTEST_TOKEN:
            raise ValueError(f"a token needs at least {SHORTEST_TOKEN} letters, so that nobody guesses it")
        if self.control == self.view:
            raise ValueError("the two tokens must differ: who may look is not who may change")

    def right_of(self, token: str) -> Right:
        """What `token` opens; takes the same time whatever it is."""
        return _fitting(token, self.control, self.view)

    def cookie(self, right: Right) -> str:
        """What a browser keeps in place of the token. The same after a restart, for nothing is remembered here."""
        return _sealed(self.control if right == "control" else self.view)

    def right_of_cookie(self, cookie: str) -> Right:
        """What a cookie opens; takes the same time whatever it is."""
        return _fitting(cookie, _sealed(self.control), _sealed(self.view))


def fresh_tokens() -> Tokens:
    """Tokens nobody can guess, short enough to type into a phone."""
    return Tokens(secrets.token_urlsafe(18), secrets.token_urlsafe(18))


class Keyring:
    """The tokens of the desk, once there is a desk."""

    tokens: Tokens | None = None


class Guard:
    """Lets in what may come in, and says with every answer what a browser may do with it."""

    def __init__(self, app: ASGIApp, admission: Admission, keys: Keyring) -> None:
        self._app = app
        self._admission = admission
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = _with_headers(scope, send)
        refusal = self._admission.refusal(scope) or self._seat(scope) or self._enter(scope)
        if refusal is None and scope["type"] == "http":
            receive, refusal = await read_ahead(scope, receive)
        if refusal is None:
            await self._app(scope, receive, send)
        elif isinstance(refusal, Response):
            await refusal(scope, receive, send)
        else:
            await _refuse(refusal, scope, receive, send)

    def _seat(self, scope: Scope) -> Refusal | None:
        """Notes in the scope what the visitor may do at the desk; why its connection has no place, None if it has."""
        scope[RIGHT] = self._right(scope)
        place: Place | None = scope.get("state", {}).get(PLACE)
        if place is None:
            return None
        tokens = self._keys.tokens
        if scope[RIGHT] or (tokens and tokens.right_of(_asked(scope))):
            place.prove()
        return place.refusal()

    def _right(self, scope: Scope) -> Right:
        tokens = self._keys.tokens
        if tokens is None:
            return ""
        cookies = _cookies(Headers(scope=scope).get("cookie", ""), _cookie_name(scope))
        return next(filter(None, map(tokens.right_of_cookie, cookies)), "")

    def _enter(self, scope: Scope) -> Refusal | Response | None:
        """None if the visitor may do enough at the desk for where it wants to go."""
        tokens = self._keys.tokens
        if tokens is None or not _is_of_desk(scope["path"]):
            return None
        asked = _asked(scope)
        if asked and scope["path"] in _PAGES and scope.get("method") == "GET":
            return _exchange(tokens, asked, _cookie_name(scope), scope)
        return _denied(scope, scope[RIGHT], Headers(scope=scope))


def _asked(scope: Scope) -> str:
    """The token in the address, "" where there is none."""
    query = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get("token", [""])[0] if b"token=" in query else ""


def _is_of_desk(path: str) -> bool:
    """The operator's side: what asks for a token. Everything below /api does, but what the show's pages report."""
    return path.startswith(("/control", "/setup", "/ws/desk", "/api/")) and path != "/api/page-report"


def _denied(scope: Scope, right: Right, headers: Headers) -> Refusal | None:
    if not right:
        return Refusal(
            403, f"The control desk opens with {_PRINTED}.", again=headers.get("sec-fetch-site") == "cross-site"
        )
    changes = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")
    if changes and right != "control":
        return Refusal(403, "With this address you may look at everything and change nothing.")
    if (changes or scope["type"] == "websocket") and "origin" not in headers:
        return Refusal(403, "The control desk is used from its own page: a request without an Origin is refused.")
    if changes and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return Refusal(415, "The control desk takes application/json only.")
    return None


def _exchange(tokens: Tokens, token: str, name: str, scope: Scope) -> Refusal | Response:
    """A cookie for a token, and the page without it: a token in the address bar would be filmed."""
    right = tokens.right_of(token)
    if not right:
        return Refusal(403, f"This token opens nothing here. Use {_PRINTED}; every tournament has its own.")
    answer = RedirectResponse(scope["path"], 303)
    answer.set_cookie(
        name,
        tokens.cookie(right),
        max_age=_COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=scope["scheme"] == "https",
    )
    return answer


async def _refuse(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """In words; to a socket as the answer to its handshake. Nothing more is asked of this connection."""
    headers = {"Connection": "close", "Cache-Control": "no-store"}
    if refusal.again:  # A strict cookie is left out when a link of another site leads here, and sent the next time.
        headers["Refresh"] = "0"
    if scope["path"].startswith(("/api/", "/register")):
        answer: Response = JSONResponse({"error": refusal.words}, refusal.status, headers)
    else:
        answer = PlainTextResponse(f"{refusal.words}\n", refusal.status, headers)
    if scope["type"] == "websocket":
        await receive()  # websocket.connect
        del answer.headers["connection"]  # the server says so itself
    else:
        await read_out(scope, receive)
    await answer(scope, receive, send)


def _with_headers(scope: Scope, send: Send) -> Send:
    path = scope["path"]

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault(
                "Content-Security-Policy", _POLICY.format(framed="'none'" if _is_of_desk(path) else "'self'")
            )
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Referrer-Policy", "no-referrer")
            kept = path.startswith("/media/") and message["status"] == HTTPStatus.OK
            headers.setdefault("Cache-Control", "public, max-age=31536000, immutable" if kept else "no-cache")
        await send(message)

    return guarded


def _fitting(given: str, control: str, view: str) -> Right:
    found = given.encode(errors="replace")
    is_control = hmac.compare_digest(found, control.encode())
    is_view = hmac.compare_digest(found, view.encode())
    return "control" if is_control else "view" if is_view else ""


def _sealed(token: str) -> str:
    return hmac.new(token.encode(), b"high noon desk", sha256).hexdigest()


def _cookie_name(scope: Scope) -> str:
    """Cookies know no ports: two tournaments on one machine would take each other's."""
    server = scope.get("server")
    return f"desk_{server[1] if server else 0}"


def _cookies(header: str, name: str) -> Iterator[str]:
    """All of that name: another server of this machine may have set one before ours."""
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            yield value
