"""The FastAPI application with access checks from which every web application here is made; no routes yet."""

from collections.abc import Iterable

from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from broadcast.web.access import AccessMiddleware, Keyring
from broadcast.web.hosts import AllowedHosts
from server.root_path import root_path


class GuardedApp(FastAPI):
    """An application behind AccessMiddleware, from which WebSockets go straight to their route.

    Thousands of pages may connect at once, and every layer in between would cost time and memory for each of them.
    It answers below the root path as well as without it, so a proxy may take that off, and this machine needs none.
    """

    def __init__(self, hosts: AllowedHosts, keys: Keyring) -> None:
        super().__init__(openapi_url=None, docs_url=None, redoc_url=None)  # their pages load from elsewhere
        self._root = root_path()
        if self._root:
            self.add_middleware(_FullPath)
        self.add_middleware(AccessMiddleware, hosts=hosts, keys=keys)
        self._guarded_sockets = AccessMiddleware(self._open_socket, hosts, keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._root:
            path = scope["path"]
            bare = path.removeprefix(self._root) if path.startswith(f"{self._root}/") else path
            scope.update(root_path=self._root, path=bare)
        if scope["type"] == "websocket":
            await self._guarded_sockets(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        for route in self.router.routes:
            if isinstance(route, WebSocketRoute) and route.path == scope["path"]:
                await route.app(scope, receive, send)
                return
        await send({"type": "websocket.close"})


class _FullPath:
    """Puts the root path before the path, as routes expect it in ASGI; access is checked without it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, "path": scope["root_path"] + scope["path"]}, receive, send)


def guarded_app(hosts: Iterable[str] = (), keys: Keyring | None = None) -> FastAPI:
    """An application behind AccessMiddleware. `hosts` are more names of this machine; `keys` has the desk's tokens."""
    return GuardedApp(AllowedHosts(hosts), keys or Keyring())
