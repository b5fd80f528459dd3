"""Do agents over MCP play the same games as other bots, and how long is our part of a turn with a hundred agents?

A thousand hands under the rules of four contests are played twice with the same decisions, over MCP and over the
contests' own messages. All events are compared. Our share of a turn has two parts: the time of a call of `act`, and the
time from the moment when the agent must act until the answer that tells it so is made. The floor is measured at the
same time: a tool of the same SDK that echoes its argument, in a server that has little else to do. Linux only.
"""

import asyncio
import json
import multiprocessing
import re
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import Event, HandEnded
from tests.bench.common.scales import options, print_machine
from tests.mcp.scripted_agent import Answer
from tests.mcp.wires import WIRED, by_mcp, by_wire, played
from tests.support.ports import free_ports
from tests.support.program import serving_program

GAME_HANDS = 24
SHARE_MS = 20.0
"""The goal for our share of a turn, at its 99th percentile."""
THINK_MS = QUICK_DRAW.think_ms
HEAD = (
    "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n"
    "Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
)
LENGTH = re.compile(rb"content-length: (\d+)\r\n(?:.+\r\n)*\r\n", re.IGNORECASE)
SO_TIMESTAMPING, SOFTWARE_RECEIVES = 37, 1 << 3 | 1 << 4
"""Linux's option for the times at which bytes have arrived, by the kernel's clock."""
FLOOR, FLOOR_CALLERS = "the floor", 20
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
        same = await played(contest, by_wire(contest, decisions), GAME_HANDS, seed)
        dealt += sum(isinstance(event, HandEnded) for event in events)
        decided, different, game = decided + len(decisions), different + differences(events, same), game + 1
    return dealt, decided, different


class Caller:
    """A client that calls tools from an address of its own, over one connection.

    The kernel says when an answer has arrived, so that it does not matter how long this thread waits for a processor.
    """

    def __init__(self, port: int, number: int) -> None:
        self._host = f"{HOST}:{port}"
        self._socket = socket.create_connection(
            (HOST, port), source_address=(f"127.2.{number // 200}.{number % 200 + 1}", 0)
        )
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, SOFTWARE_RECEIVES)

    def call(self, tool: str, **arguments: object) -> tuple[Answer, float]:
        """Calls a tool; returns its answer, {} if it has refused, and the milliseconds until all of it had arrived."""
        params = {"name": tool, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        request = HEAD.format(host=self._host, length=len(body)).encode() + body
        received, arrived, whole = b"", 0.0, -1
        sent = time.time()
        self._socket.sendall(request)
        while len(received) != whole:
            piece, (stamp,), *_ = self._socket.recvmsg(65536, 256)
            received += piece
            seconds, nanoseconds = struct.unpack_from("qq", stamp[2])
            arrived = seconds + nanoseconds / 1e9
            if whole < 0 and (found := LENGTH.search(received)):
                whole = found.end() + int(found[1])
        result: Answer = json.loads(received.partition(b"\r\n\r\n")[2])["result"]
        return {} if result.get("isError") else result["structuredContent"], (arrived - sent) * 1000

    def close(self) -> None:
        """Ends the connection, even while a call waits for its answer."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)


Keep = Callable[[str, float], None]
"""Is called with the name of a measurement and its milliseconds."""


def play(caller: Caller, keep: Keep) -> None:
    """Joins one game after the other, and calls or checks in all."""
    while True:
        secret = caller.call("join", name="Oracle", seats=2)[0].get("secret")
        over = not secret
        while not over:
            situation, waited = caller.call("wait_for_turn", secret=secret)
            over = situation.get("game_over", False)
            if situation["your_turn"]:
                keep("a turn until it is told", min(waited, THINK_MS - situation["time_left_ms"]))
                time.sleep(PAUSE_SECONDS)
                action = situation["legal"][1]["action"]
                keep("act", caller.call("act", secret=secret, state=situation["state"], action=action)[1])


def echo(caller: Caller, keep: Keep) -> None:
    """Calls the floor's tool once a second."""
    while True:
        time.sleep(1.0)
        keep(FLOOR, caller.call("echo", text="raise to 300")[1])


def crowd(port: int, floor: int, agents: int) -> dict[str, list[float]]:
    """Lets `agents` play at `port`, and clients call the floor; returns each measurement's milliseconds, sorted."""
    times: dict[str, list[float]] = {}
    ended, began = threading.Event(), time.monotonic()
    failures = list[Exception]()

    def keep(what: str, milliseconds: float) -> None:
        if time.monotonic() > began + WARM_SECONDS:
            times.setdefault(what, []).append(milliseconds)

    def work(does: Callable[[Caller, Keep], None], there: int, number: int) -> None:
        time.sleep(number * WARM_SECONDS / agents / 2)  # not all at the same moment
        try:
            callers.append(caller := Caller(there, number))
            does(caller, keep)
        except Exception as failure:
            if not ended.is_set():
                failures.append(failure)

    callers = list[Caller]()
    at_work = [*((play, port, number) for number in range(agents)), *((echo, floor, at) for at in range(FLOOR_CALLERS))]
    for each in at_work:
        threading.Thread(target=work, args=each, daemon=True).start()
    time.sleep(WARM_SECONDS + SECONDS)
    ended.set()
    for caller in callers:
        caller.close()
    if failures:
        raise RuntimeError(f"{len(failures)} agents have failed") from failures[0]
    return {what: sorted(each) for what, each in times.items()}


def serve_floor(port: int) -> None:
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
    for contest in WIRED:
        dealt, decided, differing = asyncio.run(compare(contest, -(-flags.hands // len(WIRED))))
        print(f"| {contest} | {dealt} hands, {decided} decisions | {differing} events differ; goal: 0 |", flush=True)
        different += differing
    (port,) = free_ports(1)
    floor = multiprocessing.Process(target=serve_floor, args=(port,), daemon=True)
    floor.start()
    asyncio.run(until_served(port))
    with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as program:
        times = crowd(int(program.base.rpartition(":")[2]), port, agents)
    floor.terminate()
    for name, each in times.items():
        print(f"| {agents} agents: {name} | {len(each)} | p50 {at(0.5, each):.1f} ms | p99 {at(0.99, each):.1f} ms |")
    share = max(at(0.99, each) for name, each in times.items() if name != FLOOR)
    beside = share / at(0.99, times[FLOOR])
    print(f"p99 of our share of a turn: {share:.1f} ms, {beside:.1f}x the floor; goal: {SHARE_MS:g} ms")
    return int(different > 0 or share > SHARE_MS)


if __name__ == "__main__":
    sys.exit(main())
