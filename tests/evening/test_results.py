"""Results of tournaments appear as text, as JSON and on a page. In a deal, every table gets the same cards."""

import random
import re
from collections import defaultdict
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.odds.earned import earned_in_each_unit
from server.app.results.deal_report import DealTally
from server.app.results.results import Results, compute_results, save_results
from server.app.results.results_output import results_router, results_table
from server.app.results.series_report import Tally
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW, QUICK_DRAW_FORMAT
from server.game import events
from server.game.deals import MIN_DEALS
from server.game.formats import as_deals, as_series
from server.journal.journal import Entry
from server.verify.recording import verify
from tests.support.games.contests import play_contest
from tests.support.games.random_contests import RandomContest, random_contests
from tests.support.games.recordings import of_kind
from tests.tournament.test_forms import play_at_tables

HOSTILE_NAME = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return play_contest(1)


def remarks_on_stage(*stacks: int, advance: int) -> tuple[str, ...]:
    """Returns the remarks on a stage that ends with `stacks` (largest first). The first `advance` bots advance."""
    bots = tuple(range(1, len(stacks) + 1))
    entrants = tuple(events.Entrant(bot, f"Bot {bot}") for bot in bots)
    history = [
        events.TournamentOpened("quick-draw", "Friday", QUICK_DRAW, 5000, entrants, ""),
        events.StageStarted(1, "The Trials", 15, 6, bots, stacks, advance),
        events.StageEnded(1, bots, stacks, bots[:advance]),
    ]
    return compute_results(Entry(number, 0, event) for number, event in enumerate(history, 1)).remarks


def test_results_have_the_announced_places_and_pay_out_the_pool() -> None:
    for random_contest in random_contests("final results", 300):
        entries = random_contest.entries()
        ended = entries[-1].event
        assert isinstance(ended, events.TournamentEnded)
        results = compute_results(entries)
        assert (results.finished, results.doing) == (True, "final result")
        placings = [events.Placing(row.place, row.bot, row.chips, row.prize_cents) for row in results.rows]
        assert placings == list(ended.placings)
        anybody_came = len(random_contest.absent) < len(random_contest.opened.entrants)
        assert sum(prize.prize_cents for prize in results.paid) == results.pool_cents * anybody_came
        assert len({prize.player for prize in results.paid}) == len(results.paid)


async def test_final_table_and_page_explain_missing_prizes(entries: list[Entry]) -> None:
    results = compute_results(entries)
    lines = results_table(results).splitlines()
    assert lines[0].split() == ["place", "bot", "player", "chips", "prize"]
    assert [int(line.split()[0]) for line in lines[1:13]] == list(range(1, 13))
    assert lines[1].endswith("$25.00")
    assert all(row.decided and row.deals is UNSET for row in results.rows)
    assert [row.place for row in results.rows if row.prize_cents] == [1, 2, 3, 4, 7]
    assert {row.place: row.note for row in results.rows if row.note} == {
        place: f"{results.rows[place - 1].player}'s second bot: the prize goes to the next player" for place in (5, 6)
    }
    page = await request_page(results)
    assert all(words in page for words in ("Final result", "$25.00", 'class="champion"'))
    assert 'name="again"' not in page, "only the page of a running contest may reload by itself"


def test_results_say_in_which_hand_a_bot_left(entries: list[Entry], tmp_path: Path) -> None:
    history = [entry.event for entry in entries]
    second_start = [index for index, event in enumerate(history) if isinstance(event, events.HandStarted)][1]
    last_end = next(index for index in reversed(range(len(history))) if isinstance(history[index], events.HandEnded))
    ended = history[-1]
    assert isinstance(ended, events.TournamentEnded)
    leaver, returned, loser = (placing.bot for placing in (ended.placings[0], ended.placings[1], ended.placings[-1]))
    exits = [events.BotDisconnected(bot, "it ended") for bot in (leaver, returned)]
    late_events = [events.BotConnected(returned), events.BotDisconnected(loser, "it ended")]
    before, between, after = history[: second_start + 1], history[second_start + 1 : last_end], history[last_end:]
    new_history = [*before, *exits, *between, *late_events, *after, *exits]
    results = compute_results(Entry(number, 0, event) for number, event in enumerate(new_history, 1))
    notes = {row.bot: row.note for row in results.rows}
    assert (notes[leaver], notes[returned], notes[loser]) == ("gone since The Trials, game 1, hand 2", "", "")
    assert "gone since The Trials, game 1, hand 2" in results_table(results).splitlines()[1]
    assert b"gone since The Trials, game 1, hand 2" in save_results(results, tmp_path / "evening.journal").read_bytes()


def test_remarks_explain_absent_bots_cut_stages_and_leftover_prizes() -> None:
    absent_rows = compute_results(RandomContest(random.Random(2), 9, absent=2).entries()).rows[-2:]
    assert [(row.note, row.chips) for row in absent_rows] == 2 * [("withdrawn: it never came", 0)]
    after_cut = compute_results(RandomContest(random.Random(1), 14, cuts=0.05).entries())
    assert "The operator ended The Trials early." in after_cut.remarks
    last_stage = QUICK_DRAW_FORMAT.stages[-1].title
    assert f"Bots that are not in {last_stage} keep their chips from the stage before." in after_cut.remarks
    assert after_cut.rows[6].chips > 0
    one_bot = compute_results(RandomContest(random.Random(1), 1).entries())
    assert one_bot.remarks == ("3 prizes, 1 player: the winner takes the rest.",)
    all_absent = compute_results(RandomContest(random.Random(1), 9, absent=9).entries())
    assert all_absent.remarks == ("Nobody has played, so nobody is paid.",)


def test_ties_that_are_decided_by_lot_are_reported() -> None:
    (remark,) = remarks_on_stage(9000, 4000, 4000, 4000, 3000, advance=2)
    assert remark == "The Trials: Bot 2, Bot 3 and Bot 4 had 4,000 chips each; Bot 2 advanced by lot."
    assert not remarks_on_stage(9000, 4000, 4000, 3000, 3000, advance=3), "neither tie needs to be decided by lot"
    (remark,) = remarks_on_stage(9000, 500, 500, 0, 0, advance=0)
    assert remark == "The Trials: Bot 2 and Bot 3 ended with 500 chips each; their order was decided by lot."


def test_bots_that_are_out_are_below_those_that_still_play(entries: list[Entry]) -> None:
    for end in range(1, len(entries), 97):
        rows = compute_results(entries[:end]).rows
        active = [row for row in rows if not row.decided]
        assert [row.place for row in rows] == list(range(1, 13))
        assert list(rows[: len(active)]) == sorted(active, key=lambda row: (-row.chips, row.bot))


async def test_running_contest_has_its_current_chips_on_a_page_that_reloads(entries: list[Entry]) -> None:
    length_to_first = {type(entry.event): index + 1 for index, entry in reversed(list(enumerate(entries)))}
    lines = results_table(compute_results(entries[:1])).splitlines()
    assert lines[1].split()[0] == "(1)", "undecided places must be in brackets"
    assert lines[-1] == "so far: before the first hand"
    after_hand = compute_results(entries[: length_to_first[events.HandEnded]])
    assert after_hand.doing == "The Trials, game 1 of 15, after hand 1 of 6"
    stacks = of_kind(entries, events.HandEnded)[0].stacks
    assert sorted(row.chips for row in after_hand.rows) == sorted([*stacks, *6 * [5000]]), "chips must be current"
    assert compute_results(entries[: length_to_first[events.GameEnded]]).doing == "The Trials, after game 1 of 15"
    assert compute_results(entries[: length_to_first[events.StageEnded]]).doing == "after The Trials"
    last_hand = max(index for index, entry in enumerate(entries) if isinstance(entry.event, events.HandEnded))
    assert compute_results(entries[: last_hand + 1]).doing.startswith("High Noon, after hand ")
    page = await request_page(after_hand)
    assert f"So far: {after_hand.doing}" in page
    assert ('name="again" content="15"' in page, 'class="champion"' in page) == (True, False)


def test_series_has_answer_statistics_and_decides_no_place_before_its_end() -> None:
    series = play_contest(8, 5, replace(as_series(ARENA_FORMAT, 3), starting_stack=300))
    eliminations = [index for index, entry in enumerate(series) if isinstance(entry.event, events.BotEliminated)]
    assert not any(row.decided for index in eliminations for row in compute_results(series[: index + 1]).rows)
    winners = [game.ranking[0] for game in of_kind(series, events.GameEnded)]
    seats: tuple[int, ...] = ()
    actions: defaultdict[int, list[events.ActionTaken]] = defaultdict(list)
    for event in (entry.event for entry in series):
        if isinstance(event, events.GameStarted):
            seats = event.seats
        if isinstance(event, events.ActionTaken):
            actions[seats[event.seat]].append(event)
    for row in compute_results(series).rows:
        answers, tally = actions[row.bot], row.tally
        assert row.decided
        assert isinstance(tally, Tally)
        assert (tally.games_won, tally.actions) == (winners.count(row.bot), len(answers))
        assert tally.mean_think_ms == round(sum(action.think_ms for action in answers) / len(answers))
        assert tally.timeouts == sum(action.fault == "timeout" for action in answers)


async def request_page(results: Results) -> str:
    app = FastAPI()
    app.include_router(results_router(lambda: results))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as web:
        return (await web.get("/results")).text


async def test_hostile_names_do_nothing_in_a_terminal_and_never_become_markup() -> None:
    name = "\x1b[2J\u202e"
    opened = events.TournamentOpened("quick-draw", "x", QUICK_DRAW, 5000, (events.Entrant(1, name, name),), "")
    assert not {"\x1b", "\u202e"} & set(results_table(compute_results([Entry(1, 0, opened)])))
    entrants = (events.Entrant(1, HOSTILE_NAME, HOSTILE_NAME), events.Entrant(2, "Ada", HOSTILE_NAME))
    opened = events.TournamentOpened("quick-draw", HOSTILE_NAME, QUICK_DRAW, 5000, entrants, HOSTILE_NAME, (500,))
    ended = events.TournamentEnded((events.Placing(1, 1, 5000, 500), events.Placing(2, 2, 0)), HOSTILE_NAME)
    page = await request_page(compute_results([Entry(1, 0, opened), Entry(2, 0, ended)]))
    assert "<img src=x" not in page
    assert page.count("<bdi>&lt;img src=x") >= 4


# -- deals


@pytest.fixture(scope="module", params=["chips", "earned"])
def deals(request: pytest.FixtureRequest) -> list[Entry]:
    """A contest of deals. Each test runs twice: bots are ranked by chips won, or by chips earned (without luck)."""
    return play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 40, decided_by=request.param))


def read_tallies(results: Results) -> dict[int, DealTally]:
    tallies = {row.bot: row.deals for row in results.rows if isinstance(row.deals, DealTally)}
    assert len(tallies) == len(results.rows)
    return tallies


def test_chips_per_deal_are_luck_plus_play_and_rank_the_bots(deals: list[Entry]) -> None:
    results, earned_by_unit = compute_results(deals), earned_in_each_unit(entry.event for entry in deals)
    deal_ends, tallies = of_kind(deals, events.DealEnded), read_tallies(results)
    earned_decides = bool(deal_ends[0].luck)
    for row in results.rows:
        tally, won = tallies[row.bot], sum(deal.won[deal.bots.index(row.bot)] for deal in deal_ends)
        earned = sum(float(unit[row.bot].earned) for unit in earned_by_unit)  # Here, a unit is a deal.
        if earned_decides:
            earned = won - sum(deal.luck[deal.bots.index(row.bot)] for deal in deal_ends)
        assert row.chips == (earned if earned_decides else won)
        assert tally.deals == 40
        assert tally.won == round(won / 40), "the mean must be rounded only once, so that it equals the show's mean"
        assert tally.earned == round(earned / 40)
        assert (tally.won, tally.earned) == (tally.own + tally.luck + tally.others, tally.own + tally.others)
        deciding_chips = tally.earned if earned_decides else tally.won
        assert sum(tally.seats) == pytest.approx(deciding_chips, abs=3.5), "the chips by seat must add up to the total"
        assert tally.low is not None
        assert tally.high is not None
        assert tally.low <= deciding_chips <= tally.high
        assert tally.shares  # `shares`: percentages for own play, luck, and the play of others
        assert tally.shares.own + tally.shares.luck + tally.shares.others == 100
        assert (tally.shares.luck == 0) is earned_decides, "earned chips must have no share of luck"
        for other, chance in tally.better.items():  # the chances to be better than each other bot
            assert chance + tallies[other].better[row.bot] == pytest.approx(1, abs=0.001)
    for seat_amounts in zip(*(tally.seats for tally in tallies.values()), strict=True):
        assert sum(seat_amounts) == pytest.approx(0, abs=3)
    assert sum(tally.others for tally in tallies.values()) == pytest.approx(0, abs=3)
    assert any(tally.others for tally in tallies.values())
    assert sum(tally.best or 0 for tally in tallies.values()) == pytest.approx(1, abs=0.001)  # chances to be the best
    for name, ranks_bots in (("earned", earned_decides), ("won", not earned_decides)):
        amounts = [getattr(tally, name) for tally in tallies.values()]
        assert (amounts == sorted(amounts, reverse=True)) is ranks_bots
    assert list(tallies) == [placing.bot for placing in of_kind(deals, events.TournamentEnded)[0].placings]


def test_deals_end_once_the_winner_is_certain_enough_and_a_remark_says_so() -> None:
    entries, _ = play_at_tables(100, sure_percent=97)
    results = compute_results(entries)
    assert verify(entries).finished
    winner, tally = results.rows[0], read_tallies(results)[results.rows[0].bot]
    remark = f"The Final ended after {tally.deals} of 100 deals: it is 97 % certain that {winner.name} is the best bot."
    assert (MIN_DEALS <= tally.deals < 100, results.remarks) == (True, (remark,))
    assert (tally.best or 0) >= 0.97
    last_deal = next(index for index, entry in enumerate(entries) if getattr(entry.event, "decided", False))
    assert not compute_results(entries[:last_deal]).remarks


async def test_running_evening_says_that_it_is_too_early_for_an_interval(deals: list[Entry]) -> None:
    third_end = [index for index, entry in enumerate(deals) if isinstance(entry.event, events.DealEnded)][2]
    so_far = compute_results(deals[: third_end + 1])
    assert (so_far.finished, so_far.doing) == (False, "The Final, after deal 3 of 40")
    assert [tally.low for tally in read_tallies(so_far).values()] == [None] * 6
    assert [row.chips for row in compute_results(deals[: third_end + 20]).rows] == [row.chips for row in so_far.rows]
    for text in (await request_page(so_far), results_table(so_far)):
        assert text.count("too early") == 6 * 2, "each of six bots must have neither an interval nor a chance"


def test_bots_that_did_not_advance_keep_their_deals_but_are_not_compared() -> None:
    results = compute_results(play_contest(8, 8, as_deals(QUICK_DRAW_FORMAT, 24)))
    for row in results.rows:
        tally = read_tallies(results)[row.bot]
        assert (tally.best is None, tally.better == {}) == (row.place > 6, row.place > 6)
        assert tally.deals == (24 if row.place <= 6 else 18)


async def test_text_and_page_have_interval_shares_and_matrix(deals: list[Entry]) -> None:
    results = compute_results(deals)
    tally, page, text = read_tallies(results)[results.rows[0].bot], await request_page(results), results_table(results)
    earned_decides = bool(of_kind(deals, events.DealEnded)[0].luck)
    source = "earned" if earned_decides else "won. The command highnoon luck compares chips earned"
    assert ("Places go by what a bot has earned." in page) is earned_decides
    for output in (page, text):
        assert f"These chances come from chips {source}" in output
        assert "too early" not in output
        assert f"{tally.low:+,.0f} to {tally.high:+,.0f}" in output
        assert f"{tally.better[results.rows[1].bot]:.0%}" in output
    for cause in ("own", "luck", "others"):
        chips, percentage = f"{getattr(tally, cause):+,.0f}", getattr(tally.shares, cause)
        assert re.search(rf"{re.escape(chips)} +{percentage}%", text)
        assert f">{chips}<small>{percentage} %</small>" in page
