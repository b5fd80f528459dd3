"""Decides what a visitor may open, and what a secret token of the operator's desk allows. Runs the checks of the module
`request_checks` before each route.

This is plain ASGI middleware, which is fast. A page loads some fifty files, and all of them pass through here. Routes
check the visitor's right with the dependencies defined here.
"""

import hmac
import secrets
from collections.abc import Iterator
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, Literal
from urllib.parse import parse_qs, parse_qsl, urlencode

from fastapi import Depends, Request
from fastapi.requests import HTTPConnection
from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broadcast.web.answers import charge_steps
from broadcast.web.connections.context import RoundRobin
from broadcast.web.connections.limits import (
    REQUEST_QUEUE_KEY,
    SLOT_KEY,
    STRANGER_REST_FACTOR,
    RequestRefusal,
    Slot,
    visitor_of,
)
from broadcast.web.request_checks import AllowedHosts, discard_body, is_api_path, read_body
from broadcast.web.routes import JsonError

Right = Literal["", "view", "control"]
"""What a visitor may do at the operator's desk: nothing (""), look at the desk, or change things."""
RIGHT_KEY = "highnoon.right"
"""The key of the visitor's Right in the ASGI scope."""

MIN_TOKEN_CHARACTERS = 12
_COOKIE_SECONDS = 24 * 3600
_CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors {framed}; base-uri 'none'; form-action 'self'; object-src 'none'"
)
_PRIVATE_PAGES = ("/control", "/setup", "/booth")
_TOKEN_PAGES = (*_PRIVATE_PAGES, "/overlay", "/projector")
"""Pages that move the token from their address into a cookie. The overlay and the projector need no token. But with a
token, they get connections that are reserved for the desk.
"""
_REPORT_PATH = "/api/page-report"
_CACHE_CONTROL = {"/media/": "public, max-age=31536000, immutable", "/assets/fonts/": "public, max-age=604800"}
"""How long browsers may cache a file, keyed by the start of its path. Media are named after their content, and fonts
never change.
"""
PRIVATE_HEADERS = {"Referrer-Policy": "same-origin", "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}
"""Headers of pages that only people with the link can open. Browsers send the address of such a page only to this
server. "no-referrer" would hide the address from this server, too, but then the page's forms would send no Origin.
"""
METRICS_PATH = "/metrics"
_CORS_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}
"""With these headers, browsers know what pages of other sites may do with the API."""
_NO_ORIGIN = "The control desk works only from its own page. This request has no Origin, so it was refused."
_PRINTED_ADDRESS = "the address that was printed at the start, /control?token=…"


class Tokens(Struct, frozen=True):
    """The two secrets of a desk: `control` to use it, `view` to see it.

    Raises ValueError if a token is too short, or if both tokens are equal.
    """

    control: str
    view: str

    def __post_init__(self) -> None:
        if min(len(self.control), len(self.view)) < MIN_TOKEN_CHARACTERS:
            raise ValueError(f"a token needs at least {MIN_TOKEN_CHARACTERS} characters, so that nobody guesses it")
        if self.control == self.view:
            raise ValueError("the two tokens must differ: one is view-only, the other controls")

    def right_of(self, token: str) -> Right:
        """Returns the right that `token` gives. Compares in constant time, so that timing reveals nothing."""
        return _match_right(token, self.control, self.view)

    def cookie_value(self, right: Right) -> str:
        """Returns the cookie's value for a right. The value is a hash of the token, so it stays valid after a restart
        with the same token.
        """
        return _hash_of(self.control if right == "control" else self.view)

    def right_of_cookie(self, cookie: str) -> Right:
        """Returns the right that a cookie's value gives. Compares in constant time, like `right_of`."""
        return _match_right(cookie, _hash_of(self.control), _hash_of(self.view))


def fresh_tokens() -> Tokens:
    """Returns new random tokens of 24 characters, short enough to type on a phone."""
    return Tokens(secrets.token_urlsafe(18), secrets.token_urlsafe(18))


class Keyring:
    """The desk's tokens."""

    tokens: Tokens | None = None
    """The value is None until a desk is opened."""


async def _right_of(connection: HTTPConnection) -> Right:
    right: Right = connection.scope[RIGHT_KEY]
    return right


RightFromRequest = Annotated[Right, Depends(_right_of)]
"""The type of a parameter of a route: FastAPI passes the right that the request's token or cookie gives."""


async def _require_control(right: RightFromRequest) -> None:
    if right != "control":
        raise JsonError(403, "With this token you can look at everything, but change nothing.")


async def _require_own_page(request: Request) -> None:
    if "origin" not in request.headers:
        raise JsonError(403, _NO_ORIGIN)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise JsonError(415, "The control desk accepts only application/json.")


REQUIRES_OWN_PAGE = [Depends(_require_own_page)]
"""Lets only JSON requests from the desk's own pages pass. Raises JsonError (403, 415)."""
REQUIRES_CONTROL = [Depends(_require_control), *REQUIRES_OWN_PAGE]
"""Guards requests that change the show. Also refuses visitors who have only the view token."""


class AccessMiddleware:
    """ASGI middleware that refuses forbidden requests, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, keys: Keyring) -> None:
        self._app = app
        self._hosts = hosts
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = _with_headers(scope, send, is_cross_origin_read=self._hosts.is_cross_origin_read(scope))
        refusal = self._hosts.find_refusal(scope) or self._check_slot(scope) or self._check_right(scope)
        if refusal is None and scope["type"] == "http":
            receive, refusal = await read_body(scope, receive)
        if refusal is None:
            await self._answer(scope, receive, send)
        elif isinstance(refusal, Response):
            await refusal(scope, receive, send)
        else:
            await _refuse(refusal, scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets the application answer.

        A request from another machine waits for its turn, unless it has a token. The processor time of its answer is
        charged to the sender's address.
        """
        state = scope.get("state", {})
        slot: Slot | None = state.get(SLOT_KEY)
        request_queue: RoundRobin | None = state.get(REQUEST_QUEUE_KEY)
        if slot is None or request_queue is None or slot.kind == "desk" or not slot.address.is_limited:
            await self._app(scope, receive, send)
            return

        def charge(seconds: float, waited: float) -> None:
            slot.charge(seconds)
            request_queue.pause(waited * STRANGER_REST_FACTOR)

        await request_queue.wait_for_turn(slot.address.site, slot.address)
        if slot.kind != "none":  # otherwise the visitor left while waiting
            await charge_steps(self._app(scope, receive, send), charge)

    def _check_slot(self, scope: Scope) -> RequestRefusal | None:
        """Sets the visitor's Right in the scope. Returns a refusal if the server has no slot (a place) for the
        connection, or if the visitor's address sends too many requests.
        """
        scope[RIGHT_KEY] = self._find_right(scope)
        slot: Slot | None = scope.get("state", {}).get(SLOT_KEY)
        if slot is None:
            return None
        if visitor := visitor_of(scope):
            slot.move_to_address(visitor)
        tokens = self._keys.tokens
        if scope[RIGHT_KEY] or (tokens and tokens.right_of(_token_of(scope))):
            slot.move_to_desk()
        return slot.check_request()

    def _find_right(self, scope: Scope) -> Right:
        tokens = self._keys.tokens
        if tokens is None:
            return ""
        if is_api_path(scope["path"]) or scope["path"] == METRICS_PATH:
            scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
            return tokens.right_of(token.strip()) if scheme.lower() == "bearer" else ""
        cookies = _cookies(Headers(scope=scope).get("cookie", ""), _cookie_name(scope))
        # an OBS source has no cookie, so its reports have the token in the address
        by_token = tokens.right_of(_token_of(scope)) if scope["path"] == _REPORT_PATH else ""
        return by_token or next(filter(None, map(tokens.right_of_cookie, cookies)), "")

    def _check_right(self, scope: Scope) -> RequestRefusal | Response | None:
        """Returns None if the application may answer. Otherwise returns a refusal, a redirect that sets a cookie, or
        the answer to a request for CORS headers.
        """
        if scope.get("method") == "OPTIONS" and self._hosts.is_cross_origin_read(scope):
            return Response(status_code=204, headers=_CORS_HEADERS)
        tokens = self._keys.tokens
        if tokens is None:
            return None
        token = _token_of(scope)
        if token and scope["path"] in _TOKEN_PAGES and scope.get("method") == "GET":
            return _exchange_token(tokens, token, _cookie_name(scope), scope)
        if not _is_of_desk(scope["path"]):
            return None
        headers = Headers(scope=scope)
        if not scope[RIGHT_KEY]:
            may_reload = headers.get("sec-fetch-site") == "cross-site"
            return RequestRefusal(403, f"The control desk opens with {_PRINTED_ADDRESS}.", may_reload)
        from_elsewhere = scope["type"] == "websocket" and "origin" not in headers
        return RequestRefusal(403, _NO_ORIGIN) if from_elsewhere else None


def _token_of(scope: Scope) -> str:
    query = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get("token", [""])[0] if b"token=" in query else ""


def _is_of_desk(path: str) -> bool:
    """Whether a path needs a token. The desk's own paths under /api/ do. The public API does not, and neither does the
    path to which the show's pages send reports.
    """
    of_desk = path.startswith((*_PRIVATE_PAGES, "/ws/desk", "/ws/booth", "/api/"))
    return of_desk and path != _REPORT_PATH and not is_api_path(path)


def _exchange_token(tokens: Tokens, token: str, name: str, scope: Scope) -> RequestRefusal | Response:
    """Sets the cookie and redirects to the address without the token, so that no camera captures the token."""
    right = tokens.right_of(token)
    if not right:
        return RequestRefusal(
            403, f"This token is not valid here. Use {_PRINTED_ADDRESS}; every tournament has its own."
        )
    others = [(key, value) for key, value in parse_qsl(scope["query_string"].decode("latin-1")) if key != "token"]
    answer = RedirectResponse(scope["path"] + (f"?{urlencode(others)}" if others else ""), 303)
    answer.set_cookie(
        name,
        tokens.cookie_value(right),
        max_age=_COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        path=f"{scope.get('root_path', '')}/",
        secure=scope["scheme"] == "https",
    )
    return answer


async def _refuse(refusal: RequestRefusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the refusal and closes the connection. A WebSocket gets the refusal instead of a handshake."""
    # Browsers omit a strict cookie when the visitor follows a link on another site. They send the cookie once the page
    # reloads.
    reload = {"Refresh": "0"} if refusal.reload else {}
    headers = {"Connection": "close", "Cache-Control": "no-store", **reload}
    if scope["path"].startswith(("/api/", "/register")):
        answer: Response = JSONResponse({"error": refusal.message}, refusal.status, headers)
    else:
        answer = PlainTextResponse(f"{refusal.message}\n", refusal.status, headers)
    if scope["type"] == "websocket":
        await receive()  # websocket.connect
        del answer.headers["connection"]  # PageSocket, which sends the answer, adds this header
    else:
        await discard_body(scope, receive)
    await answer(scope, receive, send)


def _with_headers(scope: Scope, send: Send, *, is_cross_origin_read: bool) -> Send:
    path = scope["path"]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault(
                "Content-Security-Policy",
                _CONTENT_SECURITY_POLICY.format(framed="'none'" if _is_of_desk(path) else "'self'"),
            )
            location = headers.get("location", "")
            if location.startswith("/"):
                headers["location"] = scope.get("root_path", "") + location
            headers.setdefault("X-Content-Type-Options", "nosniff")
            if is_api_path(path):
                headers.add_vary_header("Origin")
            if is_cross_origin_read:
                headers["Access-Control-Allow-Origin"] = "*"
                headers["Access-Control-Expose-Headers"] = "ETag"
            headers.setdefault("Referrer-Policy", "no-referrer")
            exists = message["status"] in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
            caching = (value for prefix, value in _CACHE_CONTROL.items() if exists and path.startswith(prefix))
            headers.setdefault("Cache-Control", next(caching, "no-cache"))
        await send(message)

    return send_with_headers


def is_same_link(one: str, other: str) -> bool:
    """Whether two secret links are equal, compared in constant time."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def _match_right(text: str, control: str, view: str) -> Right:
    secret = text.encode(errors="replace")
    is_control = hmac.compare_digest(secret, control.encode())
    is_view = hmac.compare_digest(secret, view.encode())
    return "control" if is_control else "view" if is_view else ""


def _hash_of(token: str) -> str:
    return hmac.new(token.encode(), b"high noon desk", sha256).hexdigest()


def _cookie_name(scope: Scope) -> str:
    """Returns the cookie's name, which contains the port. Browsers share cookies between ports, so two servers on one
    machine would otherwise overwrite each other's cookies.
    """
    server = scope.get("server")
    return f"desk_{server[1] if server else 0}"


def _cookies(header: str, name: str) -> Iterator[str]:
    """Yields the values of all cookies called `name`. Another server on this machine may use this name, too."""
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            yield value
