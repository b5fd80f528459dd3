"""Checks the answers of an application against its OpenAPI description."""

from functools import lru_cache
from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types


def check_description(app: FastAPI, response: httpx.Response) -> httpx.Response:
    """Fails if the JSON of `response` contradicts the description of `app`. Returns `response`."""
    if response.headers.get("content-type", "").startswith("application/json"):
        schema = _find_schema(app, response)
        Draft202012Validator(schema).validate(response.json())
    return response


def _find_schema(app: FastAPI, response: httpx.Response) -> dict[str, Any]:
    description = _describe(app, len(app.routes))
    for route in iter_route_contexts(app.routes):
        is_match = isinstance(route.original_route, APIRoute) and route.path_regex.match(response.request.url.path)
        if is_match and response.request.method in (route.methods or ()):
            operation = description["paths"].get(route.path_format, {}).get(response.request.method.lower())
            if operation is None:  # The address serves a page, which the description leaves out.
                break
            responses = operation["responses"]
            declared = responses.get(str(response.status_code), responses["default"])
            schema: dict[str, Any] = declared["content"]["application/json"]["schema"]
            return {**schema, "components": description["components"]}
    # Pages and unknown addresses use JSON only to report an error.
    return {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}, "maxProperties": 1}


@lru_cache(4)
def _describe(app: FastAPI, _route_count: int) -> dict[str, Any]:
    return app.openapi()
