"""Checks the answers of an application against its OpenAPI description."""

from functools import lru_cache
from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # jsonschema has no types

ERROR = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}, "maxProperties": 1}
"""The schema of the JSON answer at an address without a route."""


def as_described(app: FastAPI, answer: httpx.Response) -> httpx.Response:
    """Returns the answer, after a check that its JSON matches the description."""
    if answer.headers.get("content-type", "").startswith("application/json"):
        schema = _schema(app, answer)
        Draft202012Validator(schema).validate(answer.json())
    return answer


def _schema(app: FastAPI, answer: httpx.Response) -> dict[str, Any]:
    description = _description(app, len(app.routes))
    for each in iter_route_contexts(app.routes):
        found = isinstance(each.original_route, APIRoute) and each.path_regex.match(answer.request.url.path)
        if found and answer.request.method in (each.methods or ()):
            operation = description["paths"].get(each.path_format, {}).get(answer.request.method.lower())
            if operation is None:  # the route of a page, which answers in JSON only on failure
                break
            responses = operation["responses"]
            declared = responses.get(str(answer.status_code), responses["default"])
            schema: dict[str, Any] = declared["content"]["application/json"]["schema"]
            return {**schema, "components": description["components"]}
    return ERROR


@lru_cache(4)
def _description(app: FastAPI, _routes: int) -> dict[str, Any]:
    return app.openapi()
