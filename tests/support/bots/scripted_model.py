"""A real HTTP server that speaks OpenAI's protocol and answers like a language model that follows a script."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

Body = dict[str, Any]
USAGE = {"prompt_tokens": 600, "completion_tokens": 40, "total_tokens": 640}
COMPLETIONS_PATH = "/v1/chat/completions"


class Response(Struct, frozen=True):
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    length: int = -1
    """The value of Content-Length. -1 stands for the true length of the body."""
    after: float = 0.0
    """The delay of the response in seconds."""


def complete(text: str | None, *, ended: str = "stop", usage: Body | None = USAGE, **fields: object) -> Response:
    choice = {"index": 0, "finish_reason": ended, "message": {"role": "assistant", "content": text, **fields}}
    completion = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}
    return Response(body=json.dumps({**completion, **({"usage": usage} if usage else {})}).encode())


def refuse(status: int, message: str = "", **headers: str) -> Response:
    body = json.dumps({"error": {"message": message}}).encode() if message else b""
    return Response(status, body, tuple((name.replace("_", "-"), value) for name, value in headers.items()))


def asked_hand(question: Body) -> Body:
    return dict(json.loads(question["messages"][1]["content"])["hand"])


def decide(action: str, amount: int = 0, thought: str = "I have seen worse.") -> Response:
    return complete(json.dumps({"thought": thought, "action": action, "amount": amount}))


def play_simply(question: Body) -> Response:
    """Answers like a model that checks or calls, but makes the minimum raise on the flop. It names its cards."""
    if len(question["messages"]) < 2:
        return complete('{"ready": true}')
    hand = asked_hand(question)
    moves = {move["action"]: move for move in hand["legal"]}
    thought = f"I hold {' and '.join(hand['your_cards'])}."
    if hand["street"] == "flop" and "raise" in moves:
        return decide("raise", moves["raise"]["min"], thought)
    return decide(next(action for action in ("check", "call", "all_in", "fold") if action in moves), 0, thought)


Script = Callable[[Body], Response]


def ready_then(script: Script) -> Script:
    """Returns a script that says yes if asked whether the model is ready, and otherwise follows `script`."""
    return lambda question: play_simply(question) if len(question["messages"]) < 2 else script(question)


class ScriptedModel(Struct):
    """A running server that keeps the question and the headers of each request."""

    url: str
    script: Script
    questions: list[Body] = []
    headers: list[dict[str, str]] = []


@contextmanager
def scripted_model(script: Script = play_simply, tls: ssl.SSLContext | None = None) -> Iterator[ScriptedModel]:
    """Serves a model that follows `script`, over HTTPS if `tls` is given."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.headers.append(dict(self.headers))
            model.questions.append(question)
            response = model.script(question) if self.path == COMPLETIONS_PATH else refuse(404, "there is nothing here")
            time.sleep(response.after)
            self.send_response(response.status)
            for name, value in (("Content-Type", "application/json"), *response.headers):
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body) if response.length < 0 else response.length))
            self.end_headers()
            with suppress(OSError):  # The client may have hung up.
                self.wfile.write(response.body)
                self.wfile.flush()
            self.close_connection = self.close_connection or response.length >= 0

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the library's name)
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Prints nothing, because clients may hang up or distrust the certificate."""

    server = Server(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    model = ScriptedModel(f"http{'s' * bool(tls)}://127.0.0.1:{server.server_address[1]}/v1", script)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
