"""Remote bots that answer at once, and reconnect after the tournament was killed.

Decisions depend only on requests, so a bot that gets the same request again makes the same decision.
"""

import asyncio
import json
import random
import threading
from collections.abc import Mapping
from typing import Any

from server.contests.quick_draw.venue.house import TurnedAway, register

HOST = "127.0.0.1"
AGAIN_SECONDS = 0.1


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
            except TurnedAway as refusal:
                self.refusals[name] = str(refusal)
            except (OSError, TimeoutError, ValueError):
                pass  # the tournament has just been killed
            await asyncio.sleep(AGAIN_SECONDS)

    async def _play(self, port: int) -> None:
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            while line := await reader.readline():
                message = json.loads(line)
                if message["command"] == "request_action":
                    writer.write(json.dumps({"command": "take_action", **choice(message, self._wild)}).encode())
        finally:
            writer.close()


def choice(message: dict[str, Any], wild: float) -> dict[str, Any]:
    """Chooses the action for a request: all-in with the probability `wild`."""
    seen = ("hand", "community_cards", "game_number", "hand_number", "round_number", "highest_bid_value")
    dice = random.Random(json.dumps([message[key] for key in seen]))
    if dice.random() < wild:
        return {"action": "raise", "raise_amount": message["highest_bid_value"] + 5000}
    return {"action": "fold" if dice.random() < 0.3 else "call"}
