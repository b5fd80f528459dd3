"""The front door: the command line. Reads what is asked for, joins the rooms that do it, and says how it ended."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from server.config import make_settings
from server.front.demo import demo
from server.front.practice import practice
from server.front.replay import replay
from server.front.verifying import verify_file
from server.front.words import say
from server.journal import JournalDamaged

_ABOUT = """\
High Noon: a poker-bot tournament server with a live spectator broadcast.

Bots connect, the server referees, and a browser page shows it all: open the overlay
in OBS or on the projector while any of these commands runs.
"""
_EXAMPLES = """\
examples:
  highnoon demo                          a whole contest of twelve house bots, live, at the pace of a show
  highnoon demo --speed 8                the same, eight times as fast; --speed 0 as fast as it goes
  highnoon practice                      bots register on port 5000 and play practice games, day and night
  highnoon replay data/recordings/X.jsonl
  highnoon verify data/recordings/X.jsonl

exit status: 0 all is well; 1 something failed or a recording is refuted; 2 the command line is wrong
"""


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command in `words` (the process's own by default); 0, 1 or 2 as usual."""
    arguments = _parser().parse_args(words)
    try:
        settings = make_settings(
            host=arguments.host,
            port=arguments.port,
            data=arguments.data,
            speed=arguments.speed,
            seed=arguments.seed,
        )
    except ValueError as error:
        return _complain(str(error), 2)
    try:
        return int(arguments.run(settings, arguments))
    except KeyboardInterrupt:
        say("\nstopped")
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), 1)
    except JournalDamaged as error:
        return _complain(str(error), 1)


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--host", default="127.0.0.1", help="address to serve on (default: %(default)s, this machine)")
    shared.add_argument("--port", type=int, default=5000, help="port of pages and registration (default: %(default)s)")
    shared.add_argument("--data", default="data", metavar="DIR", help="recordings and media (default: ./%(default)s)")
    shared.add_argument("--speed", type=float, default=1.0, metavar="X", help="pace of the show; 0: as fast as it goes")
    shared.add_argument("--seed", metavar="HEX", help="seed of all cards and draws (default: unguessable)")

    parser = argparse.ArgumentParser(
        prog="highnoon", description=_ABOUT, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, about: str, run: object) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=about, description=about, parents=[shared])
        command.set_defaults(run=run)
        return command

    add(
        "demo", "play a whole contest with twelve house bots and broadcast it", lambda settings, _: _run(demo(settings))
    )
    add(
        "practice",
        "let bots register and play practice games, until Ctrl-C",
        lambda settings, _: _run(practice(settings)),
    )
    shown = add("replay", "show a recording through the same pages", lambda settings, a: _run(replay(settings, a.file)))
    shown.add_argument("file", type=Path, metavar="FILE", help="a recording (.jsonl)")
    proved = add(
        "verify", "prove a recording: numbering, sums, chips, decks, draws, prizes", lambda _, a: verify_file(a.file)
    )
    proved.add_argument("file", type=Path, metavar="FILE", help="a recording (.jsonl)")
    return parser


def _run(command: Coroutine[Any, Any, int]) -> int:
    async def until_told_to_stop() -> int:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        try:
            return await command
        except BaseExceptionGroup as group:  # Of tasks that fell together the first one is the cause.
            raise _first(group) from group

    try:
        return asyncio.run(until_told_to_stop())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    cause = group.exceptions[0]
    return _first(cause) if isinstance(cause, BaseExceptionGroup) else cause


def _complain(text: str, status: int) -> int:
    print(f"highnoon: {text}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
