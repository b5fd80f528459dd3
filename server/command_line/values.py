"""How a single value of the command line is read; what is wrong with it is said in words."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from server.config.event_values import networks
from server.config.settings import make_settings

Value = TypeVar("Value")


def anywhere(text: str) -> Path:
    """A path as it is meant from the folder the program was started in, wherever it is used later."""
    return Path(text).absolute()


def existing(text: str) -> Path:
    """The same of a file or folder that is there."""
    path = anywhere(text)
    if not text or not path.exists():
        raise argparse.ArgumentTypeError(f"there is no file or folder {text!r}")
    return path


def folder(text: str) -> Path:
    """The same of a folder that is there."""
    path = existing(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return path


def pace(text: str) -> float:
    """A pace, within the same bounds as everywhere."""
    return make_settings(host="127.0.0.1", port=0, data=Path(), speed=float(text), seed=None).speed


def worded(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """`read`, with what it complains of in its own words."""

    def reading(text: str) -> Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reading


def network(text: str) -> str:
    """A network as it is written in an event file."""
    try:
        return networks([text])[0]
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
