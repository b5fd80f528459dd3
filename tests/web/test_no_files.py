"""A server that may open no more files waits until some are closed, without ending and without using the processor."""

import resource
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest

from broadcast.web.connections.protocol import NO_FILES_SECONDS
from tests.bench.common.scales import on_processor
from tests.support.source_files import ROOT
from tests.web.stranger_connections import SECONDS, call, first_words, get

FILES = 40
LINES = 60
SERVER = """
import asyncio
from broadcast.web.guarded_app import guarded_app
from broadcast.web.serve import serving

async def story():
    async with serving(guarded_app(), "127.0.0.1", 0) as base:
        print(base.rpartition(":")[2], flush=True)
        await asyncio.Event().wait()

asyncio.run(story())
"""


def test_server_that_may_open_no_more_files_waits_until_some_are_closed() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with server, ExitStack() as lines:
        lines.callback(server.kill)
        assert server.stdout
        assert server.stderr
        port = int(server.stdout.readline())
        with call(port, "127.0.0.1") as first:
            first.sendall(get(port))
            assert first_words(first)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
        waiting = [lines.enter_context(call(port, "127.0.0.1")) for _ in range(LINES)]
        for line in waiting:
            line.sendall(get(port))
        assert b"Too many open files" in server.stderr.readline()
        used = on_processor(server.pid)
        waiting[-1].settimeout(2 * NO_FILES_SECONDS)
        with pytest.raises(TimeoutError):
            waiting[-1].recv(1)
        assert on_processor(server.pid) - used < NO_FILES_SECONDS / 10
        waiting[-1].settimeout(SECONDS)
        for line in waiting:
            assert first_words(line).startswith(b"HTTP/1.1 404 ")
            line.shutdown(socket.SHUT_RDWR)
        server.kill()
        assert b"Traceback" not in server.stderr.read()
