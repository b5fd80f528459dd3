"""Defines the tools with which an agent plays by MCP: their arguments, descriptions and answers."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.types import Receive

from broadcast.web.client_disconnect import ClientDisconnected, cancel_on_disconnect
from server.app.mcp.admit_agents import Door, JoinRequest
from server.app.mcp.rules import rules_text
from server.app.mcp.seat import MAX_HANDS, WAIT_SECONDS, AgentRequestError, WrongSecret
from server.bots.bot import CHAT_SECONDS
from server.bots.dialects.agent import ActionName
from server.bots.dialects.messages import MAX_COST_DOLLARS, MAX_TOKENS, account_of
from server.text.names_and_chat import MAX_CHAT_CHARACTERS, MAX_THOUGHT_CHARACTERS, has_visible_text
from server.text.strict_json import JsonObject

WRONG_SECRET_PAUSE_SECONDS = 1.0
"""The answer to a wrong secret is delayed by this many seconds."""
_MAX_NUMBER = 10**15
Secret = Annotated[str, Meta(min_length=1, max_length=200, description="The secret that join returned.")]
Count = Annotated[int, Meta(ge=0, le=1000)]


class NoArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


class JoinArguments(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[
        str, Meta(min_length=1, max_length=200, description="Your name at the table, 30 characters at most.")
    ]
    contest: Annotated[str, Meta(max_length=40, description="The contest; leave it out for this server's own.")] = ""
    seats: Annotated[Count, Meta(description="For practice: the size of the table. 0 or left out: the usual size.")] = 0
    hands: Annotated[Count, Meta(description="For practice: the length of the game. 0 or left out: 24 hands.")] = 0
    secret: Annotated[
        str, Meta(max_length=200, description="To come back to your seat: its secret. In a tournament: your entry's.")
    ] = ""


class SeatArguments(Struct, frozen=True, forbid_unknown_fields=True):
    secret: Secret


class WaitArguments(SeatArguments, frozen=True, forbid_unknown_fields=True):
    heard: (
        Annotated[
            int,
            Meta(
                ge=0, le=_MAX_NUMBER, description="The number `heard` of the last answer that you got: no news is lost."
            ),
        ]
        | UnsetType
    ) = UNSET


class ActArguments(SeatArguments, frozen=True, forbid_unknown_fields=True):
    state: Annotated[int, Meta(ge=0, le=_MAX_NUMBER, description="The number `state` from wait_for_turn.")]
    action: Annotated[ActionName, Meta(description="One of the actions in `legal`.")]
    amount: (
        Annotated[
            int, Meta(ge=0, le=_MAX_NUMBER, description="For a raise: your total for this street, as in `legal`.")
        ]
        | UnsetType
    ) = UNSET
    thought: Annotated[
        str,
        Meta(
            max_length=2000, description=f"Why, in at most {MAX_THOUGHT_CHARACTERS} characters. Shown after the hand."
        ),
    ] = ""
    tokens: (
        Annotated[
            int, Meta(ge=0, le=MAX_TOKENS, description="With a thought: the tokens you used since your last one.")
        ]
        | UnsetType
    ) = UNSET
    cost: (
        Annotated[
            float, Meta(ge=0, le=MAX_COST_DOLLARS, description="With a thought: what these tokens cost, in dollars.")
        ]
        | UnsetType
    ) = UNSET


class ChatArguments(SeatArguments, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=2000, description=f"At most {MAX_CHAT_CHARACTERS} characters.")]


class Caller(Struct, frozen=True):
    """The caller of a tool. `client` is the client's address, and `base` is the server's address as the client sees it.

    `receive` is the ASGI function that reports when the client disconnects.
    """

    client: str
    base: str
    receive: Receive


class Tool(Struct, frozen=True):
    """A tool. `arguments` is the type of the tool's arguments, and `description` describes the tool to agents."""

    name: str
    arguments: type[Struct]
    description: str
    answer: Callable[[Any, Caller], Awaitable[object]]
    """A function that carries out a call. It takes the arguments and the caller, and returns a value that msgspec can
    encode. It raises AgentRequestError.
    """

    @property
    def schema(self) -> JsonObject:
        """Returns the JSON Schema of the arguments, without references to other schemas."""
        (reference,), parts = msgspec.json.schema_components([self.arguments], ref_template="{name}")
        schema = parts[reference["$ref"]]
        return {key: schema[key] for key in ("type", "properties", "required") if key in schema} | {
            "additionalProperties": False
        }


class Tools:
    """The tools of one server. `door` seats the agents that join."""

    def __init__(self, door: Door) -> None:
        self._door = door
        tools = (
            Tool("rules", NoArguments, "The rules of this contest, and how to join here.", self._rules),
            Tool(
                "join",
                JoinArguments,
                "Take a seat, or come back to yours. Returns the secret that all other tools need: keep it.",
                self._join,
            ),
            Tool(
                "wait_for_turn",
                WaitArguments,
                f"Wait until you must act; returns after at most {WAIT_SECONDS:g} s. With your_turn true: the table, "
                "your cards, the legal actions with their amounts, the time left, and the number `state`. Otherwise, "
                "call it again.",
                self._wait,
            ),
            Tool(
                "act", ActArguments, "Act, within the time left, on the `state` that wait_for_turn returned.", self._act
            ),
            Tool("chat", ChatArguments, f"Say something to the table; once in {CHAT_SECONDS:g} s.", self._chat),
            Tool(
                "history",
                SeatArguments,
                f"Your own latest hands, at most {MAX_HANDS}, with what you did.",
                self._history,
            ),
            Tool("leave", SeatArguments, "Give up your seat for good.", self._leave),
        )
        self.by_name = {tool.name: tool for tool in tools}
        """All tools by name."""

    async def call(self, name: str, arguments: dict[str, Any], caller: Caller) -> object:
        """Calls the tool called `name`. Raises AgentRequestError with a sentence for the agent."""
        tool = self.by_name.get(name)
        if tool is None:
            raise AgentRequestError(f"no such tool: {name[:40]!r}; choose one of {', '.join(self.by_name)}")
        try:
            parsed_arguments = msgspec.convert(arguments, tool.arguments)
        except msgspec.ValidationError as error:
            raise AgentRequestError(
                f"{name} cannot be called like this: {error}. Look at its schema, and call it again"
            ) from None
        try:
            return await tool.answer(parsed_arguments, caller)
        # Each connection can try only one secret at a time, so a pause after a wrong secret slows down guessing.
        except WrongSecret:
            await asyncio.sleep(WRONG_SECRET_PAUSE_SECONDS)
            raise

    async def _rules(self, arguments: NoArguments, caller: Caller) -> object:
        return {
            "rules": rules_text(self._door.contest.name, self._door.contest_format),
            "joining": self._door.joining_text,
        }

    async def _join(self, arguments: JoinArguments, caller: Caller) -> object:
        admitted = self._door.admit(
            JoinRequest(arguments.name, arguments.contest, arguments.seats, arguments.hands, arguments.secret),
            caller.client,
        )
        pages = {"watch_url": admitted.watch_url, "own_url": admitted.own_url}
        return {
            "name": admitted.seat.name,
            "secret": admitted.secret,
            **{key: f"{caller.base}{path}" for key, path in pages.items() if path},
            "next": "keep the secret, and call wait_for_turn with it",
        }

    async def _wait(self, arguments: WaitArguments, caller: Caller) -> object:
        seat = self._door.find_seat(arguments.secret)
        try:
            situation = await cancel_on_disconnect(
                caller.receive, seat.wait_for_turn(None if arguments.heard is UNSET else arguments.heard)
            )
        except ClientDisconnected:
            raise AgentRequestError("the client has disconnected") from None
        seat.record_delivery(situation)
        return situation

    async def _act(self, arguments: ActArguments, caller: Caller) -> object:
        amount = None if arguments.amount is UNSET else arguments.amount
        account = account_of({"tokens": arguments.tokens, "cost": arguments.cost})
        seat = self._door.find_seat(arguments.secret)
        await seat.act(arguments.state, arguments.action, amount, arguments.thought, account)
        return {"taken": True, "next": "call wait_for_turn"}

    async def _chat(self, arguments: ChatArguments, caller: Caller) -> object:
        if not has_visible_text(arguments.text):
            raise AgentRequestError("the chat has no visible text: say something")
        self._door.find_seat(arguments.secret).chat(arguments.text)
        return {"said": True}

    async def _history(self, arguments: SeatArguments, caller: Caller) -> object:
        return {"hands": list(self._door.find_seat(arguments.secret).hands)}

    async def _leave(self, arguments: SeatArguments, caller: Caller) -> object:
        self._door.find_seat(arguments.secret).end("you have left the table")
        return {"left": True}
