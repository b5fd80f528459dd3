"""Runs a tournament as an organiser does: with an event file, and with the program in a terminal."""

import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from server.bots.sandbox.process_tree import descendants
from server.game.events import ActionTaken
from server.game.events import Event as HouseEvent
from server.journal.journal import Entry, read_journal
from server.verify.claims import Proof
from server.verify.recording import verify
from tests.support.event_schema import schema_faults
from tests.support.ports import free_ports
from tests.support.program import ROOT, SECONDS, Program, command_of

CONTROL = "control-of-the-evening"
VIEW = "only-to-look-at-the-evening"
NAMES = ("Ada", "Babbage", "Curry", "Dijkstra", "Erlang", "Floyd", "Gosper")


class EventFolder(Struct, frozen=True):
    file: Path
    pages: int
    register: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.pages}"

    @property
    def journal(self) -> Path:
        return self.data / "recordings" / "2026-11-21-a-night-in-tests.jsonl"

    @property
    def data(self) -> Path:
        return self.file.parent / "data"

    @property
    def entries(self) -> Sequence[Entry]:
        return read_journal(self.journal).entries

    @property
    def events(self) -> Sequence[HouseEvent]:
        return [entry.event for entry in self.entries]

    def prove(self) -> Proof:
        """Proves the recording of the finished evening, in which no bot may have had a fault."""
        assert not [event for event in self.events if isinstance(event, ActionTaken) and event.fault]
        proof = verify(self.entries)
        assert proof.finished
        return proof


def write_evening(
    folder: Path, remote: Mapping[str, str], folders: Mapping[str, Path] | None = None, *, lines: str = 'start = "bots"'
) -> EventFolder:
    """Writes an event file that begins with the options in `lines`.

    `remote` has the secret of each remote bot, and `folders` has the folder of each other bot's player.
    """
    pages, register = free_ports(2)
    tables = [
        f'[[entries]]\nplayer = "{name} Senior"\nremote = true\nbot = "{name}"\nsecret = "{secret}"'
        for name, secret in remote.items()
    ]
    tables += [f'[[entries]]\nplayer = "{player}"\nfolder = "{path}"' for player, path in (folders or {}).items()]
    head = f'name = "A night in tests"\ndate = 2026-11-21\nseed = "2a"\n{lines}\n'
    ports = f"[ports]\npages = {pages}\nregister = {register}\n"
    tokens = f'[tokens]\ncontrol = "{CONTROL}"\nview = "{VIEW}"\n'
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join([head, ports, tokens, *tables])
    assert not schema_faults(text)
    (folder / "event.toml").write_text(text)
    return EventFolder(folder / "event.toml", pages, register)


def secrets_of(names: Sequence[str]) -> dict[str, str]:
    return {name: f"a-secret-of-its-own-{name}" for name in names}


class Terminal:
    """One run of the program. The end of the `with` block kills it and all programs that it has started."""

    def __init__(self, *words: str | Path, cwd: Path = ROOT) -> None:
        self.lines: list[str] = []
        self._printed = threading.Condition()
        self.process = Program(*map(str, words), cwd=cwd, session=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.kill_everything()
        if kind:
            print("\n".join(self.lines))

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def address(self) -> str:
        """Waits for the address of the control desk, with its token, and returns it."""
        return self.wait_for_output("control desk").split()[2]

    @property
    def studio(self) -> int:
        family = descendants(self.process.pid)
        return next((pid for pid in family if b"server.app.studio.process" in command_of(pid)), 0)

    def wait_for_output(self, words: str) -> str:
        """Waits until a line with `words` is printed, and returns the first such line."""
        with self._printed:
            self._printed.wait_for(lambda: self._line(words) or not self._listener.is_alive(), SECONDS)
        line = self._line(words)
        assert line, f"the program never printed {words!r}, but:\n{self.text}"
        return line

    def ended(self) -> int:
        status = self.process.wait(SECONDS)
        self._listener.join(SECONDS)
        return status

    def interrupt(self) -> int:
        """Sends Ctrl-C to the whole process group, as a terminal does; returns the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.ended()

    def kill_everything(self) -> None:
        """Kills the program and all programs that it started, as a power failure would."""
        processes = [self.process.pid, *descendants(self.process.pid)] if self.process.poll() is None else []
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(SECONDS)
        self._listener.join(SECONDS)
        self.process.close()

    def _line(self, words: str) -> str:
        return next((line for line in self.lines if words in line), "")

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self._printed:
                self.lines.append(line.rstrip("\n"))
                self._printed.notify_all()
        with self._printed:
            self._printed.notify_all()


def tournament(folder: EventFolder, *more: str) -> Terminal:
    """Starts `highnoon tournament event.toml`, at speed 0 unless `more` has other options."""
    return Terminal("tournament", folder.file, *(more or ("--speed", "0")))


@contextmanager
def killing_every_studio(terminal: Terminal) -> Iterator[None]:
    """Kills every studio that the program starts, as long as the `with` block runs."""
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.02):
            if studio := terminal.studio:
                with suppress(ProcessLookupError):
                    os.kill(studio, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
