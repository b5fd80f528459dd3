"""A client never runs anything that a worker sends, and shuts out a worker that sends something unreadable.

Files that are sent to a worker arrive unchanged. Altered, other or too many files are refused.
"""

import asyncio
import io
import os
import pickle
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed.protocol.core import dumps
from distributed.protocol.serialize import ToPickle, to_serialize

from server.bots.sandbox.bubblewrap.start import bubblewrap_fault
from server.errors import Refusal
from server.submissions.folder_scan import digest_of
from server.workers import workplace
from server.workers.abilities import CORE_ABILITY
from server.workers.asking import Work
from server.workers.connect import workers_of
from server.workers.plain_data import NotPlain, plain_frames
from server.workers.workplace import BadFiles, pack, unpack
from tests.support.program import SECONDS
from tests.support.programs.cluster import Cluster, cluster
from tests.support.published import files_in
from tests.workers.bad_worker import OWNED

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
            work = Work("a game", "game", b"", {CORE_ABILITY: 1}, {"files": tmp_path})
            asked = asyncio.create_task(asking.done(work, accept, tries.append))
            while not asking.connection.shut_out:
                await asking.connection.wait_for_change()
            asked.cancel()
            await asyncio.wait({asked})
            return asking.connection.shut_out

    workers.start_worker(how, "tests.workers.bad_worker")
    try:
        (why,) = asyncio.run(asyncio.wait_for(story(), SECONDS)).values()
    finally:
        workers.kill_worker(how)
    assert why.startswith(WHY[how])
    assert len(tries) <= 2
    owned = workers.folder / OWNED
    assert not owned.exists() or str(os.getpid()) not in owned.read_text().split()


def test_plain_data_is_received_but_events_objects_and_compressed_bytes_are_never_decoded() -> None:
    received = [{"op": "event", "event": "for everybody's terminal"}, {"op": "x", "of": [1, "two"], "names": {"a"}}]
    assert plain_frames(dumps(received)) == [{"op": "x", "of": (1, "two"), "names": {"a"}}]
    for sent in (["a list"], ValueError(), bytearray(b"of another type")):
        assert isinstance(plain_frames(dumps({"data": to_serialize(sent)}))["data"], NotPlain)
    assert isinstance(plain_frames(dumps({"data": ToPickle("howdy")}))["data"], NotPlain)
    message = plain_frames(dumps({"status": "error", "exception": pickle.dumps(1), "traceback": pickle.dumps(1)}))
    assert isinstance(message["exception"], NotPlain)
    assert message["traceback"] is None
    frames = dumps({"data": to_serialize(bytes(1 << 20))}, context={"compression": "zlib"})
    assert sum(map(len, frames)) < 1 << 16
    assert isinstance(plain_frames(frames)["data"], NotPlain)


LINK, FILE = tarfile.SYMTYPE, tarfile.REGTYPE


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot with a program, a folder, and a link between its files."""
    folder = tmp_path / "here"
    (folder / "weights").mkdir(parents=True)
    (folder / "weights" / "large.bin").write_bytes(os.urandom(5_000))
    (folder / "notes.txt").write_text("notes")
    program = folder / "bot.sh"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (folder / "start").symlink_to("bot.sh")
    return folder


@pytest.fixture
def destination(tmp_path: Path) -> Path:
    (folder := tmp_path / "destination").mkdir()
    return folder


def test_files_arrive_with_their_execute_bits_and_links(bot: Path, destination: Path) -> None:
    unpack(pack(bot), destination, digest_of(bot))
    assert files_in(destination / "bot") == files_in(bot)
    assert (destination / "bot/bot.sh").stat().st_mode & 0o777 == 0o755
    assert (destination / "bot/notes.txt").stat().st_mode & 0o777 == 0o644
    assert (destination / "bot/start").readlink() == Path("bot.sh")


@pytest.mark.parametrize("at", [0, 40, 3_000])
def test_truncated_altered_or_unannounced_archive_is_refused(bot: Path, destination: Path, at: int) -> None:
    whole = pack(bot)
    with pytest.raises(BadFiles, match="cannot be unpacked"):
        unpack(whole[:at], destination, digest_of(bot))
    altered = bytearray(whole)
    altered[at] ^= 0xFF
    (again := destination / "again").mkdir()
    with pytest.raises(BadFiles):
        unpack(bytes(altered), again, digest_of(bot))
    announced = digest_of(bot)
    (bot / "notes.txt").write_text("others")
    (other := destination / "other").mkdir()
    with pytest.raises(BadFiles, match="not the announced files"):
        unpack(pack(bot), other, announced)


@pytest.mark.parametrize(("entries", "why"), [
    ((("../outside", FILE, ""),), "leads out of the folder"),
    ((("bot/link", LINK, ".."), ("bot/link/outside", FILE, "")), "leads out of the folder"),
    ((("bot/hard", tarfile.LNKTYPE, "../outside"),), "leads out of the folder"),
    ((("bot/a", LINK, "/etc/passwd"),), "leads out"),
    ((("bot/a", LINK, "."), ("bot/b", LINK, "a/a/../../outside")), "leads out"),
])  # fmt: skip
def test_no_link_points_and_no_file_is_written_outside_the_folder(
    entries: tuple[tuple[str, bytes, str], ...], why: str, destination: Path
) -> None:
    """Each entry has a name, a kind and, for a link, a target."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as archive:
        for name, kind, target in (("bot", tarfile.DIRTYPE, ""), *entries):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            archive.addfile(member)
    with pytest.raises(BadFiles, match=why):
        unpack(whole.getvalue(), destination, "")
    assert [path.name for path in destination.parent.iterdir()] == ["destination"]
    assert [path.name for path in destination.iterdir()] == ["bot"]


def test_too_large_files_are_neither_sent_nor_accepted(
    bot: Path, destination: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = pack(bot)
    monkeypatch.setattr(workplace, "MAX_BYTES", 5_000)
    with pytest.raises(Refusal, match="at most 0 MB are sent"):
        pack(bot)
    with pytest.raises(BadFiles, match="or larger ones, than any"):
        unpack(sent, destination, digest_of(bot))
