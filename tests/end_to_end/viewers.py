"""Clients of an evening: an operator who has no browser, and a viewer that checks that no entry is missing."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
from websockets import ConnectionClosed, Origin, WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.support.program import SECONDS

AGAIN_SECONDS = 0.1
"""The time between two attempts to connect, and between two checks whether to stop."""


class Operator:
    """An operator who sends the desk's requests. `address` is the printed address of the desk, with its token."""

    def __init__(self, address: str, name: str = "Ann") -> None:
        base, _, token = address.partition("/control?token=")
        self._web = httpx.Client(base_url=base, headers={"Origin": base}, timeout=SECONDS)
        self._base = base
        self._name = name
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

    def page(self, path: str) -> str:
        return self._web.get(path).raise_for_status().text

    def sees(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Waits until `holds` is true for the desk's state; returns the state."""
        cookies = "; ".join(f"{key}={value}" for key, value in self._web.cookies.items())
        with connect(
            f"ws{self._base.removeprefix('http')}/ws/desk?name={self._name}",
            origin=Origin(self._base),
            additional_headers={"Cookie": cookies},
            max_queue=None,
            open_timeout=SECONDS,
        ) as socket:
            until = time.monotonic() + SECONDS
            while not holds(state := json.loads(socket.recv(SECONDS))):
                assert time.monotonic() < until, f"the desk never showed what was expected; its last state is {state}"
            return dict(state)

    def sees_bots(self, count: int) -> None:
        """Waits until the lights of exactly `count` bots show that they are connected."""
        self.sees(lambda desk: sum(each["bot"] and each["colour"] == "green" for each in desk["lights"]) == count)

    def _post(self, what: str, wish: dict[str, Any]) -> str:
        answer = self._web.post(f"/api/desk/{what}", json={**wish, "operator": self._name}).json()
        return str(answer.get("said", answer.get("error")))


class Viewer:
    """Watches the show as a page does, checks that no entry is missing, and reconnects when the connection is lost."""

    def __init__(self, base: str) -> None:
        self.epoch = ""
        self.seq = 0
        self.gaps: list[str] = []
        self.troubles: list[str] = []
        """The messages on air that tell why the game waits, with "" for each time the game continued."""
        self._address = f"ws{base.removeprefix('http')}/ws/show"
        self._whole = threading.Condition()
        self._epochs: dict[str, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Viewer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(SECONDS)

    @property
    def lives(self) -> int:
        """The number of runs (epochs) of the show of which the viewer has received the whole state."""
        return len(self._epochs)

    def whole_at(self, lives: int) -> float:
        """Waits for the whole state of run number `lives`; returns the monotonic time when the state was complete."""
        with self._whole:
            assert self._whole.wait_for(lambda: len(self._epochs) >= lives, SECONDS), (
                "the show has not come back in time"
            )
            return list(self._epochs.values())[lives - 1]

    def _watch(self) -> None:
        while not self._over.is_set():
            try:
                with connect(f"{self._address}?after={self.seq}&epoch={self.epoch}", open_timeout=2) as socket:
                    self._follow(socket)
            except (OSError, TimeoutError, WebSocketException):
                self._over.wait(AGAIN_SECONDS)

    def _follow(self, socket: ClientConnection) -> None:
        welcome = json.loads(socket.recv(SECONDS))
        if welcome["epoch"] != self.epoch:
            if self.epoch and not welcome["seq"]:
                self.gaps.append(f"{welcome['epoch']} begins with an empty picture")
            self.epoch, self.seq = welcome["epoch"], 0
        self._look(welcome["seq"])
        while not self._over.is_set():
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
            self._look(welcome["seq"])

    def _look(self, wanted: int) -> None:
        with self._whole:
            if self.seq >= wanted:
                self._epochs.setdefault(self.epoch, time.monotonic())
            self._whole.notify_all()
