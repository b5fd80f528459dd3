"""The scenes of deals say who did what with the same cards, who is better, and how sure that is."""

from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from broadcast.commentary.deals.comparison import compare_tables
from broadcast.on_air.events import DealCompared
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.legibility import luminance
from tests.overlay.support.scenes import SCENES
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_deals import Deals

_ROWS = """() => [...document.querySelectorAll(".floor .row")].map((row) => [
  row.querySelector(".row__name").textContent, row.querySelector(".compared__did").textContent,
  row.querySelector(".row__stack").textContent, row.querySelector(".compared__stamp").textContent])"""


def test_comparison_names_what_each_bot_did_with_the_same_cards_and_what_it_won(still: Screen) -> None:
    still.show(SCENES["compared"]())
    rows = still.page.evaluate(_ROWS)
    assert rows[0] == ["Billy the Kid", "raises to 5,000", "+5,100", "best"]
    assert rows[-1] == ["Calamity Bayes", "folds", "0", "worst"]
    assert len(rows) == 6
    cards = still.page.locator(".compared__cards .card__rank").all_inner_texts()
    assert cards == ["A", "J", "K", "9", "4", "K", "2"], "the hole cards must come before the community cards"
    folded, won = "At another table, Calamity Bayes folded on the button.", "Billy the Kid won 5,100."
    assert still.state()["caption"] == f"{folded} Same seat, same cards here, and {won}"


def test_comparison_by_earned_chips_says_how_much_of_each_result_was_luck(still: Screen) -> None:
    still.show(SCENES["compared_by_earned"]())
    deal = still.state()["deal"]
    signed = "{:+,}".format
    for row, held in zip(still.page.evaluate(_ROWS), deal["held"], strict=True):
        assert row[2] == signed(held["won"] - held.get("luck", 0)).replace("-", "\u2212").replace("+0", "0")
    lucks = still.page.locator(".compared__luck").all_inner_texts()
    assert " ".join(lucks[0].split()).startswith("profit +5,100, luck "), "Billy's all-in was seen to win 5,100"
    heads = still.page.locator(".compared__heads span")
    assert heads.all_inner_texts() == ["the table on air", "earned here", "all 6 tables"]
    words = "Earned = profit \u2212 luck of the board; a deal is one hand at each of six tables"
    assert still.page.locator(".scene--comparison .deal-words").inner_text() == words
    assert " luck taken out" in still.state()["caption"]
    still.show(SCENES["compared"]())
    assert not still.page.locator(".compared__luck:visible").count()
    assert heads.all_inner_texts() == ["the table on air", "profit here", "all 6 tables"]
    expect(still.page.locator(".scene--comparison .deal-words")).to_contain_text("Profit = chips won or lost; ")


def test_comparison_marks_the_row_of_the_table_that_was_on_air_unless_the_deal_made_no_difference(
    still: Screen,
) -> None:
    deals = SCENES["compared"]()
    found = compare_tables(1, deals.tables)
    marked = still.page.locator(".row[data-on-air] .row__name")
    for main in found.tables[:2]:
        others = tuple(table for table in found.tables if table is not main)
        still.show(deals.put(DealCompared(replace(found, tables=(main, *others)))))
        assert marked.all_inner_texts() == [still.state()["bots"][str(main.seats[found.seat])]["name"]]
    still.show(SCENES["compared_alike"]())
    assert not marked.count()
    assert not still.page.locator(".compared__on-air:visible").count()
    assert [row[3] for row in still.page.evaluate(_ROWS)] == [""] * 6
    expect(still.page.locator(".scene--comparison .standings__line")).to_contain_text("All six tables got the same")


def test_no_bot_is_stamped_best_if_another_got_more_after_other_betting(still: Screen) -> None:
    still.show(SCENES["compared_elsewhere"]())
    assert still.page.evaluate(_ROWS) == [
        ["Two-Pair Tess", "raises to 5,000", "+5,000", ""],
        ["Jo", "folds", "\u221250", "worst"],
        ["Doc Holobyte", "other betting before", "+10,000", ""],
    ]
    folded = "At another table, Jo folded in the small blind."
    assert still.state()["caption"] == f"{folded} Same seat, same cards here, and Two-Pair Tess won 5,000."


def test_no_bot_is_stamped_best_or_worst_if_another_bot_got_the_same(still: Screen) -> None:
    deals = SCENES["compared"]()
    found = compare_tables(1, deals.tables)
    first, second, *others = found.held
    still.show(deals.put(DealCompared(replace(found, best=second.bot))))
    assert [row[3] for row in still.page.evaluate(_ROWS)] == ["", "", "", "", "", "worst"]
    equal = replace(others[-2], won=others[-1].won)
    held = (first, replace(second, won=first.won), *others[:-2], equal, others[-1])
    still.show(deals.put(DealCompared(replace(found, held=held))))
    assert [row[3] for row in still.page.evaluate(_ROWS)] == [""] * 6


def test_standings_of_deals_say_how_sure_they_are(still: Screen) -> None:
    still.show(SCENES["certainty"]())
    row = still.page.locator(".scene--certainty .row").first
    expect(row.locator(".row__stack")).to_have_text("+1,101")
    expect(row.locator(".sure__chance")).to_contain_text("9")
    left = "(node) => node.getBoundingClientRect().left"
    heads = still.page.locator(".sure__heads span")
    assert heads.all_inner_texts() == ["95% range", "profit", "best bot"], "the heads must name the columns"
    assert still.page.locator(".scene--certainty .chart__face").all_inner_texts() == ["1", "2", "3", "4", "5", "6"]
    expect(still.page.locator(".scene--certainty .panel__favourite")).to_have_text("Ends early once 97% sure")
    span, mean = (row.locator(name).evaluate(left) for name in (".sure__span", ".sure__mean"))
    assert span < mean, "the interval must begin before the mean"


def test_each_bot_keeps_its_colour_whatever_its_rank_and_labels_are_in_the_order_of_the_lines(still: Screen) -> None:
    still.show(SCENES["certainty_by_earned"]())
    state, rows = still.state(), still.state()["standings"]["rows"]
    bots = [row["bot"] for row in rows]
    assert bots != state["stage"]["bots"], "the ranks must differ from the bots' numbers"
    colours = [f"var(--line-{state['stage']['bots'].index(bot)})" for bot in bots]
    spans = still.page.locator(".scene--certainty .sure__span")
    assert spans.evaluate_all("(nodes) => nodes.map((node) => node.style.background)") == colours
    faces = still.page.locator(".scene--certainty .chart__face").evaluate_all(
        "(all) => all.map((face) => [face.textContent, face.style.getPropertyValue('--line'), face.offsetTop])"
    )
    assert {rank: colour for rank, colour, _ in faces} == {str(rank): each for rank, each in enumerate(colours, 1)}
    down = sorted(faces, key=lambda face: face[2])
    chances = [state["title_odds"][str(bots[int(rank) - 1])][-1] for rank, *_ in down]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("theme", ["western", "plain"])
def test_twelve_finalists_have_colours_that_can_be_told_apart(theme: str, open_screen: OpenScreen) -> None:
    screen = open_screen(f"motion=off&still&theme={theme}")
    screen.show(SCENES["certainty_of_twelve"]())
    found = screen.json("""(() => {
      const lines = [...document.querySelectorAll(".scene--certainty .chart__line")];
      const panel = getComputedStyle(document.querySelector(".scene--certainty .panel")).backgroundColor;
      const colours = [panel, ...lines.map((line) => getComputedStyle(line).stroke)];
      return colours.map((colour) => colour.match(/\\d+/g).map(Number));
    })()""")
    panel, *lines = np.array(found, np.float64)
    assert len(lines) == 12
    lights = luminance(np.array(lines))
    assert min(lights + 0.05) / (luminance(panel) + 0.05) >= 3, "lines must have the contrast WCAG asks for"
    apart = []
    for one, other in combinations(lines, 2):  # the weighted distance of sRGB that is known as "redmean", 0 to 765
        red = (one[0] + other[0]) / 2
        apart.append(np.sqrt(np.array((2 + red / 256, 4, 2 + (255 - red) / 256)) @ (one - other) ** 2))
    assert min(apart) >= 75
    assert not screen.page.locator(".scene--certainty .chart__line[data-dashed]").count()


def test_matrix_has_a_chance_for_each_pair_and_none_against_oneself(still: Screen) -> None:
    still.show(SCENES["matrix"]())
    fields = still.page.locator(".matrix__field").all_inner_texts()
    assert len(fields) == 36
    assert [fields[at] for at in range(0, 36, 7)] == [""] * 6
    assert all(field.endswith("%") for at, field in enumerate(fields) if at % 7)
    columns = still.page.locator(".matrix__short").all_inner_texts()
    assert columns == ["Billy", "Doc", "Calamity", "Bandit", "Fold-a-Lot", "Tess"], "faces alone may look the same"


def test_lower_third_stays_at_a_deal_until_the_next_one_begins_and_counts_no_single_hand(still: Screen) -> None:
    where = still.page.locator(".third__where")
    still.show(SCENES["certainty"]())
    expect(where).to_have_text("Deal 24 of up to 60")
    deal = Deals().game(hands=1)
    still.show(deal)
    expect(where).to_have_text("Deal 1 of up to 60")
    still.show(deal.hand("fold"))
    expect(where).to_have_text("Deal 1 of up to 60 · Blinds 50/100")


def test_stage_says_that_all_tables_get_the_same_cards_and_once_its_title_is_certain_why_it_ends_early(
    still: Screen,
) -> None:
    still.show(SCENES["starting_deals"]())
    told = "The Final: the same cards at six tables, and fresh stacks for every deal."
    assert still.state()["caption"] == told
    still.show(SCENES["certainty_decided"]())
    expect(still.page.locator(".scene--certainty .panel__favourite")).to_have_text("Over early: 97% sure was enough")
    expect(still.page.locator(".third__where")).to_have_text("Decided after deal 24 of 60")
    certain = "After 24 of 60 deals, it is 99% certain that Billy the Kid is the best bot."
    assert still.state()["caption"] == certain
    still.show(Deals().later_deals(24, decided=True).crowned())
    expect(still.page.locator(".third__where")).to_have_text("Decided after deal 24 of 60")
    assert still.state()["caption"] == "Billy the Kid wins the tournament after 24 of 60 deals!"


def test_podium_has_each_bots_result_per_deal_and_the_champions_unit_and_certainty(still: Screen) -> None:
    for deals, what in ((Deals(decided_by="earned"), "earned"), (Deals(), "chips")):
        still.show(deals.later_deals(24).crowned())
        rows = still.state()["standings"]["rows"]
        won = {row["bot"]: f"{row['per_deal']:+,}".replace("-", "\u2212") for row in rows}
        per_deal = [won[line["bot"]] for line in still.state()["placings"]]
        posters = still.page.locator(".scene--champion .poster__stack").all_inner_texts()
        assert [" ".join(words.split()) for words in posters] == [f"{per_deal[0]} {what} per deal", *per_deal[1:3]]
        assert still.page.locator(".listed__prize").all_inner_texts() == per_deal[3:]
    expect(still.page.locator(".step__player").first).to_have_text(">99% likely to be the best bot")
    still.show(Deals().later_deals(24).crowned((500, 300, 200, 100)))
    assert still.page.locator(".listed__prize").all_inner_texts() == ["$1", "", ""], "prizes must stand without results"


def test_scenes_of_deals_are_loaded_when_the_first_deal_is_compared(open_screen: OpenScreen) -> None:
    loaded = """() => performance.getEntriesByType("resource").some(({ name }) => name.includes("/js/occasional/"))"""
    screen = open_screen("motion=off&still", fresh=True)
    screen.show(SCENES["betting"]())
    assert not screen.page.evaluate(loaded)
    screen.show(SCENES["compared"]())
    assert screen.page.evaluate(loaded)
