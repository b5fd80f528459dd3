"""All pages show times in the machine's zone, with its name."""

import re
import time
from collections.abc import Iterator

import pytest

from broadcast.web.templates import local_time
from server.app.practice.invitations import Invitation
from tests.support.source_files import ROOT

MOMENT = 1_795_724_100


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine is in Tokyo."""
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
def test_moment_is_shown_in_the_machines_zone_if_its_own_is_known(moment: float | str, shown: str) -> None:
    assert local_time(moment) == shown


@pytest.mark.usefixtures("far_east")
def test_challenge_is_open_until_a_time_in_the_machines_zone() -> None:
    assert Invitation("code", "by", "Doc", 2, 12, MOMENT, "127.0.0.1").until_when == "2026-11-27 05:15 JST"


def test_no_page_shows_the_time_of_another_zone() -> None:
    sources = [path for folder in ("server/app", "broadcast") for path in (ROOT / folder).rglob("*.*")]
    assert not [
        path
        for path in sources
        if path.suffix in (".py", ".html") and re.search(r"%M\}? UTC|\}\} UTC|>UTC<", path.read_text())
    ]
