"""The on-air log: a page that says what it has gets the entries it missed, or a snapshot."""

import json
from typing import Any

import pytest

from broadcast.on_air.log import KEPT_ENTRIES, AirLog
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
def test_a_page_gets_exactly_what_it_missed(after: int) -> None:
    air = log_of(50)
    assert [entry["seq"] for entry in decoded(air.catch_up(after, air.epoch))] == list(range(after + 1, 51))


def test_a_new_page_gets_the_picture_when_much_has_happened() -> None:
    air = log_of(1000)
    (snapshot,) = decoded(air.catch_up(0, ""))
    assert (snapshot["type"], snapshot["seq"], snapshot["state"]["seq"]) == ("snapshot", 1000, 1000)


def test_a_page_from_before_a_restart_gets_the_picture_and_not_another_shows_entries() -> None:
    (snapshot,) = decoded(log_of(50).catch_up(40, "an older epoch"))
    assert snapshot["type"] == "snapshot"


def test_a_page_that_claims_to_be_ahead_gets_the_picture() -> None:
    air = log_of(10)
    (snapshot,) = decoded(air.catch_up(99, air.epoch))
    assert (snapshot["type"], snapshot["seq"]) == ("snapshot", 10)


def test_a_page_that_slept_too_long_gets_the_picture() -> None:
    air = log_of(KEPT_ENTRIES + 100)
    assert [entry["type"] for entry in decoded(air.catch_up(50, air.epoch))] == ["snapshot"]
    assert len(air.catch_up(100, air.epoch)) == KEPT_ENTRIES
