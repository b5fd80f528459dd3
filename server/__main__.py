"""The program `highnoon`: reads the command line, runs the command, and reports errors by message and exit status."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.bots.sandbox.runner import CannotRun
from server.command_line.arguments import make_command_parser
from server.command_line.parser import DEFAULT_PORT
from server.config.settings import Settings
from server.console import LOG_VARIABLE, print_error, say, set_up_logging
from server.contests import CONTESTS
from server.errors import EventFaults, Refusal
from server.journal.journal import JournalDamaged
from server.paths import root_path
from server.process import limit_gc
from server.shuffle import fresh_seed
from server.system.processes import call_on_terminate
from server.system.shell_words import print_utf_8
from server.tournament.resumable_log import Diverged

CommandResult = int | Coroutine[Any, Any, int]
"""A command's exit status, or a coroutine that returns it."""


def main(command_line: Sequence[str] | None = None) -> int:
    """Runs the command in `command_line`, by default the process's own command line. Returns the exit status.

    The status is 0 for success, 1 for a failure, 2 for a wrong command line, and 3 for an incomplete recording.
    """
    print_utf_8()
    try:
        return _run(command_line)
    except BrokenPipeError:
        return 1
    finally:
        _flush()


def _flush() -> None:
    """Flushes standard output. The program that reads it might have ended, as `head` does."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(command_line: Sequence[str] | None) -> int:
    command_line = sys.argv[1:] if command_line is None else command_line
    arguments = vars(make_command_parser().parse_args(command_line or ["--help"]))
    if arguments.pop("log", None) == "json":
        os.environ[LOG_VARIABLE] = "json"  # this program's other processes inherit the variable
    set_up_logging()
    try:
        root_path()
    except ValueError as error:
        return _report_error(str(error), 2)
    try:
        return _wait_for_status(_run_command(arguments.pop("command"), arguments))
    except KeyboardInterrupt:
        say("\nstopped")
        return 0
    except BrokenPipeError:
        raise
    except OSError as error:
        return _report_error(f"{error.filename}: {error.strerror}" if error.filename else str(error), 1)
    except (JournalDamaged, EventFaults, Diverged, CannotRun, Refusal) as error:
        return _report_error(str(error), 1)


def _run_command(command: str, arguments: dict[str, Any]) -> CommandResult:  # noqa: C901, PLR0912, PLR0915 (one case per command)
    """Calls a command by its name. Imports only this command's modules, because importing all modules would take a
    second.
    """
    if "data" in arguments:
        arguments["settings"] = _make_settings(command, arguments)
    run: Callable[..., CommandResult]
    match command:
        case "demo":
            from server.commands.demo import demo as run
        case "practice":
            from server.commands.practice import practice as run
        case "replay":
            from server.commands.replay import replay as run
        case "serve":
            from server.commands.serve import serve as run
        case "index":
            from server.app.recordings.archive import rebuild_index as run
        case "verify":
            from server.verify.file import verify_file as run
        case "clip":
            from server.commands.clip import ClipOptions
            from server.commands.clip import clip as run

            arguments = {"options": ClipOptions(**arguments)}
        case "export":
            from server.commands.export import export as run
        case "highlights":
            from server.commands.highlights import highlights as run
        case "luck":
            from server.commands.luck import luck as run
        case "youtube":
            from server.commands.youtube import YoutubeOptions
            from server.commands.youtube import youtube as run

            arguments = {"video": YoutubeOptions(**arguments)}
        case "publish":
            from server.commands.publish import publish as run
        case "ograf":
            from server.commands.ograf import write_graphics as run
        case "import":
            from server.app.recordings.recording_files import import_file as run
        case "new":
            from server.commands.authors.new import new_bot as run
        case "probe":
            from server.commands.authors.probe import probe as run
        case "spar":
            from server.commands.authors.spar import SparOptions
            from server.commands.authors.spar import spar as run

            arguments = {"match": SparOptions(**arguments)}
        case "fork":
            from server.commands.authors.fork import fork as run
        case "decisions":
            from server.commands.authors.decisions import decisions as run
        case "check":
            from server.commands.authors.check import CheckOptions
            from server.commands.authors.check import check as run

            arguments = {"options": CheckOptions(**arguments)}
        case "guide":
            from server.commands.guide import write_guide as run
        case "completion":
            from server.command_line.completion import print_completion as run
        case "init":
            from server.commands.authors.init import init_event as run
        case "tournament":
            from server.commands.tournament import hold_evening as run
        case "mcp":
            from server.commands.authors.mcp import forward_calls as run
        case "mind":
            from server.commands.authors.mind import MindOptions
            from server.commands.authors.mind import mind as run

            arguments = {"options": MindOptions(**arguments)}
        case "worker":
            from server.commands.worker import worker as run
        case _:
            raise NotImplementedError(f"{command} has options but no function here")
    return run(**arguments)


def _make_settings(command: str, arguments: dict[str, Any]) -> Settings:
    # Bots of some contests listen on DEFAULT_PORT themselves. Such a contest has another port for practice.
    port = CONTESTS[arguments["contest"]].practice_port if command == "practice" else 0
    chosen: dict[str, Any] = {"port": port or DEFAULT_PORT, "seed": fresh_seed()}
    for name in Settings.__struct_fields__:
        if (value := arguments.pop(name, None)) is not None:
            chosen[name] = value
    return Settings(**chosen)


def _wait_for_status(result: CommandResult) -> int:
    """Runs a command to its end and returns its exit status. SIGTERM and Ctrl-C raise KeyboardInterrupt."""
    if isinstance(result, int):
        return result

    async def until_stopped() -> int:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        call_on_terminate(asyncio.get_running_loop(), task.cancel)
        try:
            return await result
        except BaseExceptionGroup as group:  # the first error has cancelled the other tasks, so only it is reported
            raise _find_cause(group) from group

    limit_gc()  # after the imports, so that imported objects are never scanned
    try:
        return asyncio.run(until_stopped())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _find_cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    cause = group.exceptions[0]
    return _find_cause(cause) if isinstance(cause, BaseExceptionGroup) else cause


def _report_error(text: str, status: int) -> int:
    print_error(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
