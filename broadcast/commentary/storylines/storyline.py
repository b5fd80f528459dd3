"""One storyline: a sentence, why it matters, the hands it rests on, how rare it is. Pure."""

from typing import Literal

from msgspec import Struct

from broadcast.commentary.storylines.earlier import EarlierHand
from broadcast.commentary.storylines.evening_facts import HandNumber

Importance = Literal["breaking", "analyst", "normal", "whatever"]
IMPORTANCES: tuple[Importance, ...] = ("breaking", "analyst", "normal", "whatever")


class Storyline(Struct, frozen=True):
    """One storyline. It rests on `hands` of tonight and on `earlier` ones; its kind came up `once_in` so many hands."""

    kind: str
    bots: tuple[int, ...]
    text: str
    importance: Importance
    hands: tuple[HandNumber, ...]
    once_in: int = 0
    earlier: tuple[EarlierHand, ...] = ()
