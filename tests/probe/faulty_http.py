"""A bot of the Arena or Enova with one fault: `python faulty_http.py CONTEST FAULT PORT`."""

import json
import sys
import time
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.parse import parse_qsl

CONTEST, FAULT, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
HANDS: list[str] = []


def answer(body: str) -> tuple[int, str]:
    """The status and body of the answer to a request for an action: a call, unless the fault changes it."""
    if CONTEST == "arena":
        actions = [each["action"] for each in json.loads(body)["valid_actions"]]
        call = {"action": "call" if "call" in actions else "check"}
    else:
        form = dict(parse_qsl(body))
        call = {"action": "blind" if form["blind"] == "true" else "bet", "amount": form["minimum_bet"]}
    if FAULT == "sends far too much":
        call["thoughts"] = 300_000 * "hm "
    return 500 if FAULT == "answers with status 500" or fails_now(body) else 200, json.dumps(call)


def fails_now(body: str) -> bool:
    """Whether the bot fails this request because of its fault; may sleep."""
    slow = {"is slow once": 1.1, "is almost late once": 0.6}.get(FAULT, 0)
    if slow and len(HANDS) == 7:
        time.sleep(slow * {"arena": 3, "enova": 5}[CONTEST])
    strange = not body.isascii() or "%C3" in body or "\\u00" in body
    return (
        fails_in_situation(body)
        or (FAULT == "rejects unknown fields" and "zz_unknown" in body)
        or (FAULT == "expects plain names" and strange)
        or (FAULT == "fails after some hands" and len(HANDS) > 25)
    )


def fails_in_situation(body: str) -> bool:
    """Whether the bot fails in the situation that the request describes."""
    if CONTEST == "arena":
        state = json.loads(body)
        chips, players = state["players"][state["current_player"]]["chips"], len(state["players"])
        to_call = max(each["amount"] for each in state["valid_actions"] if each["action"] in ("call", "check"))
        board, raised = len(state["community_cards"]), state["current_bet"] > state["big_blind"]
        short = chips < 2 * state["big_blind"]
    else:
        form = dict(parse_qsl(body))
        chips, to_call = int(form["your_chips"]), int(form["minimum_bet"])
        players, board = (sum(name in key for key in form) for name in ("][name]", "][suit]"))
        board -= 2  # the bot's own two cards have suits, too
        raised, short = to_call > 2, chips < 4
    situations = {
        "fails at the river": board == 5,
        "fails at a raise": raised,
        "fails at an all-in": 0 < chips <= to_call,
        "fails with a short stack": short,
        "fails against a single bot": players == 2,
        "fails at a full table": players == 6,
        "fails beside a bot that is out": CONTEST == "arena"
        and any(each["state"] == "out" for each in state["players"].values()),
    }
    return bool(situations.get(FAULT))


class Caller(StreamRequestHandler):
    """A connection. http.server is not used: importing it takes longer than answering all requests."""

    wbufsize = -1

    def handle(self) -> None:
        while request := self.rfile.readline():
            headers = dict(line.lower().split(b": ") for line in iter(self.rfile.readline, b"\r\n"))
            body = self.rfile.read(int(headers.get(b"content-length", 0))).decode()
            asked = request.startswith(b"POST") and request.split()[1].endswith(b"/action")
            if asked:
                HANDS.append(body)
            status, text = answer(body) if asked else (200, "")
            self.wfile.write(f"HTTP/1.1 {status} So\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
            self.wfile.flush()


class Server(ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


if FAULT != "does not start":
    Server(("127.0.0.1", PORT), Caller).serve_forever()
