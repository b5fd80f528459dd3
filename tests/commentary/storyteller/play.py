"""Whether sentences about how bots play are true: runs, records, rivals, luck, style, clocks."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile
from math import prod
from typing import Any

from broadcast.on_air.facts import BotStatistics
from tests.commentary.checker.captions import kind, worth
from tests.commentary.storyteller.evening import Evening, Hand, alone

Share = Callable[[BotStatistics], tuple[int, int]]
"""How often a bot did something, and how often it could have."""


def _run(evening: Evening, bot: int, many: int, *, won: bool) -> bool:
    """Whether the bot has won, or has not won, its last `many` hands, which is unlikely by chance."""
    hands = [*takewhile(lambda hand: bool(hand.won.get(bot)) == won, reversed(evening.of(bot)))]
    by_chance = prod(1 / len(hand.began) if won else 1 - 1 / len(hand.began) for hand in hands)
    return len(hands) == many >= (3 if won else 5) and by_chance < 1 / 20


def _most_won(hands: Sequence[Hand]) -> int:
    return max((won for hand in hands for won in hand.won.values()), default=0)


def _is_large(evening: Evening, chips: int) -> bool:
    return 10 * chips >= 3 * evening.opened.starting_stack


def _longest(evening: Evening, bot: int, seconds: float) -> bool:
    before = max((each for hand in evening.hands[:-1] for each in hand.thoughts), default=(0, 0))
    (most, _), last = max(evening.hands[-1].thoughts), evening.hands[-1].thoughts
    return most > before[0] and (most, bot) in last and f"{most / 1000:.1f}" == f"{seconds:.1f}"


def _head_to_head(evening: Evening, one: int, won: int, met: int, other: int) -> bool:
    mine, its = (sum(hand.beat(*pair) for hand in evening.hands) for pair in ((one, other), (other, one)))
    return mine == won > its and mine + its == met >= 3


def _first_meeting(evening: Evening, one: int, other: int) -> bool:
    met = [{one, other} <= {*game.seats} for game in evening.games]
    return met[-1] and not any(met[:-1])


def _caught(evening: Evening, bot: int, times: int) -> bool:
    lost = [hand for hand in evening.hands if hand.bettor == bot in hand.showdown and not hand.won.get(bot)]
    return times == sum(hand.shown[bot].startswith("high card") for hand in lost) >= 2


def _best_hand(evening: Evening, bot: int, words: str) -> bool:
    shown = [(worth(hand.best[each]), each, hand) for hand in evening.hands for each in hand.showdown & {*hand.best}]
    best, first, hand = max(shown, key=lambda each: each[0])
    name = kind(hand.best[first])
    holders = [each for value, each, _ in shown if value == best]
    return holders == [bot] and words == (name if name.startswith("four") else f"a {name}")


def _first_all_in(evening: Evening, bot: int, chips: int) -> bool:
    first = next(hand for hand in evening.hands if any(map(hand.all_in, hand.showdown)))
    return alone(first.won) == bot and first.won[bot] == chips


def _first_out(evening: Evening, bot: int, hands: int) -> bool:
    at, hand = next((at, hand) for at, hand in enumerate(evening.hands, 1) if hand.out)
    return at == hands and hand.out[0][0] == bot


def _fewest(evening: Evening, bot: int, chips: int, blinds: float | None = None) -> bool:
    exact = chips / evening.big_blind
    decimals = 0 if exact >= 10 else 1
    fits = not 1 <= exact <= 100 if blinds is None else f"{exact:.{decimals}f}" == f"{blinds:.{decimals}f}"
    return fits and evening.fewest == bot and evening.left[bot] == chips


def _is_last(evening: Evening, bot: int, change: int) -> bool:
    return evening.fewest == bot and evening.left[bot] - evening.opened.starting_stack == change


def _tested(evening: Evening, bot: int, chips: int, *, called: bool) -> Hand | None:
    """The bot's last hand in which it had to decide for all its chips, if it is recent and the bot decided so."""
    hand = [hand for hand in evening.hands if any(test[0] == bot for test in hand.tests)][-1]
    return hand if (bot, chips, called) in hand.tests and evening.ago(hand) <= 7 else None


def _called(evening: Evening, bot: int, chips: int) -> bool:
    hand = _tested(evening, bot, chips, called=True)
    return hand is not None and hand.ended[bot] > 0 and hand.all_in(bot)


def _folded(evening: Evening, chips: int, bot: int) -> bool:
    hand = _tested(evening, bot, chips, called=False)
    return hand is not None and bot in hand.folded


def _tests(evening: Evening, bot: int, many: int, called: int) -> bool:
    tests = {each: [test for hand in evening.hands for test in hand.tests if test[0] == each] for each in evening.left}
    is_most = evening.most(lambda each: len(tests[each])) == bot
    return is_most and len(tests[bot]) == many >= 3 and called == sum(test[2] for test in tests[bot])


def _survived(evening: Evening, bot: int, many: int) -> bool:
    def survived(each: int) -> int:
        return sum(hand.all_in(each) and hand.ended[each] > 0 for hand in evening.of(each))

    return evening.most(survived) == bot and survived(bot) == many >= 2


def _late(evening: Evening, bot: int, times: int = 1) -> bool:
    return sum(hand.late.count(bot) for hand in evening.hands) == times


def _players(evening: Evening, by: str, chips: int, of: str) -> bool:
    net = Counter[tuple[str, str]]()
    for (one, other), taken in evening.crosstable.items():
        net[evening.players[one], evening.players[other]] += taken
        net[evening.players[other], evening.players[one]] -= taken
    return by != of and net[by, of] == chips == max(taken for (one, other), taken in net.items() if one != other)


def _luck_and_play(evening: Evening, bot: int, luck: int, earned: int) -> bool:
    won = sum(hand.change(bot) for hand in evening.of(bot))
    return (evening.rows[bot].luck, won - evening.rows[bot].luck) == (luck, earned)


def _luckiest(evening: Evening, bot: int, chips: int, sign: int = 1) -> bool:
    luck = {row.bot: sign * row.luck for row in evening.rows.values() if row.earned is not None}
    return _most(luck, bot, chips)


def _stroke(evening: Evening, bot: int, chips: int) -> bool:
    most = max(max(hand.luck.values(), default=0) for hand in evening.hands)
    return most == chips and any(hand.luck.get(bot) == most for hand in evening.hands)


def _vpip(row: BotStatistics) -> tuple[int, int]:
    return row.vpip, row.vpip_chances


def _attack(row: BotStatistics) -> tuple[int, int]:
    return row.aggressive, row.aggressive_chances


def _pfr(row: BotStatistics) -> tuple[int, int]:
    return row.pfr, row.pfr_chances


def _wins(row: BotStatistics) -> tuple[int, int]:
    return row.showdowns_won, row.showdowns


def _most_often(evening: Evening, of: Share, bot: int, said: str, sign: int = 1) -> bool:
    """Whether a bot did something most often of all bots with enough hands, or least often if `sign` is -1.

    `said` is its frequency in the sentence, such as "44%".
    """
    rows = evening.rows
    if of in (_vpip, _pfr):
        seasoned = [each for each, row in rows.items() if row.hands >= 10 and row.pfr_chances and row.vpip_chances]
    else:
        seasoned = [each for each, row in rows.items() if of(row)[1] >= (5 if of is _wins else 10)]
    shares = {each: sign * of(rows[each])[0] / of(rows[each])[1] for each in seasoned}
    return said == f"{100 * abs(shares[bot]):.0f}%" and alone(shares) == bot


def _against(evening: Evening, of: Share, *words: Any) -> bool:
    one, often, other, seldom = (*words, "0%")[:4]
    (made, chances), (its, its_chances) = of(evening.rows[one]), of(evening.rows[other])
    is_so = _most_often(evening, of, one, often) and _most_often(evening, of, other, seldom, -1)
    return is_so and made / chances - its / its_chances >= 0.3


def _record(evening: Evening, bot: int, won: int, shown: int) -> bool:
    return _wins(evening.rows[bot]) == (won, shown) and _most_often(evening, _wins, bot, f"{100 * won / shown:.0f}%")


def _most(counts: dict[int, int], bot: int, many: int) -> bool:
    return alone(counts) == bot and counts[bot] == many


SENTENCES: dict[str, Callable[..., bool]] = {
    "{b} hasn't won a pot in {n} hands.": lambda e, bot, many: _run(e, bot, many, won=False) and bot not in e.away,
    "{b} has won {n} pots in a row.": lambda e, bot, many: _run(e, bot, many, won=True),
    "{b} has just won {n} chips, the biggest win of the night so far.": lambda e, bot, chips: (
        e.hands[-1].won.get(bot) == chips > _most_won(e.hands[:-1]) and _is_large(e, chips)
    ),
    "{b} has the biggest win of the night so far: {n} chips.": lambda e, bot, chips: (
        chips == _most_won(e.hands) and _is_large(e, chips) and any(hand.won.get(bot) == chips for hand in e.hands)
    ),
    "{b} took {f} seconds to decide, the longest think of the night.": _longest,
    "{b} has beaten {b} in all {n} of their showdowns.": lambda e, one, other, won: _head_to_head(
        e, one, won, won, other
    ),
    "{b} has won {n} of {n} showdowns against {b}.": lambda e, one, won, met, other: (
        _head_to_head(e, one, won, met, other) and met >= 4
    ),
    "{b} and {b} share a table for the first time tonight.": _first_meeting,
    "{b} has been caught bluffing {n} tonight.": _caught,
    "{b} has shown the best hand of the night: {w}.": _best_hand,
    "{b} won the first all-in showdown of the night: {n} chips.": _first_all_in,
    "{b} was the first bot out tonight, after {n} hands.": _first_out,
    "{b} has won {n} hands tonight, more than anybody else.": lambda e, bot, many: (
        _most(Counter(each for hand in e.hands for each in hand.winners), bot, many) and many >= 3
    ),
    "{b} is the short stack with {n} chips, or {f} big blinds.": _fewest,
    "{b} is the short stack with {n} chips.": _fewest,
    "{b} trails with {n} chips, or {f} big blinds.": _fewest,
    "{b} trails with {n} chips.": _fewest,
    "{b} is last, down {n} chips.": lambda e, bot, chips: _is_last(e, bot, -chips),
    "{b} is down {n} chips.": lambda e, bot, chips: _is_last(e, bot, -chips),
    "{b} is last, up {n} chips.": _is_last,
    "{b} called off its last {n} chips and survived.": _called,
    "Facing a bet for its last {n} chips, {b} folded.": _folded,
    "{b} has faced a decision for all its chips {n} tonight, and called {n}.": _tests,
    "{b} has faced a decision for all its chips {n} tonight, and folded every time.": (
        lambda e, bot, many: _tests(e, bot, many, 0)
    ),
    "{b} has faced a decision for all its chips {n} tonight, and called every time.": (
        lambda e, bot, many: _tests(e, bot, many, many)
    ),
    "{b} has survived {n} all-ins tonight, more than anybody else.": _survived,
    "{b} has timed out {n} tonight.": _late,
    "{b} has timed out for the first time tonight.": _late,
    "{b} has been offline for {n} hands.": lambda e, bot, hands: len(e.hands) - e.away[bot] == hands > 0,
    "{b} has taken {n} chips from {b}, the most any bot has taken from another.": lambda e, by, chips, of: (
        e.crosstable[by, of] == chips == max(e.crosstable.values())
    ),
    "{p}'s bots have taken {n} chips from {p}'s bots.": _players,
    "{p}'s bots have taken {n} chips from {p}'s bot.": _players,
    "{p}'s bot has taken {n} chips from {p}'s bots.": _players,
    "{b} is {n} chips up on luck, and {n} down on its play.": lambda e, b, up, down: _luck_and_play(e, b, up, -down),
    "{b} is {n} chips up on its play, and {n} down on luck.": lambda e, b, up, down: _luck_and_play(e, b, -down, up),
    "{b} has won {n} chips by good luck, more than anybody else still in.": _luckiest,
    "{b} has lost {n} chips to bad luck, more than anybody else still in.": lambda e, b, n: _luckiest(e, b, n, -1),
    "{b} had the luckiest hand of the night: {n} chips of pure luck.": _stroke,
    "{b} plays {w} of its hands, and {b} only {w}.": lambda e, *words: _against(e, _vpip, *words),
    "{b} plays {w} of its hands, and {b} hardly plays any.": lambda e, *words: _against(e, _vpip, *words),
    "{b} is the loosest bot still in: it plays {w} of its hands.": lambda e, *words: _most_often(e, _vpip, *words),
    "{b} raises preflop {w} of the time, more than anybody else.": lambda e, *words: _most_often(e, _pfr, *words),
    "After the flop, {b} bets or raises {w} of the time, {b} only {w}.": lambda e, *words: _against(e, _attack, *words),
    "After the flop, {b} bets or raises {w} of the time, {b} hardly ever.": (
        lambda e, *words: _against(e, _attack, *words)
    ),
    "{b} is the boldest after the flop: it bets or raises {w} of the time.": (
        lambda e, *words: _most_often(e, _attack, *words)
    ),
    "{b} has won {n} of {n} showdowns, the best record of the bots still in.": _record,
    "{b} has had {n} faults tonight, more than anybody else.": lambda e, bot, many: _most(
        {row.bot: row.faults for row in e.counted.rows}, bot, many
    ),
}
