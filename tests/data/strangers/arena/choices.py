#!/usr/bin/env python3
"""A bot on http.server with HTTP/1.1. Chooses one of the valid actions at random, with a fixed seed."""
import json
import random
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

dice = random.Random(7)


class AI(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        if self.path != "/action":
            self.send_error(404)
            return
        state = json.loads(self.rfile.read(int(self.headers["content-length"])))
        choice = dict(dice.choice(state["valid_actions"]))
        if choice["action"] == "raise":
            choice["amount"] = dice.randint(choice["amount"]["min"], choice["amount"]["max"])
        body = json.dumps(choice).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), AI).serve_forever()
