"""What those who comment are offered to tell: storylines, statistics and who has met whom, of the same hands. Pure."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from broadcast.commentary.storylines.evening_facts import HandNumber
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.on_air.events import StatisticsChanged


class TalkLine(Struct, frozen=True):
    """A storyline, and how many hands ago it was told; None: it was not."""

    line: Storyline
    told: int | None

    @property
    def key(self) -> str:
        """What stays the same while its words follow the show: kind and bots."""
        return "-".join([self.line.kind, *map(str, sorted(self.line.bots))])


class Talk(Struct, frozen=True):
    """All of it at one moment. `showdowns` are by two bots, the lower number first: who won, and in which hand."""

    lines: tuple[TalkLine, ...] = ()
    showdowns: Mapping[tuple[int, int], Sequence[tuple[int, HandNumber]]] = {}
    statistics: StatisticsChanged = StatisticsChanged(())
