"""Holds an evening (a tournament and its show) as organisers do, with remote bots, viewers and an operator."""

import asyncio
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import httpx
from msgspec import Struct
from websockets import ClientConnection, ConnectionClosed, Origin, WebSocketException
from websockets import connect as connect_async
from websockets.sync.client import connect

from server.bots.sandbox.process_tree import descendants
from server.contests.quick_draw.venue.house import RegistrationRefused, register
from server.game.events import ActionTaken, Event
from server.journal.journal import Entry, read_journal
from server.verify.claims import Proof
from server.verify.recording import verify
from tests.support.background import BackgroundService, background_task
from tests.support.event_schema import schema_faults
from tests.support.ports import free_ports
from tests.support.program import POLL_SECONDS, ROOT, SECONDS, Program, command_of, wait_until

CONTROL = "control-of-the-evening"
VIEW = "only-to-look-at-the-evening"
NAMES = ("Ada", "Babbage", "Curry", "Dijkstra", "Erlang", "Floyd", "Gosper")  # the names of the remote bots


class EventFolder(Struct, frozen=True):
    """The folder of an evening. `file` has the settings. `pages` and `register` are two ports of the server."""

    file: Path
    pages: int
    register: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.pages}"

    @property
    def data(self) -> Path:
        return self.file.parent / "data"

    @property
    def journal(self) -> Path:
        return self.data / "recordings" / "2026-11-21-a-night-in-tests.jsonl"

    @property
    def entries(self) -> Sequence[Entry]:
        return read_journal(self.journal).entries

    @property
    def events(self) -> Sequence[Event]:
        return [entry.event for entry in self.entries]

    def register_bot(self, name: str, secret: str = "") -> tuple[int, str]:
        """Registers a bot, by default with its own secret. Returns the HTTP status and the reason for any refusal."""
        fields = {"name": name, "secret": secret or secrets_of([name])[name]}
        response = httpx.post(f"http://127.0.0.1:{self.register}/register", json=fields, timeout=SECONDS)
        return response.status_code, response.json().get("error", "")

    def verify_recording(self) -> Proof:
        """Verifies the recording of the evening. Fails if the evening is not finished, or if a bot had a fault."""
        assert not [event for event in self.events if isinstance(event, ActionTaken) and event.fault]
        proof = verify(self.entries)
        assert proof.finished
        return proof


def write_evening(
    folder: Path, remote: Iterable[str], folders: Mapping[str, Path] | None = None, *, lines: str = 'start = "bots"'
) -> EventFolder:
    """Writes an event file, with the settings `lines` at its top.

    `remote` names the remote bots, whose secrets `secrets_of` returns. `folders` maps the name of each other player to
    the folder of the player's bot.
    """
    pages, register = free_ports(2)
    entries = [
        f'[[entries]]\nplayer = "{name} Senior"\nremote = true\nbot = "{name}"\nsecret = "{secret}"'
        for name, secret in secrets_of(remote).items()
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


def secrets_of(names: Iterable[str]) -> dict[str, str]:
    """Returns the secret with which each remote bot registers."""
    return {name: f"a-secret-of-its-own-{name}" for name in names}


class Terminal:
    """One run of `highnoon`. The end of the `with` block kills this program and all processes that it has started."""

    def __init__(self, *words: str | Path, cwd: Path = ROOT, prefix: Sequence[str] = ()) -> None:
        """Starts `highnoon` with the arguments `words`. `prefix`, such as a call of strace, begins the command line."""
        self.lines: list[str] = []
        command = (*prefix, sys.executable, "-m", "server")
        self.process = Program(*map(str, words), command=command, cwd=cwd, session=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.kill_everything()
        if kind:
            print(self.text)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def address(self) -> str:
        """Waits for the address of the control desk (the operator's page). Returns the address, with its token."""
        return self.wait_for_output("control desk").split()[2]

    @property
    def studio_pid(self) -> int:
        processes = descendants(self.process.pid)
        return next((pid for pid in processes if b"server.app.studio.process" in command_of(pid)), 0)

    def wait_for_output(self, words: str) -> str:
        """Waits until a line with `words` is printed, and returns the first such line."""

        def find_line() -> str:
            return next((line for line in self.lines if words in line), "")

        wait_until(lambda: find_line() or not self._listener.is_alive(), lambda: self.text, POLL_SECONDS)
        assert find_line(), f"the program never printed {words!r}. It printed:\n{self.text}"
        return find_line()

    def wait_for_end(self) -> int:
        status = self.process.wait(SECONDS)
        self._listener.join(SECONDS)
        return status

    def interrupt(self) -> int:
        """Sends Ctrl-C to the whole process group, as a terminal does. Returns the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait_for_end()

    def kill_everything(self) -> None:
        """Kills the program and all processes that it has started, as a power failure would."""
        processes = [self.process.pid, *descendants(self.process.pid)] if self.process.poll() is None else []
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.wait_for_end()
        self.process.close()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))


def tournament(folder: EventFolder, *options: str, prefix: Sequence[str] = ()) -> Terminal:
    """Starts `highnoon tournament event.toml` with these `options`, by default at speed 0 (as fast as possible)."""
    return Terminal("tournament", folder.file, *(options or ("--speed", "0")), prefix=prefix)


@contextmanager
def kill_every_studio(terminal: Terminal) -> Iterator[None]:
    """Kills every studio (the show's process) that the program starts, until the `with` block ends."""
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
RETRY_SECONDS = 0.1
"""The time between two attempts to connect."""


class RemoteBots(BackgroundService):
    """Bots that register as soon as the program listens, and play until the program or the `with` block ends.

    Each action is all-in with probability `all_in_rate`. With `reconnect`, a bot registers again when disconnected.
    """

    def __init__(self, port: int, names: Iterable[str], *, all_in_rate: float = 0.1, reconnect: bool = False) -> None:
        self._port = port
        self._names = names
        self._all_in_rate = all_in_rate
        self._reconnect = reconnect

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as tasks:
            bots = [tasks.create_task(self._call(*each)) for each in secrets_of(self._names).items()]
            yield
            for bot in bots:
                bot.cancel()

    async def _call(self, name: str, secret: str) -> None:
        while True:
            try:
                port = await register(HOST, self._port, name, secret=secret)
                await play_remotely(port, self._all_in_rate)
                if not self._reconnect:
                    return
            except (RegistrationRefused, OSError) as error:
                if not self._reconnect and str(error) != "no connection to its server":
                    raise
            await asyncio.sleep(RETRY_SECONDS)


async def play_remotely(port: int, all_in_rate: float) -> None:
    """Plays as a bot on this `port` until the connection ends. Each action is all-in with probability `all_in_rate`."""
    reader, writer = await asyncio.open_connection(HOST, port)
    with closing(writer), suppress(ConnectionError):
        while (line := await reader.readline()).endswith(b"\n"):  # A killed program may leave half a line.
            message = json.loads(line)
            if message["command"] == "request_action":
                writer.write(json.dumps({"command": "take_action", **decide(message, all_in_rate)}).encode())


def decide(message: dict[str, Any], all_in_rate: float) -> dict[str, Any]:
    """Returns the action for a request: all-in with probability `all_in_rate`. Equal requests get equal actions."""
    keys = ("hand", "community_cards", "game_number", "hand_number", "round_number", "highest_bid_value")
    dice = random.Random(json.dumps([message[key] for key in keys]))
    if dice.random() < all_in_rate:
        return {"action": "raise", "raise_amount": message["highest_bid_value"] + 5000}
    return {"action": "fold" if dice.random() < 0.3 else "call"}


class Operator(httpx.Client):
    """Ann, an operator. She sends the same requests as the control desk. The desk's `address` contains her token."""

    def __init__(self, address: str) -> None:
        self._base, _, self._token = address.partition("/control?token=")
        super().__init__(base_url=self._base, headers={"Origin": self._base}, timeout=SECONDS)

    def __enter__(self) -> Self:
        response = super().__enter__().get("/control", params={"token": self._token})
        assert response.status_code == 303, response.text
        return self

    def set(self, control: str, value: bool | float | str) -> str:
        return self._post("set", {"control": control, "value": value})

    def undo(self) -> str:
        return self._post("undo", {})

    def wait_until(self, condition: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Waits until `condition` is true for the desk's state. Returns the state."""
        cookies = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        with connect(
            f"ws{self._base.removeprefix('http')}/ws/desk?name=Ann",
            origin=Origin(self._base),
            additional_headers={"Cookie": cookies},
            max_queue=None,
            open_timeout=SECONDS,
        ) as socket:
            deadline = time.monotonic() + SECONDS
            while not condition(state := json.loads(socket.recv(SECONDS))):
                assert time.monotonic() < deadline, f"the desk never showed what was expected. It shows {state}"
            return dict(state)

    def wait_for_bots(self, count: int) -> None:
        """Waits until the desk's lights show exactly `count` bots as connected."""
        self.wait_until(
            lambda desk: len([1 for light in desk["lights"] if light["bot"] and light["colour"] == "green"]) == count
        )

    def _post(self, action: str, fields: dict[str, Any]) -> str:
        reply = self.post(f"/api/desk/{action}", json={**fields, "operator": "Ann"}).json()
        return str(reply.get("said", reply.get("error")))


class Viewer(BackgroundService):
    """Watches the show as a page does, notes missing entries in `gaps`, and reconnects after a lost connection."""

    def __init__(self, base: str) -> None:
        self.epoch, self.seq = "", 0
        self.gaps: list[str] = []
        self.troubles: list[str] = []
        """The texts on air that say why the game waits. The text "" says that the game continues."""
        self._address = f"ws{base.removeprefix('http')}/ws/show"
        self._complete_at: dict[str, float] = {}
        """For each run (epoch) of the show, the monotonic time at which the viewer first had the whole state."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with background_task(self._watch()):
            yield

    @property
    def run_count(self) -> int:
        """The number of runs of the show in which the viewer has received the whole state."""
        return len(self._complete_at)

    def wait_for_run(self, number: int) -> float:
        """Waits for the whole state of the show's run `number`. Returns the monotonic time at which it was complete."""
        wait_until(lambda: self.run_count >= number, lambda: "the show has not come back in time", POLL_SECONDS)
        return list(self._complete_at.values())[number - 1]

    async def _watch(self) -> None:
        while True:
            try:
                async with connect_async(
                    f"{self._address}?after={self.seq}&epoch={self.epoch}", open_timeout=2
                ) as socket:
                    await self._follow(socket)
            except (OSError, WebSocketException):
                await asyncio.sleep(RETRY_SECONDS)

    async def _follow(self, socket: ClientConnection) -> None:
        welcome = json.loads(await socket.recv())
        if welcome["epoch"] != self.epoch:
            if self.epoch and not welcome["seq"]:
                self.gaps.append(f"{welcome['epoch']} begins with an empty picture")
            self.epoch, self.seq = welcome["epoch"], 0
        self._note_progress(welcome["seq"])
        with suppress(ConnectionClosed):
            async for text in socket:
                message = json.loads(text)
                is_next = message["seq"] == self.seq + (message["type"] != "heartbeat")
                if message["type"] != "snapshot" and not is_next:
                    self.gaps.append(f"{message['seq']} after {self.seq} of {self.epoch}")
                if message["type"] == "trouble_shown":
                    self.troubles.append(message["text"])
                self.seq = message["seq"]
                self._note_progress(welcome["seq"])

    def _note_progress(self, seq: int) -> None:
        """Notes the time at which the viewer first has all entries up to `seq` in this run."""
        if self.seq >= seq:
            self._complete_at.setdefault(self.epoch, time.monotonic())
