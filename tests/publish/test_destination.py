"""Files are written to folders and buckets completely or not at all, with headers for browsers, and errors are
explained.

All tests with a bucket are in this file, because the bucket's server takes half a second to start.
"""

import asyncio
import gzip
import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from re import search
from urllib.parse import quote

import pytest
from msgspec import Struct

from broadcast.publish.destination import (
    CACHE_BRIEFLY,
    CACHE_FOREVER,
    MAX_READ_BYTES,
    Destination,
    DestinationError,
    is_gzipped,
)
from broadcast.publish.destination_lease import CACHE_ONE_SECOND
from broadcast.publish.live_files import CACHE_FIVE_SECONDS
from broadcast.publish.live_publisher import LivePublisher
from tests.publish.test_live_publisher import PublishedShow
from tests.support.programs.disks import DISK_BYTES
from tests.support.published import published_entries, published_index

HTML = "text/html; charset=utf-8"
ODD_NAME = "films/El Niño & 50%/0.seg"
KINDS = "a destination is a folder, or s3://bucket, gs://bucket, az://bucket, optionally with a folder in it"
SEGMENT = gzip.compress(b'{"n":0}', mtime=0)
CACHED = {"index.json": CACHE_ONE_SECOND, "all.json": CACHE_FIVE_SECONDS}
"""How long the files of a show whose content changes may be cached. All other files never change."""
BUCKET = "s3://show"


PUBLIC = (
    '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",'
    ' "Resource": "arn:aws:s3:::show/*"}]}'
)
"""Lets everybody read the bucket `show`."""
ONE_AT_A_TIME = """
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app))
"""
"""Starts moto, an S3 server, without threads: in S3, checking whether a file exists and writing it are one step."""


class S3Server(Struct, frozen=True):
    """A running server with the bucket `show`. Programs that write to it need the variables in `environment`."""

    port: int
    environment: Mapping[str, str]

    def ask(self, method: str, path: str, body: str = "") -> tuple[Mapping[str, str], bytes]:
        """The headers and bytes that a stranger gets for a path."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, quote(path, safe="/?"), body)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status < 300, (answer.status, content)
        return {name.title(): value for name, value in answer.getheaders()}, content


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
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


@pytest.fixture
def bucket(s3: S3Server, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The address of an empty folder in a bucket; the environment gets the credentials for it."""
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    return f"{BUCKET}/{request.node.originalname}"


@pytest.fixture(params=["folder", "bucket"])
def destination(request: pytest.FixtureRequest, tmp_path: Path) -> Destination:
    return Destination(str(tmp_path / "site") if request.param == "folder" else request.getfixturevalue("bucket"))


async def test_one_of_several_simultaneous_creators_succeeds(destination: Destination) -> None:
    names = [b"friday", b"saturday", b"sunday"]
    made = await asyncio.gather(*(destination.create("claims/1.json", name, HTML, CACHE_FOREVER) for name in names))
    assert sorted(made) == [False, False, True]
    assert await destination.get("claims/1.json") == names[made.index(True)]
    assert not await destination.create("claims/1.json", b"monday", HTML, CACHE_FOREVER)


def test_only_an_old_half_written_file_is_removed_by_the_next_program(tmp_path: Path) -> None:
    """Somebody else's file stays even if it is named like a half-written one; so does a file that is being written."""
    killed = f"""
import obstore, os
obstore.rename = lambda *_, **__: os.kill(os.getpid(), 9)
import asyncio
from broadcast.publish.destination import Destination
asyncio.run(Destination({str(tmp_path)!r}).put("films/1.seg", b"half", "application/json", ""))
"""
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == -signal.SIGKILL
    half = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(half) == 1
    (tmp_path / "index.html#1").write_text("somebody's")
    assert asyncio.run(Destination(str(tmp_path)).list()) == {}
    assert half[0].exists(), "another program may still be writing the new file"
    os.utime(half[0], (0, 0))
    asyncio.run(Destination(str(tmp_path)).put("films/1.seg", SEGMENT, "application/json", CACHE_FOREVER))
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"films/1.seg", "index.html#1"}


async def test_stored_files_can_be_listed_and_read(destination: Destination) -> None:
    await destination.put("index.html", b"<p>old", HTML, CACHE_BRIEFLY)
    await destination.put("index.html", b"<p>new", HTML, CACHE_BRIEFLY)
    await destination.put(ODD_NAME, SEGMENT, "application/json", CACHE_FOREVER)
    assert await destination.get("index.html") == b"<p>new"
    assert await destination.get(ODD_NAME) == b'{"n":0}'
    assert await destination.get("nothing.html") is None
    listed = await destination.list()
    assert sorted(listed) == [ODD_NAME, "index.html"]
    assert [*await destination.list("films")] == [ODD_NAME]
    stored = listed["index.html"]
    assert await destination.has("index.html", stored, b"<p>new", HTML)
    assert not await destination.has("index.html", stored, b"<p>new and longer", HTML)
    assert not await destination.has("index.html", stored, b"<p>NEW", HTML)
    assert not await destination.has("index.html", None, b"<p>new", HTML)


async def test_no_large_file_or_endless_list_is_read(destination: Destination, monkeypatch: pytest.MonkeyPatch) -> None:
    await destination.put("bomb.json", gzip.compress(bytes(MAX_READ_BYTES + 1)), "application/json", CACHE_FOREVER)
    await destination.put("large.bin", bytes(MAX_READ_BYTES + 1), "application/octet-stream", CACHE_FOREVER)
    for name in ("bomb.json", "large.bin"):
        with pytest.raises(DestinationError, match=f"{name} is larger"):
            await destination.get(name)
    monkeypatch.setattr("broadcast.publish.destination.MAX_FILES", 3)
    await destination.put("3.txt", b"x", "text/plain", CACHE_FOREVER)
    assert len(await destination.list()) == 3
    await destination.put("4.txt", b"x", "text/plain", CACHE_FOREVER)
    with pytest.raises(DestinationError, match="more than 3 files"):
        await destination.list()


def test_impossible_destination_is_explained_without_a_secret(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def error_of(address: str) -> str:
        with pytest.raises(DestinationError) as error:
            asyncio.run(Destination(address).put("index.html", b"x", HTML, CACHE_BRIEFLY))
        return str(error.value).removeprefix(f"{address}: ")

    assert error_of("s3://nobodys-bucket/x") == "there is no bucket nobodys-bucket"
    assert error_of("s3://") == error_of("ftp://host/x") == KINDS
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert error_of(bucket) == "it is not responding"
    for name in [name for name in os.environ if name.startswith(("AWS_", "AZURE_", "GOOGLE_"))]:
        monkeypatch.delenv(name)
    missing = "no credentials are known for it: set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY"
    assert error_of("az://container/x") == missing


def test_full_disk_is_reported_and_old_files_stay(small_disk: Path) -> None:
    destination = Destination(str(small_disk / "site"))
    asyncio.run(destination.put("index.html", b"old", HTML, CACHE_BRIEFLY))
    with pytest.raises(DestinationError, match="no space left on device"):
        asyncio.run(destination.put("index.html", os.urandom(2 * DISK_BYTES), HTML, CACHE_BRIEFLY))
    assert asyncio.run(destination.get("index.html")) == b"old"


async def test_show_in_a_bucket_has_a_folders_files_with_headers(s3: S3Server, bucket: str, tmp_path: Path) -> None:
    def check(file: str) -> None:
        """Asserts that the bucket serves a file of the folder to strangers, with the right headers."""
        headers, content = s3.ask("GET", f"{bucket.removeprefix('s3:/')}/{file}")
        served = (headers["Content-Type"], headers["Content-Encoding"], headers["Cache-Control"])
        assert served == ("application/json", "gzip", CACHED.get(Path(file).name, CACHE_FOREVER))
        expected = (tmp_path / file).read_bytes()
        assert gzip.decompress(content) == (gzip.decompress(expected) if is_gzipped(expected) else expected)

    on = PublishedShow(tmp_path)
    there = LivePublisher(bucket, on.live, "friday", clock=lambda: on.clock.now, utc_clock=on.world)
    with on.show.begun():
        while not on.over:
            await on.clock.run(30)
            await on.publisher.publish()
            await there.publish()
            check("live/main/index.json")
    assert published_index(tmp_path)["state"] == "over"
    assert published_entries(tmp_path)
    files = await Destination(str(tmp_path)).list()
    assert {*files} == {*await Destination(bucket).list()}
    assert {Path(file).suffix for file in files} == {".json", ".seg", ".part"}
    for file in files:
        check(file)
