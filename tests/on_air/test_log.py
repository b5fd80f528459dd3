"""The on-air log: a page gets the entries that it missed, or the picture."""

import json
from typing import Any

import pytest

from broadcast.on_air.air_log import KEPT_ENTRIES, AirLog
from server.game.events import ChatSent


def log_of(entries: int) -> AirLog:
    air = AirLog("main", 1)
    for number in range(1, entries + 1):
        air.put(ChatSent(1, f"line {number}"), number * 10, 0)
    return air


def decoded(texts: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in texts]


@pytest.mark.parametrize(("entries", "after"), [(50, 0), (50, 1), (50, 49), (50, 50), (KEPT_ENTRIES + 100, 100)])
def test_page_gets_exactly_what_it_missed(entries: int, after: int) -> None:
    air = log_of(entries)
    assert [entry["seq"] for entry in decoded(air.catch_up(after, air.epoch))] == list(range(after + 1, entries + 1))


@pytest.mark.parametrize(
    ("entries", "after", "epoch"),
    [(1000, 0, ""), (50, 40, "an older epoch"), (10, 99, None), (KEPT_ENTRIES + 100, 50, None)],
    ids=["new page", "before a restart", "ahead of the show", "slept too long"],
)
def test_page_that_cannot_catch_up_gets_the_picture(entries: int, after: int, epoch: str | None) -> None:
    air = log_of(entries)
    (snapshot,) = decoded(air.catch_up(after, air.epoch if epoch is None else epoch))
    assert (snapshot["type"], snapshot["seq"], snapshot["state"]["seq"]) == ("snapshot", entries, entries)
