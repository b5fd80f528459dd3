"""Scenes other than the table fit any number of bots, any names and any amounts, and their figures are right."""

from datetime import datetime
from itertools import combinations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from broadcast.on_air import scenes
from broadcast.on_air.events import StandingsChanged, StatisticsChanged
from broadcast.on_air.shared_types import BotStatistics, Notice, Taken
from server.contests.arena.rules import ARENA_FORMAT
from server.game.events import BlindPosted, BotConnected, HandStarted, TournamentEnded, TournamentOpened
from server.game.formats import as_series
from server.game.prizes import placings_from
from server.game.tournament import evolve, open_tournament
from tests.overlay.conftest import OpenScreen
from tests.overlay.support.scenes import LOSING, SCENES, WIDE_NAMES, six
from tests.overlay.support.screen import Screen
from tests.overlay.support.scripted_show import NAMES, PRIZES, Script, picture_after
from tests.overlay.test_scenes import FITTING, measure
from tests.support.games.contests import play_contest
from tests.support.games.recordings import aired

MANY = [f"{name} {number}".strip() for number in ("", "II", "III") for name in NAMES]
MINUS = "\N{MINUS SIGN}"
AWARDS = ("Luckiest", "Straightest shooter", "Biggest bluff", "Best call", "Most talkative", "Unluckiest", "Fastest")
LARGE = (123456789, 12345650, 8400000, 999999, 500)
_SCORES = """() => [...document.querySelectorAll(".scene--reading .row")].map((row) => [
  ...[".row__name", ".reading__counts", ".reading__stamp"].map((name) => row.querySelector(name).textContent),
  ...[...row.querySelectorAll(".reading__score")].map((score) => score.textContent),
  row.querySelector(".reading__tokens").textContent, row.querySelector(".reading__cost").textContent,
  row.querySelectorAll(".reading__dot").length,
  [...row.querySelectorAll(".reading__chances .line")].map((line) => line.textContent).join(" ")])"""


def texts(screen: Screen, selector: str) -> list[str]:
    """The text of each element, with single spaces."""
    return [" ".join(text.split()) for text in screen.page.locator(selector).all_inner_texts()]


@pytest.mark.parametrize("count", [2, 7, 9, 30])
def test_lineup_and_standings_of_any_size_fit_and_missing_bots_are_marked(count: int, still: Screen) -> None:
    still.show(Script(MANY[:count]).put(*(BotConnected(bot) for bot in range(1, count // 2 + 1))))
    assert measure(still) == FITTING
    assert still.page.locator(".poster[data-away]").count() == count - count // 2
    assert "here so far" in still.page.inner_text(".lineup__line")
    seats = range(1, min(count, 6) + 1)
    still.show(Script(MANY[:count]).connect().stage().game(seats).hand("fold " * (len(seats) - 1)).end_game())
    assert measure(still) == FITTING
    assert still.page.locator(".row:visible").count() == count
    still.show(Script(MANY[:count]))
    assert "so far" not in still.page.inner_text(".lineup__line"), "nobody has connected"
    still.show(Script(MANY[:count]).put(BotConnected(1)).stage())
    assert still.page.locator(".poster[data-away]").count() == 0, "the show has started"


@pytest.mark.parametrize(("scene", "faces"), [("standings", 12), ("title_odds", 24)])
def test_each_line_of_a_graph_ends_in_a_face_and_no_face_covers_another(scene: str, faces: int, still: Screen) -> None:
    still.show(SCENES[scene]())
    assert measure(still) == FITTING
    assert still.page.locator(".chart__face:visible").count() == faces


def test_clock_counts_down_to_the_start_time_in_the_address_until_the_show_starts(open_screen: OpenScreen) -> None:
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


def test_higher_blinds_are_shown_in_big_blinds_until_the_next_event_of_the_hand(either: Screen) -> None:
    for names in (NAMES[:2], WIDE_NAMES, NAMES[:6]):
        stacks = (14_250, 1_150, 6_020, 2_200, 11_900, 480)[: len(names)]
        script = Script(names, speed=1).connect().stage(games=1, advance=0).game(range(1, len(names) + 1), stacks)
        either.show(script.hand("fold").put(HandStarted(2, 1, 100, 200, 25, stacks, "")))
        assert measure(either) == FITTING
        assert either.page.locator(".scene--blinds .row").count() == len(names)
    assert either.page.locator(".blinds__amounts").inner_text() == "100 / 200"
    worth = either.page.locator(".scene--blinds .row__stack").all_inner_texts()
    assert worth == ["71 BB", "59 BB", "30 BB", "11 BB", "5.7 BB", "2.4 BB"]
    assert script.entries[-1].hold_ms == scenes.SCENES["blinds"].hold_ms
    assert picture_after(script.entries).caption == "The blinds go up to 100 and 200, and the ante is 25."
    assert picture_after(script.put(BlindPosted(1, "small", 100, all_in=False)).entries).scene == "table"


@pytest.mark.parametrize(("hand", "big"), [(2, 100), (1, 200)])
def test_equal_blinds_and_blinds_of_another_game_do_not_interrupt_the_table(hand: int, big: int) -> None:
    script = Script(NAMES[:2]).connect().stage(games=2, advance=0).game((1, 2)).hand("fold")
    script.put(HandStarted(hand, 0, big // 2, big, 0, (5000, 5000), ""))
    assert picture_after(script.entries).scene == "table"


def double_shot() -> Script:
    """A hand in which two bots lose their last chips, in different pots, to a third bot."""
    holes = {3: "Td 8c", 1: "Ks Qs", 4: "9s 9d", 5: "8s 3h"}
    return six("raise:2200 raise:6000 fold fold call fold", (4350, *LOSING), holes=holes)


def test_duels_of_one_hand_follow_one_another_until_the_next_hand_or_the_end_of_the_game(still: Screen) -> None:
    script = double_shot()
    still.show(script)
    pictures, seen = [picture_after(script.entries)], []
    for seat, place in ((1, 12), (3, 11)):
        shown = len(script.entries)
        still.put(script.eliminate(seat, place).entries[shown:])
        still.settle()
        seen.append(
            (still.page.text_content(".scene--duel .poster__name"), still.page.inner_text(".scene--duel .stamp__place"))
        )
    assert seen == [("Doc Holobyte", "12th place"), ("The Bluffin' Bandit", "11th place")]
    pictures += [picture_after(script.entries), picture_after(script.hand(events=1).entries)]
    pictures.append(picture_after(double_shot().eliminate(1, 12).end_game().entries))
    assert [each.scene for each in pictures] == ["table", "duel", "table", "standings"]
    assert [each.duel is None for each in pictures] == [True, False, True, True]


def test_standings_and_podium_show_games_won_in_a_show_without_prizes(still: Screen) -> None:
    played = play_contest(8, 7, replace(as_series(ARENA_FORMAT, 3), starting_stack=300), paid=False)
    opened, shown = played[0].event, aired(played)
    assert isinstance(opened, TournamentOpened)
    tournament = open_tournament(opened)
    for entry in played:
        tournament = evolve(tournament, entry.event)
    wins = sorted((record.games_won for record in tournament.records.values()), reverse=True)
    last = max(at for at, entry in enumerate(shown) if isinstance(entry.event, StandingsChanged))
    still.show_all(shown[: last + 1])
    assert still.page.inner_text(".standings__line") == "Games won after game 3 of 3"
    assert [int(text.split()[0]) for text in still.page.locator(".row__stack").all_inner_texts()] == wins
    assert all("game" in text for text in still.page.locator(".row__games").all_inner_texts()), (
        "a bot that has won no game must not be shown as out"
    )
    assert measure(still) == FITTING
    still.show_all(shown)
    assert still.page.inner_text(".step[data-step='1'] .step__prize") == f"{wins[0]} win{'s' * (wins[0] > 1)}"
    assert measure(still) == FITTING


def close_evening(names: tuple[str, ...], chips: int, *, known: bool = True, ranges: bool = True) -> Script:
    """A show up to the end of an evening in which each bot took `chips` from every bot with a higher number."""
    bots, rows = range(1, len(names) + 1), []
    for bot in bots:
        won = chips * (len(names) + 1 - 2 * bot)
        low, high = (won - 2 * chips, won + 2 * chips) if ranges and known else (None, None)
        earned = won // 2 if known else None
        rows.append(BotStatistics(bot, hands=90, won=won, luck=won - won // 2, earned=earned, low=low, high=high))
    table, told = tuple(Taken(by, of, chips) for by, of in combinations(bots, 2)), "won 9,123,456 with a pair of queens"
    awards = tuple(Notice(title, 1 + at % len(names), told) for at, title in enumerate(AWARDS))
    script = Script(names).connect().stage(games=1, advance=0)
    return script.put(StatisticsChanged(tuple(rows), (), 114, table, awards, closing=True))


@pytest.mark.parametrize(("count", "chips"), [(2, 3), (30, 3), (3, 123_456), (30, 123_456)])
def test_crosstable_and_awards_fit_any_number_of_bots(count: int, chips: int, either: Screen) -> None:
    either.show(close_evening((WIDE_NAMES * 5)[:count] if chips == 3 else (NAMES * 3)[:count], chips))
    assert measure(either) == FITTING
    assert either.page.locator(".tallied").count() == min(count, 12)
    assert either.page.locator(".award:visible").count() >= 4


def test_cells_of_the_crosstable_show_chips_taken_and_lost(either: Screen) -> None:
    either.show(close_evening(NAMES[:3], 4_200))
    rows = [row.locator(".tallied__cell").all_inner_texts() for row in either.page.locator(".tallied").all()]
    wide = [["", "+420", "+420"], [f"{MINUS}420", "", "+420"], [f"{MINUS}420", f"{MINUS}420", ""]]
    assert rows == (wide if either.page.locator(".tally__faces .tally__photo").count() else [[], [], []])
    assert either.page.locator(".tallied__amount--net").all_inner_texts() == ["+8,400", "0", f"{MINUS}8,400"]
    assert either.page.locator(".tallied__amount--earned").all_inner_texts() == ["+4,200", "0", f"{MINUS}4,200"]
    assert either.page.locator(".tallied__range").count() == 3


def test_crosstable_omits_an_unknown_interval_and_unknown_luck(either: Screen) -> None:
    either.show(close_evening(NAMES[:4], 4_200, ranges=False))
    assert either.page.locator(".tallied__range").count() == 0
    assert either.page.locator(".tallied__bar--luck").count() == 4
    assert "95%" not in either.page.inner_text(".tally__key")
    either.show(close_evening(NAMES[:4], 4_200, known=False))
    assert either.page.locator(".tallied__bar--luck, .tallied__amount--luck").count() == 0
    assert not either.page.locator(".tally__head--luck").is_visible()
    assert measure(either) == FITTING


def crown_in_order(names: tuple[str, ...], prizes: tuple[int, ...], owners: tuple[str, ...] = ()) -> Script:
    """A whole tournament, in which bots finish in the order of their numbers."""
    script, bots = Script(names), range(1, len(names) + 1)
    opening = script.entries.pop().event
    assert isinstance(opening, TournamentOpened)
    players = dict(zip(bots, owners or [each.player for each in opening.entrants], strict=True))
    entrants = tuple(replace(each, player=players[each.bot]) for each in opening.entrants)
    script.put(replace(opening, entrants=entrants, prizes_cents=prizes)).connect().stage().final(bots[:6])
    stacks = dict(zip(bots, (21000, 9000, *(0,) * len(names)), strict=False))
    return script.put(TournamentEnded(placings_from(bots, stacks, players, prizes), "5eed"))


@pytest.mark.parametrize(
    ("names", "prizes"), [(NAMES, LARGE), (WIDE_NAMES, LARGE), (NAMES[:2], LARGE), (NAMES[:1], LARGE), (NAMES[:1], ())]
)
def test_every_winner_fits_on_the_podium(names: tuple[str, ...], prizes: tuple[int, ...], still: Screen) -> None:
    still.show(crown_in_order(names, prizes))
    assert measure(still) == FITTING


@pytest.mark.parametrize("count", [7, 30])
def test_last_place_is_listed_for_any_number_of_bots(count: int, either: Screen) -> None:
    either.show(crown_in_order((WIDE_NAMES * 5)[:count], PRIZES))
    places = either.page.locator(".step__place, .listed__place").all_inner_texts()
    assert len(places) == min(count, 13)
    assert {"1st", f"{count}th"} <= set(places)
    assert measure(either) == FITTING


def test_podium_says_why_a_second_bot_is_unpaid_since_when_a_winner_is_gone_and_chips_without_prizes(
    still: Screen,
) -> None:
    still.show(crown_in_order(NAMES[:6], PRIZES, ("Ada", "Ada", "Bob", "Cy", "Bob", "Di")))
    assert texts(still, ".step") == ["1st $215 to Ada", "2nd paid as 1st", "3rd $126 to Bob"]
    assert texts(still, ".listed__prize") == ["$84", "paid as 3rd", "$5"]
    still.show(crown_in_order(NAMES[:3], ()))
    assert "21,000" in still.page.inner_text(".step[data-step='1']")
    assert "prize" not in still.page.inner_text(".champion__steps")
    script = Script().connect().stage("High Noon", games=1, advance=0).game().hand("fold fold fold fold fold").lose(2)
    still.show(script.crown([2, 1, 3], [20000, 5000, 0]))
    expect(still.page.locator('.step[data-step="1"] .step__player')).to_have_text("to Player 2, gone since hand 1")


def test_every_bot_that_thinks_aloud_has_a_row_with_its_scores(still: Screen) -> None:
    still.show(SCENES["reading"]())
    state, shown = still.state(), still.page.evaluate(_SCORES)
    wanted = []
    for row in state["statistics"]["rows"]:
        if scores := row.get("reading"):
            seconds = row["think_ms"] / row["answers"] / 1000
            name, bins = state["bots"][str(row["bot"])]["name"], [line for line in scores["calibration"] if line[0]]
            counts = f"{scores['false_claims']} of {scores['claims']}"
            spent = ["", ""]
            if "tokens" in scores:
                tokens, dollars = scores["tokens"] / scores["hands"], scores["cost_millionths"] / 1e6 / scores["hands"]
                spent = [f"{tokens:,.0f} tok.", f"${dollars:.5f}"]
            says, has = (sum(line[0] * line[at] for line in bins) / scores["estimates"] for at in (1, 2))
            chances = f"says {says:.0%}, has {has:.0%}"
            wanted.append([name, counts, f"{scores['brier']:.2f}", f"{seconds:.1f} s", *spent, len(bins), chances])
    assert sorted([*row[:2], *row[3:]] for row in shown) == sorted(wanted)
    assert len(wanted) == 6
    assert sum(row[4] != "" for row in wanted) == 3, "three bots say what they spend"
    stamps = {row[2]: row[0] for row in shown if row[2]}
    notices = {each["title"]: each["bot"] for each in state["statistics"]["notices"]}
    titles = ("Straightest shooter", "Tallest tale")
    assert stamps == {title: state["bots"][str(notices[title])]["name"] for title in titles}
    assert [shown[0][2], shown[-1][2]] == [*titles], "the truest bot must come first"
