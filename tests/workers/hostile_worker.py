"""A hostile worker, whose answers are too large, or are pickles that write to a file when they are unpickled.

The name of the worker's folder says what the worker does.
"""

import pickle
import sys
from pathlib import Path

from distributed import Worker, get_worker

from server.__main__ import main
from server.workers import worker_program
from server.workers.orders import MAX_ANSWER_BYTES, FilesMissing, encode

HOW = Path(sys.argv[sys.argv.index("--folder") + 1])
OWNED = HOW.parent / "owned"
"""The file that lists the processes in which a pickle was unpickled."""
BOMB = (eval, (f"open({str(OWNED)!r}, 'a').write(str(__import__('os').getpid()) + chr(10))",))


class Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return BOMB


class BombError(OSError):
    def __reduce__(self) -> tuple[object, ...]:
        return BOMB


async def do(order: bytes) -> object:
    match HOW.name:
        case "error":
            raise BombError
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
    """Answers with a pickle when files are sent to it."""

    async def run(self, comm: object, function: object, **more: object) -> object:  # type: ignore[override]
        return pickle.dumps(Bomb())

    def __init__(self, *words: object, **more: object) -> None:
        super().__init__(*words, **more)  # type: ignore[arg-type]
        self.handlers["run"] = self.run


if __name__ == "__main__":
    worker_program.do = do  # type: ignore[assignment]
    worker_program.Worker = HostileWorker  # type: ignore[attr-defined]
    sys.exit(main())
