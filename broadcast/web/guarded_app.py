"""The FastAPI application behind all pages and APIs of this program: it checks access and answers errors."""

import logging
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import WebSocketRoute
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Receive, Scope, Send

from broadcast.web.access import AccessMiddleware, Keyring
from broadcast.web.brand import read_brand
from broadcast.web.brand_files import brand_router
from broadcast.web.request_checks import AllowedHosts
from broadcast.web.routes import JsonError, PlainError, Route, describe_openapi, error_answer
from server.paths import root_path
from server.version import VERSION

MAX_ADDRESS_CHARACTERS = 80
_API_DESCRIPTION = (
    "Requests below `/api/`, except page reports, need the cookie that `GET /control?token=…` sets. Requests that "
    "change something also need an `Origin` of this server and `application/json`."
)


class GuardedApp(FastAPI):
    """An application behind AccessMiddleware. It passes WebSockets directly to their routes.

    Thousands of pages may connect at once, and each layer of middleware would cost time and memory for each page. The
    WebSockets of included routers still pass through all layers. Behind a proxy, all addresses begin with the root
    path. The addresses work without the root path, too, because some proxies remove it.
    """

    def __init__(self, hosts: AllowedHosts, keys: Keyring) -> None:
        # FastAPI's own pages are off, because they load scripts from other sites. The "default" response describes
        # errors.
        super().__init__(
            title="High Noon",
            version=VERSION,
            description=_API_DESCRIPTION,
            openapi_url=None,
            responses={"default": {}},
        )
        self.router.route_class = Route
        for error in (HTTPException, JsonError, PlainError):
            self.add_exception_handler(error, error_answer)
        self._root = root_path()
        if self._root:
            self.add_middleware(_full_path)
        self.add_middleware(AccessMiddleware, hosts=hosts, keys=keys)
        self._hosts, self._keys = hosts, keys

    def openapi(self) -> dict[str, Any]:
        """Returns the description of all routes with JSON. No page serves this description."""
        return describe_openapi(super().openapi(), self.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._root:
            path = scope["path"]
            bare = path.removeprefix(self._root) if path.startswith(f"{self._root}/") else path
            scope.update(root_path=self._root, path=bare)
        routes = self.router.routes if scope["type"] == "websocket" else ()
        sockets = (each for each in routes if isinstance(each, WebSocketRoute) and each.path == scope["path"])
        socket = next((each.app for each in sockets), None)
        app = AccessMiddleware(socket, self._hosts, self._keys) if socket else super().__call__
        await app(scope, receive, send)


def _full_path(app: ASGIApp) -> ASGIApp:
    """Prepends the root path to each request's path, as ASGI routes expect. Access is checked without the root path."""

    async def with_full_path(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "path": scope["root_path"] + scope["path"]}, receive, send)

    return with_full_path


def guarded_app(
    hosts: Iterable[str] = (),
    keys: Keyring | None = None,
    media: Path | None = None,
    *,
    api_for_all: bool = False,
) -> FastAPI:
    """Returns an application with access checks. `hosts` are other names of this machine. `keys` has the desk's tokens.

    The application's pages show the branding in the folder `media`, if there is one. With `api_for_all`, pages of every
    site may read the API.
    """
    app = GuardedApp(AllowedHosts(hosts, api_for_all=api_for_all), keys or Keyring())
    app.state.brand = read_brand(media) if media else None
    if app.state.brand:
        app.include_router(brand_router(app.state.brand))
    return app


def error_page(templates: Jinja2Templates, request: Request, error: Exception) -> Response:
    """Answers an HTTPException with a page, or with JSON for programs."""
    assert isinstance(error, HTTPException), "other errors are not handled here"
    path = request.url.path.removeprefix(request.base_url.path[:-1])
    shown_path = path if len(path) <= MAX_ADDRESS_CHARACTERS else f"{path[:MAX_ADDRESS_CHARACTERS]}…"
    why = f"{error.detail}."
    if error.status_code == HTTPStatus.NOT_FOUND:
        why = f"There is nothing at {shown_path}."
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "another method")
        why = f"{shown_path} is for programs. It accepts only {allowed}."
    if request.method not in ("GET", "HEAD") or path.startswith("/api/"):
        return JSONResponse({"error": why}, error.status_code, error.headers)
    is_temporary = error.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    values = {"why": why, "heading": "Not now" if is_temporary else "No such page"}
    return templates.TemplateResponse(request, "shared/no_page.html", values, error.status_code, error.headers)


def unavailable_page(templates: Jinja2Templates, request: Request, error: Exception) -> Response:
    """Answers a request after a disk or the index of recordings has failed, and prints the reason on the terminal."""
    why = (isinstance(error, OSError) and error.strerror) or str(error)
    logging.getLogger("uvicorn.error").warning("Pages cannot be made: %s", why)
    words = f"The data of this page cannot be read or stored: {why}"
    return error_page(templates, request, HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, words, {"Retry-After": "5"}))
