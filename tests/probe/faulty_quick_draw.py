"""A bot of Quick Draw with one fault: `python faulty_quick_draw.py FAULT SERVER`."""

import json
import socket
import sys
import time
from http.client import HTTPConnection
from typing import Any

FAULT, SERVER = sys.argv[1:3]
Message = dict[str, Any]
SLOW: list[bool] = []
"""Whether it has been."""


def register() -> int:
    connection = HTTPConnection(SERVER, timeout=20)
    connection.request("POST", "/register", json.dumps({"name": "Faulty"}), {"Content-Type": "application/json"})
    return int(json.loads(connection.getresponse().read())["port_number"])


def decide(request: Message) -> Message:
    me = next(player for player in request["players"] if player["hand"])
    highest, to_call = request["highest_bid_value"], request["highest_bid_value"] - me["round_bet"]
    match FAULT:
        case "leaves at an all-in" if to_call >= me["bank"]:
            sys.exit(4)
        case "raises by the difference" if highest:
            return {"action": "raise", "raise_amount": 10}
        case "raises below zero" if not to_call:
            return {"action": "raise", "raise_amount": -100}
        case "writes amounts as words" if not to_call:
            return {"action": "raise", "raise_amount": "all of it"}
        case "checks by a word of its own" if not to_call:
            return {"action": "check"}
        case "is slow once" if len(request["community_cards"]) == 5 and not SLOW:
            SLOW.append(True)
            time.sleep(1.8)
        case "expects three at the table" if len(request["players"]) != 3:
            sys.exit(5)
        case "expects plain names":
            "".join(player["name"] for player in request["players"]).encode("ascii")
        case "knows all fields" if "zz_unknown" in request:
            raise KeyError("zz_unknown")
    return {"action": "call", "raise_amount": 0}


def hear(connection: socket.socket, message: Message) -> None:
    command = message["command"]
    if command == "request_action":
        answer = json.dumps({"command": "take_action", **decide(message)}).encode()
        connection.sendall(b"call" if FAULT == "answers in plain text" else answer)
        if FAULT == "answers twice":
            connection.sendall(answer)
    elif FAULT == "leaves when it is refused" and command == "confirm_action" and message["result"] != "success":
        sys.exit(6)
    elif FAULT == "acts on whatever it hears" and command == "hand_result":
        connection.sendall(b'{"command": "take_action", "action": "call", "raise_amount": 0}')
    elif FAULT == "answers every chat" and command == "receive_chat":
        raise OverflowError("too much chat")


def main() -> None:
    if FAULT == "never registers":
        time.sleep(60)
    if FAULT == "does not start":
        sys.exit(3)
    with socket.create_connection((SERVER.rpartition(":")[0], register())) as connection:
        hands = 0
        if FAULT in ("takes a read for a message", "drops what comes together"):
            while received := connection.recv(65536):
                lines = received.decode(errors="ignore").strip().split("\n")
                if FAULT == "drops what comes together" and len(lines) > 1 and "request_action" in lines[-1]:
                    lines = lines[:1]
                for line in lines:
                    hear(connection, json.loads(line))
        for line in connection.makefile(encoding="utf-8"):
            message = json.loads(line)
            hands += message["command"] == "hand_result"
            if FAULT == "leaves after some hands" and hands > 30:
                sys.exit(7)
            hear(connection, message)


main()
