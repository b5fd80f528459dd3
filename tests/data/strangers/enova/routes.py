"""A bot on wsgiref with a table of routes. Serves one request at a time, and sends JSON as text/html."""
import json
import sys
from urllib.parse import parse_qsl
from wsgiref.simple_server import WSGIRequestHandler, make_server

ROUTES = {}
events = []


def route(path):
    def keep(function):
        ROUTES[path] = function
        return function
    return keep


@route("/player/ready")
def ready(form):
    return ""


@route("/player/seat")
def seat(form):
    events.clear()
    return ""


@route("/player/notify")
def notify(form):
    events.append(form["event"])
    if form["event"] == "won_chips":
        assert int(form["amount"]) > 0
    if form["event"] == "hand_ended":
        assert any(key.endswith("[chips_received]") for key in form), form
    return "noted"


@route("/player/action")
def action(form):
    low, high = int(form["minimum_bet"]), int(form["maximum_bet"])
    if form["blind"] == "true":
        return json.dumps(dict(amount=low, action="blind"))
    me = int(form["your_chips"])
    if form["betting_phase"] == "river" and form["your_hand[0][value]"] in "TJQKA":
        return json.dumps(dict(amount=min(high, low + 10, me), action="bet"))
    return json.dumps(dict(action="bet" if low <= 20 else "fold", amount=low))


def application(environ, start_response):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    form = dict(parse_qsl(environ["wsgi.input"].read(length).decode(), keep_blank_values=True))
    body = ROUTES[environ["PATH_INFO"]](form).encode()
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", "horse=brown; Path=/")])
    return [body]


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Quiet).serve_forever()
