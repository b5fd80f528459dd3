"""JSON from strangers, decoded strictly: no infinities, huge numbers, half characters or NUL. Pure."""

import json
import math
from typing import NoReturn

from server.bots.dialects.messages import Malformed

MAX_INT = 10**9
"""Largest whole number taken, either side of zero."""

JsonObject = dict[str, object]


def read_object(raw: bytes) -> JsonObject | Malformed:
    """The object `raw` spells, or what in it we do not take: infinities, huge numbers, half characters, NUL."""
    try:
        value = json.loads(raw, parse_int=_whole, parse_float=_finite, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        return Malformed(str(error) if isinstance(error, _Unwelcome) else "not JSON")
    if not isinstance(value, dict):
        return Malformed("not a JSON object")
    # Only an escape can smuggle in what raw bytes may not hold.
    if b"\\u" in raw and not _speakable(value):
        return Malformed("a string holds NUL or half a surrogate pair")
    return value


class _Unwelcome(ValueError):
    """Good JSON that we do not take; the text says what."""


def _whole(digits: str) -> int:
    if len(digits) > len(str(-MAX_INT)) or abs(int(digits)) > MAX_INT:
        raise _Unwelcome("a number over 10^9")
    return int(digits)


def _finite(digits: str) -> float:
    if not math.isfinite(value := float(digits)):
        raise _Unwelcome("a number without end")
    return value


def _constant(word: str) -> NoReturn:
    raise _Unwelcome("NaN and Infinity are no JSON")


def _speakable(value: object) -> bool:
    """Whether every string in `value` can be encoded and holds no NUL."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return all(_speakable(key) and _speakable(item) for key, item in value.items())
    return not isinstance(value, list) or all(map(_speakable, value))
