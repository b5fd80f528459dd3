"""What every web application of ours begins as: no route yet, and the guard before all that will come."""

from collections.abc import Iterable

from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send

from broadcast.web.access import Guard, Keyring
from broadcast.web.hosts import Admission


class GuardedApp(FastAPI):
    """An application behind the guard. WebSockets go from the guard straight to their route.

    Thousands of pages may come back at once, and every layer in between would also stay for as long as each is there.
    """

    def __init__(self, admission: Admission, keys: Keyring) -> None:
        super().__init__(openapi_url=None, docs_url=None, redoc_url=None)  # their pages load from elsewhere
        self.add_middleware(Guard, admission=admission, keys=keys)
        self._guarded_sockets = Guard(self._open_socket, admission, keys)

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
    """An application behind the guard. `hosts` are this machine's names besides its own; `keys` open the desk."""
    return GuardedApp(Admission(hosts), keys or Keyring())
