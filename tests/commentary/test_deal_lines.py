"""In a stage in which all bots get the same cards, captions and storylines are about deals, not stacks, and true."""

import asyncio
import re
from collections.abc import Iterator, Sequence

import pytest

from broadcast.archive.summary import summary_of
from broadcast.commentary.commentary import Commentary
from broadcast.commentary.storylines.deal_lines import SURE_STEPS
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.film.film import Film, film_of, run_show
from broadcast.odds.deal_scores import DealScores
from broadcast.odds.earned import units_of
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.events import CaptionSpoken, StorylineTold
from broadcast.on_air.plain_standings import plain_standings
from broadcast.on_air.table_state import TableEntry, following_tables
from broadcast.publish.outcome import outcome_of
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.formats import as_deals
from server.journal.journal import Entry
from tests.support.contests import play_contest
from tests.support.recordings import one_by_one
from tests.tournament.test_deals import at_tables

OF_STACKS = ("eliminat", "knock", "is out", "double", "chip leader", "has the fewest", "in a row", "Game ", "game ")
"""Words that would be wrong in such a stage, because every deal begins with new stacks and nobody goes out."""


def aired_tables(entries: Sequence[Entry]) -> list[TableEntry]:
    """The entries that go on air: one table of each deal."""

    async def all_of_them() -> list[TableEntry]:
        return [entry async for entry in following_tables(one_by_one(entries))]

    return asyncio.run(all_of_them())


def told(entries: Sequence[Entry]) -> Iterator[tuple[events.Event, list[str], tuple[Storyline, ...]]]:
    """For each entry on air: its event, the captions and storylines that follow it, and those for commentators."""
    commentary = Commentary()
    for entry in aired_tables(entries):
        said = [each.text for each in commentary.after(entry) if isinstance(each, CaptionSpoken | StorylineTold)]
        at_deals = isinstance(entry.event, events.HandStarted | events.DealEnded)
        yield entry.event, said, commentary.talk.lines if at_deals else ()


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 30))


def test_no_line_is_about_stacks_because_every_deal_begins_with_new_ones(entries: Sequence[Entry]) -> None:
    kinds = set[str]()
    for _, said, lines in told(entries):
        kinds |= {line.kind for line in lines}
        for text in (*said, *(line.text for line in lines)):
            assert not any(words in text for words in OF_STACKS), text
    assert kinds == {"certain pair", "deals left", "lead in deals", "most of a deal", "same cards"}


def test_storyline_is_told_with_the_standings_right_after_its_deal(entries: Sequence[Entry]) -> None:
    commentary, lines, said = Commentary(), set[str](), 0
    for entry in aired_tables(entries):
        added = commentary.after(entry)
        assert not [each for each in added if isinstance(each, StorylineTold)]
        told_now = lines & {each.text for each in added if isinstance(each, CaptionSpoken)}
        assert not told_now or isinstance(entry.event, events.GameStarted)
        said += len(told_now)
        if isinstance(entry.event, events.DealEnded):
            lines = {line.text for line in commentary.talk.lines}
    assert said > 2


def test_lines_about_the_leader_and_the_best_of_a_deal_are_true(entries: Sequence[Entry]) -> None:
    (stage,) = [entry.event for entry in entries if isinstance(entry.event, events.StageStarted)]
    scores, seen = DealScores(stage), set[str]()
    for event, _, lines in told(entries):
        if not isinstance(event, events.DealEnded):
            continue
        scores.add(event)
        for line in lines:
            seen.add(line.kind)
            if line.kind == "lead in deals":
                assert line.bots[0] == scores.standings()[0].bot
            if line.kind == "most of a deal":
                won = event.won[event.bots.index(line.bots[0])]
                assert f": up {won:,} across" in line.text
                assert won == max(event.won)
            if line.kind == "certain pair":
                chance = scores.better(*line.bots)
                assert chance is not None
                assert chance >= 0.8
    assert {"lead in deals", "most of a deal", "certain pair"} <= seen


def test_line_about_the_same_cards_names_the_chips_that_both_bots_won(entries: Sequence[Entry]) -> None:
    won: dict[tuple[int, int], int] = {}
    game = events.GameStarted(0, 0, (), ())
    for entry in entries:
        match entry.event:
            case events.GameStarted():
                game = entry.event
            case events.GameEnded(stacks=stacks):
                for bot, before, after in zip(game.seats, game.stacks, stacks, strict=True):
                    won[game.game, bot] = after - before
    found = [line for _, _, lines in told(entries) for line in lines if line.kind == "same cards"]
    assert found
    for line in found:
        best, worst = ((hand.game, bot) for hand, bot in zip(line.hands, line.bots, strict=True))
        assert re.search(rf"won {won[best]:,} in deal \d+\. Same seat, same cards, and ", line.text)
        assert won[best] > won[worst]


def test_pair_is_news_only_when_its_chance_first_passes_a_step_and_a_lead_may_be_taken_back() -> None:
    entries = play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 60))
    (stage,) = [entry.event for entry in entries if isinstance(entry.event, events.StageStarted)]
    scores, highest, leaders = DealScores(stage), dict[tuple[int, int], float](), list[int]()
    fell, back = 0, 0
    for event, _, lines in told(entries):
        if not isinstance(event, events.DealEnded):
            continue
        scores.add(event)
        leaders.append(scores.standings()[0].bot)
        better = scores.matrix()
        for line in lines:
            if line.kind == "certain pair":
                pair = line.bots[0], line.bots[1]
                assert any(highest.get(pair, 0.0) < step <= better[pair] for step in SURE_STEPS)
            if "has taken the lead" in line.text:
                assert ("the lead back" in line.text) == (line.bots[0] in leaders[:-1])
                back += "the lead back" in line.text
        for pair, chance in better.items():
            highest[pair] = max(chance, highest.get(pair, 0.0))
            fell += chance < 0.8 <= highest[pair]
    assert fell, "chances fell below a step, so some rose past it again"
    assert back


def test_title_that_becomes_certain_is_told_once() -> None:
    entries, _ = at_tables(100, sure_percent=97)
    news = [line.text for _, _, lines in told(entries) for line in lines if line.kind == "certain title"]
    assert news
    assert all("certain that Bot 1 is the best bot" in text for text in news)
    aired = [text for _, said, _ in told(entries) for text in said if "certain that Bot 1 is the best" in text]
    assert 1 <= len({*aired}) <= 4


def test_end_of_a_stage_says_whether_and_why_it_ends_early() -> None:
    def last_words(deals: int, sure_percent: int) -> list[list[str]]:
        entries, _ = at_tables(deals, sure_percent=sure_percent)
        return [
            said for event, said, _ in told(entries) if isinstance(event, events.StageEnded | events.TournamentEnded)
        ]

    (ends,), (crowned,) = last_words(100, 97)
    assert ends == "After 80 of 100 deals, it is 98% certain that Bot 1 is the best bot."
    assert crowned == "Bot 1 wins the tournament after 80 of 100 deals!"
    (ends,), (crowned,) = last_words(20, 0)
    assert re.fullmatch(r"Bot \d finishes first, and is \d+% likely to be the best bot\.", ends)
    assert re.fullmatch(r"Bot \d wins the tournament!", crowned)


def test_archive_has_no_elimination_and_no_run_of_hands_with_the_same_cards(entries: Sequence[Entry]) -> None:
    summary = summary_of(entries)
    assert not any("Elimination" in hand.marks for hand in summary.hands)
    assert {*summary.most} == {"won"}


def test_deal_at_all_its_tables_is_one_unit_of_luck(entries: Sequence[Entry]) -> None:
    deals = [entry.event for entry in entries if isinstance(entry.event, events.DealEnded)]
    units = units_of(entry.event for entry in entries)
    assert [[unit[bot].won for bot in deal.bots] for deal, unit in zip(deals, units, strict=True)] == [
        list(deal.won) for deal in deals
    ]


def test_pages_say_what_bots_have_won_and_how_the_title_was_won(entries: Sequence[Entry]) -> None:
    (over,) = [entry.event for entry in entries if isinstance(entry.event, events.TournamentEnded)]
    best, second = over.placings[:2]
    air = AirLog("deals", 1.0)
    film = asyncio.run(_film_of(entries, air))
    assert plain_standings(air.picture) == tuple(
        (f"Bot {each.bot}", f"{round(each.stack / 30):+,} chips per deal") for each in over.placings
    )
    outcome = outcome_of(film)
    assert outcome is not None
    won, lead = round(best.stack / 30), round(best.stack / 30) - round(second.stack / 30)
    assert outcome.how == (
        f"With the same cards as all others, Bot {best.bot} won {won:+,} chips per deal, {lead:,} more than"
        f" Bot {second.bot}. It is 57% sure that this is the best bot."
    )


async def _film_of(entries: Sequence[Entry], air: AirLog) -> Film:
    await run_show(air, entries)
    return await asyncio.to_thread(film_of, entries)
