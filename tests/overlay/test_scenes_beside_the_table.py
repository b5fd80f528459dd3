"""Scenes that do not show the table have room for any bots, names and amounts. The figures in these scenes are right.

In a deal, several tables play the same cards. Scenes of deals compare the bots' decisions, and say how likely each bot
is to be the best.
"""

from datetime import datetime
from functools import reduce
from itertools import combinations

import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from broadcast.commentary.deals.comparison import compare_tables
from broadcast.on_air import scenes
from broadcast.on_air.events import DealCompared, StandingsChanged, StatisticsChanged
from broadcast.on_air.shared_types import BotStatistics, Notice, Taken
from server.contests.arena.rules import ARENA_FORMAT
from server.game.events import BlindPosted, BotConnected, HandStarted, TournamentEnded, TournamentOpened
from server.game.formats import as_series
from server.game.prizes import placings_from
from server.game.tournament import evolve, open_tournament
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.pictures import luminance
from tests.overlay.support.scenes import SCENES, TWO_SHORT_STACKS, WIDE_NAMES, play_six
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_deals import Deals
from tests.overlay.support.scripted_show import NAMES, PRIZES, Script, picture_after
from tests.overlay.test_scenes import NO_FAULTS, find_layout_faults
from tests.support.games.contests import play_contest
from tests.support.games.recordings import aired, of_kind

THIRTY_NAMES = [f"{name} {number}".strip() for number in ("", "II", "III") for name in NAMES]
MINUS = "\N{MINUS SIGN}"
LARGE_PRIZES = (123456789, 12345650, 8400000, 999999, 500)
# Returns the rows of the scene `reading`. The scores in this scene say how true the bots' thoughts were.
_READING_ROWS = """() => [...document.querySelectorAll(".scene--reading .row")].map((row) => [
  ...[".row__name", ".reading__counts", ".reading__stamp"].map((name) => row.querySelector(name).textContent),
  ...[...row.querySelectorAll(".reading__score")].map((score) => score.textContent),
  row.querySelector(".reading__tokens").textContent, row.querySelector(".reading__cost").textContent,
  row.querySelectorAll(".reading__dot").length,
  [...row.querySelectorAll(".reading__chances .line")].map((line) => line.textContent).join(" ")])"""


def read_texts_of(screen: Screen, selector: str) -> list[str]:
    """Returns the text of each element. Each run of white space becomes one space."""
    return [" ".join(text.split()) for text in screen.page.locator(selector).all_inner_texts()]


@pytest.mark.parametrize("count", [2, 7, 9, 30])
def test_lineup_and_standings_of_any_size_fit_and_missing_bots_are_marked(count: int, wide: Screen) -> None:
    wide.show(Script(THIRTY_NAMES[:count]).put(*(BotConnected(bot) for bot in range(1, count // 2 + 1))))
    assert find_layout_faults(wide) == NO_FAULTS
    assert wide.page.locator(".poster[data-away]").count() == count - count // 2
    assert "here so far" in wide.page.inner_text(".lineup__line")
    seats = range(1, min(count, 6) + 1)
    wide.show(Script(THIRTY_NAMES[:count]).connect().stage().game(seats).hand("fold " * (len(seats) - 1)).end_game())
    assert find_layout_faults(wide) == NO_FAULTS
    assert wide.page.locator(".row:visible").count() == count
    wide.show(Script(THIRTY_NAMES[:count]))
    assert "so far" not in wide.page.inner_text(".lineup__line"), "before any bot is here, the page must not count bots"
    wide.show(Script(THIRTY_NAMES[:count]).put(BotConnected(1)).stage())
    assert wide.page.locator(".poster[data-away]").count() == 0, "after the start, no bot may be shown as away"


def test_clock_counts_down_to_the_start_time_in_the_address(open_screen: OpenScreen) -> None:
    screen = open_screen("motion=off&start=20:00", fresh=True)
    figures = {(18, 59, 58): "1:00:02", (19, 50, 0): "10:00", (19, 59, 55): "0:05", (20, 0, 1): "NOW"}
    for now, figure in figures.items():
        screen.page.clock.set_fixed_time(datetime(2026, 11, 21, *now).astimezone())
        screen.show(Script().connect())
        assert screen.page.text_content(".countdown__figure") == figure
    screen.put(Script().connect().stage().entries)
    screen.settle()
    assert not screen.page.locator(".countdown").is_visible()
    for settings in ("", "&start=25:00", "&start=%3Cb%3E"):
        screen = open_screen(f"motion=off{settings}")
        screen.show(Script().connect())
        assert not screen.page.locator(".countdown").is_visible()


def test_higher_blinds_are_announced_with_stacks_in_big_blinds(screen: Screen) -> None:
    for names in (NAMES[:2], WIDE_NAMES, NAMES[:6]):
        stacks = (14_250, 1_150, 6_020, 2_200, 11_900, 480)[: len(names)]
        script = Script(names, speed=1).connect().stage(games=1, advance=0).game(range(1, len(names) + 1), stacks)
        screen.show(script.hand("fold").put(HandStarted(2, 1, 100, 200, 25, stacks, "")))
        assert find_layout_faults(screen) == NO_FAULTS
        assert screen.page.locator(".scene--blinds .row").count() == len(names)
    assert screen.page.locator(".blinds__amounts").inner_text() == "100 / 200"
    stacks_in_big_blinds = screen.page.locator(".scene--blinds .row__stack").all_inner_texts()
    assert stacks_in_big_blinds == ["71 BB", "59 BB", "30 BB", "11 BB", "5.7 BB", "2.4 BB"]
    assert script.entries[-1].hold_ms == scenes.SCENES["blinds"].hold_ms
    assert picture_after(script.entries).caption == "The blinds go up to 100 and 200, and the ante is 25."
    assert picture_after(script.put(BlindPosted(1, "small", 100, all_in=False)).entries).scene == "table"
    for hand, big in ((3, 200), (1, 400)):  # hand 3 keeps the blinds, and hand 1 begins another game
        script.put(HandStarted(hand, 1, big // 2, big, 25, stacks, ""))
        assert picture_after(script.entries).scene == "table"


def eliminate_two() -> Script:
    """A hand in which one bot wins all chips of two bots, in two pots. The scene "duel" then shows who is out."""
    holes = {3: "Td 8c", 1: "Ks Qs", 4: "9s 9d", 5: "8s 3h"}
    return play_six("raise:2200 raise:6000 fold fold call fold", TWO_SHORT_STACKS, holes=holes)


def test_each_elimination_of_a_hand_has_its_own_scene_until_the_show_goes_on(wide: Screen) -> None:
    script = eliminate_two()
    wide.show(script)
    pictures = [picture_after(script.entries)]
    for seat, place, name in ((1, 12, "Doc Holobyte"), (3, 11, "The Bluffin' Bandit")):
        aired_count = len(script.entries)
        wide.put(script.eliminate(seat, place).entries[aired_count:])
        wide.settle()
        assert wide.page.text_content(".scene--duel .poster__name") == name
        assert wide.page.inner_text(".scene--duel .stamp__place") == f"{place}th place"
    pictures += [picture_after(script.entries), picture_after(script.hand(events=1).entries)]
    pictures.append(picture_after(eliminate_two().eliminate(1, 12).end_game().entries))
    assert [picture.scene for picture in pictures] == ["table", "duel", "table", "standings"]
    assert [picture.duel is None for picture in pictures] == [True, False, True, True]


def test_standings_and_podium_show_games_won_in_a_show_without_prizes(wide: Screen) -> None:
    entries = play_contest(8, 7, replace(as_series(ARENA_FORMAT, 3), starting_stack=300), paid=False)
    (opening,), aired_entries = of_kind(entries, TournamentOpened), aired(entries)
    tournament = reduce(evolve, (entry.event for entry in entries), open_tournament(opening))
    wins = sorted((record.games_won for record in tournament.records.values()), reverse=True)
    last = max(index for index, entry in enumerate(aired_entries) if isinstance(entry.event, StandingsChanged))
    wide.show_all(aired_entries[: last + 1])
    assert wide.page.inner_text(".standings__line") == "Games won after game 3 of 3"
    assert [int(text.split()[0]) for text in wide.page.locator(".row__stack").all_inner_texts()] == wins
    games = wide.page.locator(".row__games").all_inner_texts()
    assert all("game" in text for text in games), "a bot that has won no game must not be shown as out"
    assert find_layout_faults(wide) == NO_FAULTS
    wide.show_all(aired_entries)
    assert wide.page.inner_text(".step[data-step='1'] .step__prize") == f"{wins[0]} win{'s' * (wins[0] > 1)}"
    assert find_layout_faults(wide) == NO_FAULTS


def close_evening(names: tuple[str, ...], chips: int, *, is_luck_known: bool = True, has_ranges: bool = True) -> Script:
    """Shows the closing statistics of a contest in which each bot won `chips` from every bot with a higher number."""
    bots, rows = range(1, len(names) + 1), []
    for bot in bots:
        won = chips * (len(names) + 1 - 2 * bot)
        low, high = (won - 2 * chips, won + 2 * chips) if has_ranges and is_luck_known else (None, None)
        earned = won // 2 if is_luck_known else None
        rows.append(BotStatistics(bot, hands=90, won=won, luck=won - won // 2, earned=earned, low=low, high=high))
    table, text = tuple(Taken(by, of, chips) for by, of in combinations(bots, 2)), "won 9,123,456 with a pair of 9s"
    titles = "Luckiest", "Straightest shooter", "Biggest bluff", "Best call", "Most talkative", "Unluckiest", "Fastest"
    awards = tuple(Notice(title, 1 + number % len(names), text) for number, title in enumerate(titles))
    script = Script(names).connect().stage(games=1, advance=0)
    return script.put(StatisticsChanged(tuple(rows), (), 114, table, awards, closing=True))


@pytest.mark.parametrize(("count", "chips"), [(2, 3), (30, 3), (3, 123_456), (30, 123_456)])
def test_crosstable_and_awards_fit_any_number_of_bots(count: int, chips: int, screen: Screen) -> None:
    screen.show(close_evening((WIDE_NAMES * 5)[:count] if chips == 3 else (NAMES * 3)[:count], chips))
    assert find_layout_faults(screen) == NO_FAULTS
    assert screen.page.locator(".tallied").count() == min(count, 12)
    assert screen.page.locator(".award:visible").count() >= 4


def test_cells_of_the_crosstable_show_chips_taken_and_lost(screen: Screen) -> None:
    screen.show(close_evening(NAMES[:3], 4_200))
    rows = [row.locator(".tallied__cell").all_inner_texts() for row in screen.page.locator(".tallied").all()]
    wide_rows = [["", "+420", "+420"], [f"{MINUS}420", "", "+420"], [f"{MINUS}420", f"{MINUS}420", ""]]
    assert rows == (wide_rows if screen.page.locator(".tally__faces .tally__photo").count() else [[], [], []])
    assert screen.page.locator(".tallied__amount--net").all_inner_texts() == ["+8,400", "0", f"{MINUS}8,400"]
    assert screen.page.locator(".tallied__amount--earned").all_inner_texts() == ["+4,200", "0", f"{MINUS}4,200"]
    assert screen.page.locator(".tallied__range").count() == 3


def test_crosstable_omits_an_unknown_interval_and_unknown_luck(screen: Screen) -> None:
    screen.show(close_evening(NAMES[:4], 4_200, has_ranges=False))
    assert screen.page.locator(".tallied__range").count() == 0
    assert screen.page.locator(".tallied__bar--luck").count() == 4
    assert "95%" not in screen.page.inner_text(".tally__key")
    screen.show(close_evening(NAMES[:4], 4_200, is_luck_known=False))
    assert screen.page.locator(".tallied__bar--luck, .tallied__amount--luck").count() == 0
    assert not screen.page.locator(".tally__head--luck").is_visible()
    assert find_layout_faults(screen) == NO_FAULTS


def crown_in_order(names: tuple[str, ...], prizes: tuple[int, ...], owners: tuple[str, ...] = ()) -> Script:
    """A whole tournament, in which bots finish in the order of their numbers. `owners` are the bots' human players."""
    script, bots = Script(names), range(1, len(names) + 1)
    opening = script.entries.pop().event
    assert isinstance(opening, TournamentOpened)
    players = dict(zip(bots, owners or [each.player for each in opening.entrants], strict=True))
    entrants = tuple(replace(each, player=players[each.bot]) for each in opening.entrants)
    script.put(replace(opening, entrants=entrants, prizes_cents=prizes)).connect().stage().final(bots[:6])
    stacks = dict(zip(bots, (21000, 9000, *(0,) * len(names)), strict=False))
    return script.put(TournamentEnded(placings_from(bots, stacks, players, prizes), "5eed"))


@pytest.mark.parametrize("names", [NAMES, WIDE_NAMES, NAMES[:2], NAMES[:1]])
def test_every_winner_fits_on_the_wide_podium(names: tuple[str, ...], wide: Screen) -> None:
    for prizes in (LARGE_PRIZES, ()):
        wide.show(crown_in_order(names, prizes))
        assert find_layout_faults(wide) == NO_FAULTS


@pytest.mark.parametrize("count", [7, 30])
def test_last_place_is_listed_for_any_number_of_bots(count: int, screen: Screen) -> None:
    screen.show(crown_in_order((WIDE_NAMES * 5)[:count], PRIZES))
    places = screen.page.locator(".step__place, .listed__place").all_inner_texts()
    assert len(places) == min(count, 13)
    assert {"1st", f"{count}th"} <= {*places}
    assert find_layout_faults(screen) == NO_FAULTS


def test_podium_says_who_is_paid_and_when_a_winner_left(wide: Screen) -> None:
    wide.show(crown_in_order(NAMES[:6], PRIZES, ("Ada", "Ada", "Bob", "Cy", "Bob", "Di")))
    assert read_texts_of(wide, ".step") == ["1st $215 to Ada", "2nd paid as 1st", "3rd $126 to Bob"]
    assert read_texts_of(wide, ".listed__prize") == ["$84", "paid as 3rd", "$5"]
    wide.show(crown_in_order(NAMES[:3], ()))
    assert "21,000" in wide.page.inner_text(".step[data-step='1']")
    assert "prize" not in wide.page.inner_text(".champion__steps")
    script = Script().connect().stage("High Noon", games=1, advance=0).game().hand("fold " * 5).disconnect(2)
    wide.show(script.crown([2, 1, 3], [20000, 5000, 0]))
    expect(wide.page.locator('.step[data-step="1"] .step__player')).to_have_text("to Player 2, gone since hand 1")


def test_every_bot_that_thinks_aloud_has_a_row_with_its_scores(wide: Screen) -> None:
    wide.show(SCENES["reading"]())
    assert wide.page.evaluate(_READING_ROWS) == [
        ["The Bluffin' Bandit", "4 of 28", "Straightest shooter", "0.31", "0.3 s", "", "", 8, "says 50%, has 29%"],
        ["Two-Pair Tess", "4 of 24", "", "0.33", "0.3 s", "", "", 7, "says 51%, has 28%"],
        ["Señor Fold-a-Lot de Río Grande", "5 of 24", "", "0.34", "0.3 s", "2,300 tok.", "$0.00400", 8,
         "says 49%, has 29%"],
        ["Calamity Bayes", "6 of 24", "", "0.33", "0.3 s", "1,940 tok.", "$0.00240", 6, "says 46%, has 23%"],
        ["Doc Holobyte", "7 of 22", "", "0.33", "0.3 s", "", "", 6, "says 59%, has 30%"],
        ["Billy the Kid", "16 of 28", "Tallest tale", "0.37", "0.3 s", "1,843 tok.", "$0.00093", 8,
         "says 52%, has 22%"],
    ]  # fmt: skip


_COMPARED_ROWS = """() => [...document.querySelectorAll(".floor .row")].map((row) => [
  row.querySelector(".row__name").textContent, row.querySelector(".compared__did").textContent,
  row.querySelector(".row__stack").textContent, row.querySelector(".compared__stamp").textContent])"""


def test_comparison_by_earned_chips_says_how_much_of_each_result_was_luck(wide: Screen) -> None:
    wide.show(SCENES["compared_by_earned"]())
    deal = wide.state()["deal"]
    signed = "{:+,}".format
    # `held` has a result for each bot: what the bot did and won when it held the cards that are compared.
    for row, held in zip(wide.page.evaluate(_COMPARED_ROWS), deal["held"], strict=True):
        assert row[2] == signed(held["won"] - held.get("luck", 0)).replace("-", "\u2212").replace("+0", "0")
    lucks = wide.page.locator(".compared__luck").all_inner_texts()
    assert " ".join(lucks[0].split()).startswith("profit +5,100, luck ")
    heads = wide.page.locator(".compared__heads span")
    assert heads.all_inner_texts() == ["the table on air", "earned here", "all 6 tables"]
    words = "Earned = profit \u2212 luck of the board; a deal is one hand at each of six tables"
    assert wide.page.locator(".scene--comparison .deal-words").inner_text() == words
    assert " luck taken out" in wide.state()["caption"]
    wide.show(SCENES["compared"]())
    assert not wide.page.locator(".compared__luck:visible").count()
    assert heads.all_inner_texts() == ["the table on air", "profit here", "all 6 tables"]
    expect(wide.page.locator(".scene--comparison .deal-words")).to_contain_text("Profit = chips won or lost; ")


def test_comparison_marks_the_table_that_was_on_air(wide: Screen) -> None:
    deals = SCENES["compared"]()
    comparison = compare_tables(1, deals.tables)
    marked_names = wide.page.locator(".row[data-on-air] .row__name")
    for on_air in comparison.tables[:2]:
        others = tuple(table for table in comparison.tables if table is not on_air)
        wide.show(deals.put(DealCompared(replace(comparison, tables=(on_air, *others)))))
        assert marked_names.all_inner_texts() == [wide.state()["bots"][str(on_air.seats[comparison.seat])]["name"]]
    wide.show(SCENES["compared_alike"]())
    assert not marked_names.count()
    assert not wide.page.locator(".compared__on-air:visible").count()
    assert [row[3] for row in wide.page.evaluate(_COMPARED_ROWS)] == [""] * 6
    expect(wide.page.locator(".scene--comparison .standings__line")).to_contain_text("All six tables got the same")


def test_comparison_says_what_each_bot_did_and_who_was_best_and_worst(wide: Screen) -> None:
    wide.show(SCENES["compared_elsewhere"]())
    assert wide.page.evaluate(_COMPARED_ROWS) == [
        ["Two-Pair Tess", "raises to 5,000", "+5,000", ""],
        ["Jo", "folds", "\u221250", "worst"],
        ["Doc Holobyte", "other betting before", "+10,000", ""],
    ]
    deals = SCENES["compared"]()
    wide.show(deals)
    rows = wide.page.evaluate(_COMPARED_ROWS)
    assert rows[0] == ["Billy the Kid", "raises to 5,000", "+5,100", "best"]
    assert (len(rows), rows[-1]) == (6, ["Calamity Bayes", "folds", "0", "worst"])
    cards = wide.page.locator(".compared__cards .card__rank").all_inner_texts()
    assert cards == ["A", "J", "K", "9", "4", "K", "2"], "the hole cards, A and J, must come first"
    comparison = compare_tables(1, deals.tables)
    first, second, *others = comparison.held
    wide.show(deals.put(DealCompared(replace(comparison, best=second.bot))))
    assert [row[3] for row in wide.page.evaluate(_COMPARED_ROWS)] == ["", "", "", "", "", "worst"]
    equal_result = replace(others[-2], won=others[-1].won)
    equal_results = (first, replace(second, won=first.won), *others[:-2], equal_result, others[-1])
    wide.show(deals.put(DealCompared(replace(comparison, held=equal_results))))
    assert [row[3] for row in wide.page.evaluate(_COMPARED_ROWS)] == [""] * 6


def test_standings_of_deals_say_how_sure_they_are(wide: Screen) -> None:
    wide.show(SCENES["certainty"]())
    row = wide.page.locator(".scene--certainty .row").first
    expect(row.locator(".row__stack")).to_have_text("+1,101")
    expect(row.locator(".sure__chance")).to_contain_text("9")
    assert wide.page.locator(".sure__heads span").all_inner_texts() == ["95% range", "profit", "best bot"]
    assert wide.page.locator(".scene--certainty .chart__face").all_inner_texts() == ["1", "2", "3", "4", "5", "6"]
    expect(wide.page.locator(".scene--certainty .panel__favourite")).to_have_text("Ends early once 97% sure")
    read_left = "(node) => node.getBoundingClientRect().left"
    span, mean = (row.locator(name).evaluate(read_left) for name in (".sure__span", ".sure__mean"))
    assert span < mean, "the range must begin to the left of the mean"


def test_bots_keep_their_colours_and_labels_follow_the_lines(wide: Screen) -> None:
    wide.show(SCENES["certainty_by_earned"]())
    state, rows = wide.state(), wide.state()["standings"]["rows"]
    bots = [row["bot"] for row in rows]
    assert bots != state["stage"]["bots"], "for this test, the ranks must differ from the bots' numbers"
    colours = [f"var(--line-{state['stage']['bots'].index(bot)})" for bot in bots]
    spans = wide.page.locator(".scene--certainty .sure__span")
    assert spans.evaluate_all("(nodes) => nodes.map((node) => node.style.background)") == colours
    describe = "(all) => all.map((face) => [face.textContent, face.style.getPropertyValue('--line'), face.offsetTop])"
    faces = wide.page.locator(".scene--certainty .chart__face").evaluate_all(describe)
    assert {rank: colour for rank, colour, _ in faces} == {str(rank): each for rank, each in enumerate(colours, 1)}
    faces_from_the_top = sorted(faces, key=lambda face: face[2])
    chances = [state["title_odds"][str(bots[int(rank) - 1])][-1] for rank, *_ in faces_from_the_top]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("theme", ["western", "plain"])
def test_twelve_finalists_have_colours_that_can_be_told_apart(theme: str, open_screen: OpenScreen) -> None:
    screen = open_screen(f"motion=off&still&theme={theme}")
    screen.show(SCENES["certainty_of_twelve"]())
    colours = screen.read_json("""(() => {
      const lines = [...document.querySelectorAll(".scene--certainty .chart__line")];
      const panel = getComputedStyle(document.querySelector(".scene--certainty .panel")).backgroundColor;
      const colours = [panel, ...lines.map((line) => getComputedStyle(line).stroke)];
      return colours.map((colour) => colour.match(/\\d+/g).map(Number));
    })()""")
    panel, *lines = np.array(colours, np.float64)
    assert len(lines) == 12
    luminances = luminance(np.array(lines))
    assert min(luminances + 0.05) / (luminance(panel) + 0.05) >= 3, "lines must have the contrast that WCAG requires"
    distances = []
    for one, other in combinations(lines, 2):  # the distance known as "redmean", from 0 to 765
        red = (one[0] + other[0]) / 2
        distances.append(np.sqrt(np.array((2 + red / 256, 4, 2 + (255 - red) / 256)) @ (one - other) ** 2))
    assert min(distances) >= 75
    assert not screen.page.locator(".scene--certainty .chart__line[data-dashed]").count()


def test_lower_third_counts_deals_and_announces_an_early_end(wide: Screen) -> None:
    where = wide.page.locator(".third__where")
    wide.show(SCENES["starting_deals"]())
    assert "the same cards at six tables" in wide.state()["caption"]
    wide.show(SCENES["certainty"]())
    expect(where).to_have_text("Deal 24 of up to 60")
    deal = Deals().game(hands=1)
    wide.show(deal)
    expect(where).to_have_text("Deal 1 of up to 60")
    wide.show(deal.hand("fold"))
    expect(where).to_have_text("Deal 1 of up to 60 · Blinds 50/100")
    wide.show(SCENES["certainty_decided"]())
    expect(wide.page.locator(".scene--certainty .panel__favourite")).to_have_text("Over early: 97% sure was enough")
    expect(where).to_have_text("Decided after deal 24 of 60")
    wide.show(Deals().later_deals(24, decided=True).end_with_champion())
    expect(where).to_have_text("Decided after deal 24 of 60")


def test_podium_of_deals_has_results_per_deal_and_their_certainty(wide: Screen) -> None:
    for deals, unit in ((Deals(decided_by="earned"), "earned"), (Deals(), "chips")):
        wide.show(deals.later_deals(24).end_with_champion())
        rows = wide.state()["standings"]["rows"]
        results = {row["bot"]: f"{row['per_deal']:+,}".replace("-", "\u2212") for row in rows}
        per_deal = [results[line["bot"]] for line in wide.state()["placings"]]
        posters = wide.page.locator(".scene--champion .poster__stack").all_inner_texts()
        assert [" ".join(words.split()) for words in posters] == [f"{per_deal[0]} {unit} per deal", *per_deal[1:3]]
        assert wide.page.locator(".listed__prize").all_inner_texts() == per_deal[3:]
    expect(wide.page.locator(".step__player").first).to_have_text(">99% likely to be the best bot")
    wide.show(Deals().later_deals(24).end_with_champion((500, 300, 200, 100)))
    assert wide.page.locator(".listed__prize").all_inner_texts() == ["$1", "", ""], "prizes must replace the results"
