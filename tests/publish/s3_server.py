"""An S3 server in a separate process: moto's, the most complete one that pip can install."""

import http.client
import subprocess
import sys
from collections.abc import Iterator, Mapping
from re import search
from urllib.parse import quote

from msgspec import Struct

PUBLIC = (
    '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",'
    ' "Resource": "arn:aws:s3:::show/*"}]}'
)


class S3Server(Struct, frozen=True):
    """A running server with a bucket `show` that everybody may read.

    Programs that write to the bucket need the variables in `environment`.
    """

    port: int
    environment: Mapping[str, str]

    def read(self, path: str) -> tuple[Mapping[str, str], bytes]:
        """The headers and bytes that a stranger gets for a file in the bucket."""
        return self.ask("GET", f"/show/{quote(path)}")

    def ask(self, method: str, path: str, body: str = "") -> tuple[Mapping[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, body)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status < 300, (answer.status, content)
        return {name.title(): value for name, value in answer.getheaders()}, content


ONE_AT_A_TIME = """
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app))
"""
"""Starts moto without threads.

In S3, checking whether a file exists and writing it are one step; with threads, moto might serve another request in
between.
"""


def s3_server() -> Iterator[S3Server]:
    words = [sys.executable, "-c", ONE_AT_A_TIME]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr
    try:
        running = (search(r"Running on http://127\.0\.0\.1:(\d+)", line) for line in process.stderr)
        port = next(int(found[1]) for found in running if found)
        environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "a-secret-that-nobody-may-read",
        }
        server = S3Server(port, environment)
        server.ask("PUT", "/show")
        server.ask("PUT", "/show?policy", PUBLIC)
        yield server
    finally:
        process.kill()
        process.communicate()
