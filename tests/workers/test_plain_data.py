"""A client never runs anything that a worker sends, and shuts out a worker that sends something unreadable."""

import asyncio
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed.protocol.core import dumps
from distributed.protocol.serialize import ToPickle, to_serialize

from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from server.workers.abilities import CORE
from server.workers.asking import Work
from server.workers.connect import workers_of
from server.workers.plain_data import NotPlain, plain
from tests.support.cluster import Cluster, cluster
from tests.support.program import SECONDS

WHY = {
    "error": "it fails at a game",
    "event": "its answer cannot be read",
    "files": "it cannot keep files",
    "huge": "its answer cannot be read: a message of",
    "pickle": "its answer cannot be read",
    "result": "its answer cannot be read",
}
"""The reason why each kind of hostile worker is shut out."""


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    with cluster(tmp_path_factory.mktemp("cluster")) as there:
        yield there


@pytest.mark.parametrize("how", WHY)
def test_hostile_worker_runs_nothing_here_and_is_shut_out_at_once(how: str, workers: Cluster, tmp_path: Path) -> None:
    tries: list[int] = []

    async def accept(*_: object) -> None:
        raise AssertionError("no answer of a hostile worker may be read")

    async def story() -> dict[str, str]:
        async with workers_of(workers.address, workers.certificates) as asking:
            work = Work("a game", "game", b"", {CORE: 1}, {"files": tmp_path})
            asked = asyncio.create_task(asking.done(work, accept, tries.append))
            while not asking.connection.shut_out:
                await asking.connection.wait_for_change()
            asked.cancel()
            await asyncio.wait({asked})
            return asking.connection.shut_out

    workers.start_worker(how, "tests.workers.hostile_worker")
    try:
        (why,) = asyncio.run(asyncio.wait_for(story(), SECONDS)).values()
    finally:
        workers.kill_worker(how)
    assert why.startswith(WHY[how])
    assert len(tries) <= 2
    owned = workers.folder / "owned"
    assert not owned.exists() or str(os.getpid()) not in owned.read_text().split()


def test_plain_data_is_received_but_events_objects_and_compressed_bytes_are_never_decoded() -> None:
    received = [{"op": "event", "event": "for everybody's terminal"}, {"op": "x", "of": [1, "two"], "names": {"a"}}]
    assert plain(dumps(received)) == [{"op": "x", "of": (1, "two"), "names": {"a"}}]
    for sent in (["a list"], ValueError(), bytearray(b"of another type")):
        assert isinstance(plain(dumps({"data": to_serialize(sent)}))["data"], NotPlain)
    assert isinstance(plain(dumps({"data": ToPickle("howdy")}))["data"], NotPlain)
    message = plain(dumps({"status": "error", "exception": pickle.dumps(1), "traceback": pickle.dumps(1)}))
    assert isinstance(message["exception"], NotPlain)
    assert message["traceback"] is None
    frames = dumps({"data": to_serialize(bytes(1 << 20))}, context={"compression": "zlib"})
    assert sum(map(len, frames)) < 1 << 16
    assert isinstance(plain(frames)["data"], NotPlain)
