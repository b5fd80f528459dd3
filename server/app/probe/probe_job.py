"""The job of a worker that tries a bot, and what whoever ordered it makes of the result."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from server.app.probe.probing import COMES, NOBODY, tried
from server.app.probe.trial import PACE, SILENCE, Check
from server.app.sparring.folders import Boxes, side_at
from server.app.sparring.sides import Side
from server.console import say
from server.contests import CONTESTS
from server.verify.refutation import Refuted, same
from server.workers.orders import NotProved, encode, within
from server.workers.workplace import Workplace

PROBE = "probe"
MOST_BYTES = 1 << 20
"""Of all checks of a bot."""


class ProbeOrder(Struct, frozen=True):
    """A bot to try: a folder, whose text is the SHA-256 of its files."""

    contest: str
    side: Side


_read_order = msgspec.msgpack.Decoder(ProbeOrder).decode
_read_checks = msgspec.msgpack.Decoder(list[Check]).decode


async def probe_there(place: Workplace, body: bytes) -> bytes:
    """Tries a bot: a `ProbeOrder` comes in, a list of `Check` goes out, both encoded. Raises OSError."""
    order = _read_order(body)
    with place.room() as room:
        boxes = Boxes(place.runner, place.builds)
        checks = await tried(side_at(place, order.side), order.contest, Path(room), NOBODY, boxes)
    say(f"{order.side.name}: {sum(check.ok for check in checks)} of {len(checks)} checks passed")
    return encode(checks)


def checks_in(result: bytes, contest: str) -> Sequence[Check]:
    """The checks that a worker has returned. That all were made is seen, not how the bot did: a worker could lie.

    Raises NotProved.
    """
    try:
        checks = _read_checks(within(result, MOST_BYTES))
        expected = [COMES] + [situation.name for situation in CONTESTS[contest].situations()] + [PACE, SILENCE]
        came = bool(checks) and checks[0].ok
        same("what was tried", [check.name for check in checks], expected if came else [COMES])
    except (msgspec.DecodeError, Refuted) as error:
        raise NotProved(str(error)) from None
    return checks
