"""A starter bot for Enova Hold'em: change `decide` and start it. It then registers with the tournament.

    python3 enova_bot.py 3001 "Bot Awesome (netid2)" http://localhost:5000

The bot is a small web server. The tournament sends requests, and waits 5 seconds for an answer. The bot folds if it is
late or sends something invalid. The bot is out if it posts no blind. The bot needs only Python itself. The last two
arguments are the bot's name and the tournament's address. Without them, the bot does not register.
"""

# Try it by hand: curl --data "minimum_bet=2&maximum_bet=9&blind=false&your_chips=9&your_hand[0][suit]=D&\
# your_hand[0][value]=A&your_hand[1][suit]=S&your_hand[1][value]=A&betting_phase=pre_flop" localhost:3001/player/action

import json
import re
import sys
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

VALUES = "23456789TJQKA"

Form = dict[str, Any]


def decide(form: Form) -> Form:
    """The answer to a request. An amount is the total bet for this betting phase: 0 checks, the minimum calls."""
    minimum, maximum = int(form["minimum_bet"]), int(form["maximum_bet"])
    if form["blind"] == "true":  # Post the blind with any cards, or you are out of the tournament.
        return {"action": "blind", "amount": minimum}
    hand, board = list(form["your_hand"].values()), list(form.get("community_cards", {}).values())
    how_good = strength(hand, board)
    print(f"{how_good:.2f} with {minimum} to {maximum} to bet of {form['your_chips']}", flush=True)
    if how_good > 0.7:
        return {"action": "bet", "amount": min(max(2 * minimum, 4), maximum)}
    if minimum == 0 or how_good > 0.3 + minimum / (int(form["your_chips"]) + 1):
        return {"action": "bet", "amount": minimum}
    return {"action": "fold"}


def strength(hand: list[Form], board: list[Form]) -> float:
    """A rough value of the cards ({"suit": "S", "value": "A"}), from 0 to 1: high cards and pairs. Improve it!"""
    mine, there = ([VALUES.index(card["value"]) for card in cards] for cards in (hand, board))
    suited = bool(hand[0]["suit"] == hand[1]["suit"])
    pairs = sum(value in there for value in set(mine)) + (mine[0] == mine[1])
    return min(sum(mine) / 40 + 0.1 * suited + 0.35 * pairs, 1.0)


def nested(body: str) -> Form:
    """Reads a form with nested keys: "your_hand[0][suit]=D" becomes {"your_hand": {"0": {"suit": "D"}}}."""
    form: Form = {}
    for key, value in parse_qsl(body, keep_blank_values=True):
        *folders, last = re.findall(r"[^\[\]]+", key)
        inside = form
        for folder in folders:
            inside = inside.setdefault(folder, {})
        inside[last] = value
    return form


class Server(BaseHTTPRequestHandler):
    """Answers the tournament's requests."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # Each answer is sent in one piece, which saves 40 ms.

    def do_GET(self) -> None:
        self.answer(200 if self.path == "/player/ready" else 404)  # Only bots that are ready get a seat.

    def do_POST(self) -> None:
        form = nested(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        if self.path == "/player/action":
            self.answer(200, json.dumps(decide(form)))
        else:  # /player/seat names a new table; /player/notify says in form["event"] what has happened
            self.answer(200)

    def answer(self, status: int, text: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Logs nothing, because a line per request would be too much."""


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 3001
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Server)  # for requests from other machines, use ""
    except OSError as error:
        sys.exit(f"port {port} is not available ({error.strerror}): give another port")
    host = (
        f"localhost:{server.server_address[1]}"  # if requests come from other machines, put this machine's address here
    )
    print(f"listening on http://{host}", flush=True)
    if len(sys.argv) > 3:
        register(host, *sys.argv[2:4])
    server.serve_forever()


def register(host: str, name: str, tournament: str) -> None:
    connection = HTTPConnection(urlsplit(tournament).netloc)
    form = urlencode({"hostname": host, "name": name})
    try:
        connection.request("POST", "/tournament/register", form, {"Content-Type": "application/x-www-form-urlencoded"})
    except OSError as error:
        sys.exit(f"no tournament answers at {tournament} ({error}): start it, or name another")
    answer = connection.getresponse()
    print(answer.read().decode(), answer.getheader("Watch-Url", ""), flush=True)  # where to watch during practice
    connection.close()


if __name__ == "__main__":
    main()
