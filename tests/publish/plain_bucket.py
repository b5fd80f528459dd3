"""A server with a minimum of S3: it puts and gets, and refuses conditional writes, as older servers do."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_REFUSAL = b"<Error><Code>NotImplemented</Code><Message>A header you provided is not implemented.</Message></Error>"


class _Bucket(BaseHTTPRequestHandler):
    server: "_Server"

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if "If-None-Match" in self.headers:
            self._answer(501, _REFUSAL)
            return
        self.server.files[self.path] = content
        self._answer(200, b"")

    def do_GET(self) -> None:
        content = self.server.files.get(self.path)
        missing = b"<Error><Code>NoSuchKey</Code></Error>"
        self._answer(404 if content is None else 200, missing if content is None else content)

    def log_message(self, *_: object) -> None:
        """Logs nothing."""

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", '"x"')
        self.send_header("Last-Modified", "Sat, 21 Nov 2026 20:00:00 GMT")
        self.end_headers()
        self.wfile.write(content)


class _Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Bucket)
        self.files: dict[str, bytes] = {}


@contextmanager
def plain_bucket() -> Iterator[str]:
    """Runs the server; yields its address."""
    with _Server() as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            serving.join()
