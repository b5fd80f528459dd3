"""Holds an evening as an organiser does, with remote bots, viewers, and an operator who uses no browser.

Remote bots answer at once, and reconnect after the tournament has been killed. Decisions depend only on requests, so a
bot that gets the same request again makes the same decision.
"""

import asyncio
import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct
from websockets import ConnectionClosed, Origin, WebSocketException
from websockets.sync.client import ClientConnection, connect

from server.bots.sandbox.process_tree import descendants
from server.contests.quick_draw.venue.house import RegistrationRefused, register
from server.game.events import ActionTaken, Event
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
    def events(self) -> Sequence[Event]:
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
    entries = [
        f'[[entries]]\nplayer = "{name} Senior"\nremote = true\nbot = "{name}"\nsecret = "{secret}"'
        for name, secret in remote.items()
    ]
    entries += [f'[[entries]]\nplayer = "{player}"\nfolder = "{path}"' for player, path in (folders or {}).items()]
    top = f'name = "A night in tests"\ndate = 2026-11-21\nseed = "2a"\n{lines}\n'
    ports = f"[ports]\npages = {pages}\nregister = {register}\n"
    tokens = f'[tokens]\ncontrol = "{CONTROL}"\nview = "{VIEW}"\n'
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join([top, ports, tokens, *entries])
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
    def studio_pid(self) -> int:
        family = descendants(self.process.pid)
        return next((pid for pid in family if b"server.app.studio.process" in command_of(pid)), 0)

    def wait_for_output(self, words: str) -> str:
        """Waits until a line with `words` is printed, and returns the first such line."""
        with self._printed:
            self._printed.wait_for(lambda: self._line(words) or not self._listener.is_alive(), SECONDS)
        line = self._line(words)
        assert line, f"the program never printed {words!r}, but:\n{self.text}"
        return line

    def wait_for_end(self) -> int:
        status = self.process.wait(SECONDS)
        self._listener.join(SECONDS)
        return status

    def interrupt(self) -> int:
        """Sends Ctrl-C to the whole process group, as a terminal does; returns the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait_for_end()

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
def kill_every_studio(terminal: Terminal) -> Iterator[None]:
    """Kills every studio that the program starts, as long as the `with` block runs."""
    is_over = threading.Event()

    def kill() -> None:
        while not is_over.wait(0.02):
            if studio := terminal.studio_pid:
                with suppress(ProcessLookupError):
                    os.kill(studio, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


HOST = "127.0.0.1"
AGAIN_SECONDS = 0.1
"""The time between two attempts to connect, and between two checks whether to stop."""


class RemoteBots:
    """Bots that register with their secrets and play in the `with` block. `wild` is the probability of an all-in."""

    def __init__(self, port: int, secrets: Mapping[str, str], *, wild: float = 0.1) -> None:
        self.refusals: dict[str, str] = {}
        """The reason why each bot's last registration was refused."""
        self._port = port
        self._secrets = secrets
        self._wild = wild
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "RemoteBots":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._calls.cancel)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        self._calls = self._loop.create_task(self._call_all())
        self._loop.run_until_complete(asyncio.wait([self._calls]))

    async def _call_all(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for name, secret in self._secrets.items():
                tasks.create_task(self._call(name, secret))

    async def _call(self, name: str, secret: str) -> None:
        while True:
            try:
                port = await register(HOST, self._port, name, secret=secret)
                await self._play(port)
            except RegistrationRefused as refusal:
                self.refusals[name] = str(refusal)
            except (OSError, TimeoutError, ValueError):
                pass  # the tournament may just have been killed
            await asyncio.sleep(AGAIN_SECONDS)

    async def _play(self, port: int) -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            while line := await reader.readline():
                message = json.loads(line)
                if message["command"] == "request_action":
                    writer.write(json.dumps({"command": "take_action", **decide(message, self._wild)}).encode())
        finally:
            writer.close()


def decide(message: dict[str, Any], wild: float) -> dict[str, Any]:
    """Chooses the action for a request: all-in with the probability `wild`."""
    keys = ("hand", "community_cards", "game_number", "hand_number", "round_number", "highest_bid_value")
    dice = random.Random(json.dumps([message[key] for key in keys]))
    if dice.random() < wild:
        return {"action": "raise", "raise_amount": message["highest_bid_value"] + 5000}
    return {"action": "fold" if dice.random() < 0.3 else "call"}


class Operator:
    """Ann, an operator who sends the desk's requests. `address` is the printed address of the desk, with its token."""

    def __init__(self, address: str) -> None:
        base, _, token = address.partition("/control?token=")
        self._web = httpx.Client(base_url=base, headers={"Origin": base}, timeout=SECONDS)
        self._base = base
        entered = self._web.get("/control", params={"token": token})
        assert entered.status_code == 303, entered.text

    def __enter__(self) -> "Operator":
        return self

    def __exit__(self, *_: object) -> None:
        self._web.close()

    def set(self, control: str, value: bool | float | str, bot: int = 0) -> str:
        return self._post("set", {"control": control, "value": value, "bot": bot})

    def undo(self) -> str:
        return self._post("undo", {})

    def read_page(self, path: str) -> str:
        return self._web.get(path).raise_for_status().text

    def wait_until(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Waits until `condition` is true for the desk's state; returns the state."""
        cookies = "; ".join(f"{key}={value}" for key, value in self._web.cookies.items())
        with connect(
            f"ws{self._base.removeprefix('http')}/ws/desk?name=Ann",
            origin=Origin(self._base),
            additional_headers={"Cookie": cookies},
            max_queue=None,
            open_timeout=SECONDS,
        ) as socket:
            deadline = time.monotonic() + SECONDS
            while not condition(state := json.loads(socket.recv(SECONDS))):
                assert time.monotonic() < deadline, f"the desk never showed what was expected, but at last {state}"
            return dict(state)

    def wait_for_bots(self, count: int) -> None:
        """Waits until the lights of exactly `count` bots show that they are connected."""
        self.wait_until(
            lambda desk: len([1 for light in desk["lights"] if light["bot"] and light["colour"] == "green"]) == count
        )

    def _post(self, action: str, fields: dict[str, Any]) -> str:
        reply = self._web.post(f"/api/desk/{action}", json={**fields, "operator": "Ann"}).json()
        return str(reply.get("said", reply.get("error")))


class Viewer:
    """Watches the show as a page does, checks that no entry is missing, and reconnects when the connection is lost."""

    def __init__(self, base: str) -> None:
        self.epoch = ""
        self.seq = 0
        self.gaps: list[str] = []
        self.troubles: list[str] = []
        """The messages on air: each tells why the game waits, or is "" if the game continues."""
        self._address = f"ws{base.removeprefix('http')}/ws/show"
        self._changed = threading.Condition()
        self._complete_at: dict[str, float] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Viewer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(SECONDS)

    @property
    def run_count(self) -> int:
        """In how many runs (epochs) of the show the viewer has received the whole state."""
        return len(self._complete_at)

    def wait_for_run(self, number: int) -> float:
        """Waits for the whole state of run number `number`; returns the monotonic time when the state was complete."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._complete_at) >= number, SECONDS), (
                "the show has not come back in time"
            )
            return list(self._complete_at.values())[number - 1]

    def _watch(self) -> None:
        while not self._is_over.is_set():
            try:
                with connect(f"{self._address}?after={self.seq}&epoch={self.epoch}", open_timeout=2) as socket:
                    self._follow(socket)
            except (OSError, TimeoutError, WebSocketException):
                self._is_over.wait(AGAIN_SECONDS)

    def _follow(self, socket: ClientConnection) -> None:
        welcome = json.loads(socket.recv(SECONDS))
        if welcome["epoch"] != self.epoch:
            if self.epoch and not welcome["seq"]:
                self.gaps.append(f"{welcome['epoch']} begins with an empty picture")
            self.epoch, self.seq = welcome["epoch"], 0
        self._note_progress(welcome["seq"])
        while not self._is_over.is_set():
            try:
                message = json.loads(socket.recv(AGAIN_SECONDS))
            except TimeoutError:
                continue
            except ConnectionClosed:
                return
            if message["type"] != "snapshot" and message["seq"] != self.seq + 1:
                self.gaps.append(f"{message['seq']} after {self.seq} of {self.epoch}")
            if message["type"] == "trouble_shown":
                self.troubles.append(message["text"])
            self.seq = message["seq"]
            self._note_progress(welcome["seq"])

    def _note_progress(self, seq: int) -> None:
        with self._changed:
            if self.seq >= seq:
                self._complete_at.setdefault(self.epoch, time.monotonic())
            self._changed.notify_all()
