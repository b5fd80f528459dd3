"""A lying worker. It plays correctly, then reports the other bot as the winner, in a journal with valid checksums.

Instead of making a film, it returns half of one.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from server.__main__ import main
from server.app.clips.batch import CLIP
from server.game.events import Event, GameEnded, HandEnded
from server.journal.journal import Journal, read_journal
from server.workers.orders import Answer, Done, Order, PlayedGame, encode
from server.workers.worker_games import GAME
from server.workers.worker_program import Jobs

HALF = "half.mp4"
"""The first half of a film, in the worker's working folder."""
honest_do = Jobs.do


async def do(self: Jobs, order: Order) -> Answer:
    if order.job == CLIP:
        return Done(encode(read_half_film()), 1.0)
    answer = await honest_do(self, order)
    if not isinstance(answer, Done):
        return answer
    if order.job == GAME:
        game = msgspec.msgpack.decode(answer.result, type=PlayedGame)
        return replace(answer, result=encode(replace(game, journal=swap_winner(game.journal))))
    return answer


def read_half_film() -> bytes:
    return Path(HALF).read_bytes()


def swap_winner(journal: bytes) -> bytes:
    """Rewrites a game's journal so that the other bot wins the last hand and the game."""
    with TemporaryDirectory() as work:
        path = Path(work) / "game.jsonl"
        path.write_bytes(journal)
        entries = read_journal(path).entries
        last = max(at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
        changed = Journal(Path(work) / "other.jsonl")
        changed.append(
            [replace(entry, event=_swap(entry.event)) if at >= last else entry for at, entry in enumerate(entries)]
        )
        changed.close()
        return changed.path.read_bytes()


def _swap(event: Event) -> Event:
    if isinstance(event, HandEnded | GameEnded):
        return replace(event, stacks=event.stacks[::-1])
    return event


if __name__ == "__main__":
    Jobs.do = do  # type: ignore[method-assign]
    sys.exit(main())
