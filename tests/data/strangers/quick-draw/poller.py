"""A bot on selectors. Before the flop, raises too little, then calls. Fails if the server closes the connection."""
import json
import selectors
import socket
import sys
from urllib.request import Request, urlopen

host, _, port = sys.argv[1].rpartition(":")
reply = json.loads(urlopen(Request("http://%s:%s/register" % (host, port), b'{"name": "P0ller"}', {"Content-Type": "application/json"})).read())
sock = socket.socket()
sock.connect((host, reply["port_number"]))
sock.setblocking(False)
chooser = selectors.DefaultSelector()
chooser.register(sock, selectors.EVENT_READ)
decoder = json.JSONDecoder()
text = b""
while True:
    for key, _ in chooser.select():
        piece = sock.recv(65536)
        assert piece, "the server must not close the connection"
        text += piece
    while b"\n" in text:
        line, text = text.split(b"\n", 1)
        message = decoder.decode(line.decode())
        if message["command"] == "request_action":
            high = message["highest_bid_value"]
            me = [p for p in message["players"] if p["id"] == reply["bot_id"]][0]
            if message["round_number"] == 0 and me["round_bet"] == 0:
                sock.sendall(b'{"command":"take_action","action":"raise","raise_amount":%d}' % (high - 1))
            elif message["round_number"] == 1 and me["round_bet"] == 0:
                sock.sendall(b'{"command":"take_action","action":"raise","raise_amount":%d}' % (high + 1))
            else:
                sock.sendall(b'{"command":"take_action","action":"call","raise_amount":%d}' % high)
        elif message["command"] == "confirm_action" and message.get("error") == "INVALID_RAISE_AMOUNT":
            sock.sendall(b'{"command":"take_action","action":"call","raise_amount":0}')
        elif message["command"] in ("receive_message", "receive_chat"):
            assert isinstance(message["message"], str) and message["author"]["name"]
        elif message["command"] == "hand_result":
            total = sum(p["bank"] for p in message["players"])
            assert all(len(p["hand"]) == 2 for p in message["players"] if p["hand_bet"]), message
            print(total, file=sys.stderr)
