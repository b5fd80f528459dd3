"""The tabs beside the picture in a real browser show the moment of the picture, and nothing newer."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect

from broadcast.on_air.events import OnAirEntry
from tests.live.conftest import PHONE, READY, Visit
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS

TURNED_MS = 1000
"""The shortest time that it takes to turn a board card at the usual pace."""
# Measures how long after the flop the chances beside the picture change.
_CHANCES_DELAY = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const wins = () => [...document.querySelectorAll(".seatline__win")].map((node) => node.textContent).join();
  await frame();
  await frame();
  const before = wins();
  window.highnoon.head.play();
  while (window.highnoon.state().board.length < 3) await frame();
  const dealt = performance.now();
  while (wins() === before) await frame();
  window.highnoon.head.pause();
  return performance.now() - dealt;
}"""
AT_REST = "() => !document.body.dataset.moving"
_HANDS = "() => window.highnoon.film.outline.hands"
_POSITION = "() => Object.values(window.highnoon.head.place)"
_NAMED = "(bot) => window.highnoon.state().bots[bot].name"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_function(AT_REST)


def tab(page: Page, name: str) -> Any:
    return page.get_by_role("tab", name=name, exact=True)


def switch_results(page: Page) -> None:
    """Switches results on, and waits until the page has reloaded."""
    page.locator("#results").click()
    expect(page.locator("#results")).to_have_text("Hide results")
    page.wait_for_function(READY, timeout=PATIENCE_MS)


def winners(page: Page) -> list[str]:
    """Returns the winner of each hand in the list, "" if it is hidden."""
    names: list[str] = page.locator(".handline__who").all_text_contents()
    return names


def test_hand_list_names_winners_only_of_hands_already_watched(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    kinds = [type(entry.event).__name__ for entry in on_air]
    ended = kinds.index("HandEnded") + 1
    air = shows.channel("hands", on_air[: ended - 1])
    page = look("watch?channel=hands")
    tab(page, "Hands").click()
    expect(page.locator(".handline__who")).to_have_text([""])
    shows.put(air, on_air[ended - 1 :])
    page.wait_for_function("() => window.highnoon.film.outline.finished")
    hands = page.evaluate(_HANDS)[1:]
    named = [", ".join(page.evaluate(_NAMED, bot) for bot, _, _ in hand["won"]) for hand in hands]
    expect(page.locator(".handline__who")).to_have_text(named)
    expect(page.locator(".handline__pot")).to_have_text([f"{hand['pot']:,}" for hand in hands])
    assert page.locator(".handline__mark").count() == sum(len(hand["marks"]) for hand in hands) > 0
    page.locator(".handline button").nth(2).click()
    page.wait_for_function("() => window.highnoon.head.place.hand === 3")
    expect(page.locator(".handline__who")).to_have_text([*named[:2], *[""] * (len(named) - 2)])
    expect(page.locator(".handline [aria-current]")).to_contain_text(f"Hand {hands[2]['hand']}")
    switch_results(page)
    tab(page, "Hands").click()
    expect(page.locator(".handline__who")).to_have_text(named)
    assert page.evaluate(_POSITION)[0] == 3


def test_replay_hides_the_winners_of_later_hands_unless_results_are_switched_on(look: Visit) -> None:
    page = look("replay/one?hand=3")
    tab(page, "Hands").click()
    expect(page.locator(".handline__who").nth(1)).not_to_be_empty()
    assert [bool(name) for name in winners(page)[:3]] == [True, True, False]
    assert not any(winners(page)[2:])
    assert not any(page.locator(".handline__pot").all_text_contents()[2:])
    assert page.locator("[data-later] .handline__mark").count() == 0
    switch_results(page)
    tab(page, "Hands").click()
    expect(page.locator(".handline__who").last).not_to_be_empty()
    assert all(winners(page))
    page.wait_for_function("() => !location.search.includes('results')")  # a copied link reveals no winner


def test_chances_beside_the_picture_wait_until_the_card_is_turned(look: Visit, on_air: Sequence[OnAirEntry]) -> None:
    page = look("replay/one?hand=1")
    flop = next(entry.seq for entry in on_air if type(entry.event).__name__ == "StreetDealt")
    page.evaluate("(seq) => window.highnoon.head.seek(seq)", flop - 1)
    assert page.evaluate(_CHANCES_DELAY) > TURNED_MS


def test_buttons_with_the_same_word_have_distinct_names(look: Visit) -> None:
    page = look("replay/one?hand=1", **PHONE)
    for words, name in (("Hand", "Previous hand"), ("Hand", "Next hand"), ("Step", "Step back"), ("Step", "Step on")):
        expect(page.get_by_role("button", name=name, exact=True)).to_contain_text(words)
