"""FastAPI routes that read and write JSON with msgspec. For OpenAPI, the routes' types describe the JSON."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from fastapi import Depends, Query, Request
from fastapi.datastructures import DefaultPlaceholder
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.routing import APIRoute, iter_route_contexts
from msgspec import Struct
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

_SCHEMA_REFERENCE = "#/components/schemas/{name}"
Kind = TypeVar("Kind")


class Error(Struct):
    """Why a request failed, in a sentence."""

    error: str


class JsonError(HTTPException):
    """Ends a request with an HTTP status and an `Error` as JSON, for browsers and programs alike."""


class PlainError(HTTPException):
    """Ends a request with an HTTP status and a line of plain text."""


def whole_number(text: str, max_value: int, default: int) -> int:
    """Returns the number in `text`. If `text` is not all digits, or the number exceeds `max_value`, returns
    `default`.
    """
    is_valid = text.isascii() and text.isdigit() and len(text) <= len(str(max_value)) and int(text) <= max_value
    return int(text) if is_valid else default


def error_answer(_: Request, why: Exception) -> Response:
    """Answers an HTTPException: plain text for a PlainError, JSON otherwise."""
    assert isinstance(why, HTTPException), "other errors are not handled here"
    if isinstance(why, PlainError):
        return PlainTextResponse(why.detail, why.status_code, why.headers)
    return JSONResponse({"error": why.detail}, why.status_code, why.headers)


class Json(JSONResponse):
    """A response that msgspec encodes."""

    def render(self, content: object) -> bytes:
        return msgspec.json.encode(content)


class JsonBody(Generic[Kind]):
    """A FastAPI dependency that reads the request's body strictly as `kind`. Raises JsonError (400) with `message` and
    the reason.
    """

    def __init__(self, kind: type[Kind], message: str) -> None:
        self.kind = kind
        self._message = message

    async def __call__(self, request: Request) -> Kind:
        try:
            return msgspec.json.decode(await request.body(), type=self.kind)
        except RecursionError:
            raise JsonError(400, f"{self._message}: nested too deep") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise JsonError(400, f"{self._message}: {error}") from None


async def _wants_json(json: Annotated[str | None, Query(description="JSON instead of a page")] = None) -> bool:
    return json is not None


WantsJson = Annotated[bool, Depends(_wants_json)]
"""Whether the address has `?json`."""


class Route(APIRoute):
    """A route with a `response_model` of any type that msgspec encodes. Answers HEAD like GET, but without the body.

    OpenAPI describes only routes that answer with JSON, or whose requests have JSON in the body. All other routes
    are pages.
    """

    def __init__(self, path: str, endpoint: Any, *, response_model: Any = None, **about: Any) -> None:
        default = isinstance(response_model, DefaultPlaceholder)
        is_native = default or (isinstance(response_model, type) and issubclass(response_model, BaseModel))
        super().__init__(path, endpoint, response_model=response_model if is_native else None, **about)
        self.answer = None if is_native else response_model
        calls = (each.call for each in self.dependant.dependencies)
        self.body = next((call.kind for call in calls if isinstance(call, JsonBody)), None)
        self.include_in_schema &= bool(self.answer or self.body or self.response_field)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return super().matches(self._without_head(scope))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await super().handle(self._without_head(scope), receive, send)

    def _without_head(self, scope: Scope) -> Scope:
        is_plain_head = scope.get("method") == "HEAD" and "HEAD" not in (self.methods or ())
        return {**scope, "method": "GET"} if is_plain_head else scope


def describe_openapi(openapi: dict[str, Any], routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """Returns FastAPI's description with msgspec's schemas of the bodies and answers of `routes`."""
    openapi = _copy(openapi)  # FastAPI keeps the original
    contexts = [(each, each.original_route) for each in iter_route_contexts([*routes])]
    described_routes = [
        (context, route) for context, route in contexts if isinstance(route, Route) and route.include_in_schema
    ]
    kinds = [Error, *(kind for _, route in described_routes for kind in (route.body, route.answer) if kind)]
    schemas, components = _copy(
        msgspec.json.schema_components(kinds, schema_hook=_fraction_schema, ref_template=_SCHEMA_REFERENCE)
    )
    pairs = zip(kinds, schemas, strict=True)
    content = {repr(kind): {"application/json": {"schema": schema}} for kind, schema in pairs}
    for context, route in described_routes:
        path = openapi["paths"][context.path_format]
        for operation in (path[method.lower()] for method in context.methods or ()):
            if route.body:
                operation["requestBody"] = {"required": True, "content": content[repr(route.body)]}
            if route.answer:
                operation["responses"]["200"]["content"] = content[repr(route.answer)]
    for path in openapi["paths"].values():
        for operation in path.values():
            operation["responses"]["default"] = {"description": "Why not", "content": content[repr(Error)]}
    schemas_by_name: dict[str, Any] = openapi.setdefault("components", {}).setdefault("schemas", {})
    assert not schemas_by_name.keys() & components, "two types have the same name"
    schemas_by_name.update(components)
    return openapi


def _copy(description: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(description))


def _fraction_schema(kind: type) -> dict[str, Any]:
    if kind is not Fraction:
        raise NotImplementedError
    return {"type": "number"}
