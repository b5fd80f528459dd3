"""How hands are written down elsewhere."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from server.hand_histories.from_recording import Recorded
    from server.hand_histories.phh_reader import BadHistory, Published

KNOWN = "PHH (.phh, .phhs), Open Hand History (.ohh, .json), PokerStars text (.txt)"
"""What can be read, in words, beside the logs of contests."""


class HandLog(Struct, frozen=True):
    """How a contest elsewhere writes its hands down: `name` as an option of `highnoon export`, `title` in words."""

    name: str
    title: str
    suffix: str
    begins: re.Pattern[str]
    """How such a file begins, and no other."""
    read: "Callable[[str], Iterator[Published | BadHistory]]"
    write: "Callable[[Iterable[Recorded]], Iterator[str]]"
    """Raises BadHistory for hands that the log cannot have."""
