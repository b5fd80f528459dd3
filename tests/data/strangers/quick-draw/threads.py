#!/usr/bin/env python3
"""A bot with a thread that reads messages into a queue. Sends indented JSON, and reads only documented fields."""
import http.client
import json
import queue
import socket
import sys
import threading
import time

HOST, PORT = sys.argv[1].split(":")
NAME = "Dusty Threads"


def register():
    web = http.client.HTTPConnection(HOST, int(PORT))
    body = json.dumps({"name": NAME, "test_game_size": 3, "test_hand_count": 4})
    web.request("POST", "/register", body, {"Content-Type": "application/json"})
    answer = json.loads(web.getresponse().read())
    return answer["port_number"], answer["bot_id"]


def read_into(sock, inbox):
    for line in sock.makefile("r", encoding="utf-8"):
        inbox.put(json.loads(line))
    inbox.put(None)


def strength(cards):
    order = "123456789TJQKA"
    ranks = [order.index(card["value"]) for card in cards]
    return max(ranks.count(rank) for rank in ranks) * 10 + max(ranks[:2])


def main():
    port, me = register()
    sock = socket.create_connection((HOST, port))
    inbox = queue.Queue()
    threading.Thread(target=read_into, args=(sock, inbox), daemon=True).start()
    last_chat = 0.0

    def send(message):
        sock.sendall((json.dumps(message, indent=4) + "\n").encode())

    while (message := inbox.get()) is not None:
        kind = message["command"]
        if kind == "request_action":
            mine = [p for p in message["players"] if p["id"] == me][0]
            assert mine["hand"] == message["hand"]
            owed = message["highest_bid_value"] - mine["round_bet"]
            power = strength(message["hand"] + message["community_cards"])
            if power < 15 and owed > 100:
                send({"command": "take_action", "action": "fold", "raise_amount": 0})
            elif power > 28 and mine["State"] != "raised":
                send({"command": "take_action", "action": "raise", "raise_amount": message["highest_bid_value"] + 75})
            else:
                send({"command": "take_action", "action": "call", "raise_amount": 0})
        elif kind == "hand_result":
            won = [pot["pot_amount"] for pot in message["pots"] if any(w["id"] == me for w in pot["winners"])]
            if won and time.monotonic() - last_chat > 5:
                last_chat = time.monotonic()
                send({"command": "send_chat", "message": "Reckon I take %d, pardner" % sum(won)})
        elif kind in ("receive_message", "receive_chat") and message["author"]["id"] != me:
            send({"command": "send_chat", "message": f"“{message['message'].strip('{}')}”, you say?"})
            send({"command": "get_logs"})
        elif kind == "log_data":
            assert all(isinstance(each, str) for each in message["logs"]) and sum(map(len, message["logs"])) <= 2000
        elif kind == "confirm_action" and message["result"] == "error":
            print("refused:", message["error"], file=sys.stderr)


main()
