"""Bytes in, JSON objects out, however the bytes are cut. Pure; knows JSON and no poker.

Bots send "raw JSON without a newline, and two objects may arrive glued together". A grammar error anywhere drops the
object's start only: the search goes on at the next `{`, so whatever garbage came before, a whole message is honoured.
"""

import json
import re
from collections.abc import Iterator
from typing import Literal

from server.bots.dialects.messages import Malformed
from server.bots.dialects.strict_json import JsonObject, read_object

MAX_BYTES = 8192
"""Longest message taken."""
MAX_DEPTH = 8
"""Deepest nesting taken, objects and arrays together."""

_State = Literal["outside", "first key", "key", "colon", "value", "first item", "after", "string", "word", "closed"]

_GARBAGE = re.compile(rb"[ \t\r]*+([^{\n]*+)")
# One whole character of a string: RFC 8259 for ASCII and escapes, RFC 3629 for the rest. The lead bytes are disjoint,
# so the match is linear. The group is not possessive: Python before 3.11.5 then stops inside a character at times.
_CHARACTERS = re.compile(
    rb"(?:[\x20\x21\x23-\x5b\x5d-\x7f]++"
    rb"|\\[\"\\/bfnrt]|\\u[0-9A-Fa-f]{4}"
    rb"|[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*"
)
# What may stand at the end of the bytes so far and still become such a character.
_BEGUN = re.compile(
    rb"\\(?:u[0-9A-Fa-f]{0,3})?"
    rb"|[\xc2-\xdf]"
    rb"|\xe0(?:[\xa0-\xbf])?|[\xe1-\xec\xee\xef][\x80-\xbf]?|\xed(?:[\x80-\x9f])?"
    rb"|\xf0(?:[\x90-\xbf][\x80-\xbf]?)?|[\xf1-\xf3][\x80-\xbf]{0,2}|\xf4(?:[\x80-\x8f][\x80-\xbf]?)?"
)
_WORD_START = frozenset(b"-0123456789tfn")
_WORD_BYTES = re.compile(rb"[-+.0-9A-Za-z]*+")
_WORD = re.compile(rb"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class JsonSplitter:
    """An incremental scanner: a pushdown automaton over the bytes since the outermost `{`."""

    def __init__(self, command_key: str = "command") -> None:
        """`command_key` makes an object a message, even inside another one that never ends."""
        self._command_key = command_key
        self._bytes = bytearray()
        self._at = 0
        self._reported = 0
        """Errors before this place have been reported already: bytes read again are not refused again."""
        self._in_garbage = False
        self._restart()

    def feed(self, received: bytes) -> list[JsonObject | Malformed]:
        """The messages that `received` completes, in order, with one Malformed for each stretch that is none."""
        self._bytes += received
        messages = list(self._scan())
        self._forget()
        return messages

    def _restart(self) -> None:
        self._start = self._at
        self._token = self._at
        self._state: _State = "outside"
        self._kinds: list[bytes] = []
        self._starts: list[int] = []
        self._commands: list[bool] = []
        self._string_is_key = False

    def _forget(self) -> None:
        """Keeps only the object being read."""
        gone = self._at if self._state == "outside" else self._start
        del self._bytes[:gone]
        self._at -= gone
        self._start -= gone
        self._token -= gone
        self._starts = [start - gone for start in self._starts]
        self._reported = max(self._reported - gone, 0)

    def _scan(self) -> Iterator[JsonObject | Malformed]:
        while self._at < len(self._bytes):
            before = self._at, self._state
            if self._state == "outside":
                yield from self._skip_garbage()
            elif self._at - self._start >= MAX_BYTES:
                yield from self._refuse("longer than 8 KiB")
            elif reason := self._step():
                yield from self._refuse(reason)
            elif self._state == "closed":
                yield from self._closed()
            elif before == (self._at, self._state):
                return  # Half a character: the rest is still to come.

    # -- between objects ---------------------------------------------------------------------------

    def _skip_garbage(self) -> Iterator[Malformed]:
        """Goes to the next `{`. A run of garbage, up to the end of its line, is refused once."""
        found = _GARBAGE.match(self._bytes, self._at)
        assert found is not None
        self._at = found.end()
        if found[1] and not self._in_garbage:
            self._in_garbage = True
            if found.start(1) >= self._reported:
                yield Malformed("not a JSON object")
        if self._bytes[self._at : self._at + 1] == b"{":
            self._restart()
            self._open(b"{")
        elif self._at < len(self._bytes):
            self._in_garbage = False
            self._at += 1

    def _refuse(self, reason: str) -> Iterator[Malformed]:
        """Drops the start of the object and looks again from the next `{` after it."""
        if self._at >= self._reported:
            yield Malformed(reason)
            self._reported = self._at + 1
        self._in_garbage = True
        self._at = self._start + 1
        self._restart()

    # -- one object --------------------------------------------------------------------------------

    def _step(self) -> str | None:
        """Reads on by one token or part of it; what is wrong, if something is."""
        if self._state == "string":
            return self._string()
        if self._state == "word":
            return self._word()
        byte = bytes(self._bytes[self._at : self._at + 1])
        if byte in b" \t\r\n":
            self._at += 1
            return None
        return self._token_begins(byte)

    def _token_begins(self, byte: bytes) -> str | None:
        match self._state:
            case "first key" | "key":
                return self._key(byte)
            case "colon":
                return self._punctuation(byte, b":", "value")
            case "after":
                return self._after(byte)
            case _:
                return self._value(byte)

    def _key(self, byte: bytes) -> str | None:
        if byte == b'"':
            return self._string_begins(is_key=True)
        if byte == b"}" and self._state == "first key":
            return self._close(byte)
        return "not JSON: a key was expected"

    def _value(self, byte: bytes) -> str | None:
        if byte in (b"{", b"["):
            return self._open(byte)
        if byte == b'"':
            return self._string_begins(is_key=False)
        if byte == b"]" and self._state == "first item":
            return self._close(byte)
        if byte[0] in _WORD_START:
            self._token, self._state = self._at, "word"
            return None
        return "not JSON: a value was expected"

    def _after(self, byte: bytes) -> str | None:
        if byte in (b"}", b"]"):
            return self._close(byte)
        return self._punctuation(byte, b",", "key" if self._kinds[-1] == b"{" else "value")

    def _punctuation(self, byte: bytes, expected: bytes, then: _State) -> str | None:
        if byte != expected:
            return f"not JSON: {expected.decode()} was expected"
        self._at += 1
        self._state = then
        return None

    def _string_begins(self, *, is_key: bool) -> str | None:
        self._at += 1
        self._token, self._state, self._string_is_key = self._at, "string", is_key
        return None

    def _open(self, bracket: bytes) -> str | None:
        if len(self._kinds) == MAX_DEPTH:
            return "nested deeper than 8"
        self._kinds.append(bracket)
        self._starts.append(self._at)
        self._commands.append(False)
        self._at += 1
        self._state = "first key" if bracket == b"{" else "first item"
        return None

    def _close(self, bracket: bytes) -> str | None:
        if (self._kinds[-1] == b"{") != (bracket == b"}"):
            return "not JSON: brackets do not match"
        self._at += 1
        self._state = "closed"
        return None

    def _string(self) -> str | None:
        end = self._start + MAX_BYTES
        found = _CHARACTERS.match(self._bytes, self._at, end)
        assert found is not None
        self._at = found.end()
        if self._at >= min(len(self._bytes), end):
            return None
        if self._bytes[self._at] == ord('"'):
            return self._string_ends()
        if not _BEGUN.fullmatch(self._bytes, self._at, end):
            return "not JSON: a string holds a raw control character, a bad escape or bad UTF-8"
        if len(self._bytes) >= end:
            self._at = end
        return None

    def _string_ends(self) -> str | None:
        if self._string_is_key and self._decoded_key() == self._command_key:
            self._commands[-1] = True
        self._at += 1
        self._state = "colon" if self._string_is_key else "after"
        return None

    def _decoded_key(self) -> object:
        raw = bytes(self._bytes[self._token : self._at])
        return json.loads(b'"' + raw + b'"') if b"\\" in raw else raw.decode()

    def _word(self) -> str | None:
        found = _WORD_BYTES.match(self._bytes, self._at, self._start + MAX_BYTES)
        assert found is not None
        self._at = found.end()
        if self._at >= min(len(self._bytes), self._start + MAX_BYTES):
            return None
        self._state = "after"
        return None if _WORD.fullmatch(self._bytes, self._token, self._at) else "not JSON: no such word or number"

    # -- whole objects -----------------------------------------------------------------------------

    def _closed(self) -> Iterator[JsonObject | Malformed]:
        """A bracket has closed. The outermost object is a message, and so is a command inside another object."""
        start = self._starts.pop()
        is_command = self._commands.pop()
        self._kinds.pop()
        self._state = "after"
        if self._kinds and not is_command:
            return
        raw = bytes(self._bytes[start : self._at])
        is_news = self._at > self._reported
        if self._kinds and is_news:
            yield Malformed("a command inside another object")
        self._in_garbage = bool(self._kinds)
        self._restart()
        if is_command or is_news:
            yield read_object(raw)
