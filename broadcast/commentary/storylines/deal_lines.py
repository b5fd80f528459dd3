"""Storylines about a stage of deals, in which several tables play the same cards. They say who made the most of the
cards, who leads, and how certain it is that the leader is the best bot. No I/O.

A stage of deals has no other storylines about tonight, because each deal begins with fresh stacks, and the show
presents only one of its tables.
"""

from collections.abc import Iterator

from broadcast.commentary.deals.deal_facts import DealFacts
from broadcast.commentary.storylines.bot_facts import HandNumber
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline
from broadcast.odds.title_odds import chance_in_permille
from broadcast.on_air.shared_types import SeatHeld
from server.game.deals import scores_of
from server.text.grammar import chance_text, count_text

MIN_WON_BLINDS = 10
"""A storyline names the bot that won most in a deal only if the bot won at least this many big blinds. The same limit
applies to the bot that won most with two cards that other bots had, too.
"""
CERTAINTY_STEPS = (0.8, 0.9, 0.95, 0.99)
"""The chance that a bot is the best, or is better than another, is news when it rises to one of these values."""
MIN_DEALS_FOR_LEAD = 5
"""A storyline says by how much the leader leads if at least this many deals have been played."""
LAST_DEALS = 10
"""A storyline says how many deals are left in the stage if there are at most this many."""


def deal_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields the storylines that the show announces in a stage of deals. Yields nothing in other stages."""
    if deals := facts.deals:
        yield from _certain_title_lines(facts, deals, name)
        yield from _lead_lines(facts, deals, name)
        yield from _big_winner_lines(facts, deals, name)
        yield from _certain_pair_lines(facts, deals, name)


def more_deal_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields the storylines of a stage of deals that are only for commentators. The show tells their facts in captions
    and scenes.
    """
    if deals := facts.deals:
        yield from _same_cards_lines(facts, deals, name)
        yield from _deals_left_lines(facts, deals)


def _big_winner_lines(facts: EveningFacts, deals: DealFacts, name: Name) -> Iterator[Storyline]:
    last = deals.last_deal
    if last is None:
        return
    scores = scores_of(last)
    most = max(scores.values())
    bests = [bot for bot, score in scores.items() if score == most]
    if most >= MIN_WON_BLINDS * facts.big_blind > 0 and len(bests) == 1:
        best, won = bests[0], f"{most:,} chips earned" if deals.is_decided_by_earnings else f"up {most:,}"
        text = f"{name(best)} was the big winner of deal {last.deal}: {won} across all tables."
        yield Storyline("form", "most of a deal", (best,), text, "worth telling", (facts.last_hand,))


def _same_cards_lines(facts: EveningFacts, deals: DealFacts, name: Name) -> Iterator[Storyline]:
    """Says how much two bots in the same seat won or lost with the same two cards. If chips earned decide the stage, a
    bot's `score` leaves out luck.
    """
    found = deals.comparison
    if found is None or found.alike:
        return
    results = {each.bot: each for each in found.held}
    best, worst = results[found.best], results[found.worst]
    if best.score < MIN_WON_BLINDS * facts.big_blind:
        return
    won, lead = ("made", "With luck taken out, ") if deals.is_decided_by_earnings else ("won", "")
    text = f"{lead}{name(best.bot)} {won} {best.score:,} in deal {found.deal}. Same seat, same cards, and "
    text += f"{name(worst.bot)} {_did(worst, won)}."
    hands = tuple(HandNumber(each.game, found.hand) for each in (best, worst))
    yield Storyline("form", "same cards", (best.bot, worst.bot), text, "just now", hands)


def _did(worst: SeatHeld, verb: str) -> str:
    if worst.acts[worst.at].act == "fold":
        return "folded"
    if worst.score < 0:
        return f"lost {-worst.score:,}"
    return f"{verb} {worst.score:,}" if worst.score else f"{verb} nothing"


def _certain_title_lines(facts: EveningFacts, deals: DealFacts, name: Name) -> Iterator[Storyline]:
    if not deals.title_chances:
        return
    best = max(deals.title_chances, key=lambda bot: deals.title_chances[bot])
    chance, before = deals.title_chances[best], deals.title_chances_before.get(best, 0.0)
    if chance < CERTAINTY_STEPS[0]:
        return
    importance: Importance = "just now" if has_passed_step(before, chance) else "background"
    sure = f"it is {chance_text(chance_in_permille(chance))} certain that {name(best)} is the best bot"
    text = f"After {count_text(deals.deals, 'deal')}, {sure}."
    yield Storyline("at stake", "certain title", (best,), text, importance, (facts.last_hand,))


def _lead_lines(facts: EveningFacts, deals: DealFacts, name: Name) -> Iterator[Storyline]:
    leader, before = deals.leader, deals.previous_leader
    if not leader:
        return
    first, second = deals.standings[:2]
    if before and before != leader:
        now = (
            f"{'now earns' if deals.is_decided_by_earnings else 'is now up'} {first.mean:,.0f} chips a deal on average"
        )
        lead = "the lead back" if leader in deals.past_leaders else "the lead"
        text = f"{name(leader)} has taken {lead} from {name(before)} and {now}."
        yield Storyline("the lead", "lead in deals", (leader,), text, "just now", (facts.last_hand,))
    elif deals.deals >= MIN_DEALS_FOR_LEAD and (ahead := first.mean - second.mean):
        chips = f"{count_text(ahead, 'chip')} a deal"
        text = f"{name(leader)} is beating {name(second.bot)} by {chips}."
        if deals.is_decided_by_earnings:
            text = f"With luck taken out, {name(leader)} is {chips} better than {name(second.bot)}."
        yield Storyline("the lead", "lead in deals", (leader, second.bot), text, "background", (facts.last_hand,))


def _certain_pair_lines(facts: EveningFacts, deals: DealFacts, name: Name) -> Iterator[Storyline]:
    """Says how certain it is that one bot is better than another, when the chance first passes one of CERTAINTY_STEPS.

    If several pairs of bots have just passed a step, only the surest of these pairs is told.
    """
    passed = [
        pair
        for pair, chance in deals.chances_better.items()
        if has_passed_step(deals.highest_chances_better.get(pair, 0.0), chance)
    ]
    if passed:
        one, other = max(passed, key=lambda pair: deals.chances_better[pair])
        sure = chance_text(chance_in_permille(deals.chances_better[one, other]))
        text = f"It is now {sure} certain that {name(one)} is better than {name(other)}."
        yield Storyline("rivals", "certain pair", (one, other), text, "worth telling", (facts.last_hand,))


def _deals_left_lines(facts: EveningFacts, deals: DealFacts) -> Iterator[Storyline]:
    left = (deals.stage.deals or 0) - deals.deals
    if deals.last_deal and 0 < left <= LAST_DEALS:
        text = f"Up to {left} more deals in {deals.stage.title}."
        if left == 1:
            text = f"The next deal is the last of {deals.stage.title}."
        yield Storyline("at stake", "deals left", (), text, "for a pause", (facts.last_hand,))


def has_passed_step(before: float, now: float) -> bool:
    """Whether a chance has risen past one of CERTAINTY_STEPS. It was `before` and is `now`, both from 0 to 1."""
    return any(before < step <= now for step in CERTAINTY_STEPS)
