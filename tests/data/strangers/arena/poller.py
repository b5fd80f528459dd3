"""A bot on selectors. Takes many requests on one connection. Answers {} to requests without a body."""
import json
import selectors
import socket
import sys

listen = socket.create_server(("127.0.0.1", int(sys.argv[1])))
listen.setblocking(False)
chooser = selectors.DefaultSelector()
chooser.register(listen, selectors.EVENT_READ, None)


def think(state):
    me = state["players"][state["current_player"]]
    names = [valid["action"] for valid in state["valid_actions"]]
    owed = state["current_bet"] - me["current_bet"]
    if owed <= 0:
        return {"action": "check", "amount": 0}
    if owed >= me["chips"]:
        return {"action": "all_in", "amount": me["chips"]} if me["hole_cards"][0][0] in "AK" else {"action": "fold", "amount": 0}
    if "raise" in names and len(state["action_history"]) < 4:
        return {"action": "raise", "amount": state["current_bet"] + state["min_raise"]}
    return {"action": "call", "amount": owed}


def serve(sock, buffer):
    piece = sock.recv(1 << 16)
    if not piece:
        chooser.unregister(sock)
        sock.close()
        return
    buffer += piece
    while b"\r\n\r\n" in buffer:
        head, _, rest = bytes(buffer).partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if len(rest) < length:
            return
        buffer[:] = rest[length:]
        body = json.dumps(think(json.loads(rest[:length])), separators=(" , ", " : ")).encode() if length else b"{}"
        sock.sendall(b"HTTP/1.1 200 Fine By Me\r\nCONTENT-LENGTH: %d\r\nKEEP-ALIVE: timeout=60\r\n\r\n" % len(body) + body)


while True:
    for key, _ in chooser.select():
        if key.data is None:
            peer, _ = listen.accept()
            chooser.register(peer, selectors.EVENT_READ, bytearray())
        else:
            serve(key.fileobj, key.data)
