"""A worker that plays as it should and then says that the other bot has won; its journal is whole, its sums fit."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from server.__main__ import main
from server.game.events import Event, GameEnded, HandEnded
from server.journal.journal import Journal, read_journal
from server.workers.game_worker import GameWorker
from server.workers.orders import Answer, GameOrder, PlayedGame

honest = GameWorker.play


async def play(self: GameWorker, order: GameOrder) -> Answer:
    """Plays, and turns the result around."""
    answer = await honest(self, order)
    return replace(answer, journal=turned(answer.journal)) if isinstance(answer, PlayedGame) else answer


def turned(journal: bytes) -> bytes:
    """The journal of the same game with the other winner of its last hand, and so of the game."""
    with TemporaryDirectory() as work:
        path = Path(work) / "game.jsonl"
        path.write_bytes(journal)
        entries = read_journal(path).entries
        last = max(at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
        changed = Journal(Path(work) / "other.jsonl")
        changed.append(
            [replace(entry, event=_turned(entry.event)) if at >= last else entry for at, entry in enumerate(entries)]
        )
        changed.close()
        return changed.path.read_bytes()


def _turned(event: Event) -> Event:
    if isinstance(event, HandEnded | GameEnded):
        return replace(event, stacks=event.stacks[::-1])
    return event


if __name__ == "__main__":
    GameWorker.play = play  # type: ignore[method-assign]
    sys.exit(main())
