"""Spans of time as they are written on a command line, and as they stand beside a film."""

import argparse
import re

LONGEST_MS = 24 * 3600 * 1000
_CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d{2}(?:\.\d{1,3})?)")
_UNITS = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d{1,3})?)s?)?")


def span_ms(text: str) -> int:
    """Milliseconds: of "3m", "90s", "1h5m", "90", "3:20" or "0:03:20". Raises ArgumentTypeError in words."""
    found = _CLOCK.fullmatch(text) or _UNITS.fullmatch(text)
    if not text or found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no span of time: write it like 3m, 90s or 0:03:20")
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    ms = round((hours * 3600 + minutes * 60 + seconds) * 1000)
    if ms > LONGEST_MS:
        raise argparse.ArgumentTypeError(f"{text} is longer than a day, the most that is taken")
    return ms


def length_ms(text: str) -> int:
    """The same of a span that something may fill: more than nothing."""
    ms = span_ms(text)
    if not ms:
        raise argparse.ArgumentTypeError("a length of nothing holds nothing: write it like 3m")
    return ms


def signed_ms(text: str) -> int:
    """The same of a span that may be less than nothing: "-0:02:00"."""
    return -span_ms(text[1:]) if text.startswith("-") else span_ms(text)


def clock(ms: int) -> str:
    """A moment of a film as players write it: "3:07", "1:02:03"."""
    seconds = ms // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
