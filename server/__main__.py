"""The program `highnoon`: reads the command line, runs the command, and turns errors into a line and a status."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from server.bots.sandbox.runner import CannotRun
from server.command_line.arguments import command_line
from server.command_line.common import PORT
from server.config.event_addresses import address
from server.config.event_file import EventFaults
from server.config.settings import PRACTICE_KEPT, Settings, make_settings
from server.console import plain_lines, say
from server.contests import CONTESTS
from server.errors import Refusal
from server.garbage import search_seldom
from server.journal.journal import JournalDamaged
from server.root_path import root_path
from server.tournament.log_writer import Diverged


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command in `words`, by default those of the process, and returns its exit status.

    0: all is well; 1: something failed; 2: the command line is wrong; 3: a recording is not there to its end.
    """
    try:
        return _obey(words)
    except BrokenPipeError:
        return 1
    finally:
        _say_the_rest()


def _say_the_rest() -> None:
    """Writes what is still buffered; the reader may have gone, as `head` does, and then nobody reads it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _obey(words: Sequence[str] | None) -> int:
    arguments = command_line().parse_args(words)
    try:
        settings = _settings(arguments)
    except ValueError as error:
        return _complain(str(error), 2)
    try:
        return _COMMANDS[arguments.command](settings, arguments)
    except KeyboardInterrupt:
        say("\nstopped")
        return 0
    except BrokenPipeError:
        raise
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), 1)
    except (JournalDamaged, EventFaults, Diverged, CannotRun, Refusal) as error:
        return _complain(str(error), 1)


def _settings(arguments: argparse.Namespace) -> Settings:
    """The settings that many commands share; the defaults for commands without them. Raises ValueError in words."""
    root_path()
    if "host" not in arguments:
        return Settings()
    return make_settings(
        host=arguments.host,
        port=_port(arguments),
        data=arguments.data,
        speed=arguments.speed,
        seed=arguments.seed,
        obs=_obs(arguments.obs) if "obs" in arguments else "",
        publish_to=(arguments.publish or "") if "publish" in arguments else "",
        practice_kept=arguments.keep if "keep" in arguments else PRACTICE_KEPT,
    )


def _port(arguments: argparse.Namespace) -> int:
    """The port that is asked for, or a default that the contest's own bots do not use."""
    if arguments.port is not None:
        return int(arguments.port)
    at = CONTESTS[arguments.contest].practice_port if arguments.command == "practice" else 0
    return at or PORT


# -- the commands: each imports its modules when it runs, because all of them together take a second ------------------


def _demo(settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.demo import demo

    return _run(demo(settings, arguments.contest))


def _practice(settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.practice import practice

    return _run(practice(settings, arguments.contest, arguments.bots_from, workers=arguments.workers))


def _replay(settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.rehearse import rehearse
    from server.commands.replay import replay

    if arguments.as_live:
        return _run(rehearse(settings, arguments.file))
    return _run(replay(settings, arguments.file, arguments.highlights))


def _serve(settings: Settings, _arguments: argparse.Namespace) -> int:
    from server.commands.serve import serve

    return _run(serve(settings))


def _index(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.app.recordings.archive import make_index

    return make_index(Settings(data=arguments.data))


def _verify(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.verify.file import verify_file

    return verify_file(arguments.file, as_json=arguments.as_json)


def _clip(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.clip import Order, clip

    order = Order(
        arguments.recording,
        arguments.hand,
        arguments.highlights,
        arguments.best,
        arguments.shape,
        arguments.theme,
        arguments.out,
        arguments.preview,
        arguments.scheduler,
        arguments.certificates,
    )
    return _run(clip(order))


def _export(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.export import export

    return export(arguments.file, arguments.form, arguments.hand, arguments.out)


def _highlights(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.highlights import highlights

    return highlights(arguments.file, arguments.length, as_json=arguments.json)


def _luck(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.luck import luck

    return luck(arguments.recordings, as_json=arguments.as_json)


def _youtube(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.youtube import Video, youtube

    video = Video(arguments.film, arguments.highlights, arguments.offset, arguments.stream_began, arguments.results)
    return youtube(arguments.file, video, arguments.out)


def _publish(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.publish import publish

    return _run(publish(arguments.recordings, arguments.to, arguments.address))


def _import(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.app.recordings.open import import_file

    return import_file(arguments.file, arguments.out, strict=arguments.strict)


def _check(settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.authors.check import CheckOptions, check

    runner = None if arguments.no_run else arguments.runner
    known_as = tuple(arguments.known_as)
    options = CheckOptions(
        arguments.path,
        arguments.report,
        runner,
        known_as,
        arguments.build_network,
        tuple(arguments.registry),
        arguments.json,
    )
    return _run(check(settings, options))


def _new(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.authors.new import new_bot

    return new_bot(arguments.folder, arguments.contest, arguments.language, arguments.name)


def _probe(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.app.sparring.sides import contest_asked
    from server.commands.authors.probe import Probe, probe

    contest = asyncio.run(contest_asked(arguments.bots, arguments.contest))
    asked = Probe(tuple(arguments.bots), contest, arguments.scheduler, arguments.certificates)
    return _run(probe(asked, as_json=arguments.as_json))


def _spar(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.app.sparring.sides import contest_asked
    from server.commands.authors.spar import Match, spar

    bots = (arguments.bot, *arguments.against.split(","))
    match = Match(
        bots,
        asyncio.run(contest_asked(bots, arguments.contest)),
        arguments.hands,
        arguments.seed,
        arguments.record,
        arguments.page,
        arguments.scheduler,
        arguments.certificates,
    )
    return _run(spar(match, as_json=arguments.as_json))


def _fork(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.authors.fork import fork

    return _run(fork(arguments.recording, arguments.bot, arguments.version, as_json=arguments.as_json))


def _decisions(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.authors.decisions import decisions

    return decisions(arguments.recording, arguments.bot, as_json=arguments.as_json)


def _guide(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.guide import write_guide

    return write_guide(arguments.out)


def _init(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.authors.init import init_event

    return init_event(arguments.folder, arguments.out)


def _tournament(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.tournament import hold_event

    return _run(
        hold_event(
            arguments.file,
            speed=arguments.speed,
            readmit=arguments.readmit,
            rehearse=arguments.rehearse,
            again=arguments.again,
            publish_to=arguments.publish or "",
            scheduler=arguments.scheduler,
            certificates=arguments.certificates,
        )
    )


def _worker(_settings: Settings, arguments: argparse.Namespace) -> int:
    from server.commands.worker import certificates, worker

    if arguments.make_certificates:
        return certificates(arguments.make_certificates)
    return _run(worker(arguments.address, arguments.certificates, arguments.folder, arguments.runner, arguments.cores))


_COMMANDS: dict[str, Callable[[Settings, argparse.Namespace], int]] = {
    "demo": _demo,
    "practice": _practice,
    "replay": _replay,
    "serve": _serve,
    "index": _index,
    "verify": _verify,
    "clip": _clip,
    "export": _export,
    "highlights": _highlights,
    "luck": _luck,
    "youtube": _youtube,
    "publish": _publish,
    "import": _import,
    "new": _new,
    "probe": _probe,
    "spar": _spar,
    "fork": _fork,
    "decisions": _decisions,
    "check": _check,
    "init": _init,
    "guide": _guide,
    "tournament": _tournament,
    "worker": _worker,
}


def _obs(text: str) -> str:
    """The address of OBS, "" without one. Raises ValueError in words."""
    try:
        return address(text) if text else ""
    except ValueError as error:
        raise ValueError(f"--obs {error}") from None


def _run(command: Coroutine[Any, Any, int]) -> int:
    """Runs `command` to its end; SIGTERM and Ctrl-C raise KeyboardInterrupt."""

    async def until_stopped() -> int:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        try:
            return await command
        except BaseExceptionGroup as group:  # Of tasks that fell together the first one is the cause.
            raise _first(group) from group

    search_seldom()  # the command's modules have been imported
    try:
        return asyncio.run(until_stopped())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    cause = group.exceptions[0]
    return _first(cause) if isinstance(cause, BaseExceptionGroup) else cause


def _complain(text: str, status: int) -> int:
    print(f"highnoon: {plain_lines(text)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
