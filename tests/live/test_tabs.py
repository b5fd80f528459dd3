"""The tabs beside the picture in a real browser: they show the moment of the picture, and nothing newer."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect

from broadcast.on_air.events import OnAirEntry, TitleOddsChanged
from server.game.events import GameStarted
from tests.live.conftest import PHONE, THUMB, Visit
from tests.live.test_screens import boxes
from tests.overlay.support.scripted_show import Script
from tests.overlay.support.show_server import ShowServer
from tests.support.browsers import PATIENCE_MS

MANY = 1000
"""Hands of a long show."""
TURNED_MS = 1000
"""The least time that turning a board card takes at the usual pace."""
# How long after the flop the chances beside the picture change.
_WAITED = """async () => {
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
# A graph line has its colour as stroke, a swatch as a property.
_LOOKS = """(lines) => lines.map((line) =>
  `${line.getAttribute("stroke") ?? line.style.getPropertyValue("--line")} ${line.dataset.dashed}`)"""
_CUT = """(names) => names.filter((name) => name.scrollWidth > name.clientWidth && name.clientWidth)
  .map((name) => name.textContent)"""
_AT_REST = "() => !document.body.dataset.moving"
_HANDS = "() => window.highnoon.film.outline.hands"
_POSITION = "() => Object.values(window.highnoon.head.place)"
_STACKS = "() => Object.values(window.highnoon.state().bots).map(({ stack }) => stack).sort((one, two) => two - one)"
_SEATED = "() => window.highnoon.state().seats.map(({ bot }) => window.highnoon.state().bots[bot].name)"
_NAMED = "(bot) => window.highnoon.state().bots[bot].name"
_MANY = """(count) => {
  const { film } = window.highnoon;
  const last = film.outline.hands.at(-1);
  while (film.outline.hands.length <= count) film.outline.hands.push(structuredClone(last));
  film.revision += 1;
}"""
_DRAWN = """() => [...document.querySelectorAll('.handline button')]
  .filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length"""


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_function(_AT_REST)


def tab(page: Page, name: str) -> Any:
    return page.get_by_role("tab", name=name, exact=True)


def switch_results(page: Page) -> None:
    """Switches results on, and waits until the page has reloaded."""
    page.locator("#results").click()
    expect(page.locator("#results")).to_have_text("Hide results")
    page.wait_for_function("() => document.body?.dataset.ready === 'yes'", timeout=PATIENCE_MS)


def winners(page: Page) -> list[str]:
    """The winner of each hand in the list, "" where it is hidden."""
    names: list[str] = page.locator(".handline__who").all_text_contents()
    return names


def test_arrows_move_among_tabs_without_moving_the_picture(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shows.channel("tabs", on_air[:200])
    page = look("watch?channel=tabs")
    position = page.evaluate(_POSITION)
    tab(page, "Now").focus()
    for key, name in (
        ("ArrowRight", "Standings"),
        ("End", "Schedule"),
        ("ArrowRight", "Now"),
        ("ArrowLeft", "Schedule"),
    ):
        press(page, key)
        expect(tab(page, name)).to_be_focused()
        expect(tab(page, name)).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
        assert page.get_by_role("tabpanel").count() == page.locator('[role="tab"][tabindex="0"]').count() == 1
    assert page.evaluate(_POSITION) == position
    press(page, "Shift+ArrowLeft")
    assert page.evaluate(_POSITION) < position, "keys of the player work everywhere else"
    tab(page, "Schedule").click()
    page.evaluate("() => document.getElementById('schedule').replaceChildren()")
    expect(page.get_by_role("tabpanel", name="Now")).to_be_visible()
    expect(tab(page, "Schedule")).to_be_hidden()


def test_schedule_shows_what_is_on_and_links_to_games_played(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    games = [entry.seq for entry in on_air if isinstance(entry.event, GameStarted)]
    air = shows.channel("schedule", on_air[: games[0]])
    page = look("watch?channel=schedule", **PHONE)
    tab(page, "Schedule").tap()
    lines = page.locator("#schedule .schedule__item")
    expect(lines).to_have_count(3)
    expect(lines.first).to_contain_text("Now")
    shows.put(air, on_air[games[0] : games[2] + 3])
    expect(lines.last).to_contain_text("Now")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    played = page.locator("#schedule button")
    assert min(box["height"] for each in played.all() if (box := each.bounding_box())) >= THUMB
    played.nth(1).tap()
    page.wait_for_function(_AT_REST)
    assert page.evaluate("() => [window.highnoon.state().game.game, window.highnoon.state().hand.hand]") == [2, 1]
    expect(tab(look("replay/one?"), "Schedule")).to_be_hidden()


def test_title_odds_are_drawn_once_chips_decide_the_title(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    changed = [entry.seq for entry in on_air if isinstance(entry.event, TitleOddsChanged)]
    begun = next(entry.seq for entry in on_air if isinstance(entry.event, GameStarted))
    air = shows.channel("title", on_air[:begun])
    page = look("watch?channel=title", **PHONE)
    tab(page, "Standings").tap()
    expect(page.locator("#standings .standing").first).to_be_visible()
    expect(page.locator("#title-odds")).to_be_hidden()  # In The Trials nobody knows.
    shows.put(air, on_air[begun : changed[2]])
    odds: Any = on_air[changed[2] - 1].event
    expect(page.locator("#title-odds .graph__line")).to_have_count(len(odds.chances))
    expect(page.locator(".standing__odds").first).to_have_text(f"title {percent(odds)}")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def percent(odds: TitleOddsChanged) -> str:
    """The best chance, as pages write it."""
    return f"{round(max(each.chance for each in odds.chances) / 10)}%"


def test_every_graph_line_belongs_to_one_name(shows: ShowServer, look: Visit) -> None:
    script = Script([f"Bot {number}" for number in range(1, 16)]).connect().stage(games=1, advance=0).game()
    shows.channel("fifteen", script.hand("fold fold fold fold fold").entries)
    page = look("watch?channel=fifteen")
    expect(page.locator("#chips .graph__line")).to_have_count(15)
    drawn = page.locator("#chips .graph__line").evaluate_all(_LOOKS)
    tab(page, "Standings").click()
    expect(page.locator("#standings .swatch")).to_have_count(15)
    legend = page.locator("#standings .swatch").evaluate_all(_LOOKS)
    assert len(set(legend)) == 15
    assert sorted(legend) == sorted(drawn)
    assert {f"var(--line-{line}) undefined" for line in range(6)} < set(legend)


def test_names_at_the_table_and_beside_chances_are_never_cut(shows: ShowServer, look: Visit) -> None:
    names = ("Judge Roy Bean Counter", "Señor Fold-a-Lot de Río Grande", "W" * 30)
    script = Script(names).connect().stage(games=1, advance=0).game((1, 2, 3)).hand("call call call")
    shows.channel("long-names", script.entries)
    page = look("watch?channel=long-names")
    expect(page.locator(".seatline__win").first).not_to_be_empty()
    expect(page.locator(".transcript__chance")).to_have_count(3)
    assert page.locator(".seatline__name, .transcript__chance bdi").evaluate_all(_CUT) == []


def test_standings_are_of_the_moment_shown_with_the_cut_line(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    air = shows.channel("standings", on_air[:120])
    page = look("watch?channel=standings")
    tab(page, "Standings").click()
    worth = page.locator("#standings .standing__worth")
    early = [f"{stack:,}" for stack in page.evaluate(_STACKS)]
    expect(worth).to_have_text(early)
    expect(page.locator("#standings .cut")).to_contain_text("ride on to High Noon")
    shows.put(air, on_air[120:250])
    page.wait_for_function("() => window.highnoon.state().seq === 250")
    expect(worth).not_to_have_text(early)
    page.evaluate("() => window.highnoon.head.seek(120).then(() => window.highnoon.head.pause())")
    expect(worth).to_have_text(early)


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
    assert page.evaluate(_POSITION) == [3, 0]


def test_replay_hides_who_won_later_hands_unless_results_are_wanted(look: Visit) -> None:
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
    page.wait_for_function("() => !location.search.includes('results')")  # a copied link tells nobody who won


def test_only_hands_in_sight_are_laid_out(look: Visit) -> None:
    page = look("replay/one?hand=1")
    tab(page, "Hands").click()
    page.evaluate(_MANY, MANY)
    press(page, "Shift+ArrowRight")
    expect(page.locator(".handline")).to_have_count(MANY)
    page.wait_for_function(f"() => ({_DRAWN})() < {MANY} / 10")
    assert page.evaluate(_DRAWN) > 1


def test_transcript_has_everybodys_chances_after_each_street(look: Visit, on_air: Sequence[OnAirEntry]) -> None:
    page = look("replay/one?hand=1")
    flop = next(at for at, entry in enumerate(on_air) if type(entry.event).__name__ == "StreetDealt")
    equities: Any = next(e for e in on_air[flop:] if type(e.event).__name__ == "EquitiesChanged")
    page.evaluate("(seq) => window.highnoon.head.seek(seq)", equities.seq)
    line = page.locator('[data-kind="chances"]').first
    seats = page.evaluate(
        "() => window.highnoon.state().seats.map(({ bot }) => window.highnoon.state().bots[bot].name)"
    )
    wanted = [f"{seats[chance.seat]} {round(chance.win / 10)}%" for chance in equities.event.chances]
    expect(line.locator(".transcript__chance")).to_have_text(wanted)
    line.click()
    page.wait_for_function("(seq) => window.highnoon.state().seq === seq", arg=equities.seq)


def test_tabs_on_a_phone_are_below_the_thumb_and_a_panel_replaces_the_picture(
    shows: ShowServer, on_air: Sequence[OnAirEntry], look: Visit
) -> None:
    shows.channel("phone", on_air[:420])
    page = look("watch?channel=phone", **PHONE)
    picture = page.locator("#screen")
    for name in ("Standings", "Hands", "Now"):
        for _, y, wide, high in boxes(page, ".tab:visible, .keys__main button:visible"):
            assert min(wide, high) >= THUMB
            assert y > 844 / 2
            assert y + high <= 844, "within reach without scrolling"
        tab(page, name).tap()
        expect(picture).to_be_visible(visible=name == "Now")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    tab(page, "Standings").tap()
    link = page.get_by_role("button", name="Watch")
    expect(link).to_contain_text(page.evaluate("() => window.highnoon.state().caption"))
    link.tap()
    expect(picture).to_be_visible()
    tab(page, "Hands").tap()
    page.locator(".handline button").first.tap()
    expect(picture).to_be_in_viewport(ratio=0.9)
    page.wait_for_function("() => window.highnoon.head.place.hand === 1")
    page.locator(".transcript__line:visible").first.tap()
    expect(picture).to_be_in_viewport(ratio=0.9)


def test_chances_beside_the_picture_wait_until_the_card_is_turned(look: Visit, on_air: Sequence[OnAirEntry]) -> None:
    page = look("replay/one?hand=1")
    flop = next(entry.seq for entry in on_air if type(entry.event).__name__ == "StreetDealt")
    page.evaluate("(seq) => window.highnoon.head.seek(seq)", flop - 1)
    assert page.evaluate(_WAITED) > TURNED_MS


def test_buttons_with_the_same_word_have_distinct_names(look: Visit) -> None:
    page = look("replay/one?hand=1", **PHONE)
    for words, name in (("Hand", "Hand before"), ("Hand", "Next hand"), ("Step", "Step back"), ("Step", "Step on")):
        expect(page.get_by_role("button", name=name, exact=True)).to_contain_text(words)
