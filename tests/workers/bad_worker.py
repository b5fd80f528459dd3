"""Runs a bad worker (workers do jobs for another machine). The worker's folder name says how the worker misbehaves.

The "liar" returns half of a film, and valid journals of games in which the loser wins. The "quitter" returns games
without their ends. The "late" worker has a wrong clock. All others are hostile: they send pickles or far too many
bytes, or always say that files are missing. A process that unpickles one of these pickles writes its own id to a file.
"""

import asyncio
import os
import pickle
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from distributed import Worker, get_worker
from msgspec.structs import replace

from server.__main__ import main
from server.app.clips.film_clips import CLIP_JOB
from server.game.events import GameEnded, HandEnded
from server.journal.journal import read_journal
from server.workers import worker_program
from server.workers.worker_games import GAME_JOB
from server.workers.worker_messages import MAX_ANSWER_BYTES, Done, FilesMissing, Order, PlayedGame, WorkerAnswer, encode
from server.workers.worker_program import JobsPlugin
from tests.support.games.recordings import write
from tests.support.program import SHIFTED_CLOCK

UNPICKLERS_FILE = "owned"
"""The name of a file in the folder of the test's cluster. The file lists the ids of processes that unpickled a Bomb."""
HALF_CLIP = "half.mp4"
"""The name of a file in the folder of the test's cluster. The liar returns this file, the first half of a clip."""
do_honestly = JobsPlugin.do


def worker_folder() -> Path:
    return Path(sys.argv[sys.argv.index("--folder") + 1])


class Bomb(OSError):
    def __reduce__(self) -> tuple[object, ...]:
        list_of_unpicklers = worker_folder().parent / UNPICKLERS_FILE
        return (eval, (f"open({str(list_of_unpicklers)!r}, 'a').write(str(__import__('os').getpid()) + chr(10))",))


async def attack(order: bytes) -> object:
    match worker_folder().name:
        case "error":
            raise Bomb
        case "event":
            for topic in ("warn", "print", "anything"):
                message = {"message": pickle.dumps(Bomb()), "category": pickle.dumps(Bomb()), "args": ("howdy",)}
                get_worker().log_event(topic, message)
            return b"howdy"
        case "huge":
            return bytes(MAX_ANSWER_BYTES + (2 << 20))
        case "files":
            return encode(FilesMissing(("files",)))
        case "result":
            return [b"", Bomb()]
    return pickle.dumps(Bomb())


class HostileWorker(Worker):
    async def run(self, comm: object, function: object, **more: object) -> object:  # type: ignore[override]
        return pickle.dumps(Bomb())

    def __init__(self, *words: object, **more: object) -> None:
        super().__init__(*words, **more)  # type: ignore[arg-type]
        self.handlers["run"] = self.run


async def lie(self: JobsPlugin, order: Order) -> WorkerAnswer:
    if order.job == CLIP_JOB:
        return Done(encode(await asyncio.to_thread(Path(HALF_CLIP).read_bytes)), 1.0)
    answer = await do_honestly(self, order)
    if isinstance(answer, Done) and order.job == GAME_JOB:
        game = msgspec.msgpack.decode(answer.result, type=PlayedGame)
        is_complete = worker_folder().name == "liar"  # The quitter's journal lacks its end.
        journal = swap_winner(game.journal) if is_complete else b"".join(game.journal.splitlines(keepends=True)[:-3])
        return replace(answer, result=encode(replace(game, journal=journal)))
    return answer


def swap_winner(journal: bytes) -> bytes:
    """Swaps the final stacks of the two bots in a game's journal, so that the loser wins the game."""
    with TemporaryDirectory() as folder:
        (path := Path(folder, "game.jsonl")).write_bytes(journal)
        entries = read_journal(path).entries
        last_hand_end = max(index for index, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
        for index, entry in enumerate(entries[last_hand_end:], last_hand_end):
            if isinstance(entry.event, HandEnded | GameEnded):
                entries[index] = replace(entry, event=replace(entry.event, stacks=entry.event.stacks[::-1]))
        return write(Path(folder, "other.jsonl"), entries).read_bytes()


def restart_with_wrong_clock() -> None:
    """Restarts this program with a clock that is nine years behind. Bots' boxes (sandboxes) keep the right clock."""
    if "LD_PRELOAD" not in os.environ:
        command = (sys.executable, "-m", "tests.workers.bad_worker", *sys.argv[1:])
        os.execve(sys.executable, command, {**os.environ, **SHIFTED_CLOCK, "FAKETIME": "-9y"})  # noqa: S606
    del os.environ["LD_PRELOAD"]


if __name__ == "__main__":
    match worker_folder().name:
        case "late":
            restart_with_wrong_clock()
        case "liar" | "quitter":
            JobsPlugin.do = lie  # type: ignore[method-assign]
        case _:
            worker_program.do = attack  # type: ignore[assignment]
            worker_program.Worker = HostileWorker  # type: ignore[attr-defined]
    sys.exit(main())
