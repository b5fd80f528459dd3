"""Reads JSON that people wrote by hand. Errors say what is wrong, where, and how to mend it. No I/O."""

import json
import re
from collections.abc import Iterable

JsonObject = dict[str, object]

_OTHER_QUOTES = tuple("'\u2018\u2019\u201c\u201d\u201e")
"""Quotation marks that JSON does not allow: single, foreign and typographic ones."""


class InvalidJson(ValueError):
    """The text is not JSON, or not a JSON object. The message says what is wrong and, if known, where."""


def read_json(raw: bytes) -> tuple[JsonObject, list[str]]:
    """Returns the object in `raw`, and a list of remarks on mistakes that do no harm. Raises InvalidJson for all other
    mistakes.
    """
    remarks = []
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
        remarks.append('It begins with a byte order mark, which was skipped. Save it as "UTF-8" without one.')
    duplicate_keys: list[str] = []
    value = parse_json(decode_utf8(raw), duplicate_keys)
    if not isinstance(value, dict):
        raise InvalidJson(f"it must be an object in braces, not {kind_of(value)}")
    remarks += [f'"{key}" occurs in it more than once; the last one counts.' for key in duplicate_keys[:5]]
    return value, remarks


def parse_json(text: str, duplicate_keys: list[str] | None = None) -> object:
    """Returns the value in `text`. Adds keys that occur twice in an object to `duplicate_keys`. Raises InvalidJson."""
    duplicates = [] if duplicate_keys is None else duplicate_keys
    if not text.strip():
        raise InvalidJson("it is empty")
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _make_object(pairs, duplicates))
    except json.JSONDecodeError as error:
        position = _position(text, error)
        raise InvalidJson(_line_and_column(text, position) + _describe(text, position, error.msg)) from None
    except (ValueError, RecursionError):
        raise InvalidJson("it contains a number that is too large, or is nested too deeply") from None


def kind_of(value: object) -> str:
    """Returns the kind of a JSON value, with an article: "a list"."""
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "null")


def decode_utf8(raw: bytes) -> str:
    """Decodes `raw`, which must be UTF-8. Raises InvalidJson."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or raw[1:2] == b"\0":
        raise InvalidJson('it is saved as UTF-16; save it as "UTF-8"')
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        valid_text = raw[: error.start].decode()
        raise InvalidJson(
            f'{_line_and_column(valid_text, len(valid_text))}here it is not UTF-8; save it as "UTF-8"'
        ) from None


def _make_object(pairs: Iterable[tuple[str, object]], duplicate_keys: list[str]) -> JsonObject:
    result: JsonObject = {}
    for key, value in pairs:
        if key in result:
            duplicate_keys.append(key)
        result[key] = value
    return result


def _line_and_column(text: str, position: int) -> str:
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    return f"line {line}, column {column}: "


def _position(text: str, error: json.JSONDecodeError) -> int:
    """Returns the position of the fault in `text`. For a trailing comma, this is always the bracket after the comma.
    Python 3.13 and later versions report the comma instead.
    """
    if error.msg.startswith("Illegal trailing comma"):
        return len(text) - len(text[error.pos + 1 :].lstrip())
    return error.pos


def _describe(text: str, position: int, message: str) -> str:
    """Describes the fault, in the same words in every version of Python. Recognises common mistakes by the text around
    them.
    """
    text_after, text_before = text[position:].lstrip(), text[:position].rstrip()
    common_mistakes = (
        (text_after.startswith(("//", "/*", "#")), "JSON has no comments; take it out"),
        (
            text_before.endswith(",") and text_after[:1] in ("}", "]"),
            "the comma before this has nothing after it; take it out",
        ),
        (bool(re.match(r",\s*[}\]]", text_after)), "this comma has nothing after it; take it out"),
        (text_after[:1] in _OTHER_QUOTES, 'texts and keys need plain double quotes: "'),
        (not text_after, "it ends too early; a quote, bracket or brace is not closed"),
        ("','" in message, "a comma or closing bracket is missing before this"),
        ("property name" in message, 'a key in double quotes is expected here, such as "name"'),
        ("':'" in message, "a colon is expected here, between the key and its value"),
        (message.startswith("Unterminated"), "this text has no closing double quote on its line"),
        (message.startswith("Invalid control"), "a text must end on its line; its closing double quote is missing"),
        (message.startswith("Extra data"), "the object has ended, and something follows it; take it out"),
        (message.startswith("Invalid \\"), "a backslash means something special here; write / or two backslashes"),
        (message.startswith("Expecting value"), 'a value is expected here, such as a text in double quotes'),
    )  # fmt: skip
    return next((advice for applies, advice in common_mistakes if applies), "this is not valid JSON")
