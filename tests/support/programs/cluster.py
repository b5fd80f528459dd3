"""A Dask scheduler and workers, each in its own process, and a season (many rated games) of small shell bots."""

import json
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType

from server.game.events import Event
from server.season.events import DrawBegun, GamePaired, GameRated, GameVoided, SeasonEnded
from server.season.ledger import read_ledger
from server.workers.certificates import AUTHORITY, CERTIFICATE, KEY, make_certificates
from tests.support.event_schema import schema_faults
from tests.support.ports import free_ports
from tests.support.program import SECONDS, Program, wait_until

CALLER = """\
hands=0
while read word rest; do
  case $word in
    START) hands=$((hands + 1));;
    STACK) if [ $hands -gt {hands} ]; then echo R50; else echo C; fi;;
  esac
done
"""
"""A bot that calls in its first `hands` hands and then always goes all in."""

SHOVES_ACES = """\
while read word rest; do
  case $word in
    PREFLOP) case $rest in *A*) act=R50;; *) act=C;; esac;;
    STACK) echo $act;;
  esac
done
"""
"""A bot that goes all in with an ace and calls without one."""


class Cluster:
    """A scheduler with a fixed address, and workers. Each worker has its own folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment}
        self.certificates = folder / "certificates"
        make_certificates(self.certificates)
        [self.port] = free_ports(1)
        self.address = f"tls://127.0.0.1:{self.port}"
        self.options = ("--scheduler", self.address, "--certificates", str(self.certificates))
        self.event_lines = f'[workers]\nscheduler = "{self.address}"\ncertificates = "{self.certificates}"\n'
        self._scheduler: Program | None = None
        self._workers: dict[str, Program] = {}
        self.start_scheduler()

    def start_scheduler(self) -> None:
        """Starts the scheduler without waiting for it, because clients retry until the scheduler answers."""
        files = dict(zip(("ca-file", "cert", "key"), (AUTHORITY, CERTIFICATE, KEY), strict=True))
        tls = [word for name, file in files.items() for word in (f"--tls-{name}", str(self.certificates / file))]
        words = ["scheduler", "--protocol", "tls", "--host", "127.0.0.1", *tls]
        words += ["--port", str(self.port), "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        self._scheduler = self._start("dask", words, "scheduler")

    def kill_scheduler(self) -> None:
        assert self._scheduler, "the scheduler must have been started"
        self._scheduler.close()

    def start_worker(self, name: str, module: str = "server", cores: int = 2, runner: str = "light") -> None:
        """Starts or restarts a worker. `module` is the Python module to run. `runner` is the kind of the sandboxes."""
        words = ["worker", self.address, "--certificates", str(self.certificates)]
        words += ["--folder", str(self.folder / name), "--runner", runner, "--cores", str(cores)]
        self._workers[name] = self._start(module, words, name)

    def await_worker(self, name: str, times: int = 1) -> None:
        """Waits for the worker's `times`-th report that it is at work."""
        wait_until(lambda: self.output_of(name).count("at work for") >= times, lambda: self.output_of(name))

    def kill_worker(self, name: str) -> None:
        self._workers[name].close()

    def output_of(self, name: str) -> str:
        """Returns what the worker `name` has printed. The name "scheduler" stands for the scheduler."""
        return (self.folder / f"{name}.log").read_text()

    def close(self) -> None:
        for worker in self._workers.values():
            worker.send_signal(signal.SIGTERM)
        for worker in self._workers.values():
            worker.wait(SECONDS)
            worker.close()
        self.kill_scheduler()

    def _start(self, module: str, words: Sequence[str], name: str) -> Program:
        command = (sys.executable, "-m", module)
        with (self.folder / f"{name}.log").open("a") as log:
            return Program(*words, command=command, cwd=self.folder, env=self.environment, output=log)


@contextmanager
def cluster(folder: Path, environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[Cluster]:
    """Runs a scheduler. Stops it and all its workers when the `with` block ends."""
    with closing(Cluster(folder, environment)) as running:
        yield running


def write_bot(folder: Path, name: str, program: str) -> Path:
    """Writes a bot for the contest UPAC below `folder`. `program` is the bot's shell script. Returns `folder`."""
    bot = folder / "bot"
    bot.mkdir(parents=True)
    (bot / "bot.sh").write_text(program)
    (bot / "bot.json").write_text(json.dumps({"name": name, "run": "exec sh bot.sh"}))
    return folder


def write_event(folder: Path, players: int, games: int, at_once: int, more_settings: str = "") -> Path:
    """Writes an event file (a season's settings) and the players' bots into `folder`. Returns the event file's path."""
    entries = []
    for number in range(1, players + 1):
        name = f"P{number:02}"
        write_bot(folder / name, f"Bot {number}", CALLER.format(hands=number % 5))
        entries.append(f'[[entries]]\nplayer = "{name}"\nfolder = "{name}"\n')
    file = folder / "event.toml"
    head = 'name = "Spring"\ndate = 2026-11-21\ncontest = "upac"\nrunner = "light"\nstart = "bots"\nseed = "7e"\n'
    season = f"[season]\ngames = {games}\npause_seconds = 0\nat_once = {at_once}\n[ports]\npages = 0\nregister = 0\n"
    text = head + season + more_settings + "\n".join(entries)
    assert not schema_faults(text)
    file.write_text(text)
    return file


def ledger_of(event_file: Path) -> Path:
    return event_file.parent / "data" / "recordings" / "2026-11-21-spring.ledger"


@contextmanager
def season(event_file: Path, *words: str) -> Iterator[Program]:
    """Runs the season with `highnoon tournament`. The output goes to `output.txt` beside the event file."""
    with (event_file.parent / "output.txt").open("a") as output:
        program = Program("tournament", str(event_file), "--speed", "0", *words, output=output)
    with closing(program):
        yield program


def output_of(event_file: Path) -> str:
    return (event_file.parent / "output.txt").read_text()


def rated_games(event_file: Path) -> int:
    ledger = ledger_of(event_file)
    return ledger.read_bytes().count(b'"type":"game_rated"') if ledger.exists() else 0


def until(process: Program, happened: Callable[[], bool], expected: str) -> None:
    """Polls until `happened()` is true. Fails if the process ends first. `expected` says what should happen."""

    def has_happened() -> bool:
        assert process.poll() is None, f"the command ended before this happened: {expected}"
        return happened()

    wait_until(has_happened, lambda: f"this never happened: {expected}")


def game_events(event_file: Path) -> list[Event]:
    """Returns the events of a season's draws (which say who plays whom), of its games, and of its end."""
    types = (DrawBegun, GamePaired, GameRated, GameVoided, SeasonEnded)
    return [entry.event for entry in read_ledger(ledger_of(event_file)).entries if isinstance(entry.event, types)]
