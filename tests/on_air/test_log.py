"""The on-air log: a page gets the entries it missed, or a snapshot."""

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


def test_entries_are_numbered_from_one_without_a_gap() -> None:
    air, texts = AirLog("main", 1), list[bytes]()
    air.listeners.add(texts.append)
    for number in range(5):
        air.put(ChatSent(1, "x"), number, 7)
    assert [(entry["seq"], entry["hold_ms"]) for entry in decoded(texts)] == [(seq, 7) for seq in range(1, 6)]


@pytest.mark.parametrize("after", [0, 1, 49, 50])
def test_page_gets_exactly_what_it_missed(after: int) -> None:
    air = log_of(50)
    assert [entry["seq"] for entry in decoded(air.catch_up(after, air.epoch))] == list(range(after + 1, 51))


@pytest.mark.parametrize(
    ("entries", "after", "epoch"),
    [(1000, 0, ""), (50, 40, "an older epoch"), (10, 99, None), (KEPT_ENTRIES + 100, 50, None)],
    ids=["new page", "before a restart", "ahead of the show", "slept too long"],
)
def test_page_that_cannot_catch_up_gets_the_picture(entries: int, after: int, epoch: str | None) -> None:
    air = log_of(entries)
    (snapshot,) = decoded(air.catch_up(after, air.epoch if epoch is None else epoch))
    assert (snapshot["type"], snapshot["seq"], snapshot["state"]["seq"]) == ("snapshot", entries, entries)


def test_page_that_slept_for_as_long_as_entries_are_kept_gets_them_all() -> None:
    air = log_of(KEPT_ENTRIES + 100)
    assert len(air.catch_up(100, air.epoch)) == KEPT_ENTRIES
