"""House bots (High Noon's own bots) of the contest Quick Draw: clients that register over HTTP and play over TCP.

The module `styles` decides what the bots do.
"""

import asyncio
import contextlib
import json
import random
from typing import Any

from server.bots.dialects.http_calls import OK, Request
from server.bots.house.in_process import Talker
from server.bots.house.styles import Situation, Style, choose_decision, pause_of
from server.bots.http_bot import call_on_new_connection
from server.bots.transports.http import Address, CallFailed
from server.game.cards import Card
from server.game.decisions import Call, Decision, Fold, RaiseTo
from server.text.strict_json import JsonObject

HTTP_SECONDS = 10.0
ANSWER_BYTES = 8192

Message = dict[str, Any]
"""A message. High Noon's own server sends it, so the bot does not check it."""


class RegistrationRefused(Exception):
    """The server refused the registration. The message says why."""


async def register(host: str, http_port: int, name: str, **options: int | str) -> int:
    """Registers a bot and returns the port to connect to. Raises RegistrationRefused or OSError.

    `options` are more fields of the request: test_game_size, test_hand_count and secret.
    """
    body = json.dumps({"name": name, **options}).encode()
    request = Request("POST", "/register", body, "application/json")
    try:
        reply = await call_on_new_connection(Address(f"{host}:{http_port}", (host,), http_port), request, HTTP_SECONDS)
    except CallFailed as failed:
        raise OSError(str(failed)) from None
    if reply.status != OK:
        raise RegistrationRefused(f"{name} was refused: {reply.body[:200].decode(errors='replace')}")
    return int(json.loads(reply.body)["port_number"])


async def play(  # noqa: PLR0917 (the parameters say where the bot plays, who it is, and how it plays)
    host: str, port: int, name: str, style: Style, dice: random.Random, think_seconds: float
) -> None:
    """Plays as bot `name` until the server closes the connection. Raises OSError if it cannot connect.

    The bot pauses for at most `think_seconds` before each action.
    """
    reader, writer = await asyncio.open_connection(host, port, limit=ANSWER_BYTES)
    player = _HouseBot(name, style, dice, think_seconds, writer)
    # The server closes the connection after the game.
    with contextlib.closing(writer), contextlib.suppress(ConnectionError):
        async for line in reader:
            await player.handle_message(json.loads(line))


class _HouseBot:
    """A bot at the table. It answers requests, and sometimes chats."""

    def __init__(
        self, name: str, style: Style, dice: random.Random, think_seconds: float, writer: asyncio.StreamWriter
    ) -> None:
        self._name = name
        self._style = style
        self._dice = dice
        self._think_seconds = think_seconds
        self._writer = writer
        self._talker = Talker(style, dice, self._chat)
        self._id = 0

    async def handle_message(self, message: Message) -> None:
        match message.get("command"):
            case "request_action":
                await self._act(message)
            case "hand_result":
                self._talk_about_hand(message)
            case "receive_chat" if message["author"]["name"] != self._name:
                self._talker.reply_to(message["author"]["name"])

    async def _act(self, message: Message) -> None:
        """Sends the action. Sometimes a chat follows the action without a separator, as in the output of real bots."""
        self._id = own_entry(message)["id"]
        situation = situation_in(message)
        decision = choose_decision(self._style, situation, self._dice)
        await asyncio.sleep(pause_of(self._style, self._think_seconds, self._dice))
        self._send(action_message(decision, as_text=self._style.digits_as_text))
        if isinstance(decision, Fold):
            self._talker.talk("folded", "")
        elif isinstance(decision, RaiseTo) and decision.raise_to >= situation.all_in_total:
            self._talker.talk("all in", "")

    def _talk_about_hand(self, result: Message) -> None:
        players = {player["id"]: player for player in result["players"]}
        bets = {bot: player["hand_bet"] for bot, player in players.items()}
        winners = [winner["id"] for winner in result["pots"][0]["winners"]]
        names = {bot: player["name"] for bot, player in players.items()}
        if self._id in players:
            self._talker.talk_about_hand(self._id, bets, winners, names, players[self._id]["bank"])

    def _chat(self, text: str) -> None:
        self._send({"command": "send_chat", "message": text})

    def _send(self, message: JsonObject) -> None:
        """Sends a message without a newline, as the rule book says: "Bot to server: raw JSON without a newline"."""
        self._writer.write(json.dumps(message, ensure_ascii=False).encode())


def own_entry(request: Message) -> Message:
    """Returns the bot's entry in `players`. Only this entry has cards: "Only your player's [hand] is revealed before
    the showdown".
    """
    player: Message = next(player for player in request["players"] if player["hand"])
    return player


def situation_in(request: Message) -> Situation:
    """Returns the situation of the bot that receives this `request_action`."""
    own_player = own_entry(request)
    return Situation(
        hole=_cards(request["hand"]),
        board=_cards(request["community_cards"]),
        bet=own_player["round_bet"],
        stack=own_player["bank"],
        current_bet=request["highest_bid_value"],
        pot=request["total_pot_value"],
        opponents=sum(player is not own_player and player["State"] != "folded" for player in request["players"]),
    )


def action_message(decision: Decision, *, as_text: bool) -> JsonObject:
    """Returns the `take_action` message as the rule book defines it. With `as_text`, returns it as the sample bot
    writes it.
    """
    amount = decision.raise_to if isinstance(decision, RaiseTo) else 0
    action = {Fold: "fold", Call: "call", RaiseTo: "raise"}[type(decision)]
    if as_text:
        return {"command": "take_action", "action_type": action, "raise_amount": str(amount)}
    return {"command": "take_action", "action": action, "raise_amount": amount}


def _cards(cards: list[Message]) -> tuple[Card, ...]:
    return tuple(card["value"] + card["suit"].lower() for card in cards)
