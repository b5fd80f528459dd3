"""Captions and remarks on deals are true, and not about stacks. In a deal, several tables get the same cards."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from broadcast.archive.summary import summarise
from broadcast.commentary.commentary import Commentary
from broadcast.commentary.deals.comparison import compare_tables
from broadcast.commentary.deals.positions import position_of
from broadcast.commentary.storylines.deal_lines import CERTAINTY_STEPS
from broadcast.commentary.storylines.storyline import Storyline
from broadcast.film.film import film_recording, run_show
from broadcast.odds.deal_scores import DealScores
from broadcast.odds.earned import earned_in_each_unit
from broadcast.on_air.air_log import AirLog
from broadcast.on_air.deal_tables import DealTable
from broadcast.on_air.events import CaptionSpoken, StorylineTold
from broadcast.on_air.plain_standings import plain_standings
from broadcast.on_air.shared_types import SeatAct
from broadcast.on_air.table_state import TableEntry, follow_with_tables
from broadcast.publish.outcome import outcome_of
from server.contests.quick_draw.rules import QUICK_DRAW, QUICK_DRAW_FORMAT
from server.game import events
from server.game.betting import start_hand
from server.game.formats import as_deals
from server.journal.journal import Entry
from tests.overlay.support.scripted_deals import Deals, play_deal_with_differing_bets
from tests.overlay.support.scripted_show import play_acts, rig_deck
from tests.support.games.contests import play_contest
from tests.support.games.deals import play_deals
from tests.support.games.recordings import of_kind, yield_entries
from tests.tournament.test_forms import play_at_tables

ABOUT_STACKS = re.compile("eliminat|knock|is out|double|chip leader|has the fewest|in a row|[Gg]ame ")
"""Words that are wrong in a stage of deals. Every deal begins with new stacks, so nobody goes out."""
STAGE_OR_CONTEST_END = events.StageEnded | events.TournamentEnded


def aired_tables(entries: Sequence[Entry]) -> list[TableEntry]:
    async def all_of_them() -> list[TableEntry]:
        return [entry async for entry in follow_with_tables(yield_entries(entries))]

    return asyncio.run(all_of_them())


def statements_in(entries: Sequence[Entry]) -> Iterator[tuple[events.Event, list[str], tuple[Storyline, ...]]]:
    """Yields each event, its captions, and the commentators' storylines (at starts of hands and ends of deals)."""
    commentary = Commentary()
    for entry in aired_tables(entries):
        additions = commentary.events_after(entry)
        assert not any(isinstance(addition, StorylineTold) for addition in additions), "only captions tell storylines"
        texts = [addition.text for addition in additions if isinstance(addition, CaptionSpoken)]
        has_lines = isinstance(entry.event, events.HandStarted | events.DealEnded)
        yield entry.event, texts, commentary.talking_points.lines if has_lines else ()


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 30))


def test_no_line_is_about_stacks_because_every_deal_begins_with_new_ones(entries: Sequence[Entry]) -> None:
    kinds = set[str]()
    for _, texts, lines in statements_in(entries):
        kinds |= {line.kind for line in lines}
        for text in (*texts, *(line.text for line in lines)):
            assert not ABOUT_STACKS.search(text), text
    assert kinds == {"certain pair", "deals left", "lead in deals", "most of a deal", "same cards"}


def test_storyline_is_told_with_the_standings_right_after_its_deal(entries: Sequence[Entry]) -> None:
    texts_of_deal, count = set[str](), 0
    for event, captions, lines in statements_in(entries):
        told = texts_of_deal & {*captions}
        assert not told or isinstance(event, events.GameStarted)
        count += len(told)
        if isinstance(event, events.DealEnded):
            texts_of_deal = {line.text for line in lines}
    assert count > 2


def test_line_about_the_same_cards_names_the_chips_that_both_bots_won(entries: Sequence[Entry]) -> None:
    winnings = {
        (game.game, bot): after - before
        for game, ended in zip(of_kind(entries, events.GameStarted), of_kind(entries, events.GameEnded), strict=True)
        for bot, before, after in zip(game.seats, game.stacks, ended.stacks, strict=True)
    }
    same_cards_lines = [line for _, _, lines in statements_in(entries) for line in lines if line.kind == "same cards"]
    assert same_cards_lines
    for line in same_cards_lines:
        best, worst = (winnings[hand.game, bot] for hand, bot in zip(line.hands, line.bots, strict=True))
        assert re.search(rf"won {best:,} in deal \d+\. Same seat, same cards, and ", line.text)
        assert best > worst


def test_pair_is_mentioned_only_at_a_new_step_of_certainty() -> None:
    entries = play_contest(7, 6, as_deals(QUICK_DRAW_FORMAT, 60))
    scores, maxima, leaders = DealScores(of_kind(entries, events.StageStarted)[0]), dict[tuple[int, int], float](), [0]
    drops = returns = 0
    for event, _, lines in statements_in(entries):
        if not isinstance(event, events.DealEnded):
            continue
        scores.add(event)
        leaders.append(scores.standings()[0].bot)
        better = scores.chances_better()  # for each pair: the chance that its first bot is better
        for line in lines:
            if line.kind == "certain pair":
                pair = line.bots[0], line.bots[1]
                assert any(maxima.get(pair, 0.0) < step <= better[pair] for step in CERTAINTY_STEPS)
            if line.kind == "lead in deals":
                assert line.bots[0] == leaders[-1]
            if "has taken the lead" in line.text:
                assert ("the lead back" in line.text) == (line.bots[0] in leaders[:-1])
                returns += "the lead back" in line.text
        for pair, chance in better.items():
            maxima[pair] = max(chance, maxima.get(pair, 0.0))
            drops += chance < CERTAINTY_STEPS[0] <= maxima[pair]
    assert drops, "some chances must reach the first step of certainty and later fall below it"
    assert returns


def test_end_of_a_stage_says_whether_and_why_it_comes_early() -> None:
    early_end = [*statements_in(play_at_tables(100, sure_percent=97)[0])]
    title_lines = [line.text for _, _, lines in early_end for line in lines if line.kind == "certain title"]
    assert title_lines
    assert all("certain that Bot 1 is the best bot" in text for text in title_lines)
    captions = {text for _, texts, _ in early_end for text in texts if "certain that Bot 1 is the best" in text}
    assert 1 <= len(captions) <= 4
    end_caption, title_caption = (texts[0] for event, texts, _ in early_end if isinstance(event, STAGE_OR_CONTEST_END))
    assert end_caption == "After 80 of 100 deals, it is 98% certain that Bot 1 is the best bot."
    assert title_caption == "Bot 1 wins the tournament after 80 of 100 deals!"
    late_end = statements_in(play_at_tables(20, sure_percent=0)[0])
    end_caption, title_caption = (texts[0] for event, texts, _ in late_end if isinstance(event, STAGE_OR_CONTEST_END))
    assert re.fullmatch(r"Bot \d finishes first, and is \d+% likely to be the best bot\.", end_caption)
    assert re.fullmatch(r"Bot \d wins the tournament!", title_caption)


def test_archive_and_luck_count_all_tables_of_a_deal_as_one(entries: Sequence[Entry]) -> None:
    """Wins and losses at the tables of a deal are one result. So the archive records no streaks."""
    summary = summarise(entries)
    assert not any("Elimination" in hand.marks for hand in summary.hands)
    assert {*summary.records} == {"won"}, "streaks must not be recorded"
    deals, units = of_kind(entries, events.DealEnded), earned_in_each_unit(entry.event for entry in entries)
    for deal, unit in zip(deals, units, strict=True):  # `unit`: the sum of all tables of a deal
        assert tuple(unit[bot].won for bot in deal.bots) == deal.won


def test_pages_say_what_bots_have_won_and_how_the_title_was_won(entries: Sequence[Entry]) -> None:
    (ending,) = of_kind(entries, events.TournamentEnded)
    best, second = ending.placings[:2]
    air = AirLog("deals", 1.0)  # `air.picture` is the state of the show, not an image.
    asyncio.run(run_show(air, entries))
    rows = [(f"Bot {placing.bot}", f"{round(placing.stack / 30):+,} chips per deal") for placing in ending.placings]
    assert plain_standings(air.picture) == tuple(rows)
    outcome = outcome_of(film_recording(entries))
    assert outcome is not None
    won, lead = round(best.stack / 30), round(best.stack / 30) - round(second.stack / 30)
    assert outcome.how == (
        f"With the same cards as all others, Bot {best.bot} won {won:+,} chips per deal, {lead:,} more than"
        f" Bot {second.bot}. It is 57% sure that this is the best bot."
    )
    outcome = outcome_of(film_recording(play_deals(3, 6, first_table_seed=9, other_tables_seed=29)))
    assert outcome is not None
    assert outcome.how == (
        "With the same cards as all others, Bot 2 won +1,599 chips per deal, 106 more than Bot 3."
        " It is too early to be sure that this is the best bot."
    )


def play_table(game: int, seats: tuple[int, ...], acts: str) -> DealTable:
    """A table at which the seats act in turn, beginning with the button. The button has the best cards."""
    stacks = (5000,) * 3
    deck = rig_deck(stacks, 0, {0: "As Ah", 1: "7c 2d", 2: "9s 8s"}, "Kh 4c 5d Jc 2h")
    hand_events = play_acts(*start_hand(QUICK_DRAW, 1, 0, stacks, deck), acts)
    ended = hand_events[-1]
    assert isinstance(ended, events.HandEnded)
    return DealTable(game, seats, tuple(hand_events), tuple(stack - 5000 for stack in ended.stacks))


def test_deciding_point_is_where_different_actions_made_the_largest_difference() -> None:
    all_in = play_table(1, (1, 2, 3), "raise:5000 fold call")
    folded = play_table(2, (2, 3, 1), "fold fold")
    stolen = play_table(3, (3, 1, 2), "raise:5000 fold fold")
    deal = compare_tables(7, [all_in, folded, stolen])
    assert (deal.deal, deal.alike, deal.seat, deal.street) == (7, False, 0, "preflop")  # `alike`: equal results
    assert (deal.position, deal.cards) == ("on the button", ("As", "Ah"))
    assert deal.board == ("Kh", "4c", "5d", "Jc", "2h"), "the board must be from a table that saw all five cards"
    assert (deal.best, deal.worst) == (1, 2), "bot 1's raise must have won most, and bot 2's fold least"
    raised, gave_up = SeatAct("preflop", "raise", 5000), SeatAct("preflop", "fold", 0)
    acts = [(holding.bot, holding.acts[holding.at]) for holding in deal.held]  # `held`: all bots that had the aces
    assert acts == [(1, raised), (3, raised), (2, gave_up)]  # `acts`: each bot's deciding act
    # In the next deal, bots 2 and 3 could raise first with their aces, but bot 1 faced a raise.
    comparison = compare_tables(1, play_deal_with_differing_bets().tables)
    assert (comparison.held[-1].at, comparison.best, comparison.worst) == (-1, 2, 3), "bot 1 must have no deciding act"
    assert all(better.won >= worse.won for better, worse in pairwise(deal.held))


def test_deal_with_equal_results_at_all_tables_has_no_deciding_point() -> None:
    assert compare_tables(1, [play_table(1, (1, 2, 3), "fold fold"), play_table(2, (2, 3, 1), "fold fold")]).alike
    raised = [play_table(1, (1, 2, 3), "raise:300 fold fold"), play_table(3, (3, 1, 2), "raise:200 fold fold")]
    assert compare_tables(1, raised).alike, "raises of different sizes must not matter if the results are the same"


BLINDS = ["on the button", "in the small blind", "in the big blind"]
EARLY = ["under the gun", "under the gun plus one", "under the gun plus two"]
LATE = ["in the lojack", "in the hijack", "in the cutoff"]


@pytest.mark.parametrize(
    "names", [BLINDS[:2], BLINDS, BLINDS + EARLY[:1], BLINDS + EARLY[:1] + LATE[1:], BLINDS + EARLY + LATE]
)
def test_seats_have_their_usual_names_in_order_from_the_button(names: Sequence[str]) -> None:
    stacks = (5000,) * len(names)
    _, hand_events = start_hand(QUICK_DRAW, 1, 1, stacks, rig_deck(stacks, 1, {}, "Kh 4c 5d Jc 2h"))
    assert [position_of(hand_events, 1, (1 + place) % len(names)) for place in range(len(names))] == names


def test_caption_names_luck_if_chips_won_and_chips_earned_have_different_signs() -> None:
    holes = {0: "7c 2d", 1: "As Ah", 2: "Ks Kd"}  # If the kings call the aces' all-in, the flop brings a third king.

    def caption(*acts: str) -> str:
        show = Deals(("Doc", "Tess", "Jo"), decided_by="earned").deal(*acts, holes=holes, board="Kh 9h 4c 3c 2h")
        end = next(index for index, entry in enumerate(show.entries) if isinstance(entry.event, events.DealEnded))
        return next(entry.event.text for entry in show.entries[end:] if isinstance(entry.event, CaptionSpoken))

    called = "fold raise:5000 call"
    unlucky = (
        r"At another table, Jo folded in the small blind\. "
        r"Same seat, same cards here, and Tess played it well, got unlucky and lost 5,000\."
    )
    assert re.fullmatch(unlucky, caption(called, "fold fold", "fold fold"))
    lucky = (
        r"Jo called from the big blind, played it badly, got lucky and won 5,000\."
        r" Same seat, same cards at another table, and Doc lost only 100 with luck taken out\."
    )
    assert re.fullmatch(lucky, caption(called, "fold raise:5000 fold", "fold raise:5000 fold"))
