#!/usr/bin/env python3
"""A bot on http.server with threads and HTTP/1.1. Serves three paths. Answers notifications with 404."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs


class Player(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, text, kind="text/plain"):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        if self.path == "/player/ready":
            self.reply(200, "yes")
        else:
            self.reply(404, "no such page")

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self.path == "/player/seat":
            self.reply(200, "thanks for " + form["game_table_identifier"][0])
        elif self.path == "/player/action":
            self.reply(200, json.dumps(self.decide({key: values[0] for key, values in form.items()})), "application/json")
        else:
            self.reply(404, "no such page")

    def decide(self, form):
        least, most, chips = int(form["minimum_bet"]), int(form["maximum_bet"]), int(form["your_chips"])
        if form["blind"] == "true":
            return {"action": "blind", "amount": least}
        values = [form["your_hand[%d][value]" % i] for i in (0, 1)]
        board = 0
        while "community_cards[%d][value]" % board in form:
            values.append(form["community_cards[%d][value]" % board])
            board += 1
        if len(set(values)) < len(values):
            return {"action": "bet", "amount": min(most, least + 4)}
        if least > chips // 4:
            return {"action": "fold"}
        return {"action": "bet", "amount": least}

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Player).serve_forever()
