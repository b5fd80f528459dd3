"""All pages show times in this machine's time zone, with the name of the zone."""

import time
from collections.abc import Iterator

import pytest

from broadcast.web.templates import local_time

MOMENT = 1_795_724_100


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets this machine's time zone to Tokyo's."""
    with monkeypatch.context() as environment:
        environment.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_east")
@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        (MOMENT, "2026-11-27 05:15 JST"),
        ("2026-11-26T20:15:00.123+00:00", "2026-11-27 05:15 JST"),
        ("2026-11-26 20:15:00", "2026-11-26 20:15"),
        ("2026-11-26", "2026-11-26"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01 00:00"),
        ("yesterday evening, late", "yesterday evenin"),
        ("", ""),
    ],
)
def test_time_in_any_zone_is_shown_in_the_machines_zone(moment: float | str, shown: str) -> None:
    assert local_time(moment) == shown
