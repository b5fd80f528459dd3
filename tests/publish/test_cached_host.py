"""A show on a static host behind nginx as a cache: pages follow it, and the index is as fresh as its header says."""

import gzip
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import pytest

from broadcast.on_air.events import OnAirEntry
from broadcast.publish.destination import FOR_EVER
from broadcast.publish.show_there import FOR_A_SECOND
from tests.publish.hosted_show import HostedShow
from tests.publish.test_published_page import on_air, show, shown, state, visited
from tests.support.nginx import nginx, static_host
from tests.support.reused_pages import ReusedPages

__all__ = ["on_air", "show"]

STALE_SECONDS = 2.0
"""The second for which an index may be cached, and one for clocks of whole seconds."""
LOOK_SECONDS = 0.05
"""Seconds between two looks at the index."""


@pytest.fixture
def cached(show: HostedShow, tmp_path: Path) -> Iterator[str]:
    """The address of a cache in front of a static host with the show."""
    headers = "".join(
        f'location {files} {{ add_header Cache-Control "{kept}"; }} '
        for files, kept in (("= /live/main/index.json", FOR_A_SECOND), (r"~ \.(seg|part)$", FOR_EVER))
    )
    keys = f"proxy_cache_path {tmp_path}/kept keys_zone=show:1m;"
    with nginx(tmp_path / "host", f"{static_host(show.folder)} {headers}") as host:
        through = f"proxy_pass {host}; proxy_cache show; proxy_cache_lock on;"
        marked = "add_header X-Cache $upstream_cache_status;"
        with nginx(tmp_path / "cache", f"location / {{ {through} {marked} }}", keys) as address:
            yield address


def test_page_behind_a_cache_follows_the_show(
    show: HostedShow, cached: str, reused_pages: ReusedPages, on_air: Sequence[OnAirEntry]
) -> None:
    show.put(on_air[:40])
    page = visited(reused_pages, cached, shows=40)
    show.put(on_air[40:60])
    shown(page, 60)
    assert state(page) == show.air.picture
    reused_pages.leave()


def test_cached_index_is_at_most_a_second_older_than_its_header_allows(
    show: HostedShow, cached: str, on_air: Sequence[OnAirEntry]
) -> None:
    statuses = set()
    with httpx.Client(base_url=cached) as web:
        for end in (10, 20, 30):
            show.put(on_air[end - 10 : end])
            written = time.monotonic()
            last = 0
            while last != end:
                asked = time.monotonic()
                answer = web.get("/live/main/index.json")
                statuses.add(answer.headers["X-Cache"])
                last = json.loads(gzip.decompress(answer.content))["last"]
                assert last == end or asked < written + STALE_SECONDS
                time.sleep(LOOK_SECONDS)
    assert "EXPIRED" in statuses  # so the cache had kept one
