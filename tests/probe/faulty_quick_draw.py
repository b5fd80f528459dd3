"""A bot of Quick Draw with one fault: `python faulty_quick_draw.py FAULT SERVER`."""

import json
import socket
import sys
import time
from typing import Any

FAULT, SERVER = sys.argv[1:3]
Message = dict[str, Any]
SLOW: list[bool] = []
"""Not empty once the bot has been slow."""


def register() -> int:
    """Registers; returns the port to play on. Importing http.client would take too long."""
    host, _, port = SERVER.rpartition(":")
    body = json.dumps({"name": "Faulty"})
    head = f"Host: {SERVER}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(f"POST /register HTTP/1.1\r\n{head}\r\n\r\n{body}".encode())
        return int(json.loads(connection.makefile("rb").read().partition(b"\r\n\r\n")[2])["port_number"])


def decide(request: Message) -> Message:
    me = next(player for player in request["players"] if player["hand"])
    to_call = request["highest_bid_value"] - me["round_bet"]
    leave_or_wait(request, me, to_call)
    if FAULT == "checks with an unknown word" and not to_call:
        return {"action": "check"}
    return {"action": "call", "raise_amount": 0}


def leave_or_wait(request: Message, me: Message, to_call: int) -> None:
    river = len(request["community_cards"]) == 5
    leaves = {
        "leaves at a raise": request["highest_bid_value"] > 100,
        "leaves at an all-in": to_call >= me["bank"],
        "leaves at the river": river,
        "leaves with a short stack": me["bank"] < request["highest_bid_value"],
        "expects to be the first player": not request["players"][0]["hand"],
        "expects three players": len(request["players"]) != 3,
        "expects plain names": not all(player["name"].isascii() for player in request["players"]),
        "rejects unknown fields": "zz_unknown" in request,
    }
    if leaves.get(FAULT):
        sys.exit(4)
    if FAULT == "is slow once" and river and not SLOW:
        SLOW.append(True)
        time.sleep(3.3)


def hear(connection: socket.socket, message: Message) -> None:
    command = message["command"]
    if command == "request_action":
        decided = decide(message)
        answer = json.dumps({"command": "take_action", **decided}).encode()
        if FAULT == "sends half an answer":
            answer = answer[:-9]
        if FAULT == "sends far too much":
            answer = b'{"thoughts": "' + 200_000 * b"hm " + b'", ' + answer[1:]
        connection.sendall(answer)
        if FAULT == "answers twice":
            connection.sendall(answer)
    elif FAULT == "leaves when it is refused" and command == "confirm_action" and message["result"] != "success":
        sys.exit(6)
    elif FAULT == "acts on every message" and command == "hand_result":
        connection.sendall(b'{"command": "take_action", "action": "call", "raise_amount": 0}')
    elif FAULT == "expects two cards of every bot" and command == "hand_result":
        print([each["hand"][1] for each in message["players"]])
    elif FAULT == "leaves when a pot is shared" and any(len(pot["winners"]) > 1 for pot in message.get("pots", ())):
        sys.exit(8)
    elif FAULT == "answers every chat" and command == "receive_chat":
        raise OverflowError("too much chat")


def main() -> None:
    if FAULT == "never registers":
        time.sleep(60)
    if FAULT == "does not start":
        sys.exit(3)
    with socket.create_connection((SERVER.rpartition(":")[0], register())) as connection:
        hands = 0
        if FAULT in ("treats each read as a message", "drops messages that arrive together"):
            while received := connection.recv(65536):
                lines = received.decode(errors="ignore").strip().split("\n")
                if FAULT == "drops messages that arrive together" and len(lines) > 1 and "request_action" in lines[-1]:
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
