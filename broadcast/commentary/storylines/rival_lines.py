"""Storylines about two bots or two players: eliminations and who did them, showdowns, chips taken, meetings. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

from broadcast.commentary.storylines.bot_facts import KEPT_PROOF, HandNumber
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.lead import leader_of
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline, by_age
from broadcast.on_air.events import StatisticsChanged
from server.text.grammar import named, ordinal

MIN_SHOWDOWNS = 4
NEMESIS_FROM = 3
"""A bot that has won all showdowns against another, at least this many, is its nemesis."""
MAX_MEETINGS = 2
"""If more pairs than this meet for the first time at one table, no pair is mentioned."""
KNOCKOUTS_FROM = 2
TAKEN_FROM_BLINDS = 10
"""It is not a story if one bot took fewer big blinds than this from another."""


def rivalries(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Two bots and the showdowns between them; the bot that has won more of them comes first."""
    for pair, met in facts.showdowns.items():
        if len(met) < NEMESIS_FROM or not all(facts.bots[bot].stack for bot in pair):
            continue
        wins = Counter(winner for winner, _ in met)
        best, other = sorted(pair, key=lambda bot: -wins[bot])
        won, hands = wins[best], tuple(number for _, number in met)
        if won == len(met) and won >= NEMESIS_FROM:
            text = f"{name(best)} has beaten {name(other)} in all {won} of their showdowns."
            yield Storyline("rivals", "nemesis", (best, other), text, "worth telling", hands)
        elif len(met) >= MIN_SHOWDOWNS and 2 * won > len(met):
            text = f"{name(best)} has won {won} of {len(met)} showdowns against {name(other)}."
            yield Storyline("rivals", "head to head", (best, other), text, "background", hands)


def meetings(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Bots that share a table for the first time."""
    if facts.number.hand > 1 or len(facts.new_pairs) > MAX_MEETINGS:
        return
    for one, other in facts.new_pairs:
        text = f"{name(one)} and {name(other)} share a table for the first time tonight."
        hands = (HandNumber(facts.number.game, 1),)
        yield Storyline("rivals", "first meeting", (one, other), text, "for a pause", hands)


def knockouts(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Who is out, who did it, who has done it most often, and who is left."""
    where = " of this game" if facts.series else ""
    for out in facts.outs:
        text = f"{name(out.bot)} is out{where} in {ordinal(out.place)} place."
        if out.by:
            text = f"{name(out.by)} knocked {name(out.bot)} out{where} in {ordinal(out.place)} place."
        yield Storyline("knockouts", "elimination", (out.bot,), text, by_age(facts.ago(out.hand)), (out.hand,))
    counts = {bot: len(each.knocked_out) for bot, each in facts.bots.items() if each.stack or facts.stage is None}
    most = leader_of(counts)
    if most and counts[most] >= KNOCKOUTS_FROM:
        text = f"{name(most)} has knocked out {counts[most]} bots tonight, more than anybody still in."
        hands = tuple(facts.bots[most].knocked_out)
        yield Storyline("knockouts", "most knockouts", (most,), text, "worth telling", hands)
    left = len(facts.stacks)
    if facts.outs and left > 1:
        title = "this game" if facts.series or facts.stage is None else facts.stage.title
        text = f"{left} of {facts.field} bots are left in {title}."
        yield Storyline("knockouts", "bots left", (), text, "for a pause", (facts.outs[-1].hand,))


def takings(facts: EveningFacts, counted: StatisticsChanged, name: Name) -> Iterator[Storyline]:
    """Who has taken most chips from whom, bot from bot and player from player."""
    least = TAKEN_FROM_BLINDS * facts.big_blind
    most = max(counted.crosstable, key=lambda taken: taken.chips, default=None)
    if most and most.chips >= least > 0 and len(counted.rows) > 2:
        text = f"{name(most.by)} has taken {most.chips:,} chips from {name(most.of)}, the most between two bots."
        yield Storyline(
            "rivals", "most taken", (most.by, most.of), text, "background", _proof(facts, [most.by], [most.of])
        )
    yield from _players(facts, counted, least)


def authors(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Players with several bots: which of them are left, and which have met in a showdown."""
    teams: dict[str, list[int]] = {}
    for bot, player in facts.players.items():
        teams.setdefault(player, []).append(bot)
    for player, bots in teams.items():
        left = [bot for bot in facts.stacks if bot in bots]
        if len(left) > 1:
            first, second = left[:2]
            ranks = [1 + sum(chips > facts.stacks[bot] for chips in facts.stacks.values()) for bot in (first, second)]
            places = " and ".join(map(ordinal, ranks))
            text = f"{named(player)}'s bots {name(first)} and {name(second)} are {places}."
            if facts.hands:
                yield Storyline("authors", "two bots", (first, second), text, "for a pause", (facts.last,))
        elif len(left) == 1 < len(bots) and facts.outs:
            text = f"{name(left[0])} is the last of {named(player)}'s {len(bots)} bots."
            yield Storyline("authors", "last bot", (left[0],), text, "background", (facts.outs[-1].hand,))
    for out in facts.outs:
        player = facts.players.get(out.bot, "")
        if out.by and player and player == facts.players.get(out.by):
            text = f"{name(out.by)} knocked out {name(out.bot)}: both are {named(player)}'s bots."
            importance: Importance = by_age(facts.ago(out.hand))
            yield Storyline("authors", "own bot out", (out.by, out.bot), text, importance, (out.hand,))


def _players(facts: EveningFacts, counted: StatisticsChanged, least: int) -> Iterator[Storyline]:
    """The two players between whom most chips have passed, if one of them has several bots."""
    net = Counter[tuple[str, str]]()
    for taken in counted.crosstable:
        by, of = facts.players.get(taken.by, ""), facts.players.get(taken.of, "")
        if by and of and by != of:
            net[min(by, of), max(by, of)] += taken.chips if by < of else -taken.chips
    pair = max(net, key=lambda each: (abs(net[each]), each), default=("", ""))
    if not net or abs(net[pair]) < least or not least:
        return
    by, of = pair if net[pair] > 0 else pair[::-1]
    bots = {player: [bot for bot, each in facts.players.items() if each == player] for player in pair}
    if max(map(len, bots.values())) > 1:
        text = f"Author against author: {named(by)} has taken {abs(net[pair]):,} chips from {named(of)}."
        hands = _proof(facts, bots[by], bots[of])
        yield Storyline("authors", "author against author", (*bots[by], *bots[of]), text, "background", hands)


def _proof(facts: EveningFacts, by: Iterable[int], of: Iterable[int]) -> tuple[HandNumber, ...]:
    """The latest hands in which one of the bots `by` won chips and one of the bots `of` lost some."""
    pairs = (facts.passed.get(pair, ()) for pair in product(by, of))
    return tuple(sorted({hand for hands in pairs for hand in hands}))[-KEPT_PROOF:]
