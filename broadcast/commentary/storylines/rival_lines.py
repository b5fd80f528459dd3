"""Storylines about two bots or two players: eliminations, showdowns, chips taken, meetings, series, ratings. No I/O."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from broadcast.commentary.storylines.bot_facts import MAX_PROOF_HANDS, HandNumber
from broadcast.commentary.storylines.chip_lead import leader_of
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storyline import Importance, Name, Storyline, importance_by_age
from broadcast.on_air.events import StatisticsChanged
from server.game.ratings import rating_change
from server.text.grammar import (
    count_text,
    join_with_and,
    name_in_sentence,
    number_in_words,
    ordinal,
    points_text,
    rating_text,
)

MIN_SHOWDOWNS = 4
MIN_NEMESIS_SHOWDOWNS = 3
"""A bot is the nemesis of another bot if it has won every showdown between the two, and at least this many."""
MAX_MEETINGS = 2
"""The first meetings of two bots are mentioned only if a game has at most this many of them."""
MIN_KNOCKOUTS = 2
MIN_RATING_GAP, MIN_UNDERDOG_GAP = 1_00, 50_00
"""A difference of two ratings is mentioned if it is at least MIN_RATING_GAP. A leading bot is called an underdog if
its rating is at least MIN_UNDERDOG_GAP below its opponent's. Both are in hundredths of a point.
"""
MIN_RATING_GAIN = 50
"""A gain in rating is mentioned only if it is at least this many hundredths of a point."""
MIN_LATEST_POTS = 10
"""A duel is a contest of two bots. A storyline about the latest pots of a duel needs at least this many pots."""
MIN_DUEL_POTS = 20
"""The score of a duel is mentioned after at least this many pots."""
MIN_TAKEN_BLINDS = 10
"""Chips taken by one bot from another are mentioned only if they are at least this many big blinds."""


def rivalry_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about two bots' showdowns against each other. The bot with more wins is named first."""
    for pair, showdowns in facts.showdowns.items():
        if len(showdowns) < MIN_NEMESIS_SHOWDOWNS or not all(facts.bots[bot].stack for bot in pair):
            continue
        wins = Counter(winner for winner, _ in showdowns)
        best, other = sorted(pair, key=lambda bot: -wins[bot])
        won, hands = wins[best], tuple(number for _, number in showdowns)
        if won == len(showdowns) and won >= MIN_NEMESIS_SHOWDOWNS:
            text = f"{name(best)} has beaten {name(other)} in all {won} of their showdowns."
            yield Storyline("rivals", "nemesis", (best, other), text, "worth telling", hands)
        elif len(showdowns) >= MIN_SHOWDOWNS and 2 * won > len(showdowns):
            text = f"{name(best)} has won {won} of {len(showdowns)} showdowns against {name(other)}."
            yield Storyline("rivals", "head to head", (best, other), text, "background", hands)


def meeting_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about two bots that play at one table for the first time."""
    if facts.current_hand.hand > 1 or len(facts.new_pairs) > MAX_MEETINGS:
        return
    for one, other in facts.new_pairs:
        text = f"{name(one)} and {name(other)} share a table for the first time tonight."
        hands = (HandNumber(facts.current_hand.game, 1),)
        yield Storyline("rivals", "first meeting", (one, other), text, "for a pause", hands)


def knockout_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about which bots are out, who knocked them out, who has knocked out most bots, and how many are
    left.
    """
    where = " of this game" if facts.is_series else ""
    for loser in facts.eliminations:
        text = f"{name(loser.bot)} is out{where} in {ordinal(loser.place)} place."
        if loser.place == 2:
            text = f"{name(loser.bot)} finishes second{where and ' in this game'}."
        if loser.knocked_out_by:
            text = f"{name(loser.knocked_out_by)} knocked {name(loser.bot)} out{where} in {ordinal(loser.place)} place."
        importance: Importance = importance_by_age(facts.hands_since(loser.hand))
        yield Storyline("knockouts", "elimination", (loser.bot,), text, importance, (loser.hand,))
    counts = {bot: len(each.knockouts) for bot, each in facts.bots.items() if each.stack or facts.stage is None}
    top_bot = leader_of(counts)
    if top_bot and counts[top_bot] >= MIN_KNOCKOUTS:
        text = f"{name(top_bot)} has knocked out {counts[top_bot]} bots tonight, more than anybody else still in."
        hands = tuple(facts.bots[top_bot].knockouts)
        yield Storyline("knockouts", "most knockouts", (top_bot,), text, "worth telling", hands)
    left = len(facts.stacks)
    if facts.eliminations and left > 1:
        where = "this game" if facts.is_series or facts.stage is None else facts.stage.title
        text = f"{left} of {facts.field_size} bots are left in {where}."
        yield Storyline("knockouts", "bots left", (), text, "for a pause", (facts.eliminations[-1].hand,))


def chips_taken_lines(facts: EveningFacts, statistics: StatisticsChanged, name: Name) -> Iterator[Storyline]:
    """Yields a storyline about the most chips that a bot has taken from another bot, and one about the most chips that
    a player has taken from another player.
    """
    min_chips = MIN_TAKEN_BLINDS * facts.big_blind
    most = max(statistics.crosstable, key=lambda taken: taken.chips, default=None)
    if most and most.chips >= min_chips > 0 and len(statistics.rows) > 2:
        what = f"has taken {most.chips:,} chips from {name(most.of)}, the most any bot has taken from another"
        text = f"{name(most.by)} {what}."
        yield Storyline(
            "rivals", "most taken", (most.by, most.of), text, "background", _proof(facts, [most.by], [most.of])
        )
    yield from _player_takings_lines(facts, statistics, min_chips)


def series_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about the score of a series or of a duel, and about what a game is worth in rating points."""
    won = {bot: len(each.games_won) for bot, each in facts.bots.items() if each.games_won}
    if facts.is_series and won:
        yield from _series_score_lines(facts, won, name)
    if len(facts.bots) == 2:
        one, other = sorted(facts.bots, key=lambda bot: -facts.bots[bot].hands_won)
        score = [facts.bots[bot].hands_won for bot in (one, other)]
        if sum(score) >= MIN_DUEL_POTS:
            text = f"{name(one)} has won {score[0]} pots to {name(other)}'s {score[1]}."
            if score[0] == score[1]:
                text = f"{name(one)} and {name(other)} have won {score[0]} pots each."
            hands = tuple(sorted({*facts.bots[one].winning_hands, *facts.bots[other].winning_hands})[-MAX_PROOF_HANDS:])
            yield Storyline("the series", "score in pots", (one, other), text, "for a pause", hands)
        recent_wins = {
            bot: [each.number for each in facts.latest_hands if each.largest_win and each.largest_win.bot == bot]
            for bot in facts.bots
        }
        best, count = leader_of({bot: len(hands) for bot, hands in recent_wins.items()}), len(facts.latest_hands)
        if best and count >= MIN_LATEST_POTS:
            text = f"{name(best)} has won {len(recent_wins[best])} of the last {count} pots."
            yield Storyline("the series", "pots lately", (best,), text, "for a pause", tuple(recent_wins[best]))
        elif count >= MIN_LATEST_POTS and recent_wins[one] and len(recent_wins[one]) == len(recent_wins[other]):
            text = f"{name(one)} and {name(other)} have each won {len(recent_wins[one])} of the last {count} pots."
            hands = tuple(sorted(recent_wins[one] + recent_wins[other]))
            yield Storyline("the series", "pots lately", (one, other), text, "for a pause", hands)
        if facts.opening_facts.ratings and len(facts.stacks) == 2:
            yield from _rating_lines(facts, name)


def _series_score_lines(facts: EveningFacts, won: Mapping[int, int], name: Name) -> Iterator[Storyline]:
    """Says who leads a series of games. `won` has the number of games that each bot has won."""
    best = leader_of(won)
    first, *others = sorted(facts.bots, key=lambda bot: -won.get(bot, 0))
    if len(facts.bots) == 2:
        most, least = count_text(won.get(first, 0), "game"), won.get(others[0], 0)
        text = (
            f"{name(first)} leads {name(others[0])} by {most} to {least}."
            if best
            else f"The series is tied at {most} each."
        )
        bots, hands = (first, others[0]), [hand for each in facts.bots.values() for hand in each.games_won]
        yield Storyline(
            "the series", "score in games", bots, text, "worth telling", tuple(sorted(hands)[-MAX_PROOF_HANDS:])
        )
    elif best:
        text = f"{name(best)} has won {count_text(won[best], 'game')} so far, more than anybody else."
        hands = facts.bots[best].games_won[-MAX_PROOF_HANDS:]
        yield Storyline("the series", "most games", (best,), text, "background", tuple(hands))


def _rating_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Tells the ratings, and how they would change if the game ended now."""
    ratings, stacks = facts.opening_facts.ratings, facts.stacks
    one, two = facts.bots
    for bot, other in ((one, two), (two, one)):
        rating_gap = ratings[other] - ratings[bot]
        gained = rating_change(ratings[bot], ratings[other], stacks[bot] / sum(stacks.values()))
        if gained >= MIN_RATING_GAIN:
            taken = points_text(gained, "rating point")
            text = f"If the game ended now, {name(bot)} would take {taken} from {name(other)}."
            yield Storyline("the series", "rating now", (bot, other), text, "background", (facts.last_hand,))
        if facts.lead.leader == bot and rating_gap >= MIN_UNDERDOG_GAP:
            text = f"{name(bot)} leads, although it is rated {points_text(rating_gap)} below {name(other)}."
            yield Storyline("the series", "underdog", (bot, other), text, "worth telling", (facts.last_hand,))
        elif rating_gap >= MIN_RATING_GAP:
            text = f"{name(other)} is rated {points_text(rating_gap)} above {name(bot)}."
            yield Storyline("the series", "rating", (other, bot), text, "for a pause", (facts.last_hand,))
    best, worst = sorted(facts.bots, key=lambda bot: -ratings[bot])
    most, least = rating_change(ratings[best], ratings[worst], 1), -rating_change(ratings[best], ratings[worst], 0)
    text = f"{name(best)} can gain {points_text(most, 'rating point')} in this game, or lose {rating_text(least)}."
    yield Storyline("the series", "rating at stake", (best, worst), text, "for a pause", (facts.last_hand,))


def player_lines(facts: EveningFacts, name: Name) -> Iterator[Storyline]:
    """Yields storylines about players with several bots: which bots are left, and which bot has knocked out another bot
    of the same player.
    """
    teams: dict[str, list[int]] = {}
    for bot, player in facts.opening_facts.players.items():
        teams.setdefault(player, []).append(bot)
    for player, bots in teams.items():
        left = [bot for bot in facts.stacks if bot in bots]
        if len(left) > 1:
            text = (
                f"{name_in_sentence(player)} has {number_in_words(len(left))} bots still in: "
                f"{join_with_and(map(name, left))}."
            )
            if facts.hands_played:
                yield Storyline("authors", "bots still in", (*left,), text, "for a pause", (facts.last_hand,))
        elif len(left) == 1 < len(bots) and facts.eliminations:
            text = f"{name(left[0])} is {name_in_sentence(player)}'s last bot standing."
            yield Storyline("authors", "last bot", (left[0],), text, "background", (facts.eliminations[-1].hand,))
    for loser in facts.eliminations:
        player = facts.opening_facts.players.get(loser.bot, "")
        winner = loser.knocked_out_by
        if winner and player and player == facts.opening_facts.players.get(winner):
            text = f"{name(winner)} knocked out {name(loser.bot)}. Both are {name_in_sentence(player)}'s bots."
            importance: Importance = importance_by_age(facts.hands_since(loser.hand))
            yield Storyline("authors", "own bot out", (winner, loser.bot), text, importance, (loser.hand,))


def _player_takings_lines(facts: EveningFacts, statistics: StatisticsChanged, min_chips: int) -> Iterator[Storyline]:
    """Tells which player has taken most chips from another player.

    The player must have taken at least `min_chips` chips, and one of the two players must have several bots.
    """
    net_chips = Counter[tuple[str, str]]()
    for taken in statistics.crosstable:
        by, of = facts.opening_facts.players.get(taken.by, ""), facts.opening_facts.players.get(taken.of, "")
        if by and of and by != of:
            net_chips[min(by, of), max(by, of)] += taken.chips if by < of else -taken.chips
    pair = max(net_chips, key=lambda each: (abs(net_chips[each]), each), default=("", ""))
    if not net_chips or abs(net_chips[pair]) < min_chips or not min_chips:
        return
    by, of = pair if net_chips[pair] > 0 else pair[::-1]
    bots = {player: [bot for bot, each in facts.opening_facts.players.items() if each == player] for player in pair}
    if max(map(len, bots.values())) > 1:
        winners, losers = (f"{name_in_sentence(player)}'s bot{'s' * (len(bots[player]) > 1)}" for player in (by, of))
        have = "have" if len(bots[by]) > 1 else "has"
        text = f"{winners} {have} taken {abs(net_chips[pair]):,} chips from {losers}."
        hands = _proof(facts, bots[by], bots[of])
        yield Storyline("authors", "author against author", (*bots[by], *bots[of]), text, "background", hands)


def _proof(facts: EveningFacts, winners: Iterable[int], losers: Iterable[int]) -> tuple[HandNumber, ...]:
    """Returns the latest hands in which one of `winners` won chips and one of `losers` lost chips."""
    pairs = (facts.chips_passed.get(pair, ()) for pair in product(winners, losers))
    return tuple(sorted({hand for hands in pairs for hand in hands}))[-MAX_PROOF_HANDS:]
