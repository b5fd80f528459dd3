"""The results of a finished or running tournament follow from its journal alone, as text, JSON and a page."""

import random
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from msgspec.structs import replace

from server.app.results.results import Results, results, save_results
from server.app.results.series_report import Tally
from server.app.results.shown import final_table, results_router
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game import events
from server.game.formats import as_series
from server.journal.journal import Entry
from tests.support.contests import play_contest
from tests.support.random_contests import RandomContest, random_contests

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
    return results(Entry(number, 0, event) for number, event in enumerate(history, 1)).remarks


def test_final_table_matches_the_announced_places_and_pays_out_the_pool() -> None:
    for random_contest in random_contests("final results", 300):
        entries = random_contest.entries()
        last = entries[-1].event
        assert isinstance(last, events.TournamentEnded)
        found = results(entries)
        assert (found.finished, found.doing) == (True, "final result")
        placings = [events.Placing(row.place, row.bot, row.chips, row.prize_cents) for row in found.rows]
        assert placings == list(last.placings)
        is_played = len(random_contest.absent) < len(random_contest.opened.entrants)
        assert sum(paid.prize_cents for paid in found.paid) == found.pool_cents * is_played
        assert len({paid.player for paid in found.paid}) == len(found.paid)


def test_table_of_a_finished_contest_explains_missing_prizes_in_notes(contest: list[Entry]) -> None:
    lines = final_table(results(contest)).splitlines()
    assert lines[0].split() == ["place", "bot", "player", "chips", "prize"]
    assert [int(line.split()[0]) for line in lines[1:13]] == list(range(1, 13))
    assert lines[1].endswith("$25.00")
    rows = results(contest).rows
    assert all(row.decided for row in rows)
    assert [row.place for row in rows if row.prize_cents] == [1, 2, 3, 4, 7]
    notes = {row.place: row.note for row in rows if row.note}
    assert notes == {
        place: f"{rows[place - 1].player}'s second bot: the prize goes to the next player" for place in (5, 6)
    }


def test_bot_that_left_while_it_could_still_win_is_named_with_the_hand(contest: list[Entry], tmp_path: Path) -> None:
    history = [entry.event for entry in contest]
    second = [at for at, event in enumerate(history) if isinstance(event, events.HandStarted)][1]
    last = next(at for at in reversed(range(len(history))) if isinstance(history[at], events.HandEnded))
    ended = history[-1]
    assert isinstance(ended, events.TournamentEnded)
    first, back, out = (placing.bot for placing in (ended.placings[0], ended.placings[1], ended.placings[-1]))
    crash = [events.BotDisconnected(bot, "it ended") for bot in (first, back)]
    later = [events.BotConnected(back), events.BotDisconnected(out, "it ended")]
    happened = [*history[: second + 1], *crash, *history[second + 1 : last], *later, *history[last:], *crash]
    found = results(Entry(number, 0, event) for number, event in enumerate(happened, 1))
    notes = {row.bot: row.note for row in found.rows}
    assert (notes[first], notes[back], notes[out]) == ("gone since The Trials, game 1, hand 2", "", "")
    assert "gone since The Trials, game 1, hand 2" in final_table(found).splitlines()[1]
    assert b"gone since The Trials, game 1, hand 2" in save_results(found, tmp_path / "evening.journal").read_bytes()


def test_remarks_explain_absent_bots_cut_stages_and_leftover_prizes() -> None:
    absent = results(RandomContest(random.Random(2), 9, absent=2).entries()).rows[-2:]
    assert [(row.note, row.chips) for row in absent] == 2 * [("withdrawn: it never came", 0)]
    cut = results(RandomContest(random.Random(1), 14, cuts=0.05).entries())
    assert "The operator ended The Trials early." in cut.remarks
    assert "Bots that are not in High Noon keep their chips from the stage before." in cut.remarks
    assert cut.rows[6].chips > 0
    alone = results(RandomContest(random.Random(1), 1).entries())
    assert alone.remarks == ("3 prizes, 1 player: the winner takes the rest.",)
    nobody = results(RandomContest(random.Random(1), 9, absent=9).entries())
    assert nobody.remarks == ("Nobody has played, so nobody is paid.",)


def test_ties_at_the_line_or_the_end_are_reported_as_decided_by_lot() -> None:
    assert remarks_on_stage(9000, 4000, 4000, 4000, 3000, advance=2) == (
        "The Trials: Bot 2, Bot 3 and Bot 4 had 4,000 chips each; Bot 2 advanced by lot.",
    )
    assert not remarks_on_stage(9000, 4000, 4000, 3000, 3000, advance=3), "ties that do not cross the line need no lot"
    assert remarks_on_stage(9000, 500, 500, 0, 0, advance=0) == (
        "The Trials: Bot 2 and Bot 3 ended with 500 chips each; their order was decided by lot.",
    )


def test_unfinished_tournament_has_standings_after_every_entry(contest: list[Entry]) -> None:
    for end in range(1, len(contest), 97):
        found = results(contest[:end])
        assert not found.finished
        assert [row.place for row in found.rows] == list(range(1, 13))
        assert not [row for row in found.rows if row.prize_cents]
        open_rows = [row for row in found.rows if not row.decided]
        assert open_rows == sorted(open_rows, key=lambda row: (-row.chips, row.bot))
        assert found.rows[: len(open_rows)] == tuple(open_rows), "bots that are out must be below bots that still play"


def test_progress_and_current_chips_are_reported(contest: list[Entry]) -> None:
    def after_first(kind: type) -> list[Entry]:
        return contest[: 1 + next(at for at, entry in enumerate(contest) if isinstance(entry.event, kind))]

    opened = final_table(results(contest[:1])).splitlines()
    assert opened[1].split()[0] == "(1)", "places in brackets are not decided yet"
    assert opened[-1] == "so far: before the first hand"
    assert results(after_first(events.HandEnded)).doing == "The Trials, game 1 of 15, after hand 1 of 6"
    assert results(after_first(events.GameEnded)).doing == "The Trials, after game 1 of 15"
    assert results(after_first(events.StageEnded)).doing == "after The Trials"
    last = max(at for at, entry in enumerate(contest) if isinstance(entry.event, events.HandEnded))
    assert results(contest[: last + 1]).doing.startswith("High Noon, after hand ")
    hand = after_first(events.HandEnded)
    assert isinstance(ended := hand[-1].event, events.HandEnded)
    chips = sorted(row.chips for row in results(hand).rows)
    assert chips == sorted([*ended.stacks, *6 * [5000]]), "the chips must be those after the latest hand"


def test_series_has_answer_statistics_and_decides_no_place_before_its_end() -> None:
    played = play_contest(8, 5, replace(as_series(ARENA_FORMAT, 3), starting_stack=300))
    outs = [at for at, entry in enumerate(played) if isinstance(entry.event, events.BotEliminated)]
    assert not any(row.decided for at in outs for row in results(played[: at + 1]).rows)
    found = results(played)
    assert all(row.decided for row in found.rows)
    winners: list[int] = []
    seats: tuple[int, ...] = ()
    acts: dict[int, list[events.ActionTaken]] = {row.bot: [] for row in found.rows}
    for entry in played:
        match entry.event:
            case events.GameStarted(seats=seats):
                pass
            case events.ActionTaken(seat=seat) as act:
                acts[seats[seat]].append(act)
            case events.GameEnded(ranking=ranking):
                winners.append(ranking[0])
    assert any(act.fault for answers in acts.values() for act in answers), (
        "the contest must have bots that answer too late"
    )
    for row in found.rows:
        answers, tally = acts[row.bot], row.tally
        assert isinstance(tally, Tally)
        assert (tally.games_won, tally.actions) == (winners.count(row.bot), len(answers))
        assert tally.mean_think_ms == round(sum(act.think_ms for act in answers) / len(answers))
        assert tally.timeouts == sum(act.fault == "timeout" for act in answers)


async def page_of(found: Results) -> str:
    app = FastAPI()
    app.include_router(results_router(lambda: found))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as web:
        return (await web.get("/results")).text


async def test_page_reloads_until_the_contest_is_over(contest: list[Entry]) -> None:
    running = results(contest[: len(contest) // 2])
    page = await page_of(running)
    assert f"So far: {running.doing}" in page
    assert ('name="again" content="15"' in page, 'class="champion"' in page) == (True, False)
    page = await page_of(results(contest))
    assert "Final result" in page
    assert ('name="again"' in page, 'class="champion"' in page) == (False, True)
    assert "$25.00" in page


async def test_hostile_names_do_nothing_in_a_terminal_and_never_become_markup() -> None:
    bad = "\x1b[2J\u202e"
    opened = events.TournamentOpened("quick-draw", "x", QUICK_DRAW, 5000, (events.Entrant(1, bad, bad),), "")
    assert not {"\x1b", "\u202e"} & set(final_table(results([Entry(1, 0, opened)])))
    entrants = (events.Entrant(1, HOSTILE, HOSTILE), events.Entrant(2, "Ada", HOSTILE))
    opened = events.TournamentOpened("quick-draw", HOSTILE, QUICK_DRAW, 5000, entrants, HOSTILE, (500,))
    ended = events.TournamentEnded((events.Placing(1, 1, 5000, 500), events.Placing(2, 2, 0)), HOSTILE)
    page = await page_of(results([Entry(1, 0, opened), Entry(2, 0, ended)]))
    assert "<img src=x" not in page
    assert page.count("<bdi>&lt;img src=x") >= 4
