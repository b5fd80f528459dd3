"""How every bot plays, below the standings of /watch: earned and luck so far, and statistics with their counts."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect

from broadcast.on_air.events import OnAirEntry, StatisticsChanged
from tests.live.conftest import PHONE, THUMB, Visit
from tests.overlay.support.show_server import ShowServer

SMALLEST = 14
"""The smallest text on a phone, in CSS pixels."""
_SMALL = """(smallest) => [...document.querySelectorAll('#plays-section *')]
  .filter((node) => node.checkVisibility() && [...node.childNodes].some(({ data }) => data?.trim()))
  .filter((node) => parseFloat(getComputedStyle(node).fontSize) < smallest).map((node) => node.outerHTML)"""


def standings(look: Visit, channel: str, **context: Any) -> Page:
    page = look(f"watch?channel={channel}", **context)
    page.get_by_role("tab", name="Standings", exact=True).click()
    return page


def signed(chips: int) -> str:
    return f"{chips:+,}".replace("-", "\N{MINUS SIGN}") if chips else "0"


def test_earned_and_luck_appear_once_on_air_and_a_name_opens_the_rest(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    at = next(at for at, entry in enumerate(on_air) if isinstance(entry.event, StatisticsChanged))
    air = shows.channel("plays", on_air[:at])
    page = standings(look, "plays")
    expect(page.locator("#plays-section")).to_be_hidden()
    shows.put(air, on_air[at:])
    expect(page.locator("#plays-section")).to_be_visible()
    last = [entry.event for entry in on_air if isinstance(entry.event, StatisticsChanged)][-1]
    rows = sorted((row for row in last.rows if row.hands), key=lambda row: -(row.earned or 0))
    expect(page.locator(".plays__earned")).to_have_text([signed(row.earned or 0) for row in rows])
    assert sorted(page.locator(".plays__luck").all_inner_texts()) == sorted(signed(row.luck) for row in rows)
    first = page.locator("#plays li").first
    expect(first.locator("dl")).to_be_hidden()
    first.locator("summary").click()
    played = rows[0]
    vpip = f"VPIP{round(100 * played.vpip / played.vpip_chances)}%, {played.vpip} of {played.vpip_chances}"
    expect(first.locator("dl")).to_contain_text(vpip)
    expect(first.locator("dl")).to_contain_text(f"Chips won{signed(played.won)}")


def test_statistics_are_read_and_opened_with_a_thumb_on_a_phone(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shows.channel("thumb", on_air)
    page = standings(look, "thumb", **PHONE)
    first = page.locator("#plays summary").first
    first.scroll_into_view_if_needed()
    first.tap()
    expect(page.locator("#plays dl").first).to_be_visible()
    assert page.evaluate(_SMALL, SMALLEST) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    box = first.bounding_box()
    assert box is not None
    assert box["height"] >= THUMB
