"""Formats in which other programs log hands."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from server.hand_histories.from_recording import Recorded
    from server.hand_histories.phh_reader import BadHistory, Published

KNOWN = "PHH (.phh, .phhs), Open Hand History (.ohh, .json), PokerStars text (.txt)"
"""The formats that can be read besides the logs of contests."""


class HandLog(Struct, frozen=True):
    """A log format of a contest elsewhere: `name` is an option of `highnoon export`, `title` is for people."""

    name: str
    title: str
    suffix: str
    begins: re.Pattern[str]
    """Matches the start of such a file, and of no other."""
    read: "Callable[[str], Iterator[Published | BadHistory]]"
    write: "Callable[[Iterable[Recorded]], Iterator[str]]"
    """Raises BadHistory for hands that the log cannot hold."""
