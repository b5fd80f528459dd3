"""The results of a finished or running tournament follow from its journal alone, as text, JSON and a page.

After deals, they rank bots by the right figure, say how certain they are, and separate luck.
"""

import random
import re
from collections import defaultdict
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.odds.earned import units_of
from server.app.results.deal_report import DealTally
from server.app.results.results import Results, compute_results, save_results
from server.app.results.results_output import results_router, results_table
from server.app.results.series_report import Tally
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW, QUICK_DRAW_FORMAT
from server.game import events
from server.game.formats import as_deals, as_series
from server.journal.journal import Entry
from tests.support.games.contests import play_contest
from tests.support.games.random_contests import RandomContest, random_contests
from tests.support.games.recordings import of_kind
from tests.tournament.test_forms import at_tables

HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def contest() -> list[Entry]:
    return play_contest(1)


def remarks_on_stage(*stacks: int, advance: int) -> tuple[str, ...]:
    """The remarks on a stage that ended with `stacks`, the largest first; the first `advance` bots advance."""
    bots = tuple(range(1, len(stacks) + 1))
    entrants = tuple(events.Entrant(bot, f"Bot {bot}") for bot in bots)
    history = [
        events.TournamentOpened("quick-draw", "Friday", QUICK_DRAW, 5000, entrants, ""),
        events.StageStarted(1, "The Trials", 15, 6, bots, stacks, advance),
        events.StageEnded(1, bots, stacks, bots[:advance]),
    ]
    return compute_results(Entry(number, 0, event) for number, event in enumerate(history, 1)).remarks


def test_final_table_matches_the_announced_places_and_pays_out_the_pool() -> None:
    for random_contest in random_contests("final results", 300):
        entries = random_contest.entries()
        last = entries[-1].event
        assert isinstance(last, events.TournamentEnded)
        found = compute_results(entries)
        assert (found.finished, found.doing) == (True, "final result")
        placings = [events.Placing(row.place, row.bot, row.chips, row.prize_cents) for row in found.rows]
        assert placings == list(last.placings)
        is_played = len(random_contest.absent) < len(random_contest.opened.entrants)
        assert sum(paid.prize_cents for paid in found.paid) == found.pool_cents * is_played
        assert len({paid.player for paid in found.paid}) == len(found.paid)


async def test_finished_contest_has_a_table_and_a_page_that_explain_missing_prizes(contest: list[Entry]) -> None:
    found = compute_results(contest)
    lines = results_table(found).splitlines()
    assert lines[0].split() == ["place", "bot", "player", "chips", "prize"]
    assert [int(line.split()[0]) for line in lines[1:13]] == list(range(1, 13))
    assert lines[1].endswith("$25.00")
    assert all(row.decided and row.deals is UNSET for row in found.rows)
    assert [row.place for row in found.rows if row.prize_cents] == [1, 2, 3, 4, 7]
    assert {row.place: row.note for row in found.rows if row.note} == {
        place: f"{found.rows[place - 1].player}'s second bot: the prize goes to the next player" for place in (5, 6)
    }
    page = await page_of(found)
    assert all(words in page for words in ("Final result", "$25.00", 'class="champion"'))
    assert 'name="again"' not in page, "only the page of a running contest may reload by itself"


def test_bot_that_left_while_it_could_still_win_is_named_with_the_hand(contest: list[Entry], tmp_path: Path) -> None:
    history = [entry.event for entry in contest]
    second = [at for at, event in enumerate(history) if isinstance(event, events.HandStarted)][1]
    last = next(at for at in reversed(range(len(history))) if isinstance(history[at], events.HandEnded))
    ended = history[-1]
    assert isinstance(ended, events.TournamentEnded)
    first, back, out = (placing.bot for placing in (ended.placings[0], ended.placings[1], ended.placings[-1]))
    crash = [events.BotDisconnected(bot, "it ended") for bot in (first, back)]
    at_the_end = [events.BotConnected(back), events.BotDisconnected(out, "it ended")]
    happened = [*history[: second + 1], *crash, *history[second + 1 : last], *at_the_end, *history[last:], *crash]
    found = compute_results(Entry(number, 0, event) for number, event in enumerate(happened, 1))
    notes = {row.bot: row.note for row in found.rows}
    assert (notes[first], notes[back], notes[out]) == ("gone since The Trials, game 1, hand 2", "", "")
    assert "gone since The Trials, game 1, hand 2" in results_table(found).splitlines()[1]
    assert b"gone since The Trials, game 1, hand 2" in save_results(found, tmp_path / "evening.journal").read_bytes()


def test_remarks_explain_absent_bots_cut_stages_and_leftover_prizes() -> None:
    absent = compute_results(RandomContest(random.Random(2), 9, absent=2).entries()).rows[-2:]
    assert [(row.note, row.chips) for row in absent] == 2 * [("withdrawn: it never came", 0)]
    cut = compute_results(RandomContest(random.Random(1), 14, cuts=0.05).entries())
    assert "The operator ended The Trials early." in cut.remarks
    assert "Bots that are not in High Noon keep their chips from the stage before." in cut.remarks
    assert cut.rows[6].chips > 0
    alone = compute_results(RandomContest(random.Random(1), 1).entries())
    assert alone.remarks == ("3 prizes, 1 player: the winner takes the rest.",)
    nobody = compute_results(RandomContest(random.Random(1), 9, absent=9).entries())
    assert nobody.remarks == ("Nobody has played, so nobody is paid.",)


def test_ties_at_the_line_or_the_end_are_reported_as_decided_by_lot() -> None:
    assert remarks_on_stage(9000, 4000, 4000, 4000, 3000, advance=2) == (
        "The Trials: Bot 2, Bot 3 and Bot 4 had 4,000 chips each; Bot 2 advanced by lot.",
    )
    assert not remarks_on_stage(9000, 4000, 4000, 3000, 3000, advance=3), "ties that do not cross the line need no lot"
    assert remarks_on_stage(9000, 500, 500, 0, 0, advance=0) == (
        "The Trials: Bot 2 and Bot 3 ended with 500 chips each; their order was decided by lot.",
    )


def test_unfinished_tournament_has_bots_that_are_out_below_those_that_still_play(contest: list[Entry]) -> None:
    for end in range(1, len(contest), 97):
        rows = compute_results(contest[:end]).rows
        still_playing = [row for row in rows if not row.decided]
        assert [row.place for row in rows] == list(range(1, 13))
        assert list(rows[: len(still_playing)]) == sorted(still_playing, key=lambda row: (-row.chips, row.bot))


async def test_running_contest_has_its_progress_and_current_chips_on_a_page_that_reloads(contest: list[Entry]) -> None:
    ends = {type(entry.event): at + 1 for at, entry in reversed(list(enumerate(contest)))}  # after the first of a kind
    opened = results_table(compute_results(contest[:1])).splitlines()
    assert opened[1].split()[0] == "(1)", "places in brackets are not decided yet"
    assert opened[-1] == "so far: before the first hand"
    hand = compute_results(contest[: ends[events.HandEnded]])
    assert hand.doing == "The Trials, game 1 of 15, after hand 1 of 6"
    stacks = of_kind(contest, events.HandEnded)[0].stacks
    assert sorted(row.chips for row in hand.rows) == sorted([*stacks, *6 * [5000]]), "chips are those after the hand"
    assert compute_results(contest[: ends[events.GameEnded]]).doing == "The Trials, after game 1 of 15"
    assert compute_results(contest[: ends[events.StageEnded]]).doing == "after The Trials"
    last = max(at for at, entry in enumerate(contest) if isinstance(entry.event, events.HandEnded))
    assert compute_results(contest[: last + 1]).doing.startswith("High Noon, after hand ")
    page = await page_of(hand)
    assert f"So far: {hand.doing}" in page
    assert ('name="again" content="15"' in page, 'class="champion"' in page) == (True, False)


def test_series_has_answer_statistics_and_decides_no_place_before_its_end() -> None:
    played = play_contest(8, 5, replace(as_series(ARENA_FORMAT, 3), starting_stack=300))
    outs = [at for at, entry in enumerate(played) if isinstance(entry.event, events.BotEliminated)]
    assert not any(row.decided for at in outs for row in compute_results(played[: at + 1]).rows)
    winners = [game.ranking[0] for game in of_kind(played, events.GameEnded)]
    seats: tuple[int, ...] = ()
    acts: defaultdict[int, list[events.ActionTaken]] = defaultdict(list)
    for event in (entry.event for entry in played):
        if isinstance(event, events.GameStarted):
            seats = event.seats
        if isinstance(event, events.ActionTaken):
            acts[seats[event.seat]].append(event)
    for row in compute_results(played).rows:
        answers, tally = acts[row.bot], row.tally
        assert row.decided
        assert isinstance(tally, Tally)
        assert (tally.games_won, tally.actions) == (winners.count(row.bot), len(answers))
        assert tally.mean_think_ms == round(sum(act.think_ms for act in answers) / len(answers))
        assert tally.timeouts == sum(act.fault == "timeout" for act in answers)


async def page_of(found: Results) -> str:
    app = FastAPI()
    app.include_router(results_router(lambda: found))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as web:
        return (await web.get("/results")).text


async def test_hostile_names_do_nothing_in_a_terminal_and_never_become_markup() -> None:
    bad = "\x1b[2J\u202e"
    opened = events.TournamentOpened("quick-draw", "x", QUICK_DRAW, 5000, (events.Entrant(1, bad, bad),), "")
    assert not {"\x1b", "\u202e"} & set(results_table(compute_results([Entry(1, 0, opened)])))
    entrants = (events.Entrant(1, HOSTILE, HOSTILE), events.Entrant(2, "Ada", HOSTILE))
    opened = events.TournamentOpened("quick-draw", HOSTILE, QUICK_DRAW, 5000, entrants, HOSTILE, (500,))
    ended = events.TournamentEnded((events.Placing(1, 1, 5000, 500), events.Placing(2, 2, 0)), HOSTILE)
    page = await page_of(compute_results([Entry(1, 0, opened), Entry(2, 0, ended)]))
    assert "<img src=x" not in page
    assert page.count("<bdi>&lt;img src=x") >= 4


# -- deals


@pytest.fixture(scope="module", params=["chips", "earned"])
def deals(request: pytest.FixtureRequest) -> list[Entry]:
    """A contest of deals that chips, or what was earned, decides."""
    return play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 40, decided_by=request.param))


def tallies_of(found: Results) -> dict[int, DealTally]:
    tallies = {row.bot: row.deals for row in found.rows if isinstance(row.deals, DealTally)}
    assert len(tallies) == len(found.rows)
    return tallies


def test_chips_per_deal_are_luck_plus_play_and_the_figure_that_decides_orders_the_bots(deals: list[Entry]) -> None:
    found, units = compute_results(deals), units_of(entry.event for entry in deals)
    ended, tallies = of_kind(deals, events.DealEnded), tallies_of(found)
    by_earned = bool(ended[0].luck)
    for row in found.rows:
        tally, won = tallies[row.bot], sum(deal.won[deal.bots.index(row.bot)] for deal in ended)
        earned = sum(float(unit[row.bot].earned) for unit in units)
        if by_earned:
            earned = won - sum(deal.luck[deal.bots.index(row.bot)] for deal in ended)
        assert row.chips == (earned if by_earned else won)
        assert tally.deals == 40
        assert tally.won == round(won / 40), "the mean must be rounded once, as on the show"
        assert tally.earned == round(earned / 40)
        assert (tally.won, tally.earned) == (tally.own + tally.luck + tally.others, tally.own + tally.others)
        decisive = tally.earned if by_earned else tally.won
        assert sum(tally.seats) == pytest.approx(decisive, abs=3.5), "seats must add up to what decides"
        assert tally.low is not None
        assert tally.high is not None
        assert tally.low <= decisive <= tally.high
        assert tally.shares
        assert tally.shares.own + tally.shares.luck + tally.shares.others == 100
        assert (tally.shares.luck == 0) is by_earned, "luck must not widen the interval of what was earned"
        for other, chance in tally.better.items():
            assert chance + tallies[other].better[row.bot] == pytest.approx(1, abs=0.001)
    for seat in zip(*(tally.seats for tally in tallies.values()), strict=True):
        assert sum(seat) == pytest.approx(0, abs=3)
    assert sum(tally.others for tally in tallies.values()) == pytest.approx(0, abs=3)
    assert any(tally.others for tally in tallies.values())
    assert sum(tally.best or 0 for tally in tallies.values()) == pytest.approx(1, abs=0.001)
    for name, decides in (("earned", by_earned), ("won", not by_earned)):
        figures = [getattr(tally, name) for tally in tallies.values()]
        assert (figures == sorted(figures, reverse=True)) is decides
    assert list(tallies) == [placing.bot for placing in of_kind(deals, events.TournamentEnded)[0].placings]


def test_remark_on_an_early_end_names_the_certainty_that_was_required() -> None:
    entries, _ = at_tables(100, sure_percent=97)
    found = compute_results(entries)
    first, best = found.rows[0], tallies_of(found)[found.rows[0].bot]
    said = f"The Final ended after {best.deals} of 100 deals: it is 97 % certain that {first.name} is the best bot."
    assert (best.deals < 100, found.remarks) == (True, (said,))
    assert (best.best or 0) >= 0.97
    decided = next(at for at, entry in enumerate(entries) if getattr(entry.event, "decided", False))
    assert not compute_results(entries[:decided]).remarks


async def test_running_evening_says_how_many_deals_it_has_played_and_that_it_is_too_early_for_an_interval(
    deals: list[Entry],
) -> None:
    third = [at for at, entry in enumerate(deals) if isinstance(entry.event, events.DealEnded)][2]
    so_far = compute_results(deals[: third + 1])
    assert (so_far.finished, so_far.doing) == (False, "The Final, after deal 3 of 40")
    assert [tally.low for tally in tallies_of(so_far).values()] == [None] * 6
    assert [row.chips for row in compute_results(deals[: third + 20]).rows] == [row.chips for row in so_far.rows]
    for shown in (await page_of(so_far), results_table(so_far)):
        assert shown.count("too early") == 12, "six bots have neither an interval nor a chance"


def test_bots_that_did_not_advance_from_the_groups_keep_their_deals_but_are_not_compared() -> None:
    found = compute_results(play_contest(8, 8, as_deals(QUICK_DRAW_FORMAT, 24)))
    for row in found.rows:
        tally = tallies_of(found)[row.bot]
        assert (tally.best is None, tally.better == {}) == (row.place > 6, row.place > 6)
        assert tally.deals == (24 if row.place <= 6 else 18)


async def test_text_and_page_have_the_interval_the_shares_and_the_matrix(deals: list[Entry]) -> None:
    found = compute_results(deals)
    first, page, text = tallies_of(found)[found.rows[0].bot], await page_of(found), results_table(found)
    by_earned = bool(of_kind(deals, events.DealEnded)[0].luck)
    source = "earned" if by_earned else "won. The command highnoon luck compares chips earned"
    assert ("Places go by what a bot has earned." in page) is by_earned
    for shown in (page, text):
        assert f"These chances come from chips {source}" in shown
        assert "too early" not in shown
        assert f"{first.low:+,.0f} to {first.high:+,.0f}" in shown
        assert f"{first.better[found.rows[1].bot]:.0%}" in shown
    for part in ("own", "luck", "others"):
        chips, share = f"{getattr(first, part):+,.0f}", getattr(first.shares, part)
        assert re.search(rf"{re.escape(chips)} +{share}%", text)
        assert f">{chips}<small>{share} %</small>" in page
