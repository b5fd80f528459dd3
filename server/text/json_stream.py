"""Finds JSON objects in a stream of bytes, however the bytes are split. No I/O.

Bots send "raw JSON without a newline, and two objects may arrive glued together". This scanner finds the end of each
object. `strict_json` then decides whether the object is valid.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from server.text.strict_json import BadJson, JsonObject, read_object

MAX_BYTES = 8192
"""The maximum size of an object, in bytes."""
MAX_DEPTH = 8
"""How deep objects and arrays may be nested, counted together."""

_GARBAGE = re.compile(rb"[ \t\r\0\xef\xbb\xbf]*+([^{\n]*+)")
"""Matches the bytes between two objects. The group matches garbage: anything but white space, NULs and byte order
marks.
"""

_SPACE = rb"[ \t\r\n]*+"
_WORD = rb"[-+.0-9A-Za-z]++"
# Repeated possessive groups fail in Python before 3.11.5, so these patterns have none. Matching is linear anyway,
# because the first byte decides which alternative matches.
_CHARACTERS = rb'(?:[^"\\\x00-\x1f]++|\\[^\x00-\x1f])*'
_FLAT = rb'(?:%b(?:"%b"|%b)%b(?:[,:]|(?=[}\]])))*' % (_SPACE, _CHARACTERS, _WORD, _SPACE)
"""Matches strings and words, each with the comma, colon or bracket after it. Objects consist mostly of these."""
_PATTERNS = {
    "a key or a closing bracket": re.compile(_SPACE + rb'(?P<key>(?=["}]))?'),
    "a value": re.compile(
        _FLAT + _SPACE + rb'(?:(?P<opened>[{\[])|(?P<closed>[}\]])|(?P<string>")|(?P<word>%b))?' % _WORD
    ),
    "the rest of a word": re.compile(rb"(?:%b)?(?P<ended>(?=[\x00-\xff]))?" % _WORD),
    "a string without control characters": re.compile(_CHARACTERS + rb'(?:(?P<ended>")|(?P<escaped>\\))?'),
    "an escaped character": re.compile(rb"(?P<string>[^\x00-\x1f])?"),
    "a comma, a colon or a closing bracket": re.compile(_SPACE + rb"(?:(?P<closed>[}\]])|(?P<separated>[,:]))?"),
}
"""The patterns of the parts that may come next. The name of the group that matches says which part was found."""
_EXPECTED_NEXT: Mapping[str, str] = {
    "key": "a value",
    "separated": "a value",
    "word": "the rest of a word",
    "string": "a string without control characters",
    "escaped": "an escaped character",
    "ended": "a comma, a colon or a closing bracket",
    "closed": "a comma, a colon or a closing bracket",
}


class ScannedObject(Struct, frozen=True):
    """An object and its bytes. Garbage has a BadJson as its value, and its bytes end before the next line break."""

    raw: bytes
    value: JsonObject | BadJson


class JsonStream:
    """Takes bytes, and returns the objects that these bytes complete.

    If the next bytes cannot continue the current object, the stream drops the object's opening `{`, and goes on at the
    next `{`. So each message is found as soon as its last byte arrives, whatever garbage came before.
    """

    def __init__(self, message_key: str) -> None:
        """Every object with the key `message_key` is a message, even if it is inside an object that never closes."""
        self._key = message_key
        self._bytes = bytearray()
        self._position = 0
        self._reported_to = 0
        """Errors before this position have been reported. So if bytes are read again, their errors are not repeated."""
        self._is_in_garbage = False
        self._restart()

    def feed(self, received: bytes) -> list[ScannedObject]:
        """Returns the objects that `received` completes, and a BadJson for each stretch of garbage, in order."""
        self._bytes += received
        objects = list(self._scan())
        self._drop_consumed()
        return objects

    @property
    def unfinished(self) -> bytes:
        """The bytes of an object that has not ended yet."""
        return bytes(self._bytes[self._starts[0] :]) if self._starts else b""

    def _restart(self) -> None:
        self._starts: list[int] = []
        """The positions of open brackets, outermost first. Empty between objects."""
        self._expected = ""

    def _drop_consumed(self) -> None:
        consumed_count = self._starts[0] if self._starts else self._position
        del self._bytes[:consumed_count]
        self._position -= consumed_count
        self._starts = [start - consumed_count for start in self._starts]
        self._reported_to = max(self._reported_to - consumed_count, 0)

    def _scan(self) -> Iterator[ScannedObject]:
        while self._position < len(self._bytes):
            yield from self._read_part() if self._starts else self._skip_garbage()

    def _skip_garbage(self) -> Iterator[ScannedObject]:
        """Skips to the next `{`. Reports garbage once per line."""
        skipped = _GARBAGE.match(self._bytes, self._position)
        assert skipped is not None, "the pattern also matches an empty string"
        self._position = skipped.end()
        if skipped[1] and not self._is_in_garbage:
            self._is_in_garbage = True
            if skipped.start(1) >= self._reported_to:
                yield ScannedObject(skipped[1], BadJson("not a JSON object"))
        if self._bytes[self._position : self._position + 1] == b"{":
            self._position += 1
            self._open_bracket()
        elif self._position < len(self._bytes):
            self._is_in_garbage = False
            self._position += 1

    def _read_part(self) -> Iterator[ScannedObject]:
        """Reads the next part of an object: one match of a pattern."""
        limit = self._starts[0] + MAX_BYTES
        part = _PATTERNS[self._expected].match(self._bytes, self._position, limit)
        assert part is not None, "the patterns also match an empty string"
        self._position = part.end()
        match part.lastgroup:
            case None if self._position < min(len(self._bytes), limit):
                utf_16 = " (found a NUL; is it UTF-16?)" if not self._bytes[self._position] else ""
                yield from self._refuse(f"not JSON: {self._expected} was expected{utf_16}")
            case None if self._position == limit < len(self._bytes):
                yield from self._refuse(f"longer than {MAX_BYTES // 1024} KiB")
            case None:
                pass  # the rest has not arrived yet
            case "opened" if len(self._starts) == MAX_DEPTH:
                yield from self._refuse(f"nested deeper than {MAX_DEPTH}")
            case "opened":
                self._open_bracket()
            case group:
                self._expected = _EXPECTED_NEXT[group]
                if group == "closed":
                    yield from self._close_bracket()

    def _open_bracket(self) -> None:
        self._starts.append(self._position - 1)
        self._expected = "a key or a closing bracket" if self._bytes[self._position - 1] == ord("{") else "a value"

    def _refuse(self, reason: str) -> Iterator[ScannedObject]:
        """Drops the beginning of the object and goes on after its `{`."""
        if self._position >= self._reported_to:
            end = self._bytes.find(b"\n", self._position)
            line = self._bytes[self._starts[0] : end if end >= 0 else len(self._bytes)]
            yield ScannedObject(bytes(line), BadJson(reason))
            self._reported_to = self._position + 1
        self._is_in_garbage = True
        self._position = self._starts[0] + 1
        self._restart()

    def _close_bracket(self) -> Iterator[ScannedObject]:
        """Handles a closing bracket. It may end the outermost object, or a message inside another object."""
        raw = bytes(self._bytes[self._starts.pop() : self._position])
        is_inside, is_unreported = bool(self._starts), self._position > self._reported_to
        value = read_object(raw) if is_unreported and not is_inside else self._message_in(raw)
        if is_inside and value is None:
            return
        if is_inside and is_unreported:
            yield ScannedObject(raw, BadJson(f"a {self._key} inside another object"))
        self._is_in_garbage = is_inside
        self._restart()
        if value is not None:
            yield ScannedObject(raw, value)

    def _message_in(self, raw: bytes) -> JsonObject | None:
        """Returns the object in `raw` if it is a message. To save time, looks for the key before parsing."""
        if not raw.startswith(b"{") or not (self._key.encode() in raw or b"\\u" in raw):
            return None
        message = read_object(raw)
        return message if isinstance(message, dict) and self._key in message else None
