"""Pages of a contest with the same cards count its deals, and show what each bot won at all tables of a deal."""

import re
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pytest
from playwright.sync_api import expect

from broadcast.on_air.events import OnAirEntry
from server.app.results.results import compute_results
from server.app.results.results_output import results_router
from server.game.events import DealEnded, HandStarted
from server.journal.journal import Entry
from tests.live.conftest import PHONE, Visit
from tests.live.test_bot_page import CHANGES
from tests.overlay.support.show_server import ShowServer
from tests.support.games.deals import play_deals
from tests.support.games.recordings import aired

BOT = 2


@pytest.fixture(scope="module")
def recorded() -> Sequence[Entry]:
    """Four deals of one hand, each at three tables: the recording counts twelve games."""
    return play_deals(3, 4, main=9, others=29)


@pytest.fixture(scope="module")
def deals(recorded: Sequence[Entry]) -> Sequence[OnAirEntry]:
    return aired(recorded)


def won_by(bot: int, recorded: Sequence[Entry]) -> list[int]:
    ended = [entry.event for entry in recorded if isinstance(entry.event, DealEnded)]
    return [event.won[event.bots.index(bot)] for event in ended]


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_bot_page_shows_what_the_bot_won_at_all_tables_of_each_deal(
    recorded: Sequence[Entry], deals: Sequence[OnAirEntry], shows: ShowServer, look: Visit, device: dict[str, object]
) -> None:
    air = shows.channel("deals", deals)
    page = look(f"bots/Bot%20{BOT}?channel=deals", **device)
    won = won_by(BOT, recorded)
    assert page.evaluate(CHANGES, "games") == won[::-1]
    lines = [f"Deal {deal} The Final" for deal in (4, 3, 2, 1)]
    expect(page.locator("#games .own__words")).to_have_text(lines)  # the page draws itself again with the cards
    expect(page.locator("#games-title")).to_have_text("Deal by deal")
    expect(page.locator("#games")).not_to_contain_text("then")
    expect(page.locator("#chips-title")).to_contain_text("won, deal by deal")
    assert page.inner_text("#chips .chart__key").replace("\u2212", "-").replace(",", "").endswith(f" {sum(won):+}")
    poster = f"{round(sum(won) / 4):+,} per\u00a0deal"
    assert page.inner_text("#stack") == poster.replace("-", "\u2212")
    box = "(node) => node.scrollWidth - node.clientWidth"
    assert page.locator(".wanted").evaluate(box) <= 0
    shows.close(air)


def test_stacks_begin_anew_so_each_hand_worth_watching_says_what_it_changed(
    deals: Sequence[OnAirEntry], shows: ShowServer, look: Visit
) -> None:
    fourth = [at for at, entry in enumerate(deals) if isinstance(entry.event, HandStarted)][3]
    air = shows.channel("anew", deals[: fourth + 1])
    page = look(f"bots/Bot%20{BOT}?channel=anew")
    expect(page.locator("#table")).to_have_text("At the table, deal 4")
    listed = dict(zip(page.locator("#hands small").all_inner_texts(), page.evaluate(CHANGES, "hands"), strict=True))
    shows.close(air)
    stacks = page.evaluate("(bot) => window.highnoon.film.outline.hands.map(({ stacks }) => stacks[bot])", BOT)
    expected = {f"The Final, deal {deal}": stack - 5000 for deal, stack in enumerate(stacks) if stack}
    assert listed
    assert listed.items() <= expected.items()


def test_replay_draws_what_each_bot_had_won_after_each_deal(
    recorded: Sequence[Entry], deals: Sequence[OnAirEntry], shows: ShowServer, look: Visit
) -> None:
    air = shows.channel("graph", deals)
    page = look("watch?channel=graph")
    expect(page.locator("#chips-title")).to_have_text("Chips won, deal by deal")
    page.wait_for_function("() => document.querySelectorAll('#chips .graph__line').length === 3")
    paths = page.locator("#chips .graph__line").evaluate_all("(lines) => lines.map((line) => line.getAttribute('d'))")
    shows.close(air)
    sums = {bot: [0, *accumulate(won_by(bot, recorded))] for bot in (1, 2, 3)}
    most = max(abs(each) for line in sums.values() for each in line)
    drawn = [
        [int(point.split()[1]) for point in path.removeprefix("M").removesuffix("h0").split("L")] for path in paths
    ]
    assert drawn == [pytest.approx([60 - 60 * won / most for won in line], abs=1) for line in sums.values()]


def test_front_page_counts_deals_and_gives_no_places_before_the_first_is_over(
    deals: Sequence[OnAirEntry], shows: ShowServer, visit: Visit
) -> None:
    begun = next(at for at, entry in enumerate(deals) if isinstance(entry.event, HandStarted)) + 1
    air = shows.channel("front", deals[:begun])
    page = visit("?channel=front")
    expect(page.locator("#rows .standing")).to_have_count(3)
    assert set(page.locator(".standing__rank").all_inner_texts()) == {""}
    expect(page.locator("#schedule .schedule__what")).to_have_text(["The Final, deal 1 of 4", "The Final, deal 2 of 4"])
    expect(page.locator("#schedule .schedule__words")).to_contain_text("End of the show")
    shows.put(air, deals[begun:])
    expect(page.locator(".standing__rank")).to_have_text(["1", "2", "3"])
    expect(page.locator("#hands small").first).to_have_text(re.compile(r"Deal \d"))
    shows.close(air)


def test_phone_shows_every_figure_of_the_results_without_scrolling_sideways(
    recorded: Sequence[Entry], visit: Visit, tmp_path: Path
) -> None:
    found = compute_results(recorded)
    shows = ShowServer(tmp_path / "media")
    shows.studio.app.include_router(results_router(lambda: found))
    page = visit("healthz", **PHONE)
    with shows:
        page.goto(f"{shows.address}/results")
        cells = page.locator(".wide td[data-label]")
        expect(cells).to_have_count(3 * (4 + 3 + 3))
        rights = cells.evaluate_all("(cells) => cells.map((cell) => cell.getBoundingClientRect().right)")
    assert max(rights) <= 390
    assert min(rights) > 0
