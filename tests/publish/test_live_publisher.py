"""A live show at its destination (a folder or a bucket) is always complete, and never ahead of what is on air."""

import asyncio
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from re import search
from typing import Any

import httpx
import pytest

from broadcast.live.channel import KEPT_BYTES, LiveChannel
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import LineSpoken
from broadcast.publish.destination import CACHE_BRIEFLY, CACHE_FOREVER, MAX_READ_BYTES, Destination, DestinationError
from broadcast.publish.destination_lease import CACHE_ONE_SECOND, INDEX_PATH, SILENCE_SECONDS, DestinationTaken
from broadcast.publish.live_files import CACHE_FIVE_SECONDS, INDEX_SECONDS
from broadcast.publish.live_publisher import MAX_PAUSE_SECONDS, LivePublisher, LiveSite
from server.journal.bus import Bus
from server.journal.journal import Entry
from tests.publish.published_pairs import find_differences
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock
from tests.support.background import background_task
from tests.support.games.recordings import small_contest
from tests.support.programs.disks import DISK_BYTES
from tests.support.published import Json, published_entries, published_index

START_UTC = 1_000_000.0
"""The Unix time, in seconds, when a test's clock shows 0."""


class PublishedShow:
    """A show and its publisher. The contest has already been played, so a publisher could run ahead of the show."""

    def __init__(
        self, site: Path | str, event: str = "friday", clock: ManualClock | None = None, journal: Sequence[Entry] = (),
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        bus = Bus(None, lambda: 0.0)
        bus.load(journal or small_contest())
        self.show = ShowOnFakeClock(bus=bus, clock=clock)
        self.clock = self.show.clock
        self.entries: list[Json] = []
        """The entries that were on air, in the form in which `published_entries` returns entries."""
        self.show.air.recorders.add(lambda entry, _, __: self._record(json.loads(entry.to_json())))
        self.live = LiveChannel(self.show.air, lambda: self.clock.now, KEPT_BYTES, self.utc_now)
        self.publisher = LivePublisher(
            str(site), self.live, event, clock=lambda: self.clock.now, utc_clock=self.utc_now,
            sleep=sleep or self.clock.sleep,
        )  # fmt: skip

    def _record(self, entry: Json) -> None:
        entry["offset_ms"] = entry.pop("at_ms")
        self.entries.append(entry)

    def utc_now(self) -> float:
        return START_UTC + self.clock.now

    @property
    def is_over(self) -> bool:
        return self.live.make_index(0).state == "over"


async def test_index_always_leads_to_all_that_was_on_air(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written_paths, fresh_entries = list[str](), list[Json]()
    original_put = Destination.put

    async def put_and_read_as_a_viewer(self: Destination, path: str, *arguments: Any) -> None:
        await original_put(self, path, *arguments)
        written_paths.append(path)
        if (tmp_path / INDEX_PATH).exists():
            published_entries(tmp_path)

    monkeypatch.setattr(Destination, "put", put_and_read_as_a_viewer)
    friday = PublishedShow(tmp_path)
    async with friday.show.running_task():
        while not friday.is_over:
            await friday.publisher.publish()
            assert written_paths[-1] == INDEX_PATH
            for piece in published_index(tmp_path)["fresh"]:  # `fresh`: the parts that are new since the last index
                assert piece["first_seq"] == (piece["entries"] or [{"seq": 1}])[0]["seq"]
                begin = piece["at_ms"]
                fresh_entries += [{**entry, "offset_ms": begin + entry["offset_ms"]} for entry in piece["entries"]]
            assert fresh_entries == published_entries(tmp_path) == friday.entries
            await friday.clock.run(INDEX_SECONDS)
    await friday.publisher.publish()
    assert published_entries(tmp_path) == friday.entries
    assert published_index(tmp_path)["state"] == "over"
    immutable_paths = [path for path in written_paths if not path.endswith(".json")]
    assert len(set(immutable_paths)) == len(immutable_paths) > 50


@pytest.mark.parametrize("is_site_up", [True, False])
async def test_index_is_written_steadily_but_less_often_after_failures(tmp_path: Path, *, is_site_up: bool) -> None:
    factors = [1] * 8 if is_site_up else [1, 2, 4, 8, *[MAX_PAUSE_SECONDS / INDEX_SECONDS] * 4]
    site = tmp_path / "site"
    if not is_site_up:
        site.write_text("a file where the folder should be")
    waits_seconds, index_times = list[float](), list[int]()
    slept_enough = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waits_seconds.append(seconds)
        index_times.extend([published_index(site)["now_utc_ms"]] if is_site_up else [])
        friday.clock.now += seconds
        if len(waits_seconds) == len(factors):
            slept_enough.set()
            await asyncio.Event().wait()

    friday = PublishedShow(site, sleep=sleep)
    async with background_task(friday.publisher.run()):
        await slept_enough.wait()
    assert waits_seconds == [INDEX_SECONDS * factor for factor in factors]
    assert index_times == [int((START_UTC + number * INDEX_SECONDS) * 1000) for number in range(len(index_times))]
    assert len(index_times) == is_site_up * len(factors)


async def test_outage_shows_at_the_desk_until_the_destination_catches_up(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.write_text("a file where the folder should be")
    friday = PublishedShow(site)
    async with background_task(friday.publisher.run()), friday.show.running_task():
        await friday.clock.run(100)
        light = friday.publisher.health_light()
        assert (light.of, light.colour) == ("publishing", "yellow")
        assert light.words.startswith(f"{site}: ")
        assert "The show goes on, and the destination catches up by itself" in light.words
        site.unlink()
        while friday.publisher.health_light().colour != "green":
            await friday.clock.run(5)
            await asyncio.sleep(0.01)  # lets real time pass, so that other threads can write files
        last = published_index(site)["last"]
        assert last > 20
        assert published_entries(site) == friday.entries[:last]


async def test_destination_belongs_to_a_show_until_the_show_is_gone_or_over(tmp_path: Path) -> None:
    friday = PublishedShow(tmp_path)
    await friday.publisher.publish()
    friday_again = PublishedShow(tmp_path, clock=friday.clock)
    await friday_again.publisher.publish()
    assert published_index(tmp_path)["epoch"] == friday_again.live.epoch != friday.live.epoch  # a run has its own epoch
    saturday = PublishedShow(tmp_path, "saturday", clock=friday.clock)
    with pytest.raises(DestinationTaken, match="another show is being published there, friday, last seen 0 s ago"):
        await saturday.publisher.publish()
    assert published_index(tmp_path)["event"] == "friday"
    friday.clock.now += SILENCE_SECONDS + 1  # Friday's show has fallen silent before its end
    await saturday.publisher.publish()
    assert published_index(tmp_path)["event"] == "saturday"
    assert (tmp_path / "live/main" / friday.live.epoch / "0-0.part").exists()
    async with saturday.show.running_task():
        while not saturday.is_over:
            await saturday.clock.run(60)
    await saturday.publisher.publish()
    await PublishedShow(tmp_path, "sunday", clock=friday.clock).publisher.publish()
    with pytest.raises(DestinationTaken):
        await saturday.publisher.publish()
    assert published_index(tmp_path)["event"] == "sunday"


async def test_show_that_returns_after_a_long_outage_does_not_overwrite_its_successor(tmp_path: Path) -> None:
    site, moved_folder = tmp_path / "site", tmp_path / "away"
    friday = PublishedShow(site)
    await friday.publisher.publish()
    site.rename(moved_folder)
    site.write_text("a file where the folder should be")
    async with background_task(friday.publisher.run()):
        while friday.publisher.health_light().colour == "green":  # noqa: ASYNC110 (until a thread has failed to write)
            await asyncio.sleep(0.01)
    site.unlink()
    moved_folder.rename(site)
    friday.clock.now += SILENCE_SECONDS + 1
    await PublishedShow(site, "saturday", clock=friday.clock).publisher.publish()
    with pytest.raises(DestinationTaken):
        await friday.publisher.publish()
    assert published_index(site)["event"] == "saturday"


@pytest.mark.parametrize("content", [b"", b"{", b'{"event": 5}', b"\xff", gzip.compress(b"{}", mtime=0)[:-9]])
def test_invalid_index_is_overwritten(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "live/main").mkdir(parents=True)
    (tmp_path / "live/main/index.json").write_bytes(content)
    asyncio.run(PublishedShow(tmp_path).publisher.publish())
    assert published_entries(tmp_path) == []


def test_published_files_pages_and_api_do_not_depend_on_cards_to_come() -> None:
    comparison = find_differences(random.Random(1), 12)  # in each of 12 pairs, only later cards differ
    assert comparison.differing == []
    assert comparison.moments > 5 * 12


async def test_spoken_line_is_published_only_after_it_has_been_on_air(tmp_path: Path) -> None:
    aired_file, unaired_file = ("voice-00000000000000a1.ogg", "voice-00000000000000a2.ogg")
    (tmp_path / "media").mkdir()
    for name in (aired_file, unaired_file):
        (tmp_path / "media" / name).write_bytes(name.encode())
    air = AirLog("main", 1.0)
    site = LiveSite("Friday", tmp_path / "media", lambda: air.picture)
    air.recorders.add(site.record)
    await site.begin(Destination(str(tmp_path / "site")))
    await site.send()
    assert not (tmp_path / "site/media").exists()
    air.put(LineSpoken(aired_file, 900), 0, 0)
    air.put(LineSpoken("../../etc/passwd", 900), 0, 0)
    await site.send()
    assert [path.name for path in (tmp_path / "site/media").iterdir()] == [aired_file]


HTML_TYPE = "text/html; charset=utf-8"
ODD_NAME = "films/El Niño & 50%/0.seg"  # a film is a recording that viewers can watch
SEGMENT = gzip.compress(b'{"n":0}', mtime=0)
PUBLIC_POLICY = (
    '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",'
    ' "Resource": "arn:aws:s3:::show/*"}]}'
)
SINGLE_THREADED_MOTO = """
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app))
"""
"""Starts moto, an S3 server. Without threads, moto checks for a file and creates it in one step, as S3 does."""


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of an S3 server. It starts slowly, so all tests with a bucket share it, and are in this file."""
    command = [sys.executable, "-c", SINGLE_THREADED_MOTO]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr
    try:
        matches = (search(r"Running on (http://127\.0\.0\.1:\d+)", line) for line in process.stderr)
        address = next(match[1] for match in matches if match)
        for path, body in (("show", ""), ("show?policy", PUBLIC_POLICY)):
            httpx.put(f"{address}/{path}", content=body).raise_for_status()
        yield address
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def bucket(s3: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The address of an empty folder in a bucket. Sets environment variables with the credentials."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3)
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret-that-nobody-may-read")
    return f"s3://show/{request.node.originalname}"


@pytest.fixture(params=["folder", "bucket"])
def destination(request: pytest.FixtureRequest, tmp_path: Path) -> Destination:
    return Destination(str(tmp_path / "site") if request.param == "folder" else request.getfixturevalue("bucket"))


async def test_only_one_of_several_new_shows_gets_the_destination(destination: Destination) -> None:
    clock, events = ManualClock(), ("friday", "saturday", "sunday")
    publishers = [PublishedShow(destination.address, event, clock).publisher for event in events]
    outcomes = await asyncio.gather(*(publisher.publish() for publisher in publishers), return_exceptions=True)
    assert sum(isinstance(outcome, DestinationTaken) for outcome in outcomes) == 2
    index = await destination.get(INDEX_PATH)
    assert index
    assert json.loads(index)["event"] == events[outcomes.index(None)]


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: apt-get install strace")
@pytest.mark.parametrize("rename", [1, 2])
def test_only_an_old_half_written_file_is_removed_by_the_next_program(rename: int, tmp_path: Path) -> None:
    """Kills a program before a rename. Rename 1 completes a temporary file. Rename 2 moves the file to its place."""
    put = (
        "import asyncio; from broadcast.publish.destination import Destination; "
        f"asyncio.run(Destination({str(tmp_path)!r}).put('films/1.seg', b'half', 'application/json', ''))"
    )
    strace = f"strace -f -o /dev/null -e inject=/^rename:signal=KILL:when={rename}".split()
    assert subprocess.run([*strace, sys.executable, "-c", put], check=False).returncode == -signal.SIGKILL
    half_written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(half_written) == 1
    (tmp_path / "index.html#1").write_text("somebody else's file, which is named like a half-written one")
    assert asyncio.run(Destination(str(tmp_path)).list()) == {}
    assert half_written[0].exists(), "a new file must stay: another program may be writing it"
    os.utime(half_written[0], (0, 0))
    asyncio.run(Destination(str(tmp_path)).put("films/1.seg", SEGMENT, "application/json", CACHE_FOREVER))
    remaining_files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert remaining_files == {"films/1.seg", "index.html#1"}


async def test_stored_files_can_be_listed_and_read(destination: Destination) -> None:
    await destination.put("index.html", b"<p>old", HTML_TYPE, CACHE_BRIEFLY)
    await destination.put("index.html", b"<p>new", HTML_TYPE, CACHE_BRIEFLY)
    await destination.put(ODD_NAME, SEGMENT, "application/json", CACHE_FOREVER)
    assert await destination.get("index.html") == b"<p>new"
    assert await destination.get(ODD_NAME) == b'{"n":0}'
    assert await destination.get("nothing.html") is None
    listed_files = await destination.list()
    assert sorted(listed_files) == [ODD_NAME, "index.html"]
    assert [*await destination.list("films")] == [ODD_NAME]
    stored_file = listed_files["index.html"]
    assert await destination.has("index.html", stored_file, b"<p>new", HTML_TYPE)
    assert not await destination.has("index.html", stored_file, b"<p>new and longer", HTML_TYPE)
    assert not await destination.has("index.html", stored_file, b"<p>NEW", HTML_TYPE)
    assert not await destination.has("index.html", None, b"<p>new", HTML_TYPE)


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
            asyncio.run(Destination(address).put("index.html", b"x", HTML_TYPE, CACHE_BRIEFLY))
        return str(error.value).removeprefix(f"{address}: ")

    assert error_of("s3://nobodys-bucket/x") == "there is no bucket nobodys-bucket"
    expected = "a destination is a folder, or s3://bucket, gs://bucket, az://bucket, optionally with a folder in it"
    assert [error_of("s3://"), error_of("ftp://host/x")] == [expected] * 2
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert error_of(bucket) == "it is not responding"
    for name in [name for name in os.environ if name.startswith(("AWS_", "AZURE_", "GOOGLE_"))]:
        monkeypatch.delenv(name)
    no_credentials = "no credentials are known for it: set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY"
    assert error_of("az://container/x") == no_credentials


def test_full_disk_is_reported_and_old_files_stay(small_disk: Path) -> None:
    destination = Destination(str(small_disk / "site"))
    asyncio.run(destination.put("index.html", b"old", HTML_TYPE, CACHE_BRIEFLY))
    with pytest.raises(DestinationError, match="no space left on device"):
        asyncio.run(destination.put("index.html", os.urandom(2 * DISK_BYTES), HTML_TYPE, CACHE_BRIEFLY))
    assert asyncio.run(destination.get("index.html")) == b"old"


async def test_show_in_a_bucket_has_a_folders_files_with_headers(s3: str, bucket: str, tmp_path: Path) -> None:
    """A show has the same files in a bucket as in a folder, and the bucket serves them with the right headers."""
    cache_headers = {"index.json": CACHE_ONE_SECOND, "all.json": CACHE_FIVE_SECONDS}  # the other files never change

    async def check(file: str) -> None:
        """Asserts that the bucket gives everybody the folder's `file`, with the right headers."""
        response = await asyncio.to_thread(httpx.get, f"{s3}{bucket.removeprefix('s3:/')}/{file}")
        response.raise_for_status()
        served = [response.headers[name] for name in ("Content-Type", "Content-Encoding", "Cache-Control")]
        assert served == ["application/json", "gzip", cache_headers.get(Path(file).name, CACHE_FOREVER)]
        assert response.content == await Destination(str(tmp_path)).get(file)

    friday = PublishedShow(tmp_path)
    uploader = LivePublisher(bucket, friday.live, "friday", clock=lambda: friday.clock.now, utc_clock=friday.utc_now)
    async with friday.show.running_task():
        while not friday.is_over:
            await friday.clock.run(30)
            await friday.publisher.publish()
            await uploader.publish()
            await check("live/main/index.json")
    assert published_index(tmp_path)["state"] == "over"
    assert published_entries(tmp_path)
    files = await Destination(str(tmp_path)).list()
    assert {*files} == {*await Destination(bucket).list()}
    assert {Path(file).suffix for file in files} == {".json", ".seg", ".part"}
    for file in files:
        await check(file)
