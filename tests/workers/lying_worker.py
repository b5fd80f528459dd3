"""A lying worker. It plays a game correctly, but returns a valid journal in which the other bot wins.

Instead of filming a clip, it returns half a film.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from server.__main__ import main
from server.app.clips.batch import CLIP
from server.game.events import GameEnded, HandEnded
from server.journal.journal import Journal, read_journal
from server.workers.orders import Answer, Done, Order, PlayedGame, encode
from server.workers.worker_games import GAME
from server.workers.worker_program import Jobs

HALF = "half.mp4"
"""The first half of a film, in the worker's working folder."""
honest_do = Jobs.do


async def do(self: Jobs, order: Order) -> Answer:
    if order.job == CLIP:
        return Done(encode(await asyncio.to_thread(Path(HALF).read_bytes)), 1.0)
    answer = await honest_do(self, order)
    if isinstance(answer, Done) and order.job == GAME:
        game = msgspec.msgpack.decode(answer.result, type=PlayedGame)
        return replace(answer, result=encode(replace(game, journal=swap_winner(game.journal))))
    return answer


def swap_winner(journal: bytes) -> bytes:
    """Rewrites a game's journal so that the other bot wins the last hand and the game."""
    with TemporaryDirectory() as work:
        path = Path(work) / "game.jsonl"
        path.write_bytes(journal)
        entries = read_journal(path).entries
        last = max(at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
        for at, entry in enumerate(entries[last:], last):
            if isinstance(entry.event, HandEnded | GameEnded):
                entries[at] = replace(entry, event=replace(entry.event, stacks=entry.event.stacks[::-1]))
        changed = Journal(Path(work) / "other.jsonl")
        changed.append(entries)
        changed.close()
        return changed.path.read_bytes()


if __name__ == "__main__":
    Jobs.do = do  # type: ignore[method-assign]
    sys.exit(main())
