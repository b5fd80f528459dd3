"""The hands of an outline as JSON and as gzip, put together from blocks: each hand is squeezed once.

A late page is told of all hands of the evening, which would cost more and more if they were squeezed for each answer.
"""

import zlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from broadcast.film.outline import FilmHand
from broadcast.web.squeezed import JSON, LEVEL, Answer

BLOCK = 64
"""Hands of a block: as many as are squeezed in half a millisecond."""
FOR_A_SECOND = {"Cache-Control": "max-age=1"}
_HEAD = bytes((31, 139, 8, 0, 0, 0, 0, 0, 0, 255))
"""Of a gzip file without name and time (RFC 1952)."""


class _Block(Struct, frozen=True):
    """Hands that change no more, but for those that were `forgotten`: JSON with a comma behind each, and squeezed."""

    forgotten: int
    plain: bytes
    squeezed: bytes


class SqueezedHands:
    """The blocks of one outline."""

    def __init__(self) -> None:
        self.made = 0
        """How many blocks were squeezed."""
        self._blocks: list[_Block] = []

    def around(self, hands: Sequence[FilmHand], forgotten: int, before: bytes, after: bytes) -> Answer:
        """JSON: `before`, all `hands` with commas between them, `after`. So many of the first were forgotten.

        The last hand may still change; `forgotten` never falls.
        """
        whole = (len(hands) - 1) // BLOCK
        for at in range(whole):
            self._renew(at, hands, min(max(forgotten - at * BLOCK, 0), BLOCK))
        blocks, rest = self._blocks[:whole], msgspec.json.encode(hands[whole * BLOCK :])[1:-1] + after
        plain = b"".join((before, *(block.plain for block in blocks), rest))
        end = len(plain).to_bytes(8, "little")[:4]
        sums = zlib.crc32(plain).to_bytes(4, "little")
        parts = (_squeezed(before), *(block.squeezed for block in blocks), _squeezed(rest, zlib.Z_FINISH))
        return Answer(plain, b"".join((_HEAD, *parts, sums, end)), JSON, FOR_A_SECOND)

    def _renew(self, at: int, hands: Sequence[FilmHand], forgotten: int) -> None:
        if at < len(self._blocks) and self._blocks[at].forgotten == forgotten:
            return
        plain = msgspec.json.encode(hands[at * BLOCK : (at + 1) * BLOCK])[1:-1] + b","
        self._blocks[at : at + 1] = [_Block(forgotten, plain, _squeezed(plain))]
        self.made += 1


def _squeezed(content: bytes, end: int = zlib.Z_FULL_FLUSH) -> bytes:
    """A part of a deflated stream that says nothing of the parts before it."""
    squeezing = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    return squeezing.compress(content) + squeezing.flush(end)
