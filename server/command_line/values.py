"""Reads single values of the command line."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from server.config.event_values import networks
from server.config.settings import make_settings

Value = TypeVar("Value")


def anywhere(text: str) -> Path:
    """An absolute path: what is given counts from the folder in which the program was started."""
    return Path(text).absolute()


def existing(text: str) -> Path:
    """The absolute path of a file or folder that exists. Raises ArgumentTypeError where there is none."""
    path = anywhere(text)
    if not text or not path.exists():
        raise argparse.ArgumentTypeError(f"there is no file or folder {text!r}")
    return path


def folder(text: str) -> Path:
    """The absolute path of a folder that exists. Raises ArgumentTypeError where there is none."""
    path = existing(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return path


def pace(text: str) -> float:
    """A speed of the show, from 0 to 1000. Raises ValueError in words."""
    return make_settings(host="127.0.0.1", port=0, data=Path(), speed=float(text), seed=None).speed


def worded(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """`read`, with its ValueError raised as an ArgumentTypeError, whose text argparse prints."""

    def reading(text: str) -> Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reading


def network(text: str) -> str:
    """A network such as 192.168.1.0/24, as an event file has it. Raises ArgumentTypeError for any other text."""
    try:
        return networks([text])[0]
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
