"""The results of a stage of deals rank bots by the right figure, say how certain they are, and separate luck."""

import asyncio
import re
from collections.abc import Sequence

import pytest
from msgspec import UNSET

from broadcast.odds.earned import units_of
from broadcast.on_air.events import StandingsChanged
from server.app.results.deal_report import DealTallies, DealTally
from server.app.results.results import Results, Row, results
from server.app.results.shown import final_table
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.formats import as_deals
from server.journal.journal import Entry
from tests.evening.test_results import page_of
from tests.support.contests import play_contest
from tests.support.deals import play_deals
from tests.support.recordings import aired
from tests.tournament.test_deals import at_tables


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 60))


@pytest.fixture(scope="module")
def found(entries: Sequence[Entry]) -> Results:
    return results(entries)


def tally_of(row: Row) -> DealTally:
    assert isinstance(row.deals, DealTally)
    return row.deals


def test_bots_are_listed_by_their_chips_per_deal(entries: Sequence[Entry], found: Results) -> None:
    deals = [entry.event for entry in entries if isinstance(entry.event, events.DealEnded)]
    for row in found.rows:
        won = [deal.won[deal.bots.index(row.bot)] for deal in deals]
        assert (row.chips, tally_of(row).deals) == (sum(won), len(deals))
        assert tally_of(row).won == round(sum(won) / len(deals)), "the mean must be rounded once, as on the show"
    (over,) = [entry.event for entry in entries if isinstance(entry.event, events.TournamentEnded)]
    assert [row.bot for row in found.rows] == [placing.bot for placing in over.placings]


def test_chips_above_the_average_of_each_seat_add_up_to_a_bots_chips(found: Results) -> None:
    for row in found.rows:
        assert sum(tally_of(row).seats) == pytest.approx(tally_of(row).won, abs=3.5)
    for seat in zip(*(tally_of(row).seats for row in found.rows), strict=True):
        assert sum(seat) == pytest.approx(0, abs=3)


def test_luck_of_the_board_is_separated_from_the_chips_won(entries: Sequence[Entry], found: Results) -> None:
    units = units_of(entry.event for entry in entries)
    for row in found.rows:
        earned = sum(float(unit[row.bot].earned) for unit in units) / tally_of(row).deals
        assert tally_of(row).earned == round(earned)
    assert any(tally_of(row).earned != tally_of(row).won for row in found.rows)


def test_bots_are_listed_by_earnings_if_these_decide_and_the_results_say_so() -> None:
    entries = play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 30, decided_by="earned"))
    found = results(entries)
    deals = [entry.event for entry in entries if isinstance(entry.event, events.DealEnded)]
    for row in found.rows:
        at, tally = row.bot - 1, tally_of(row)
        won, luck = (sum(chips) for chips in zip(*((deal.won[at], deal.luck[at]) for deal in deals), strict=True))
        assert row.chips == won - luck
        assert (tally.won, tally.earned) == (round(won / 30), round((won - luck) / 30))
        assert tally.low is not None
        assert tally.high is not None
        assert tally.low <= tally.earned <= tally.high
        assert tally.shares
        assert tally.shares.luck == 0, "luck must not widen the interval"
    listed = [tally_of(row).earned for row in found.rows]
    assert listed == sorted(listed, reverse=True)
    assert [tally_of(row).won for row in found.rows] != sorted((tally_of(row).won for row in found.rows), reverse=True)
    assert "These chances come from chips earned." in final_table(found)
    assert "Places go by what a bot has earned." in asyncio.run(page_of(found))
    for row in found.rows:
        assert sum(tally_of(row).seats) == pytest.approx(tally_of(row).earned, abs=3.5), (
            "the parts for the seats must add up to the chips earned"
        )


def test_chips_of_a_bot_are_the_sum_of_their_parts(found: Results) -> None:
    tallies = [tally_of(row) for row in found.rows]
    for tally in tallies:
        assert tally.won == tally.own + tally.luck + tally.others
        assert tally.earned == tally.own + tally.others
        assert tally.shares
        assert tally.shares.own + tally.shares.luck + tally.shares.others == 100
    assert sum(tally.others for tally in tallies) == pytest.approx(0, abs=3)
    assert any(tally.others for tally in tallies)


def test_remark_on_an_early_end_names_the_certainty_that_was_required() -> None:
    entries, _ = at_tables(100, sure_percent=97)
    found = results(entries)
    played, best = tally_of(found.rows[0]).deals, found.rows[0].name
    said = f"The Final ended after {played} of 100 deals: it is 97 % certain that {best} is the best bot."
    assert (played < 100, found.remarks) == (True, (said,))
    assert (tally_of(found.rows[0]).best or 0) >= 0.97
    decided = next(at for at, entry in enumerate(entries) if getattr(entry.event, "decided", False))
    assert not results(entries[:decided]).remarks


def test_chances_of_all_bots_to_be_the_best_add_up(found: Results) -> None:
    assert sum(tally_of(row).best or 0 for row in found.rows) == pytest.approx(1, abs=0.001)
    for row in found.rows:
        for other, chance in tally_of(row).better.items():
            back = tally_of(next(each for each in found.rows if each.bot == other)).better[row.bot]
            assert chance + back == pytest.approx(1, abs=0.001)


def test_a_running_evening_says_how_many_deals_it_has_played(entries: Sequence[Entry]) -> None:
    third = [at for at, entry in enumerate(entries) if isinstance(entry.event, events.DealEnded)][2]
    so_far = results(entries[: third + 1])
    assert (so_far.finished, so_far.doing) == (False, "The Final, after deal 3 of 60")
    assert [tally_of(row).low for row in so_far.rows] == [None] * 6
    assert sum(row.chips for row in so_far.rows) == 0
    in_the_fourth = results(entries[: third + 20])
    assert [row.chips for row in in_the_fourth.rows] == [row.chips for row in so_far.rows]


def test_bots_that_did_not_advance_from_the_groups_keep_their_deals_but_are_not_compared() -> None:
    found = results(play_contest(8, 8, as_deals(QUICK_DRAW_FORMAT, 24)))
    for row in found.rows:
        tally = tally_of(row)
        assert (tally.best is None, tally.better == {}) == (row.place > 6, row.place > 6)
        assert tally.deals == (24 if row.place <= 6 else 18)


def test_other_contests_have_no_deals() -> None:
    assert all(row.deals is UNSET for row in results(play_contest(1)).rows)


async def test_text_and_page_have_the_interval_and_the_matrix(found: Results) -> None:
    first, page, text = tally_of(found.rows[0]), await page_of(found), final_table(found)
    assert first.low is not None
    assert first.high is not None
    interval = f"{first.low:+,.0f} to {first.high:+,.0f}"
    for shown in (page, text):
        assert "These chances come from chips won. The command highnoon luck compares chips earned" in shown
        assert "too early" not in shown
        assert interval in shown
        assert f"{first.better[found.rows[1].bot]:.0%}" in shown
    for part in ("own", "luck", "others"):
        chips, share = f"{getattr(first, part):+,.0f}", getattr(first.shares, part)
        assert re.search(rf"{re.escape(chips)} +{share}%", text)
        assert f">{chips}<small>{share} %</small>" in page


async def test_text_and_page_say_that_it_is_too_early_for_an_interval(entries: Sequence[Entry]) -> None:
    third = [at for at, entry in enumerate(entries) if isinstance(entry.event, events.DealEnded)][2]
    so_far = results(entries[: third + 1])
    for shown in (await page_of(so_far), final_table(so_far)):
        assert shown.count("too early") == 12, "six bots have neither an interval nor a chance"


def test_show_and_results_round_to_the_same_whole_chips() -> None:
    entries = play_deals(3, 24, main=9, others=29)
    on_air = (entry.event for entry in aired(entries) if isinstance(entry.event, StandingsChanged))
    tallies = DealTallies()
    for entry in entries:
        tallies.apply(entry.event)
        if isinstance(entry.event, events.DealEnded):
            shown = {row.bot: (row.per_deal, row.low, row.high) for row in next(on_air).rows}
            found = tallies.report().items()
            assert shown == {
                bot: (tally.won, *(UNSET if each is None else each for each in (tally.low, tally.high)))
                for bot, tally in found
            }
