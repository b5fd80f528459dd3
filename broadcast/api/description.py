"""Serves `/api/v1/`: a page that documents the API, and descriptions that programs can read (OpenAPI, JSON Schema)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from fastapi.templating import Jinja2Templates
from msgspec import Struct

from broadcast.api.answers import json_with_etag
from broadcast.api.messages import messages_schema, without_indentation
from broadcast.web.answers import AnswerCache
from broadcast.web.request_checks import API_PATH
from broadcast.web.routes import Route
from server.paths import root_path

OPENAPI_TYPE = "application/openapi+json"
JSON_SCHEMA = "application/schema+json"
_SCHEMA_REFERENCE = re.compile(r"#/components/schemas/(\w+)")
_DESCRIPTION = (
    "The show for programs: what is on air, standings, schedule, bots, hands, statistics, luck, results, recordings. "
    "Every program may read it. The server's address decides which other sites may read it from their pages. If "
    "the address is public, every site may. In a local network, the sites in that network may. At an address of this "
    "machine, only the sites on this machine may. The organiser can open it to every site. "
    "Nothing can be seen here that has not been on air.\n\n"
    "Version 1 never changes its meaning: parameters and fields may be added, but none is removed or changes its "
    "meaning. Ignore fields that you do not know."
)
_BEARER_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A desk token. The program prints two at the start: a control token and a view-only token.",
}


class Parameter(Struct, frozen=True):
    """A parameter of an operation, as the documentation page shows it."""

    name: str
    about: str


class Operation(Struct, frozen=True):
    """An operation of the API, as the documentation page shows it."""

    method: str
    path: str
    about: str
    parameters: tuple[Parameter, ...]
    answer: str
    """The name of the answer's type."""


class Field(Struct, frozen=True):
    """A field of a type, as the documentation page shows it. `kind` is the field's type in words. `link` names the type
    to link to, if any.
    """

    name: str
    kind: str
    link: str


class DescribedType(Struct, frozen=True):
    """A type, as the documentation page shows it."""

    name: str
    about: str
    fields: tuple[Field, ...]


def api_description(app: FastAPI) -> dict[str, Any]:
    """Returns the OpenAPI description of the operations that this application has below `/api/v1/`."""
    app.openapi_schema = None  # routes may have been added since FastAPI cached the schema
    full_description = without_indentation(app.openapi())
    paths = {path: item for path, item in full_description["paths"].items() if path.startswith(API_PATH)}
    for path, item in paths.items():
        if path.startswith(f"{API_PATH}desk"):
            for operation in item.values():
                operation["security"] = [{"token": []}]
    schemas = full_description["components"]["schemas"]
    used_schemas = {name: schemas[name] for name in sorted(_used_schemas(paths, schemas))}
    return {
        "openapi": full_description["openapi"],
        "info": {"title": "High Noon", "version": "1", "description": _DESCRIPTION},
        "servers": [{"url": root_path() or "/"}],
        "paths": paths,
        "components": {"schemas": used_schemas, "securitySchemes": {"token": _BEARER_TOKEN}},
    }


def description_router(app: FastAPI, templates: Jinja2Templates) -> APIRouter:
    """Returns the routes of the descriptions."""
    router = APIRouter(route_class=Route)
    cache = AnswerCache()

    @router.get("/api/v1/")
    async def page(request: Request) -> Response:
        async def make_values() -> Mapping[str, object]:
            described = api_description(app)
            return {"operations": [*_operations(described)], "types": [*_types(described)]}

        return await cache.page(request, templates, "api/api.html", make_values, state=len(app.routes))

    @router.get("/api/v1/openapi.json")
    async def openapi(request: Request) -> Response:
        return (
            await cache.get("openapi", len(app.routes), lambda: json_with_etag(api_description(app), OPENAPI_TYPE))
        ).response_for(request)

    @router.get("/api/v1/messages.json")
    async def messages(request: Request) -> Response:
        return (await cache.get("messages", None, lambda: json_with_etag(messages_schema(), JSON_SCHEMA))).response_for(
            request
        )

    return router


def _used_schemas(part: object, schemas: Mapping[str, object]) -> set[str]:
    """Returns the names of all schemas to which `part` refers, directly or through other schemas."""
    found: set[str] = set()
    pending = [repr(part)]
    while pending:
        for name in _SCHEMA_REFERENCE.findall(pending.pop()):
            if name not in found:
                found.add(name)
                pending.append(repr(schemas[name]))
    return found


def _operations(description: Mapping[str, Any]) -> Iterator[Operation]:
    for path, item in description["paths"].items():
        for method, operation in item.items():
            content = operation["responses"]["200"]["content"]["application/json"]["schema"]
            parameters = [
                Parameter(each["name"], each.get("description", ""))
                for each in operation.get("parameters", ())
                if each["in"] == "query"
            ]
            about = operation.get("description", "")
            yield Operation(method.upper(), path, about, tuple(parameters), _describe_schema(content)[1])


def _types(description: Mapping[str, Any]) -> Iterator[DescribedType]:
    for name, schema in description["components"]["schemas"].items():
        fields = [Field(each, *_describe_schema(kind)) for each, kind in schema.get("properties", {}).items()]
        yield DescribedType(name, schema.get("description", ""), tuple(fields))


def _describe_schema(schema: Mapping[str, Any]) -> tuple[str, str]:
    """Returns a description of a schema in words, and the name of the type to which the schema refers. The name is ""
    if the schema refers to no type.
    """
    if found := _SCHEMA_REFERENCE.fullmatch(schema.get("$ref", "")):
        return "", found[1]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            parts = [_describe_schema(each) for each in schema[key]]
            link = next((link for _, link in parts if link), "")
            return " or ".join(words for words, _ in parts if words), link
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"])), ""
    kind = str(schema.get("type", "any value"))
    inner = schema.get("items") if kind == "array" else schema.get("additionalProperties")
    if isinstance(inner, Mapping) and inner:
        words, link = _describe_schema(inner)
        return f"{'list of' if kind == 'array' else 'table of'} {words}".strip(), link
    return kind, ""
