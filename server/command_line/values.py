"""Reads the values of arguments on the command line: numbers, paths, durations and moments."""

import argparse
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from server.config import event_values

Value = TypeVar("Value")


def any_path(text: str) -> Path:
    """Returns the absolute path. A relative path begins in the working folder."""
    return Path(text).absolute()


def existing_path(text: str) -> Path:
    """Returns the absolute path of an existing file or folder. Raises ArgumentTypeError."""
    path = any_path(text)
    if not text or not path.exists():
        raise argparse.ArgumentTypeError(f"there is no file or folder {text!r}")
    return path


def existing_folder(text: str) -> Path:
    """Returns the absolute path of an existing folder. Raises ArgumentTypeError."""
    path = existing_path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder")
    return path


def argument_type(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Wraps the function `read`, which reads a value. Turns a ValueError of `read` into an ArgumentTypeError, because
    argparse does not print the text of a ValueError.
    """

    def wrapped(text: str) -> Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return wrapped


def server_address(text: str) -> str:
    """Reads a server's address, such as "http://localhost:5000", with or without a final `/mcp`. Raises ValueError."""
    address = text.strip().rstrip("/").removesuffix("/mcp")
    url = address if "://" in address else f"http://{address}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"should be a server's address, such as http://localhost:5000, not {text!r}")
    return url


def read_pace(text: str) -> float:
    """Reads a speed of the show, from 0 to 1000. Raises ValueError."""
    try:
        return event_values.pace(float(text))
    except ValueError:
        raise ValueError(f"should be 0 (as fast as possible) to 1000 (1 is the normal pace), not {text!r}") from None


def whole_number_between(minimum: int, maximum: int) -> Callable[[str], int]:
    """Returns a function that reads whole numbers from `minimum` to `maximum`, or raises ArgumentTypeError."""

    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not minimum <= int(text) <= maximum:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {minimum} to {maximum}")
        return int(text)

    return read


def read_amount(text: str) -> float:
    """Reads a number of at least 0, such as "0.15". Raises ValueError."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise ValueError(f"{text!r} should be a number, such as 0.15")
    return float(text)


def read_numbers(text: str) -> tuple[int, ...]:
    """Reads up to MAX_NUMBERS numbers, separated by commas. Raises ValueError."""
    numbers = text.split(",")
    if len(numbers) > MAX_NUMBERS or not all(re.fullmatch(r"-?[0-9]{1,9}", number) for number in numbers):
        raise ValueError(f"{text!r} should be a number, or several with commas between them, such as 12,15,31")
    return tuple(map(int, numbers))


MAX_NUMBERS = 1_000
MAX_MS = 24 * 3600 * 1000
_CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d{2}(?:\.\d{1,3})?)")
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d{1,3})?)s?)?")


def read_duration_ms(text: str) -> int:
    """Reads a duration such as "3m", "90s", "1h5m", "90", "3:20" or "0:03:20", and returns milliseconds.

    Raises ValueError.
    """
    match = _CLOCK.fullmatch(text) or _DURATION.fullmatch(text)
    if not text or match is None:
        raise ValueError(f"{text!r} is not a duration: write it like 3m, 90s or 0:03:20")
    hours, minutes, seconds = (float(part or 0) for part in match.groups())
    ms = round((hours * 3600 + minutes * 60 + seconds) * 1000)
    if ms > MAX_MS:
        raise ValueError(f"{text} is longer than a day, which is the maximum")
    return ms


def read_length_ms(text: str) -> int:
    """Reads a duration that is not 0, and returns milliseconds. Raises ValueError."""
    ms = read_duration_ms(text)
    if not ms:
        raise ValueError("the length must be more than 0: write it like 3m")
    return ms


def read_signed_ms(text: str) -> int:
    """Reads a duration that may be negative, such as "-0:02:00", and returns milliseconds. Raises ValueError."""
    return -read_duration_ms(text[1:]) if text.startswith("-") else read_duration_ms(text)


def read_stream_start_ms(text: str) -> int:
    """Reads a moment such as "2026-11-21T20:00:00Z", and returns milliseconds since 1970. Raises ValueError."""
    moment = None
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
    if moment is None or moment.tzinfo is None:
        raise ValueError(f"{text!r} should be a time with a time zone, such as 2026-11-21T20:00:00Z")
    return int(moment.timestamp() * 1000)
