"""The FastAPI application with access checks from which every web application here is made; no routes yet."""

from collections.abc import Iterable

from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from broadcast.web.access import AccessMiddleware, Keyring
from broadcast.web.hosts import AllowedHosts


class GuardedApp(FastAPI):
    """An application behind AccessMiddleware, from which WebSockets go straight to their route.

    Thousands of pages may connect at once, and every layer in between would cost time and memory for each of them.
    """

    def __init__(self, hosts: AllowedHosts, keys: Keyring) -> None:
        super().__init__(openapi_url=None, docs_url=None, redoc_url=None)  # their pages load from elsewhere
        self.add_middleware(AccessMiddleware, hosts=hosts, keys=keys)
        self._guarded_sockets = AccessMiddleware(self._open_socket, hosts, keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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


def guarded_app(hosts: Iterable[str] = (), keys: Keyring | None = None) -> FastAPI:
    """An application behind AccessMiddleware. `hosts` are more names of this machine; `keys` has the desk's tokens."""
    return GuardedApp(AllowedHosts(hosts), keys or Keyring())
