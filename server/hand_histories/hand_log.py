"""Describes another program's log format for poker hands: how to recognise, read and write files in this format."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from server.hand_histories.from_recording import HandRecord
    from server.hand_histories.phh_reader import BadHistory, PublishedHand

KNOWN_FORMATS = "PHH (.phh, .phhs), Open Hand History (.ohh, .json), PokerStars text (.txt)"
"""The formats that can be read, apart from the logs of contests."""


class HandLog(Struct, frozen=True):
    """Another program's log format. `name` is an option of `highnoon export`, and `title` is the name for users."""

    name: str
    title: str
    suffix: str
    start_pattern: re.Pattern[str]
    """Matches the start of every file in this format, and of no other file."""
    read: "Callable[[str], Iterator[PublishedHand | BadHistory]]"
    write: "Callable[[Iterable[HandRecord]], Iterator[str]]"
    """Yields the text of the hands. Raises BadHistory for hands that the format cannot express."""
