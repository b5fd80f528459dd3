"""Reads a hand history: recognises the file's format, and reads one hand after the other. All functions are pure."""

import re
from collections.abc import Iterator, Sequence

from server.hand_histories.hand_log import KNOWN_FORMATS, HandLog
from server.hand_histories.ohh_reader import read_ohh
from server.hand_histories.phh_reader import BadHistory, PublishedHand, read_phh
from server.hand_histories.pokerstars_reader import HAND_START, read_pokerstars

MAX_BYTES = 64_000_000
_JSON = re.compile(r"(?:\[\s*)?\{\s*\"")
"""Matches the start of a JSON object or a list of objects, but not the header of a TOML table."""
_POKERSTARS_TITLE = re.compile(r"[^=#\n]*PokerStars[^=\n]*(\n|$)")
_TOML = re.compile(r"""\[|[\w"'.-]+\s*(=|$)""")
"""Matches the start of TOML, after any comments."""
_HEAD_CHARACTERS = 2_000
"""How many characters at the start of a file are searched for its format."""


def read_history(content: bytes, log_formats: Sequence[HandLog] = ()) -> Iterator[PublishedHand | BadHistory]:
    """Yields the hands of a file. The file has a known format or one of `log_formats`.

    For an unusable hand, yields a BadHistory instead. Raises BadHistory if the file as a whole cannot be read.
    """
    text = _decode_text(content)
    head = text[:_HEAD_CHARACTERS].lstrip()
    for log in log_formats:
        if log.start_pattern.match(head):
            return log.read(text)
    if HAND_START.search(head):
        return read_pokerstars(text)
    if _POKERSTARS_TITLE.match(head):
        raise BadHistory("it is PokerStars text, but not in English: set the site to English and export it again")
    if head.startswith('{"journal"'):
        raise BadHistory("it is a High Noon recording already: highnoon replay shows it, highnoon verify proves it")
    if _JSON.match(head):
        return read_ohh(text)
    lines = (line.strip() for line in head.splitlines())
    first_line = next((line for line in lines if line and not line.startswith("#")), "")
    if first_line and not _TOML.match(first_line):
        known_formats = " and ".join([KNOWN_FORMATS, *(f"{log.title} ({log.suffix})" for log in log_formats)])
        raise BadHistory(f"its format is unknown; these formats can be read: {known_formats}")
    return read_phh(text)


def _decode_text(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise BadHistory(f"{len(content):,} bytes are too many (at most {MAX_BYTES:,}): split the file")
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    if content[1:2] == b"\0":
        encoding = "utf-16-le"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        text = content.decode("cp1252", "replace")
        if HAND_START.search(text[:_HEAD_CHARACTERS]):  # PokerStars wrote this encoding for years
            return text
        raise BadHistory(f"it is not text: byte {error.start + 1} is not UTF-8; save it as UTF-8") from None
