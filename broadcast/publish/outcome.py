"""Says how a show ended, for the front page of a published site. No I/O."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from broadcast.film.film import Film
from broadcast.film.highlights import decisive_part, hands_worth_seeing, tournament_end
from broadcast.film.segments import read_segment
from server.text.grammar import chance_text, count_text, name_in_sentence

MAX_BEST_HANDS = 3
"""How many hands visitors can watch on the front page."""


class BestHand(Struct, frozen=True):
    """A hand that visitors can watch from its decisive moment on: the hand's number, the numbers of the first and the
    last entry (such as a bet) to show, and a caption.
    """

    number: int
    seq: int
    last_seq: int
    why: str


class Outcome(Struct, frozen=True):
    """How the title was won, the prizes keyed by place, and the best hands, the best first."""

    how: str
    prizes_cents: dict[int, int]
    hands: tuple[BestHand, ...]


def outcome_of(film: Film) -> Outcome | None:
    """Returns how the show of `film` ended, or None if it has no champion."""
    end = tournament_end(film)
    if end is None:
        return None
    best = [decisive_part(film.outline, part) for part in hands_worth_seeing(film.outline)[:MAX_BEST_HANDS]]
    hands = [BestHand(part.hand, part.seq, part.last_seq, part.headline) for part in best]
    prizes = {each["place"]: each["prize_cents"] for each in end["placings"]}
    return Outcome(_describe_win(film, end), prizes, tuple(hands))


def _describe_win(film: Film, end: dict[str, Any]) -> str:
    """Says how the champion won the title: in the last hand, by the most games won, by the best result per deal, or by
    the most chips.
    """
    outline, last_hand = film.outline, film.outline.hands[-1]
    names = {bot.bot: name_in_sentence(bot.name) for bot in outline.bots}
    first, *others = end["placings"]
    played = count_text(len(outline.hands) - 1, "hand")
    # `out` lists the bots that were eliminated in the hand, and `told` says who won which pot.
    if others and others[0]["bot"] in [bot for bot, _ in last_hand.out] and last_hand.told:
        return f"The last of {played} decided it: {last_hand.told}."
    last_segment = read_segment(film.segments[-1])
    if last_segment.opening.stage and last_segment.opening.stage.series:
        captions: list[str] = [each["text"] for each in last_segment.entries if each["type"] == "caption_spoken"]
        return captions[-1]  # the last caption says how many games the champion has won
    if last_segment.opening.stage and last_segment.opening.stage.deals:
        won = "earned" if last_segment.opening.stage.decided_by == "earned" else "won"
        return _describe_deal_win(last_segment.entries, names, first["bot"], others[0]["bot"] if others else 0, won)
    lead = f", {first['stack'] - others[0]['stack']:,} more than {names[others[0]['bot']]}" if others else ""
    return f"After {played} {names[first['bot']]} had {first['stack']:,} chips{lead}."


def _describe_deal_win(
    last_entries: Sequence[dict[str, Any]], names: Mapping[int, str], best: int, second: int, won_or_earned: str
) -> str:
    """Says how many chips per deal the bot `best` won or earned, and how certain its title is.

    `won_or_earned` is the word "won" or "earned". `last_entries` has the show's last entries, from which the figures
    are taken.
    """
    rows = [row for each in last_entries if each["type"] == "standings_changed" for row in each["rows"]]
    per_deal = {row["bot"]: row["per_deal"] for row in rows}
    odds = [chance for each in last_entries if each["type"] == "title_odds_changed" for chance in each["chances"]]
    certainty = next((chance["chance"] for chance in reversed(odds) if chance["bot"] == best), None)
    lead = f", {per_deal[best] - per_deal[second]:,} more than {names[second]}" if second else ""
    how = "It is too early to be sure" if certainty is None else f"It is {chance_text(certainty)} sure"
    result = f"{names[best]} {won_or_earned} {per_deal[best]:+,} chips per deal{lead}"
    return f"With the same cards as all others, {result}. {how} that this is the best bot."
