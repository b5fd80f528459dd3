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
from itertools import zip_longest
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.events import HandEnded
from tests.bench.common.scales import options, percentile
from tests.mcp.scripted_agent import WIRED, Answer, by_mcp, by_wire, played
from tests.support.ports import free_ports
from tests.support.program import serving_program, wait_until

GAME_HANDS = 24
SHARE_MS = 20.0
"""The goal for our share of a turn, at its 99th percentile."""
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


async def compare(contest: str, hands: int) -> tuple[int, int, int]:
    """Plays games of at least `hands` hands in all; returns the numbers of hands, decisions and differences."""
    dealt, decided, different, game = 0, 0, 0, 0
    while dealt < hands:
        decisions, seed = list[Answer](), game.to_bytes(32, "big")
        events = await played(contest, by_mcp(contest, decisions), GAME_HANDS, seed)
        same = await played(contest, by_wire(contest, decisions), GAME_HANDS, seed)
        dealt += sum(isinstance(event, HandEnded) for event in events)
        different += sum(mine != theirs for mine, theirs in zip_longest(events, same))
        decided, game = decided + len(decisions), game + 1
    return dealt, decided, different


class Caller:
    """A client that calls tools from an address of its own, over one connection.

    The kernel says when an answer has arrived, so that it does not matter how long this thread waits for a processor.
    """

    def __init__(self, port: int, number: int) -> None:
        self._host = f"{HOST}:{port}"
        source = f"127.2.{number // 200}.{number % 200 + 1}"
        self._socket = socket.create_connection((HOST, port), source_address=(source, 0))
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
"""Gets the name of a measurement and its milliseconds."""


def play(caller: Caller, keep: Keep) -> None:
    """Joins one game after the other, and calls or checks in all."""
    while True:
        secret = caller.call("join", name="Oracle", seats=2)[0].get("secret")
        over = not secret
        while not over:
            situation, waited = caller.call("wait_for_turn", secret=secret)
            over = situation.get("game_over", False)
            if situation["your_turn"]:
                keep("a turn until it is told", min(waited, QUICK_DRAW.think_ms - situation["time_left_ms"]))
                time.sleep(PAUSE_SECONDS)
                action = situation["legal"][1]["action"]
                keep("act", caller.call("act", secret=secret, state=situation["state"], action=action)[1])


def echo(caller: Caller, keep: Keep) -> None:
    """Calls the floor's tool once a second."""
    while True:
        time.sleep(1.0)
        keep(FLOOR, caller.call("echo", text="raise to 300")[1])


def crowd(port: int, floor: int, agents: int) -> dict[str, list[float]]:
    """Lets `agents` play at `port`, and clients call the floor; returns each measurement's milliseconds."""
    times, ended, began = dict[str, list[float]](), threading.Event(), time.monotonic()
    callers, failures = list[Caller](), list[Exception]()

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

    for number in range(agents):
        threading.Thread(target=work, args=(play, port, number), daemon=True).start()
    for number in range(FLOOR_CALLERS):
        threading.Thread(target=work, args=(echo, floor, number), daemon=True).start()
    time.sleep(WARM_SECONDS + SECONDS)
    ended.set()
    for caller in callers:
        caller.close()
    if failures:
        raise RuntimeError(f"{len(failures)} agents have failed") from failures[0]
    return times


def serve_floor(port: int) -> None:
    server = MCPServer("echo", log_level="ERROR")

    @server.tool(structured_output=True)
    def echo(text: str) -> dict[str, Any]:
        return {"text": text}

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(app, host=HOST, port=port, log_level="error")


def is_served(port: int) -> bool:
    with socket.socket() as line:
        return not line.connect_ex((HOST, port))


def main(hands: int, agents: int) -> int:
    different = 0
    for contest in WIRED:
        dealt, decided, differing = asyncio.run(compare(contest, -(-hands // len(WIRED))))
        print(f"| {contest} | {dealt} hands, {decided} decisions | {differing} events differ; goal: 0 |", flush=True)
        different += differing
    (port,) = free_ports(1)
    floor = multiprocessing.Process(target=serve_floor, args=(port,), daemon=True)
    floor.start()
    with tempfile.TemporaryDirectory() as data, serving_program("practice", "--data", data) as program:
        wait_until(lambda: is_served(port), lambda: "the floor does not answer")
        times = crowd(program.port, port, agents)
    floor.terminate()
    p99 = {name: percentile(each, 99) for name, each in times.items()}
    for name, each in times.items():
        print(f"| {agents} agents: {name} | {len(each)} | p50 {percentile(each, 50):.1f} ms | p99 {p99[name]:.1f} ms |")
    share = max(each for name, each in p99.items() if name != FLOOR)
    print(f"p99 of our share of a turn: {share:.1f} ms, {share / p99[FLOOR]:.1f}x the floor; goal: {SHARE_MS:g} ms")
    return int(different > 0 or share > SHARE_MS)


if __name__ == "__main__":
    flags = options(__doc__, hands=1000, agents=100)
    sys.exit(main(flags.hands, flags.agents))
