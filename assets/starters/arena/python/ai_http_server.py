"""A starter bot for the Arena: change `decide`, start it, and add its port to the tournament's configuration file.

    python3 ai_http_server.py 5000

The bot is a web server. On each turn of the bot, the Arena sends the whole state of the game to POST /action and waits
3 seconds for the answer. The bot folds if it is late or sends something invalid. The bot needs only Python itself.
Try it by hand: curl --data @state.json localhost:5000/action, with the example state in the guide.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

RANKS = "23456789TJQKA"

State = dict[str, Any]


def decide(state: State) -> State:
    """The action: one of state["valid_actions"]. A raise also needs an amount, between the min and max of that action.

    A raise's amount is the total bet for the street, not the chips that you add. Amounts are always whole numbers.
    """
    me = state["players"][state["current_player"]]
    valid = {action["action"]: action["amount"] for action in state["valid_actions"]}
    to_call = valid.get("call", 0)
    how_good = strength(me["hole_cards"], state["community_cards"])
    print(f"{me['hole_cards']} {state['community_cards']}: {how_good:.2f}, {to_call} to call", flush=True)
    if how_good > 0.7 and "raise" in valid:
        least, most = valid["raise"]["min"], valid["raise"]["max"]
        return {"action": "raise", "amount": min(max(state["current_bet"] + state["pot"] // 2, least), most)}
    if how_good > 0.9 and "all_in" in valid:
        return {"action": "all_in", "amount": valid["all_in"]}
    if "check" in valid:
        return {"action": "check", "amount": 0}
    if how_good > 0.3 + to_call / (state["pot"] + to_call) / 2:
        return {"action": "call", "amount": to_call}
    return {"action": "fold", "amount": 0}


def strength(hole: list[str], board: list[str]) -> float:
    """A rough value of the cards ("As", "Td", "2c"), from 0 to 1: high cards and pairs. Improve it!"""
    ranks = sorted((RANKS.index(card[0]) for card in hole), reverse=True)
    on_board = [RANKS.index(card[0]) for card in board]
    worth = (ranks[0] + ranks[1]) / 40 + 0.1 * (hole[0][1] == hole[1][1])
    if ranks[0] == ranks[1]:
        worth += 0.35
    pairs = sum(rank in on_board for rank in set(ranks))
    return min(worth + 0.35 * pairs, 1.0)


class Server(BaseHTTPRequestHandler):
    """Answers the Arena's requests: /action on each turn of the bot. /health only shows that the bot runs."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # Each answer is sent in one piece, which saves 40 ms.

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/action":
            self.answer(200, decide(json.loads(body)))
        else:
            self.answer(404, {"error": "there is only /action"})

    def do_GET(self) -> None:
        self.answer(200, {"status": "healthy"})

    def answer(self, status: int, message: State) -> None:
        raw = json.dumps(message).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Logs nothing, because a line per request would be too much."""


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Server)  # for requests from other machines, use ""
    except OSError as error:
        sys.exit(f"port {port} is not available ({error.strerror}): give another port")
    print(f"listening on http://localhost:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
