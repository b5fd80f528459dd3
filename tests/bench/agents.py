"""Do agents by MCP play the games that other bots play, and how long does our part of a turn take with a hundred?

A thousand hands in four contests' rules are compared, event for event, with the same decisions by the contests' own
wires. Our share of a turn is the time of a call of `act`; the peer is a tool of the same SDK that echoes its argument.
"""

import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import httpx
import uvicorn
from mcp.server.mcpserver import MCPServer

from server.game.events import Event, HandEnded
from tests.bench.common.scales import options, print_machine
from tests.mcp.scripted_agent import Answer
from tests.mcp.wires import BY_WIRE, by_mcp, played
from tests.support.ports import free_ports
from tests.support.program import serving_program

GAME_HANDS = 24
SHARE_MS = 20.0
"""The goal for our share of a turn, at its 99th percentile."""
HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}
PAUSE_SECONDS = 2.0
"""How long each agent thinks before it acts."""
WARM_SECONDS, SECONDS = 20.0, 40.0
"""How long the agents play before their calls are timed, and how long after that."""
HOST = "127.0.0.1"


def differences(one: list[Event], other: list[Event]) -> int:
    """How many events differ between two games."""
    return sum(mine != theirs for mine, theirs in zip(one, other, strict=False)) + abs(len(one) - len(other))


async def compare(contest: str, hands: int) -> tuple[int, int, int]:
    """Plays games of at least `hands` hands in all; returns the numbers of hands, decisions and differences."""
    dealt, decided, different, game = 0, 0, 0, 0
    while dealt < hands:
        decisions, seed = list[Answer](), game.to_bytes(32, "big")
        events = await played(contest, by_mcp(contest, decisions), GAME_HANDS, seed)
        same = await played(contest, BY_WIRE[contest](decisions), GAME_HANDS, seed)
        dealt += sum(isinstance(event, HandEnded) for event in events)
        decided, different, game = decided + len(decisions), different + differences(events, same), game + 1
    return dealt, decided, different


class Caller:
    """A client that calls tools from an address of its own, and keeps the times of some calls in milliseconds."""

    def __init__(self, base: str, number: int, times: list[float]) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=f"127.2.0.{number + 1}")
        self.http = httpx.AsyncClient(base_url=base, headers=HEADERS, timeout=60.0, transport=transport)
        self._times = times

    async def call(self, tool: str, *, timed: bool = False, **arguments: object) -> Answer:
        """Calls a tool; returns its answer, or {} if it has refused."""
        params = {"name": tool, "arguments": arguments}
        began = time.perf_counter()
        reply = await self.http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        if timed:
            self._times.append((time.perf_counter() - began) * 1000)
        result: Answer = reply.raise_for_status().json()["result"]
        return {} if result.get("isError") else result["structuredContent"]


async def play(caller: Caller) -> None:
    """Joins one game after the other, and calls or checks in all."""
    while True:
        secret = (await caller.call("join", name="Oracle", seats=2)).get("secret")
        while secret and not (situation := await caller.call("wait_for_turn", secret=secret)).get("game_over"):
            if situation["your_turn"]:
                await asyncio.sleep(PAUSE_SECONDS)
                action = situation["legal"][1]["action"]
                await caller.call("act", timed=True, secret=secret, state=situation["state"], action=action)


async def echo(caller: Caller) -> None:
    """Calls the peer's tool as often as agents act and wait."""
    while True:
        await asyncio.sleep(PAUSE_SECONDS / 2)
        await caller.call("echo", timed=True, text="raise to 300")


async def crowd(base: str, agents: int, work: Callable[[Caller], Awaitable[None]]) -> list[float]:
    """Lets `agents` work at once; returns the times of their calls in milliseconds, sorted."""
    times: list[float] = []
    callers = [Caller(base, number, times) for number in range(agents)]

    async def arrive(number: int, caller: Caller) -> None:
        await asyncio.sleep(number * WARM_SECONDS / agents / 2)  # not all at the same moment
        await work(caller)

    tasks = [asyncio.create_task(arrive(number, caller)) for number, caller in enumerate(callers)]
    await asyncio.wait(tasks, timeout=WARM_SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    times.clear()
    await asyncio.wait(tasks, timeout=SECONDS, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if not isinstance(ended, asyncio.CancelledError):
            raise RuntimeError("an agent has failed") from ended
    for caller in callers:
        await caller.http.aclose()
    return sorted(times)


def serve_peer(port: int) -> None:
    """Serves a tool that echoes its argument."""
    server = MCPServer("echo", log_level="ERROR")

    @server.tool(structured_output=True)
    def echo(text: str) -> dict[str, Any]:
        return {"text": text}

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(app, host=HOST, port=port, log_level="error")


async def until_served(port: int) -> None:
    while True:
        with suppress(ConnectionRefusedError):
            _, writer = await asyncio.open_connection(HOST, port)
            writer.close()
            return
        await asyncio.sleep(0.1)


def at(share: float, times: list[float]) -> float:
    return times[min(len(times) - 1, int(share * len(times)))]


def main() -> int:
    flags = options(__doc__, hands=1000, agents=100)
    agents, different = flags.agents, 0
    print_machine()
    for contest in BY_WIRE:
        dealt, decided, differing = asyncio.run(compare(contest, -(-flags.hands // len(BY_WIRE))))
        print(f"| {contest} | {dealt} hands, {decided} decisions | {differing} events differ; goal: 0 |", flush=True)
        different += differing
    with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as program:
        ours = asyncio.run(crowd(program.base, agents, play))
    (port,) = free_ports(1)
    peer = multiprocessing.Process(target=serve_peer, args=(port,), daemon=True)
    peer.start()
    asyncio.run(until_served(port))
    theirs = asyncio.run(crowd(f"http://{HOST}:{port}", agents, echo))
    peer.terminate()
    for name, times in (("act", ours), ("the peer", theirs)):
        spread = f"p50 {at(0.5, times):.1f} ms | p99 {at(0.99, times):.1f} ms"
        print(f"| {agents} agents: {name} | {len(times)} calls | {spread} |", flush=True)
    share = at(0.99, ours)
    print(
        f"p99 of our share of a turn: {share:.1f} ms, {share / at(0.99, theirs):.2f}x the peer; goal: {SHARE_MS:g} ms"
    )
    return int(different > 0 or share > SHARE_MS)


if __name__ == "__main__":
    sys.exit(main())
