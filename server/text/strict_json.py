"""Decodes untrusted JSON strictly: no infinities, no huge numbers, no half surrogate pairs, no NUL. No I/O."""

import json
import math
from typing import NoReturn

from msgspec import Struct

MAX_DIGITS = 40
"""The maximum number of digits of an integer. That is enough for bots that send their language's largest integer for
"all my chips".
"""

JsonObject = dict[str, object]


class BadJson(Struct, frozen=True):
    """The reason why some bytes are not accepted as a JSON object. The reason does not quote the bytes."""

    reason: str


def read_object(raw: bytes) -> JsonObject | BadJson:
    """Returns the object in `raw`, or a BadJson with the reason why there is none."""
    try:
        # If the module json got bytes, it would guess the encoding and accept half a surrogate pair.
        value = _DECODER.decode(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return BadJson(_describe(error))
    if not isinstance(value, dict):
        return BadJson("not a JSON object")
    # NUL or half a surrogate pair can now only come from an escape.
    if b"\\u" in raw and not _is_encodable(value):
        return BadJson("a string contains NUL or half a surrogate pair")
    return value


class _RefusedValue(ValueError):
    """Valid JSON that we refuse. The message says why."""


def _describe(error: ValueError | RecursionError) -> str:
    match error:
        case RecursionError():
            return "nested too deep"
        case UnicodeDecodeError(start=start):
            return f"not JSON: invalid UTF-8 from byte {start + 1} on"
        case json.JSONDecodeError(pos=pos):
            return f"not JSON from character {pos + 1} on"
        case _:
            return str(error)


def _parse_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _RefusedValue(f"a number of more than {MAX_DIGITS} digits")
    return int(digits)


def _parse_float(digits: str) -> float:
    if not math.isfinite(value := float(digits)):
        raise _RefusedValue("an infinite number")
    return value


def _refuse_constant(word: str) -> NoReturn:
    raise _RefusedValue("NaN and Infinity are not JSON")


_DECODER = json.JSONDecoder(parse_int=_parse_int, parse_float=_parse_float, parse_constant=_refuse_constant)


def _is_encodable(value: object) -> bool:
    """Whether every string in `value` can be encoded as UTF-8 and contains no NUL."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        return all(_is_encodable(key) and _is_encodable(item) for key, item in value.items())
    return not isinstance(value, list) or all(map(_is_encodable, value))
