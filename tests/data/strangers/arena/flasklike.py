"""A bot on wsgiref with threads. Sends an amount only with a raise. In other answers, the amount is missing or null."""
import json
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


def act(state):
    seats = [p for p in state["players"].values() if p["state"] != "out"]
    assert 0 <= state["dealer_index"] < len(seats), state["dealer_index"]
    mine = state["players"][state["current_player"]]
    cards = mine["hole_cards"] + state["community_cards"]
    assert len(cards) == {"preflop": 2, "flop": 5, "turn": 6, "river": 7}[state["phase"]]
    ranks = [card[0] for card in cards]
    best = max(ranks.count(rank) for rank in ranks)
    by_name = {valid["action"]: valid["amount"] for valid in state["valid_actions"]}
    if best >= 3:
        return {"action": "all_in"}
    if best == 2 and "raise" in by_name and mine["current_bet"] == 0:
        low, high = by_name["raise"]["min"], by_name["raise"]["max"]
        return {"action": "raise", "amount": min(high, low + state["pot"] // 2)}
    for name in ("check", "call"):
        if name in by_name and by_name[name] <= state["pot"] // 3:
            return {"action": name, "amount": None}
    return {"action": "fold"}


def app(environ, start):
    if (environ["REQUEST_METHOD"], environ["PATH_INFO"]) != ("POST", "/action"):
        start("405 METHOD NOT ALLOWED", [])
        return [b"Method Not Allowed"]
    answer = act(json.load(environ["wsgi.input"]) if "CONTENT_LENGTH" not in environ else json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))))
    start("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode(), b"\n"]


make_server("127.0.0.1", int(sys.argv[1]), app, Threads, Quiet).serve_forever()
