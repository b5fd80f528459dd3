"""Validates event files (a tournament's settings in TOML) against the JSON Schema that text editors use for them.

As in editors, the dates and times of TOML count as strings.
"""

import json
import re
import tomllib
from datetime import date, time
from functools import cache
from typing import Any

from jsonschema import Draft7Validator  # type: ignore[import-untyped]  # jsonschema has no types

from tests.support.source_files import ROOT

_SHORT_TIME = re.compile(r"(= )(\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)$", re.MULTILINE)


@cache
def _make_validator() -> Any:
    schema = json.loads((ROOT / "assets" / "schemas" / "event.json").read_text())
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)


def schema_faults(text: str) -> list[str]:
    """Returns the faults that the schema finds in the text of an event file, as "path: message"."""
    event = _to_json(tomllib.loads(_SHORT_TIME.sub(r'\1"\2"', text.removeprefix("\ufeff"))))
    return [f"{error.json_path}: {error.message}" for error in _make_validator().iter_errors(event)]


def _to_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _to_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_to_json(item) for item in value]
    return value.isoformat() if isinstance(value, date | time) else value
