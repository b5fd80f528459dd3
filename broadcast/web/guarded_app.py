"""The FastAPI application with access checks from which every web application here is made; no routes yet."""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from broadcast.web.access import AccessMiddleware, Keyring
from broadcast.web.hosts import AllowedHosts
from broadcast.web.routes import JsonError, PlainError, Route, described, error_answer
from server.paths import root_path
from server.version import VERSION

_ABOUT = (
    "Requests below `/api/`, but for page reports, need the cookie that `GET /control?token=…` sets; those that change "
    "something need an `Origin` of this server, too, and `application/json`."
)


class GuardedApp(FastAPI):
    """An application behind AccessMiddleware, from which its WebSockets go straight to their route.

    Thousands of pages may connect at once, and every layer in between would cost time and memory for each of them.
    Sockets of a router pass through all layers.
    It answers below the root path as well as without it, so a proxy may take that off, and this machine needs none.
    """

    def __init__(self, hosts: AllowedHosts, keys: Keyring) -> None:
        # FastAPI's own pages load scripts from elsewhere. Whatever a route takes, its "default" answer says why not.
        super().__init__(
            title="High Noon", version=VERSION, description=_ABOUT, openapi_url=None, responses={"default": {}}
        )
        self.router.route_class = Route
        for error in (HTTPException, JsonError, PlainError):
            self.add_exception_handler(error, error_answer)
        self._root = root_path()
        if self._root:
            self.add_middleware(_FullPath)
        self.add_middleware(AccessMiddleware, hosts=hosts, keys=keys)
        self._hosts, self._keys = hosts, keys

    def openapi(self) -> dict[str, Any]:
        """The description of all requests that are answered in JSON; it is served nowhere."""
        return described(super().openapi(), self.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._root:
            path = scope["path"]
            bare = path.removeprefix(self._root) if path.startswith(f"{self._root}/") else path
            scope.update(root_path=self._root, path=bare)
        socket = self._socket(scope["path"]) if scope["type"] == "websocket" else None
        app = AccessMiddleware(socket, self._hosts, self._keys) if socket else super().__call__
        await app(scope, receive, send)

    def _socket(self, path: str) -> ASGIApp | None:
        """The WebSocket of that path which was added to the application itself, not by a router."""
        routes = (each for each in self.router.routes if isinstance(each, WebSocketRoute))
        return next((each.app for each in routes if each.path == path), None)


class _FullPath:
    """Puts the root path before the path, as routes expect it in ASGI; access is checked without it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "path": scope["root_path"] + scope["path"]}, receive, send)


def guarded_app(hosts: Iterable[str] = (), keys: Keyring | None = None) -> FastAPI:
    """An application behind AccessMiddleware. `hosts` are more names of this machine; `keys` has the desk's tokens."""
    return GuardedApp(AllowedHosts(hosts), keys or Keyring())
