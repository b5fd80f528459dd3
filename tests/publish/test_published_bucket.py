"""A show that is on, published to a bucket while it runs: strangers get the same files there as from a folder."""

import asyncio
import gzip
from pathlib import Path

import pytest

from broadcast.publish.live_publisher import FOR_NEWCOMERS, LivePublisher
from broadcast.publish.place import FOR_EVER, Place, is_gzipped
from broadcast.publish.show_there import FOR_A_SECOND
from tests.publish.s3_server import S3Server
from tests.publish.test_live_publisher import PublishedShow
from tests.support.published import published_entries, published_index

KEPT = {"index.json": FOR_A_SECOND, "all.json": FOR_NEWCOMERS}
"""How long what changes may be kept; all else never changes."""
BUCKET = "s3://show/live"


def test_a_show_in_a_bucket_is_that_in_a_folder_with_the_headers_that_pages_and_caches_need(
    s3: S3Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)

    async def story() -> set[str]:
        on = PublishedShow(tmp_path)
        there = LivePublisher(BUCKET, on.live, "friday", clock=lambda: on.clock.now, world=on.world)
        with on.show.begun():
            while not on.over:
                await on.clock.run(30)
                await on.publisher.publish()
                await there.publish()
                _check_file(s3, tmp_path, "live/main/index.json")
        return set(await Place(BUCKET).list())

    listed = asyncio.run(story())
    assert published_index(tmp_path)["state"] == "over"
    assert published_entries(tmp_path)
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert files == listed
    assert {Path(file).suffix for file in files} == {".json", ".seg", ".part"}
    for file in files:
        _check_file(s3, tmp_path, file)


def _check_file(s3: S3Server, folder: Path, file: str) -> None:
    """Fails unless a stranger gets from the bucket what lies in the folder, and learns what it is."""
    headers, content = s3.read("show", f"live/{file}")
    told = (headers["Content-Type"], headers["Content-Encoding"], headers["Cache-Control"])
    assert told == ("application/json", "gzip", KEPT.get(Path(file).name, FOR_EVER))
    expected = (folder / file).read_bytes()
    assert gzip.decompress(content) == (gzip.decompress(expected) if is_gzipped(expected) else expected)
