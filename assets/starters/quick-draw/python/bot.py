"""A starter bot for the Quick Draw Circuit: change `decide`, and the name in bot_config.json.

    python3 bot.py localhost:5000

The bot registers over HTTP, then talks over TCP. The server sends one JSON object per line, and waits 3 seconds for an
action. A late bot folds. The bot needs only Python itself. To submit it, you also need the Dockerfile and the picture.
"""

import json
import socket
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

SERVER = "localhost:5000"  # where the bot registers for the tournament: ask the organiser
VALUES = "23456789TJQKA"

Message = dict[str, Any]


def decide(request: Message) -> Message:
    """The action for a request: "call" (also for a check), "fold", or "raise" with an amount.

    The amount is the total bet for this round, not the chips that you add. If you cannot pay it all, you are all-in.
    """
    me = next(player for player in request["players"] if player["hand"])  # the server shows only our cards
    pot, highest = request["total_pot_value"], request["highest_bid_value"]
    to_call = highest - me["round_bet"]
    how_good = strength(request["hand"], request["community_cards"])
    print(f"{how_good:.2f} with {to_call} to call, {me['bank']} left", flush=True)
    if how_good > 0.7:
        return {"action": "raise", "raise_amount": highest + pot // 2}
    if to_call == 0 or how_good > 0.3 + to_call / (pot + to_call) / 2:
        return {"action": "call", "raise_amount": 0}
    return {"action": "fold", "raise_amount": 0}


def strength(hand: list[Message], board: list[Message]) -> float:
    """A rough value of the cards ({"value": "A", "suit": "S"}), from 0 to 1: high cards and pairs. Improve it!"""
    mine, there = ([VALUES.index(card["value"]) for card in cards] for cards in (hand, board))
    suited = bool(hand[0]["suit"] == hand[1]["suit"])
    pairs = sum(value in there for value in set(mine)) + (mine[0] == mine[1])
    return min(sum(mine) / 40 + 0.1 * suited + 0.35 * pairs, 1.0)


def hear(message: Message) -> Message | None:
    """The reply to a message, if any. You may ignore the messages receive_chat and log_data."""
    match message["command"]:
        case "request_action":
            return {"command": "take_action", **decide(message)}
        case "confirm_action" if message["result"] != "success":
            print("the server refused that:", message["error"], flush=True)
        case "hand_result":
            banks = {player["name"]: player["bank"] for player in message["players"]}
            print("hand", message["hand_number"], "is over:", banks, flush=True)
            if message["hand_number"] == 0:
                return {"command": "send_chat", "message": "Howdy!"}  # at most one chat in five seconds
    return None


def register(server: str, name: str) -> int:
    """Registers, and returns the port to connect to. During practice, the answer also says where to watch the game."""
    connection = HTTPConnection(server, timeout=20)
    try:
        connection.request("POST", "/register", json.dumps({"name": name}), {"Content-Type": "application/json"})
    except OSError as error:
        sys.exit(f"no server answers at {server} ({error}): start it, or name another: python3 bot.py HOST:PORT")
    answer = json.loads(connection.getresponse().read())
    connection.close()
    print(answer, flush=True)
    return int(answer["port_number"])


def main() -> None:
    server = sys.argv[1] if len(sys.argv) > 1 else SERVER
    try:
        name = json.loads(Path(__file__).with_name("bot_config.json").read_text(encoding="utf-8"))["name"]
    except (OSError, ValueError, LookupError):
        sys.exit("there is no bot_config.json with a name beside bot.py")
    with socket.create_connection((server.rpartition(":")[0], register(server, name))) as connection:
        for line in connection.makefile(encoding="utf-8"):  # until the server closes the connection
            if answer := hear(json.loads(line)):
                connection.sendall(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
