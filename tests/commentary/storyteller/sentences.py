"""Checks whether storylines (sentences about a contest) are true. An `Evening` is the contest so far."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise, takewhile
from math import prod
from typing import Any

from broadcast.on_air.shared_types import BotStatistics
from server.game.events import DecidedBy
from server.text.grammar import chance_text, number_in_words
from tests.commentary.checker.captions import kind_of_hand, strength
from tests.commentary.storyteller.evening import Evening, Hand, top_key


def _has_chips(evening: Evening, bot: int, words: str) -> bool:
    chips = evening.chips[bot]
    change = chips - evening.opened.starting_stack
    return words in (f"now has {chips:,}", f"is now up {change:,}", f"is now down {-change:,}")


def _lead_taken(evening: Evening, bot: int, other: int, words: str) -> bool:
    *_, before, (leader, hands) = evening.reigns()
    return leader == bot != other == before[0] and hands <= 8 and _has_chips(evening, bot, words)


def _leads(evening: Evening, bot: int, other: int, chips: int) -> bool:
    (first, most), (second, next_most), *rest = evening.ranking
    is_second_alone = not rest or rest[0][1] < next_most
    return (first, second, most - next_most) == (bot, other, chips) and chips > 0 and is_second_alone


def _came_back(evening: Evening, bot: int, low: int, chips: int) -> bool:
    lowest = min(hand.ended[bot] for hand in evening.stage_hands if hand.ended.get(bot))
    start = evening.opened.starting_stack
    return evening.chips[bot] == chips >= start and lowest == low <= start / 5


def _fell_back(evening: Evening, bot: int, high: int, chips: int) -> bool:
    highest = max(hand.ended[bot] for hand in evening.stage_hands if bot in hand.began)
    start = evening.opened.starting_stack
    return 0 < evening.chips[bot] == chips <= start / 2 and highest == high >= 1.6 * start


def _doubled_up(evening: Evening, bot: int, verb: str, after: int) -> bool:
    hand = [hand for hand in evening.stage_hands if hand.all_in(bot) and hand.ended[bot] >= 2 * hand.began[bot]][-1]
    times = {"doubled": [2], "tripled": [3], "quadrupled": range(4, 13)}[verb]
    is_so = hand.ended[bot] == after and after // hand.began[bot] in times
    return is_so and evening.hands_since(hand) <= 7 and bot in evening.left


def _moved_most(evening: Evening, bot: int, verb: str, chips: int, hands: int) -> bool:
    latest, sign = evening.latest, 1 if verb == "gained" else -1
    changes = {each: sign * sum(hand.change(each) for hand in latest if each in hand.began) for each in evening.players}
    return len(latest) == hands >= 5 and top_key(changes) == bot and changes[bot] == chips > 0


def _won_last(evening: Evening, bot: int, chips: int, words: str = "") -> bool:
    last = evening.hands[-1]
    kind, _, rest = last.shown.get(bot, "").partition(", ")
    needs_no_article = kind.startswith(("two", "three", "four"))
    hand_name = f"{rest.split(',')[0]} high" if kind == "high card" else kind if needs_no_article else f"a {kind}"
    return top_key(last.won) == bot and last.won[bot] == chips and words == (f"with {hand_name}" if kind else "")


def _won_most_lately(evening: Evening, bot: int, hands: int, chips: int) -> bool:
    wins = [(hand.won[first], first) for hand in evening.latest if (first := top_key(hand.won))]
    is_most = max(wins) == (chips, bot) and [won for won, _ in wins].count(chips) == 1
    return len(evening.latest) == hands and is_most


def _last_elimination(evening: Evening, bot: int) -> tuple[Hand, int]:
    """The last hand of this stage that eliminated `bot`, and the place in which `bot` finished."""
    return [(hand, place) for hand in evening.stage_hands for out, place in hand.out if out == bot][-1]


def _knocked_out(evening: Evening, by: int, bot: int, place: int) -> bool:
    hand, its_place = _last_elimination(evening, bot)
    return its_place == place and not hand.ended[bot] and hand.winners == [by]


def _most_victims(evening: Evening, bot: int, count: int) -> bool:
    survivors = [each for each, chips in evening.chips.items() if chips or evening.stage_over]
    victims = dict.fromkeys(survivors, 0)
    for hand in evening.hands:
        if len(hand.winners) == 1 and hand.winners[0] in victims:
            victims[hand.winners[0]] += sum(hand.ended.get(out) == 0 and out in hand.began for out, _ in hand.out)
    return top_key(victims) == bot and victims[bot] == count >= 2


def _games_left(evening: Evening, left: int = 0) -> bool:
    return evening.in_game and left == evening.stage.games - evening.games_finished - 1


def _next_blinds(evening: Evening, small: int, big: int, hands: int = 1) -> bool:
    rules, number = evening.opened.rules, evening.hands[-1].number + hands - 1
    level = rules.levels[min(number // rules.hands_per_level, len(rules.levels) - 1)]
    is_new = number % rules.hands_per_level == 0 and (level.small, level.big) == (small, big)
    return is_new and evening.hands[-1].game == evening.games[-1].game


VPIP, PFR = ("vpip", "vpip_chances"), ("pfr", "pfr_chances")
AGGRESSION, SHOWDOWNS = ("aggressive", "aggressive_chances"), ("showdowns_won", "showdowns")
"""Each statistic's two fields: how often a bot did something, and how often the bot had a chance to do so."""


def _streak(evening: Evening, bot: int, count: int, *, won: bool) -> bool:
    """Whether `bot` is on an improbable run of `count` hands: it won all of them or, if `won` is false, none."""
    hands = [*takewhile(lambda hand: bool(hand.won.get(bot)) == won, reversed(evening.hands_of(bot)))]
    probability = prod(1 / len(hand.began) if won else 1 - 1 / len(hand.began) for hand in hands)
    return len(hands) == count >= (3 if won else 5) and probability < 1 / 20


def _most_won(hands: Sequence[Hand]) -> int:
    return max((won for hand in hands for won in hand.won.values()), default=0)


def _is_large(evening: Evening, chips: int) -> bool:
    return 10 * chips >= 3 * evening.opened.starting_stack


def _took_longest(evening: Evening, bot: int, seconds: float) -> bool:
    before = max((each for hand in evening.hands[:-1] for each in hand.think_times), default=(0, 0))
    (most, _), last = max(evening.hands[-1].think_times), evening.hands[-1].think_times
    return most > before[0] and (most, bot) in last and f"{most / 1000:.1f}" == f"{seconds:.1f}"


def _head_to_head(evening: Evening, one: int, won: int, showdowns: int, other: int) -> bool:
    wins, losses = (sum(hand.beat(*pair) for hand in evening.hands) for pair in ((one, other), (other, one)))
    return wins == won > losses and wins + losses == showdowns >= 3


def _caught_bluffing(evening: Evening, bot: int, times: int) -> bool:
    lost = [hand for hand in evening.hands if hand.bettor == bot in hand.showdown and not hand.won.get(bot)]
    return times == sum(hand.shown[bot].startswith("high card") for hand in lost) >= 2


def _best_hand(evening: Evening, bot: int, words: str) -> bool:
    hands = [(strength(hand.best[each]), each, hand) for hand in evening.hands for each in hand.showdown & {*hand.best}]
    best, first, hand = max(hands, key=lambda each: each[0])
    name = kind_of_hand(hand.best[first])
    holders = [each for value, each, _ in hands if value == best]
    return holders == [bot] and words == (name if name.startswith("four") else f"a {name}")


def _first_all_in(evening: Evening, bot: int, chips: int) -> bool:
    first = next(hand for hand in evening.hands if any(map(hand.all_in, hand.showdown)))
    return top_key(first.won) == bot and first.won[bot] == chips


def _is_short_stack(evening: Evening, bot: int, chips: int, blinds: float | None = None) -> bool:
    exact = chips / evening.big_blind
    decimals = 0 if exact >= 10 else 1
    fits = not 1 <= exact <= 100 if blinds is None else f"{exact:.{decimals}f}" == f"{blinds:.{decimals}f}"
    return fits and evening.fewest == bot and evening.left[bot] == chips


def _is_last(evening: Evening, bot: int, change: int) -> bool:
    return evening.fewest == bot and evening.left[bot] - evening.opened.starting_stack == change


def _last_all_in_choice(evening: Evening, bot: int, chips: int, *, called: bool) -> Hand | None:
    """The last hand in which `bot` had to go all in or fold. None if it is long ago, or `chips` or `called` differs."""
    hand = [hand for hand in evening.hands if any(choice[0] == bot for choice in hand.all_in_choices)][-1]
    return hand if (bot, chips, called) in hand.all_in_choices and evening.hands_since(hand) <= 7 else None


def _called_all_in(evening: Evening, bot: int, chips: int) -> bool:
    hand = _last_all_in_choice(evening, bot, chips, called=True)
    return hand is not None and hand.ended[bot] > 0 and hand.all_in(bot)


def _folded_to_all_in(evening: Evening, chips: int, bot: int) -> bool:
    hand = _last_all_in_choice(evening, bot, chips, called=False)
    return hand is not None and bot in hand.folded


def _faced_most_all_in_choices(evening: Evening, bot: int, count: int, called: int) -> bool:
    all_choices = [choice for hand in evening.hands for choice in hand.all_in_choices]
    choices = {each: [choice for choice in all_choices if choice[0] == each] for each in evening.left}
    is_most = evening.most(lambda each: len(choices[each])) == bot
    return is_most and len(choices[bot]) == count >= 3 and called == sum(choice[2] for choice in choices[bot])


def _survived_all_ins(evening: Evening, bot: int, count: int) -> bool:
    def survived(each: int) -> int:
        return sum(hand.all_in(each) and hand.ended[each] > 0 for hand in evening.hands_of(each))

    return evening.most(survived) == bot and survived(bot) == count >= 2


def _took_from_player(evening: Evening, by: str, chips: int, of: str) -> bool:
    net = Counter[tuple[str, str]]()
    for (one, other), taken in evening.crosstable.items():
        net[evening.players[one], evening.players[other]] += taken
        net[evening.players[other], evening.players[one]] -= taken
    return by != of and net[by, of] == chips == max(taken for (one, other), taken in net.items() if one != other)


def _luck_and_play(evening: Evening, bot: int, luck: int, earned: int) -> bool:
    won = sum(hand.change(bot) for hand in evening.hands_of(bot))
    return (evening.rows[bot].luck, won - evening.rows[bot].luck) == (luck, earned)


def _luckiest(evening: Evening, bot: int, chips: int, sign: int = 1) -> bool:
    luck = {row.bot: sign * row.luck for row in evening.rows.values() if row.earned is not None}
    return _has_most(luck, bot, chips)


def _frequency(row: BotStatistics, statistic: tuple[str, str]) -> float:
    times, chances = statistic
    return float(getattr(row, times) / getattr(row, chances))


def _most_often(evening: Evening, statistic: tuple[str, str], bot: int, percent: str, sign: int = 1) -> bool:
    """Whether `bot` has a frequency of `percent`, the highest of all bots with enough chances.

    If `sign` is -1, whether it is the lowest.
    """
    rows = evening.rows
    if statistic in (VPIP, PFR):
        eligible = [each for each, row in rows.items() if row.hands >= 10 and row.pfr_chances and row.vpip_chances]
    else:
        min_chances = 5 if statistic == SHOWDOWNS else 10
        eligible = [each for each, row in rows.items() if getattr(row, statistic[1]) >= min_chances]
    frequencies = {each: sign * _frequency(rows[each], statistic) for each in eligible}
    return percent == f"{100 * abs(frequencies[bot]):.0f}%" and top_key(frequencies) == bot


def _contrast(evening: Evening, statistic: tuple[str, str], *words: Any) -> bool:
    one, high, other, low = (*words, "0%")[:4]
    gap = _frequency(evening.rows[one], statistic) - _frequency(evening.rows[other], statistic)
    is_so = _most_often(evening, statistic, one, high) and _most_often(evening, statistic, other, low, -1)
    return is_so and gap >= 0.3


def _has_most(counts: dict[int, int], bot: int, count: int) -> bool:
    return top_key(counts) == bot and counts[bot] == count


K = 1200
"""The K of Elo's formula, in hundredths of a point."""


def _prizes_paid(evening: Evening) -> list[int]:
    return [cents for cents in evening.opened.prizes_cents if cents]


def _prizes_of(evening: Evening, *places: int) -> tuple[int, ...]:
    """The prizes of `places` in cents, or () if chips do not decide them (for example, before the last stage)."""
    players = {evening.players[bot] or str(bot) for bot in evening.left}
    is_last = not evening.stage.advance and not evening.stage.series
    by_chips = is_last and len(players) == len(evening.left) > 1 and not evening.withdrawn_bots & {*evening.left}
    prizes = dict(enumerate(_prizes_paid(evening), 1))
    return tuple(prizes.get(place, 0) for place in places) if by_chips else ()


def _next_out(evening: Evening, cents: int, guaranteed: int | None = None) -> bool:
    left = len(evening.left)
    is_so = guaranteed is None or min(_prizes_of(evening, *range(1, left))) == guaranteed > cents
    return _prizes_of(evening, left) == (cents,) and is_so


def _last_paid(evening: Evening, bot: int, gap: int, other: int) -> bool:
    stacks, paid_places = [chips for _, chips in evening.ranking], len(_prizes_paid(evening))
    last_paid_stack, next_stack = stacks[paid_places - 1], stacks[paid_places]
    is_cut = evening.left[bot] == last_paid_stack == evening.left[other] + gap and evening.left[other] == next_stack
    return is_cut and stacks.count(last_paid_stack) == stacks.count(next_stack) == 1 and bool(_prizes_of(evening, 1))


def _pots_won(evening: Evening, one: int, more: int, other: int, fewer: int) -> bool:
    won = {bot: sum(bot in hand.winners for hand in evening.hands) for bot in evening.players}
    return won == {one: more, other: fewer} and more >= fewer


def _pots_lately(evening: Evening) -> dict[int, int]:
    winners = [top_key(hand.won) for hand in evening.latest]
    return {bot: winners.count(bot) for bot in evening.players}


def _elo_gain(evening: Evening, bot: int, score: float) -> float:
    """The rating points that `bot` gains by Elo's formula with `score`, its final share of all chips (0 to 1)."""
    ratings = {entrant.bot: entrant.rating for entrant in evening.opened.entrants}
    other = next(rating for each, rating in ratings.items() if each != bot)
    return float(round(K * (score - 1 / (1 + 10.0 ** ((other - ratings[bot]) / 40_000))))) / 100


def _rounds_to(points: float, stated: float) -> bool:
    return f"{points:.1f}" == f"{stated:.1f}"


def _rated_above(evening: Evening, one: int, points: float, other: int) -> bool:
    ratings = {entrant.bot: entrant.rating for entrant in evening.opened.entrants}
    return _rounds_to((ratings[one] - ratings[other]) / 100, points)


def _deals_left(evening: Evening, left: int = 1) -> bool:
    return left == (evening.stage.deals or 0) - len(evening.deals)


def _won_most_of_deal(evening: Evening, bot: int, deal: int, chips: int) -> bool:
    last = evening.deals[-1]
    return deal == len(evening.deals) and last[bot] == chips == max(last.values())


def _decided_by(decided_by: DecidedBy, check: Callable[..., bool]) -> Callable[..., bool]:
    """Returns a check that passes if `check` passes and the stage ranks bots by `decided_by` ("chips" or "earned")."""
    return lambda e, *words: (e.stage.decided_by or "chips") == decided_by and check(e, *words)


# Each sentence, with the function that says whether it is true. "{b}" stands for a bot, "{n}" for a number, and
# "<one|other>" for either text. `_patterns` lists all such letters.
SENTENCES: dict[str, Callable[..., bool]] = {
    "{b} has taken the lead from {b} and {s} chips.": _lead_taken,
    "{b} has led for {n} hands and {s} chips.": lambda e, bot, hands, words: (
        e.reigns()[-1] == (bot, hands) and e.leaders[-1] == bot and hands > 1 and _has_chips(e, bot, words)
    ),
    "{b} has lost the lead after {n} hands in front.": lambda e, bot, hands: (
        e.reigns()[-2] == (bot, hands)
        and hands >= 5
        and bot in e.left
        and e.reigns()[-1][0] != bot
        and e.reigns()[-1][1] <= 8
    ),
    "The lead has changed hands {n} times, and {b} is in front now.": lambda e, times, bot: (
        e.reigns()[-1][0] == bot and times == sum(one[0] != other[0] for one, other in pairwise(e.reigns())) >= 3
    ),
    "{b} leads {b} by {n} chips.": _leads,
    "{b} and {b} are level at the top, with {n} chips each.": lambda e, one, other, chips: (
        e.ranking[0][1] == chips and {bot for bot, stack in e.ranking if stack == chips} == {one, other}
    ),
    "{n} hands to go in {t}.": lambda e, left: e.hands_left == left and e.in_game,
    "{b} has {n}% of the chips in play. The other {n} share the rest.": lambda e, bot, share, others: (
        100 * e.left[bot] // sum(e.left.values()) == share >= 40
        and others == len(e.left) - 1 >= 2
        and top_key(e.left) == bot
    ),
    "Only {n} chips separate the top three, with {b} in front.": lambda e, chips, bot: (
        e.left[bot] == e.ranking[0][1] and e.ranking[0][1] - e.ranking[2][1] == chips <= e.ranking[0][1] / 10
    ),
    "{b} was down to {n} chips, and is back up to {n}.": _came_back,
    "{b} was up to {n} chips at one point, and is now down to {n}.": _fell_back,
    "{b} has {d} up to {n} chips.": _doubled_up,
    "{b} has {g} {n} chips in the last {n} hands, more than anybody else.": _moved_most,
    "{b} has taken {n} chips from {b} in the last {n} hands.": lambda e, bot, chips, other, hands: (
        {*e.field} == {bot, other} and _moved_most(e, bot, "gained", chips, hands)
    ),
    "{b} won {n} chips in the last hand {w}.": _won_last,
    "The last hand went to {b} without a showdown: {n} chips.": _won_last,
    "{b} had the biggest win of the last {n} hands: {n} chips.": _won_most_lately,
    "{b} knocked {b} out in {o} place.": _knocked_out,
    "{b} <is out in {o} place|finishes second>.": lambda e, bot, place=2: (
        _last_elimination(e, bot)[1] == place and not e.chips[bot]
    ),
    "{b} has knocked out {n} bots tonight, more than anybody else still in.": _most_victims,
    "{n} of {n} bots are left in {t}.": lambda e, left, field: left == len(e.left) < len(e.field) == field,
    "{b} knocked out {b}. Both are {p}'s bots.": lambda e, by, bot, player: (
        _last_elimination(e, bot)[0].winners == [by] and {e.players[by], e.players[bot]} == {player}
    ),
    "{p} has {n} bots still in: {b}<, {b}|> and {b}.": lambda e, player, count, *bots: (
        {*bots} == {bot for bot in e.left if e.players[bot] == player} and len(bots) == count
    ),
    "{b} is {p}'s last bot standing.": lambda e, bot, player: (
        [each for each in e.left if e.players[each] == player] == [bot] and [*e.players.values()].count(player) > 1
    ),
    "{b} holds the last qualifying place, {n} chips ahead of {b}.": lambda e, bot, lead, other: (
        [chips for _, chips in e.ranking][e.stage.advance - 1 : e.stage.advance + 1] == [e.left[bot], e.left[other]]
        and e.left[bot] - e.left[other] == lead
    ),
    "One more elimination, and the last {n} ride on to {t}.": lambda e, n: n == e.stage.advance == len(e.left) - 1,
    "We're heads-up: {b} with {n} chips, {b} with {n}.": lambda e, one, most, other, least: (
        e.left == {one: most, other: least} and most >= least and len(e.field) > 2
    ),
    "{b} leads by {n} chips with {n} hands left.": lambda e, bot, gap, hands: (
        e.hands_left == hands > 0 and e.left[bot] == e.ranking[0][1] == e.ranking[1][1] + gap
    ),
    "Up to {n} more games in {t} after this one.": _games_left,
    "This is the last game of {t}.": _games_left,
    "The blinds go up to {n}/{n} <in {n} hands|with the next hand>.": _next_blinds,
    "{b} is the favourite for the title at {w}.": lambda e, bot, chance: (
        top_key(e.title_odds[-1]) == bot and chance == chance_text(e.title_odds[-1][bot])
    ),
    "{b}'s chances of winning the title have gone from {w} to {w} in {n} hands.": lambda e, bot, *words: (
        words == (chance_text(e.title_odds[0][bot]), chance_text(e.title_odds[-1][bot]), len(e.title_odds) - 1)
    ),
    "{b} hasn't won a pot in {n} hands.": lambda e, bot, count: _streak(e, bot, count, won=False),
    "{b} has won {n} pots in a row.": lambda e, bot, count: _streak(e, bot, count, won=True),
    "{b} has just won {n} chips, the biggest win of the night so far.": lambda e, bot, chips: (
        e.hands[-1].won.get(bot) == chips > _most_won(e.hands[:-1]) and _is_large(e, chips)
    ),
    "{b} has the biggest win of the night so far: {n} chips.": lambda e, bot, chips: (
        chips == _most_won(e.hands) and _is_large(e, chips) and any(hand.won.get(bot) == chips for hand in e.hands)
    ),
    "{b} took {f} seconds to decide, the longest think of the night.": _took_longest,
    "{b} has beaten {b} in all {n} of their showdowns.": lambda e, one, other, n: _head_to_head(e, one, n, n, other),
    "{b} has won {n} of {n} showdowns against {b}.": lambda e, one, won, met, other: (
        _head_to_head(e, one, won, met, other) and met >= 4
    ),
    "{b} and {b} share a table for the first time tonight.": lambda e, *bots: (
        {*bots} <= {*e.games[-1].seats} and not any({*bots} <= {*game.seats} for game in e.games[:-1])
    ),
    "{b} has been caught bluffing {n} tonight.": _caught_bluffing,
    "{b} has shown the best hand of the night: {w}.": _best_hand,
    "{b} won the first all-in showdown of the night: {n} chips.": _first_all_in,
    "{b} was the first bot out tonight, after {n} hands.": lambda e, bot, hands: (
        e.hands[hands - 1].out[0][0] == bot and not any(hand.out for hand in e.hands[: hands - 1])
    ),
    "{b} has won {n} hands tonight, more than anybody else.": lambda e, bot, count: (
        _has_most(Counter(each for hand in e.hands for each in hand.winners), bot, count) and count >= 3
    ),
    "{b} <is the short stack|trails> with {n} chips<, or {f} big blinds|>.": _is_short_stack,
    "{b} is <last, |>down {n} chips.": lambda e, bot, chips: _is_last(e, bot, -chips),
    "{b} is last, up {n} chips.": _is_last,
    "{b} called off its last {n} chips and survived.": _called_all_in,
    "Facing a bet for its last {n} chips, {b} folded.": _folded_to_all_in,
    "{b} has faced a decision for all its chips {n} tonight, and called {n}.": _faced_most_all_in_choices,
    "{b} has faced a decision for all its chips {n} tonight, and folded every time.": (
        lambda e, bot, count: _faced_most_all_in_choices(e, bot, count, 0)
    ),
    "{b} has faced a decision for all its chips {n} tonight, and called every time.": (
        lambda e, bot, count: _faced_most_all_in_choices(e, bot, count, count)
    ),
    "{b} has survived {n} all-ins tonight, more than anybody else.": _survived_all_ins,
    "{b} has timed out <{n}|for the first time> tonight.": lambda e, bot, times=1: (
        sum(hand.timed_out.count(bot) for hand in e.hands) == times
    ),
    "{b} has taken {n} chips from {b}, the most any bot has taken from another.": lambda e, by, chips, of: (
        e.crosstable[by, of] == chips == max(e.crosstable.values())
    ),
    "{p}'s <bots have|bot has> taken {n} chips from {p}'s <bots|bot>.": _took_from_player,
    "{b} is {n} chips up on luck, and {n} down on its play.": lambda e, b, up, down: _luck_and_play(e, b, up, -down),
    "{b} is {n} chips up on its play, and {n} down on luck.": lambda e, b, up, down: _luck_and_play(e, b, -down, up),
    "{b} has won {n} chips by good luck, more than anybody else still in.": _luckiest,
    "{b} has lost {n} chips to bad luck, more than anybody else still in.": lambda e, b, n: _luckiest(e, b, n, -1),
    "{b} had the luckiest hand of the night: {n} chips of pure luck.": lambda e, bot, chips: (
        chips == max(max(hand.luck.values(), default=0) for hand in e.hands)
        and any(hand.luck.get(bot) == chips for hand in e.hands)
    ),
    "{b} plays {w} of its hands, and {b} <only {w}|hardly plays any>.": lambda e, *words: _contrast(e, VPIP, *words),
    "{b} is the loosest bot still in: it plays {w} of its hands.": lambda e, *words: _most_often(e, VPIP, *words),
    "{b} raises preflop {w} of the time, more than anybody else.": lambda e, *words: _most_often(e, PFR, *words),
    "After the flop, {b} bets or raises {w} of the time, {b} <only {w}|hardly ever>.": (
        lambda e, *words: _contrast(e, AGGRESSION, *words)
    ),
    "{b} is the boldest after the flop: it bets or raises {w} of the time.": (
        lambda e, *words: _most_often(e, AGGRESSION, *words)
    ),
    "{b} has won {n} of {n} showdowns, the best record of the bots still in.": lambda e, bot, won, met: (
        (e.rows[bot].showdowns_won, e.rows[bot].showdowns) == (won, met)
        and _most_often(e, SHOWDOWNS, bot, f"{100 * won / met:.0f}%")
    ),
    "{b} has had {n} faults tonight, more than anybody else.": lambda e, bot, count: _has_most(
        {row.bot: row.faults for row in e.figures.rows}, bot, count
    ),
    "The top {n} are paid: {m} for 1st, down to {m} for {o}.": lambda e, places, first, last, count: (
        places == count == len(_prizes_paid(e)) <= len({player or str(bot) for bot, player in e.players.items()})
        and (_prizes_paid(e)[0], _prizes_paid(e)[-1]) == (first, last)
    ),
    "The winner takes all the prize money, {m}.": lambda e, cents: _prizes_paid(e) == [cents],
    "The next bot out gets {m}<, and everybody else is guaranteed at least {m}|>.": _next_out,
    "{b} and {b} are playing for {m}. Second place pays {m}.": lambda e, one, other, *cents: (
        {*e.left} == {one, other} and _prizes_of(e, 1, 2) == cents
    ),
    "{b} holds the last paying spot, {n} chips ahead of {b}.": _last_paid,
    "As things stand, {b} wins {m}. Second place pays {m}.": lambda e, bot, *cents: (
        top_key(e.left) == bot and _prizes_of(e, 1, 2) == cents
    ),
    "{b} has won {n} pots to {b}'s {n}.": _pots_won,
    "{b} and {b} have won {n} pots each.": lambda e, one, other, each: _pots_won(e, one, each, other, each),
    "{b} has won {n} of the last {n} pots.": lambda e, bot, won, hands: (
        len(e.latest) == hands and top_key(_pots_lately(e)) == bot and sorted(_pots_lately(e).values())[1:] == [won]
    ),
    "{b} and {b} have each won {n} of the last {n} pots.": lambda e, one, other, won, hands: (
        len(e.latest) == hands and _pots_lately(e) == {one: won, other: won}
    ),
    "{b} leads {b} by {n} games to {n}.": lambda e, one, other, won, lost: (
        (e.series_won[one], e.series_won[other]) == (won, lost) and won > lost and e.series_won.total() == won + lost
    ),
    "The series is tied at {n} games each.": lambda e, each: [e.series_won[bot] for bot in e.players] == [each, each],
    "{b} has won {n} games so far, more than anybody else.": lambda e, bot, won: (
        top_key(dict(e.series_won)) == bot and e.series_won[bot] == won
    ),
    "If the game ended now, {b} would take {f} rating points from {b}.": lambda e, bot, points, _: (
        _rounds_to(_elo_gain(e, bot, e.left[bot] / sum(e.left.values())), points) and points > 0
    ),
    "{b} can gain {f} rating points in this game, or lose {f}.": lambda e, bot, gained, lost: (
        _rounds_to(_elo_gain(e, bot, 1), gained) and _rounds_to(-_elo_gain(e, bot, 0), lost)
    ),
    "{b} is rated {f} points above {b}.": _rated_above,
    "{b} leads, although it is rated {f} points below {b}.": lambda e, bot, points, other: (
        _rated_above(e, other, points, bot) and top_key(e.left) == bot
    ),
    "Up to {n} more deals in {t}.": _deals_left,
    "The next deal is the last of {t}.": _deals_left,
    "{b} was the big winner of deal {n}: up {n} across all tables.": _decided_by("chips", _won_most_of_deal),
    "{b} was the big winner of deal {n}: {n} chips earned across all tables.": _decided_by("earned", _won_most_of_deal),
}
NUMBER_WORDS = {"once": 1, "twice": 2} | {number_in_words(number): number for number in range(2, 13)}


def is_true(evening: Evening, text: str) -> bool:
    """Whether the storyline `text` is true. Raises AssertionError if `text` is no storyline."""
    text = re.sub(r"\b1 ((?:more )?(?:chip|big blind|hand|game|(?:rating )?point))\b", r"1 \1s", text)
    # In a series, sentences say "out of this game" and "second in this game". SENTENCES has only "out" and "second".
    text = re.sub(r"(?<=out) of this game|(?<=second) in this game", "", text)
    names, players = tuple(evening.names), tuple({*evening.players.values()})
    for sentence, (pattern, kinds) in _patterns(names, players).items():
        if match := pattern.fullmatch(text):
            words = [_read_word(evening, kind, word) for kind, word in zip(kinds, match.groups(), strict=True) if word]
            return SENTENCES[sentence](evening, *words)
    raise AssertionError(f"not a storyline: {text}")


def _read_word(evening: Evening, kind: str, word: str) -> str | int | float:
    match kind:
        case "b":
            return evening.names[word]
        case "n":
            return NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word.removesuffix(" times").replace(",", ""))
        case "o":
            return int(word[:-2])
        case "m":
            return 0 if word == "nothing" else round(100 * float(word.removeprefix("$").replace(",", "")))
        case "f":
            return float(word.replace(",", ""))
        case _:
            return word


@cache
def _patterns(names: tuple[str, ...], players: tuple[str, ...]) -> dict[str, tuple[re.Pattern[str], list[str]]]:
    """Each sentence as a regular expression, with the kinds of its words. A stage's title ("t") is not checked."""
    words_by_kind = {
        "b": _any(names), "p": _any(players), "n": rf"{'|'.join(NUMBER_WORDS)}|\d[\d,]*(?: times)?", "o": r"\d+\w\w",
        "f": r"[\d,]+(?:\.\d)?", "m": r"\$[\d,]+(?:\.\d\d)?|nothing", "w": r"less than 1%|\d+%|(?:with |a )?[a-z ]+",
        "s": r"(?:now has|is now up|is now down) [\d,]+", "d": "(?:doub|trip|quadrup)led", "g": "gained|lost",
    }  # fmt: skip
    patterns = {}
    for sentence in SENTENCES:
        pattern = re.escape(sentence).replace(r"\{t\}", ".+").replace("<", "(?:").replace(r"\|", "|").replace(">", ")")
        for kind, words_of_kind in words_by_kind.items():
            pattern = pattern.replace(rf"\{{{kind}\}}", f"({words_of_kind})")
        patterns[sentence] = re.compile(pattern), re.findall(r"\{([^t])\}", sentence)
    return patterns


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
