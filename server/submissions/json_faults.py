"""JSON written by hand, read strictly: what is wrong with it, where, and how to put it right. Pure."""

import json
import re
from collections.abc import Iterable

JsonObject = dict[str, object]

_OTHER_QUOTES = tuple("'\u2018\u2019\u201c\u201d\u201e")
"""Of other languages, or put in by word processors."""


class BadJson(ValueError):
    """The text is no JSON object: says what is wrong, in which line and column, in words for its author."""


def read_json(raw: bytes) -> tuple[JsonObject, list[str]]:
    """The object in `raw`, and a note for each slip that was passed over. Raises BadJson for all others."""
    notes = []
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
        notes.append('It begins with a byte order mark, which was skipped. Save it as "UTF-8" without one.')
    text = _decoded(raw)
    if not text.strip():
        raise BadJson("it is empty")
    doubles: list[str] = []
    try:
        value = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, doubles))
    except json.JSONDecodeError as error:
        raise BadJson(_where(text, error.pos) + _why(text, error)) from None
    except (ValueError, RecursionError):
        raise BadJson("it holds a number or a nesting beyond all measure") from None
    if not isinstance(value, dict):
        raise BadJson(f"it must be an object in braces, not {kind_of(value)}")
    notes += [f'"{key}" stands in it more than once; the last one counts.' for key in doubles[:5]]
    return value, notes


def kind_of(value: object) -> str:
    """What a JSON value is, with its article."""
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "null")


def _decoded(raw: bytes) -> str:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or raw[1:2] == b"\0":
        raise BadJson('it is saved as UTF-16; save it as "UTF-8"')
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        raise BadJson(f'{_where(before, len(before))}here it is not UTF-8; save it as "UTF-8"') from None


def _object(pairs: Iterable[tuple[str, object]], doubles: list[str]) -> JsonObject:
    found: JsonObject = {}
    for key, value in pairs:
        if key in found:
            doubles.append(key)
        found[key] = value
    return found


def _where(text: str, at: int) -> str:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return f"line {line}, column {column}: "


def _why(text: str, error: json.JSONDecodeError) -> str:
    """The usual slips by what stands there; for all else the decoder's own words."""
    rest, before = text[error.pos :].lstrip(), text[: error.pos].rstrip()
    slips = (
        (rest.startswith(("//", "/*", "#")), "JSON has no comments; take it out"),
        (before.endswith(",") and rest[:1] in ("}", "]"), "the comma before this has nothing after it; take it out"),
        (bool(re.match(r",\s*[}\]]", rest)), "this comma has nothing after it; take it out"),
        (rest[:1] in _OTHER_QUOTES, 'texts and keys stand in plain double quotes: "'),
        (not rest, "it ends too early; a quote, bracket or brace is not closed"),
        ("','" in error.msg, "a comma or closing bracket is missing before this"),
        ("property name" in error.msg, 'a key in double quotes is expected here, such as "name"'),
        ("':'" in error.msg, "a colon is expected here, between the key and its value"),
        (error.msg.startswith("Unterminated"), "this text has no closing double quote on its line"),
        (error.msg.startswith("Invalid control"), "a text must end on its line; its closing double quote is missing"),
        (error.msg.startswith("Extra data"), "the object is over, and something stands after it; take it out"),
        (error.msg.startswith("Invalid \\"), "a backslash means something special here; write / or two backslashes"),
        (error.msg.startswith("Expecting value"), 'a value is expected here, such as "mugshot.png" in double quotes'),
    )  # fmt: skip
    return next((words for fits, words in slips if fits), error.msg)
