"""The job of a worker that plays some deals of a sparring match, with folders that it builds once."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.odds.earned import Unit
from server.app.sparring.folders import Boxes, side_at
from server.app.sparring.seats import Seats
from server.app.sparring.sides import Side
from server.app.sparring.tables import Lost, MirroredTables, Part, recording_of, sparring
from server.bots.sandbox.runner import CannotRun
from server.console import say
from server.errors import Refusal
from server.game.events import Entrant
from server.workers.orders import encode
from server.workers.workplace import Workplace

DEALS = "deals"


class DealsOrder(Struct, frozen=True):
    """Some deals of a match of `deals`: `count` of them, from number `first` on.

    Sides are styles of the house, or folders, whose text is the SHA-256 of their files.
    """

    contest: str
    sides: tuple[Side, ...]
    seed: bytes
    deals: int
    first: int
    count: int

    @property
    def entrants(self) -> list[Entrant]:
        """The bots, numbered from 1."""
        return [Entrant(number, side.name) for number, side in enumerate(self.sides, 1)]


class PlayedDeals(Struct, frozen=True):
    """The journal of each table. Where a bot has left before the end, its number is `lost`, and `reason` says why."""

    tables: tuple[bytes, ...]
    lost: int = 0
    reason: str = ""


_read_order = msgspec.msgpack.Decoder(DealsOrder).decode


async def play_deals(place: Workplace, body: bytes) -> bytes:
    """Plays deals: a `DealsOrder` comes in, `PlayedDeals` go out, both encoded.

    Raises CannotRun where a bot cannot be played with here, OSError where the disk fails.
    """
    order = _read_order(body)
    played, lost = 0, Lost(0, "")

    def dealt(_tables: Sequence[Unit]) -> bool:
        nonlocal played
        played += 1
        return played < order.count

    with place.room() as room:
        work, record = Path(room), Path(room) / "tables"
        contest = sparring(order.contest, order.deals, len(order.sides))
        part = Part(order.first, synced=False)
        tables = MirroredTables(contest, order.entrants, order.seed, dealt, record, part)
        boxes = Boxes(place.runner, place.builds)
        async with Seats(order.contest, order.entrants, tables.hear, work, _unheard, boxes=boxes) as seats:
            try:
                sides = [side_at(place, side) for side in order.sides]
                bots = [await seats.seat(number, side, order.seed) for number, side in enumerate(sides, 1)]
            except Refusal as error:
                raise CannotRun(str(error)) from None
            tables.welcome(bots)
            try:
                await tables.play()
            except Lost as left:
                lost = left
        journals = tuple(recording_of(record, table).read_bytes() for table in range(len(sides)))
    say(f"deals {order.first} to {order.first + played - 1}: {', '.join(side.name for side in order.sides)}")
    return encode(PlayedDeals(journals, lost.bot, lost.reason))


def _unheard(_line: str) -> None:
    """Whoever ordered the deals is elsewhere."""
