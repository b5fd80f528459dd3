"""Bad workers: the name of a worker's folder says how the worker misbehaves.

The "liar" returns a valid journal in which the other bot wins, and half of a video in place of a clip. The "quitter"
returns games without their ends. The "late" worker has a wrong clock. All others are hostile: their answers are too
large, or are pickles that write to a file when they are unpickled.
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
from server.journal.journal import Journal, read_journal
from server.workers import worker_program
from server.workers.worker_games import GAME_JOB
from server.workers.worker_messages import MAX_ANSWER_BYTES, Done, FilesMissing, Order, PlayedGame, WorkerAnswer, encode
from server.workers.worker_program import JobsPlugin

OWNED = "owned"
"""The file, in the working folder, that lists the processes in which a pickle was unpickled."""
HALF = "half.mp4"
"""The file with the first half of a clip, in the liar's working folder."""
FAKE_TIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
YEARS_LATE = {
    "LD_PRELOAD": str(FAKE_TIME),
    "FAKETIME": "-9y",
    "DONT_FAKE_MONOTONIC": "1",
    "NO_FAKE_STAT": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""An environment whose clock is nine years slow.

Files keep their true times, because Python would otherwise compile every module again. NumPy gets only one thread,
because further threads would poll the shifted clock without pausing.
"""
do_honestly = JobsPlugin.do


def worker_folder() -> Path:
    return Path(sys.argv[sys.argv.index("--folder") + 1])


class Bomb(OSError):
    def __reduce__(self) -> tuple[object, ...]:
        owned = worker_folder().parent / OWNED
        return (eval, (f"open({str(owned)!r}, 'a').write(str(__import__('os').getpid()) + chr(10))",))


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
        return Done(encode(await asyncio.to_thread(Path(HALF).read_bytes)), 1.0)
    answer = await do_honestly(self, order)
    if isinstance(answer, Done) and order.job == GAME_JOB:
        game = msgspec.msgpack.decode(answer.result, type=PlayedGame)
        is_whole = worker_folder().name == "liar"
        journal = swap_winner(game.journal) if is_whole else b"".join(game.journal.splitlines(keepends=True)[:-3])
        return replace(answer, result=encode(replace(game, journal=journal)))
    return answer


def swap_winner(journal: bytes) -> bytes:
    """Rewrites a game's journal so that the other bot wins the last hand and the game."""
    with TemporaryDirectory() as work:
        path = Path(work) / "game.jsonl"
        path.write_bytes(journal)
        entries = read_journal(path).entries
        last_hand_end = max(index for index, entry in enumerate(entries) if isinstance(entry.event, HandEnded))
        for index, entry in enumerate(entries[last_hand_end:], last_hand_end):
            if isinstance(entry.event, HandEnded | GameEnded):
                entries[index] = replace(entry, event=replace(entry.event, stacks=entry.event.stacks[::-1]))
        changed = Journal(Path(work) / "other.jsonl")
        changed.append(entries)
        changed.close()
        return changed.path.read_bytes()


def restart_with_wrong_clock() -> None:
    """Restarts this program with a library that shifts the clock of the program, but not of its boxes."""
    if "LD_PRELOAD" not in os.environ:
        command = (sys.executable, "-m", "tests.workers.bad_worker", *sys.argv[1:])
        os.execve(sys.executable, command, {**os.environ, **YEARS_LATE})  # noqa: S606
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
