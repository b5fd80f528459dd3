"""JSON objects out of a stream of bytes, however the bytes are cut. Pure; knows JSON and no poker.

Bots send "raw JSON without a newline, and two objects may arrive glued together". This scanner finds where an object
ends; whether it is JSON is for the strict reader to say.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from server.text.strict_json import BadJson, JsonObject, read_object

MOST_BYTES = 8192
"""Bytes of the longest object taken."""
MOST_DEPTH = 8
"""Deepest nesting taken, objects and arrays together."""

_GARBAGE = re.compile(rb"[ \t\r\0\xef\xbb\xbf]*+([^{\n]*+)")
"""What is between two objects: white space, and the NUL or byte order mark of bots that send one, is no garbage."""

_SPACE = rb"[ \t\r\n]*+"
_WORD = rb"[-+.0-9A-Za-z]++"
# No group that repeats is possessive: Python before 3.11.5 then stops inside it at times. Each choice is known
# by its first byte, so that the match is linear all the same.
_CHARACTERS = rb'(?:[^"\\\x00-\x1f]++|\\[^\x00-\x1f])*'
_FLAT = rb'(?:%b(?:"%b"|%b)%b(?:[,:]|(?=[}\]])))*' % (_SPACE, _CHARACTERS, _WORD, _SPACE)
"""Strings and words, each with what must follow it: most objects hold nothing else."""
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
"""What is expected next, and how it looks; the group that matched says what came."""
_NEXT: Mapping[str, str] = {
    "key": "a value",
    "separated": "a value",
    "word": "the rest of a word",
    "string": "a string without control characters",
    "escaped": "an escaped character",
    "ended": "a comma, a colon or a closing bracket",
    "closed": "a comma, a colon or a closing bracket",
}


class Found(Struct, frozen=True):
    """An object, or a stretch that is none, and its bytes: of such a stretch what is there of its line so far."""

    raw: bytes
    value: JsonObject | BadJson


class JsonStream:
    """Takes bytes and gives back the objects that they complete.

    Where what comes cannot go on an object, the object's start is dropped, and the search goes on at the next `{`
    after it: whatever garbage came before, a whole message is found with its last byte.
    """

    def __init__(self, message_key: str) -> None:
        """An object with `message_key` is a message even inside another one, which may never end."""
        self._key = message_key
        self._bytes = bytearray()
        self._at = 0
        self._reported = 0
        """Errors before this place have been reported already: bytes read again are not refused again."""
        self._in_garbage = False
        self._restart()

    def feed(self, received: bytes) -> list[Found]:
        """The objects that `received` completes, in order, with one BadJson for each stretch that is none."""
        self._bytes += received
        found = list(self._scan())
        self._forget()
        return found

    @property
    def unfinished(self) -> bytes:
        """What is there of an object whose end has not come."""
        return bytes(self._bytes[self._starts[0] :]) if self._starts else b""

    def _restart(self) -> None:
        self._starts: list[int] = []
        """Where the brackets stand that are open, outermost first; empty between objects."""
        self._expected = ""

    def _forget(self) -> None:
        gone = self._starts[0] if self._starts else self._at
        del self._bytes[:gone]
        self._at -= gone
        self._starts = [start - gone for start in self._starts]
        self._reported = max(self._reported - gone, 0)

    def _scan(self) -> Iterator[Found]:
        while self._at < len(self._bytes):
            yield from self._step() if self._starts else self._skip_garbage()

    def _skip_garbage(self) -> Iterator[Found]:
        """Goes to the next `{`. A run of garbage, up to the end of its line, is refused once."""
        found = _GARBAGE.match(self._bytes, self._at)
        assert found is not None, "the pattern matches nothing, too"
        self._at = found.end()
        if found[1] and not self._in_garbage:
            self._in_garbage = True
            if found.start(1) >= self._reported:
                yield Found(found[1], BadJson("not a JSON object"))
        if self._bytes[self._at : self._at + 1] == b"{":
            self._at += 1
            self._opened()
        elif self._at < len(self._bytes):
            self._in_garbage = False
            self._at += 1

    def _step(self) -> Iterator[Found]:
        """Reads on in an object, as far as one pattern goes."""
        limit = self._starts[0] + MOST_BYTES
        found = _PATTERNS[self._expected].match(self._bytes, self._at, limit)
        assert found is not None, "the patterns match nothing, too"
        self._at = found.end()
        match found.lastgroup:
            case None if self._at < min(len(self._bytes), limit):
                utf_16 = ", not a NUL: is it UTF-16?" if not self._bytes[self._at] else ""
                yield from self._refuse(f"not JSON: {self._expected} was expected{utf_16}")
            case None if self._at == limit < len(self._bytes):
                yield from self._refuse(f"longer than {MOST_BYTES // 1024} KiB")
            case None:
                pass  # The rest is still to come.
            case "opened" if len(self._starts) == MOST_DEPTH:
                yield from self._refuse(f"nested deeper than {MOST_DEPTH}")
            case "opened":
                self._opened()
            case came:
                self._expected = _NEXT[came]
                if came == "closed":
                    yield from self._closed()

    def _opened(self) -> None:
        self._starts.append(self._at - 1)
        self._expected = "a key or a closing bracket" if self._bytes[self._at - 1] == ord("{") else "a value"

    def _refuse(self, reason: str) -> Iterator[Found]:
        """Drops the start of the object and looks again from the next `{` after it."""
        if self._at >= self._reported:
            yield Found(self._line_from(self._starts[0]), BadJson(reason))
            self._reported = self._at + 1
        self._in_garbage = True
        self._at = self._starts[0] + 1
        self._restart()

    def _closed(self) -> Iterator[Found]:
        """A bracket has closed: of the outermost object, or of a message inside another one, or neither."""
        raw = bytes(self._bytes[self._starts.pop() : self._at])
        inside, is_news = bool(self._starts), self._at > self._reported
        read = read_object(raw) if is_news and not inside else self._message_in(raw)
        if inside and read is None:
            return
        if inside and is_news:
            yield Found(raw, BadJson(f"a {self._key} inside another object"))
        self._in_garbage = inside
        self._restart()
        if read is not None:
            yield Found(raw, read)

    def _line_from(self, start: int) -> bytes:
        """What has come from `start` up to the end of the line in which reading has stopped."""
        end = self._bytes.find(b"\n", self._at)
        return bytes(self._bytes[start : end if end >= 0 else len(self._bytes)])

    def _message_in(self, raw: bytes) -> JsonObject | None:
        """The object in `raw` if it has the key of a message, which only escapes can hide; it is read only then."""
        if not raw.startswith(b"{") or not (self._key.encode() in raw or b"\\u" in raw):
            return None
        read = read_object(raw)
        return read if isinstance(read, dict) and self._key in read else None
