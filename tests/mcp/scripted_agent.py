"""An agent without a model: it uses the tools through the official MCP client, and a function chooses its actions."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import TextContent

Answer = dict[str, Any]
Choose = Callable[[Answer], Answer]
"""Gets the answer of wait_for_turn at the agent's turn; returns the arguments of `act`."""


class ToolRefused(Exception):
    """A tool has answered with an error; the text is its sentence."""


class Agent:
    """A connected agent. `heard` has all answers, as text."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.secret = ""
        self.heard: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Calls a tool; returns its structured answer. Raises ToolRefused."""
        answer = await self.client.call_tool(tool, arguments)
        (content,) = answer.content
        assert isinstance(content, TextContent)
        self.heard.append(content.text)
        if answer.is_error:
            raise ToolRefused(content.text)
        assert json.loads(content.text) == answer.structured_content, "both forms must say the same"
        return dict(answer.structured_content)

    async def join(self, name: str = "Oracle", **wishes: Any) -> Answer:
        joined = await self.call("join", name=name, **wishes)
        self.secret = joined["secret"]
        return joined

    async def wait(self) -> Answer:
        return await self.call("wait_for_turn", secret=self.secret)

    async def wait_until_asked(self) -> Answer:
        while not (situation := await self.wait())["your_turn"]:
            assert "game_over" not in situation
        return situation

    async def act(self, situation: Answer, **action: Any) -> Answer:
        return await self.call("act", secret=self.secret, state=situation["state"], **action)

    async def play(self, choose: Choose) -> list[Answer]:
        """Plays to the end of the game; returns all answers to wait_for_turn."""
        answers = []
        while True:
            answers.append(situation := await self.wait())
            if situation.get("game_over"):
                return answers
            if situation["your_turn"]:
                await self.act(situation, **choose(situation))


@asynccontextmanager
async def agent_at(server: str | StdioServerParameters) -> AsyncIterator[Agent]:
    """An agent connected to a server's address, or to a program that it starts."""
    async with Client(f"{server}/mcp" if isinstance(server, str) else server) as client:
        yield Agent(client)


async def sent_call(base: str, tool: str, **arguments: Any) -> asyncio.StreamWriter:
    """Calls a tool without the client; returns the connection, on which the answer has yet to come."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    body, (host, _, port) = json.dumps(call).encode(), base.removeprefix("http://").partition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    about = f"Host: {host}:{port}\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
    writer.write(f"POST /mcp HTTP/1.1\r\n{about}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    await writer.drain()
    return writer


def legal(situation: Answer) -> dict[str, Answer]:
    return {move["action"]: move for move in situation["legal"]}


def call_or_check(situation: Answer) -> Answer:
    return {"action": "check" if "check" in legal(situation) else "call"}


def smallest_raise(situation: Answer) -> Answer:
    return {"action": "raise", "amount": legal(situation)["raise"]["min"]}
