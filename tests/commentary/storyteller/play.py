"""Whether sentences about how bots play are true: runs, records, rivals, luck, style, clocks."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from broadcast.on_air.facts import BotStatistics
from tests.commentary.checker.plain_poker import kind, worth
from tests.commentary.storyteller.evening import Evening, Hand, alone


def _tail(hands: Sequence[Hand], holds: Callable[[Hand], bool]) -> list[Hand]:
    """The latest hands in a row that satisfy `holds`."""
    first = next((at for at, hand in enumerate(reversed(hands)) if not holds(hand)), len(hands))
    return [*hands[len(hands) - first :]]


def _drought(evening: Evening, bot: int, many: int) -> bool:
    hands = _tail(evening.of(bot), lambda hand: not hand.won.get(bot))
    return (
        len(hands) == many >= 5 and prod(1 - 1 / len(hand.began) for hand in hands) < 1 / 20 and bot not in evening.away
    )


def _streak(evening: Evening, bot: int, many: int) -> bool:
    hands = _tail(evening.of(bot), lambda hand: bool(hand.won.get(bot)))
    return len(hands) == many >= 3 and prod(1 / len(hand.began) for hand in hands) < 1 / 20


def _biggest(evening: Evening, bot: int, chips: int) -> bool:
    before = [won for hand in evening.hands[:-1] for won in hand.won.values()]
    is_large = 10 * chips >= 3 * evening.opened.starting_stack
    return evening.hands[-1].won.get(bot) == chips and chips > max(before, default=0) and is_large


def _still_most(evening: Evening, bot: int, chips: int) -> bool:
    most = max(won for hand in evening.hands for won in hand.won.values())
    is_large = 10 * chips >= 3 * evening.opened.starting_stack
    return chips == most and is_large and any(hand.won.get(bot) == most for hand in evening.hands)


def _longest(evening: Evening, bot: int, seconds: float) -> bool:
    before = [ms for hand in evening.hands[:-1] for ms, _ in hand.thoughts]
    most = max(evening.hands[-1].thoughts)
    return _is_thought(evening, bot, seconds) and most[0] > max(before, default=0)


def _is_thought(evening: Evening, bot: int, seconds: float) -> bool:
    most = max(ms for hand in evening.hands for ms, _ in hand.thoughts)
    is_its = any((most, bot) in hand.thoughts for hand in evening.hands)
    return is_its and f"{most / 1000:.1f}" == f"{seconds:.1f}"


def _nemesis(evening: Evening, one: int, other: int, won: int) -> bool:
    beaten = sum(hand.beat(one, other) for hand in evening.hands)
    return beaten == won >= 3 and not any(hand.beat(other, one) for hand in evening.hands)


def _head_to_head(evening: Evening, one: int, won: int, met: int, other: int) -> bool:
    mine, its = (sum(hand.beat(*pair) for hand in evening.hands) for pair in ((one, other), (other, one)))
    return mine == won > its and mine + its == met >= 4


def _first_meeting(evening: Evening, one: int, other: int) -> bool:
    games = [game.seats for game in evening.games]
    return {one, other} <= {*games[-1]} and not any({one, other} <= {*seats} for seats in games[:-1])


def _caught(evening: Evening, bot: int, times: int) -> bool:
    found = [
        hand
        for hand in evening.hands
        if hand.bettor == bot and hand.shown.get(bot, "").startswith("high card") and not hand.won.get(bot)
        if bot not in hand.folded
    ]
    return len(found) == times >= 2


def _best_hand(evening: Evening, bot: int, words: str) -> bool:
    shown = [
        (worth(cards), each, cards)
        for hand in evening.hands
        if len({*hand.shown} - hand.folded) > 1
        for each, cards in hand.best.items()
        if each not in hand.folded
    ]
    best = max(value for value, _, _ in shown)
    holders = [(each, cards) for value, each, cards in shown if value == best]
    name = kind(holders[0][1])
    return [each for each, _ in holders] == [bot] and words == (name if name.startswith("four") else f"a {name}")


def _first_all_in(evening: Evening, bot: int, chips: int) -> bool:
    first = next(
        hand for hand in evening.hands
        if len({*hand.shown} - hand.folded) > 1 and any(hand.all_in(each) for each in {*hand.shown} - hand.folded)
    )  # fmt: skip
    return alone(first.won) == bot and first.won[bot] == chips


def _first_out(evening: Evening, bot: int, hands: int) -> bool:
    at, hand = next((at, hand) for at, hand in enumerate(evening.hands, 1) if hand.out)
    return at == hands and hand.out[0][0] == bot


def _most_pots(evening: Evening, bot: int, many: int) -> bool:
    counts = Counter(each for hand in evening.hands for each, won in hand.won.items() if won)
    return alone(counts) == bot and counts[bot] == many >= 3


def _fewest(evening: Evening, bot: int, chips: int, blinds: float | None = None) -> bool:
    exact = chips / evening.big_blind
    decimals = 0 if exact >= 10 else 1
    fits = not 1 <= exact <= 100 if blinds is None else f"{exact:.{decimals}f}" == f"{blinds:.{decimals}f}"
    return fits and evening.most(lambda each: -evening.left[each]) == bot and evening.left[bot] == chips


def _is_last(evening: Evening, bot: int, change: int) -> bool:
    is_last = evening.most(lambda each: -evening.left[each]) == bot
    return is_last and evening.left[bot] - evening.opened.starting_stack == change


def _called(evening: Evening, bot: int, chips: int) -> bool:
    hand = [hand for hand in evening.hands if any(test[0] == bot for test in hand.tests)][-1]
    return (bot, chips, True) in hand.tests and hand.ended[bot] > 0 and evening.ago(hand) <= 7 and hand.all_in(bot)


def _folded(evening: Evening, bot: int, chips: int) -> bool:
    hand = [hand for hand in evening.hands if any(test[0] == bot for test in hand.tests)][-1]
    return (bot, chips, False) in hand.tests and evening.ago(hand) <= 7 and bot in hand.folded


def _tests(evening: Evening, bot: int, many: int, called: int) -> bool:
    tests = {each: [test for hand in evening.hands for test in hand.tests if test[0] == each] for each in evening.left}
    counts = {each: len(faced) for each, faced in tests.items()}
    return alone(counts) == bot and counts[bot] == many >= 3 and called == sum(test[2] for test in tests[bot])


def _survived(evening: Evening, bot: int, many: int) -> bool:
    counts = {
        each: sum(hand.all_in(each) and hand.ended[each] > 0 for hand in evening.of(each)) for each in evening.left
    }
    return alone(counts) == bot and counts[bot] == many >= 2


def _late(evening: Evening, bot: int, times: int) -> bool:
    return sum(hand.late.count(bot) for hand in evening.hands) == times


def _offline(evening: Evening, bot: int, hands: int) -> bool:
    return len(evening.hands) - evening.away[bot] == hands > 0


def _most_taken(evening: Evening, by: int, chips: int, of: int) -> bool:
    table = evening.crosstable()
    return table[by, of] == chips == max(table.values())


def _players(evening: Evening, by: str, chips: int, of: str) -> bool:
    net = Counter[tuple[str, str]]()
    for (one, other), taken in evening.crosstable().items():
        net[evening.players[one], evening.players[other]] += taken
        net[evening.players[other], evening.players[one]] -= taken
    return by != of and net[by, of] == chips == max(taken for (one, other), taken in net.items() if one != other)


def _play_lost(evening: Evening, bot: int, luck: int, lost: int) -> bool:
    return (_luck(evening, bot), _earned(evening, bot)) == (luck, -lost)


def _board_cost(evening: Evening, bot: int, earned: int, cost: int) -> bool:
    return (_luck(evening, bot), _earned(evening, bot)) == (-cost, earned)


def _luck(evening: Evening, bot: int) -> int:
    return evening.rows[bot].luck


def _earned(evening: Evening, bot: int) -> int:
    return sum(hand.change(bot) for hand in evening.of(bot)) - _luck(evening, bot)


def _luckiest(evening: Evening, bot: int, chips: int, sign: int) -> bool:
    known = [row.bot for row in evening.rows.values() if row.earned is not None]
    return evening.most(lambda each: sign * _luck(evening, each), known) == bot and sign * _luck(evening, bot) == chips


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


def _most_often(
    evening: Evening, of: Callable[[BotStatistics], tuple[int, int]], sign: int, bot: int, said: str
) -> bool:
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


def _against(evening: Evening, of: Callable[[BotStatistics], tuple[int, int]], *words: Any) -> bool:
    one, often, other, seldom = words
    (made, chances), (its, its_chances) = of(evening.rows[one]), of(evening.rows[other])
    is_most, is_least = _most_often(evening, of, 1, one, often), _most_often(evening, of, -1, other, seldom)
    return is_most and is_least and made / chances - its / its_chances >= 0.3


def _record(evening: Evening, bot: int, won: int, shown: int) -> bool:
    return _wins(evening.rows[bot]) == (won, shown) and _most_often(evening, _wins, 1, bot, f"{100 * won / shown:.0f}%")


def _faults(evening: Evening, bot: int, many: int) -> bool:
    counts = {row.bot: row.faults for row in evening.counted.rows}
    return alone(counts) == bot and counts[bot] == many


SENTENCES: dict[str, Callable[..., bool]] = {
    "{b} hasn't won a pot in {n} hands.": _drought,
    "{b} has won {n} pots in a row.": _streak,
    "{b} has just won {n} chips, the biggest win of the night so far.": _biggest,
    "{b} has the biggest win of the night so far: {n} chips.": _still_most,
    "{b} took {f} seconds to decide, the longest think of the night.": _longest,
    "{b} has beaten {b} in all {n} of their showdowns.": _nemesis,
    "{b} has won {n} of {n} showdowns against {b}.": _head_to_head,
    "{b} and {b} share a table for the first time tonight.": _first_meeting,
    "{b} has been caught bluffing {n} tonight.": _caught,
    "{b} has shown the best hand of the night: {w}.": _best_hand,
    "{b} won the first all-in showdown of the night: {n} chips.": _first_all_in,
    "{b} was the first bot out tonight, after {n} hands.": _first_out,
    "{b} was the first bot out tonight, after {n} hand.": _first_out,
    "{b} has won {n} hands tonight, more than anybody else.": _most_pots,
    "{b} is the short stack with {n} chips, or {f} big blinds.": _fewest,
    "{b} is the short stack with {n} chips.": _fewest,
    "{b} trails with {n} chips, or {f} big blinds.": _fewest,
    "{b} trails with {n} chips.": _fewest,
    "{b} is last, down {n} chips.": lambda evening, bot, chips: _is_last(evening, bot, -chips),
    "{b} is down {n} chips.": lambda evening, bot, chips: _is_last(evening, bot, -chips),
    "{b} is last, up {n} chips.": _is_last,
    "{b} called off its last {n} chips and survived.": _called,
    "Facing a bet for its last {n} chips, {b} folded.": lambda evening, chips, bot: _folded(evening, bot, chips),
    "{b} has faced a decision for all its chips {n} tonight, and called {n}.": _tests,
    "{b} has faced a decision for all its chips {n} tonight, and folded every time.": (
        lambda evening, bot, many: _tests(evening, bot, many, 0)
    ),
    "{b} has faced a decision for all its chips {n} tonight, and called every time.": (
        lambda evening, bot, many: _tests(evening, bot, many, many)
    ),
    "{b} has survived {n} all-ins tonight, more than anybody else.": _survived,
    "{b} has timed out {n} tonight.": _late,
    "{b} has timed out for the first time tonight.": lambda evening, bot: _late(evening, bot, 1),
    "{b} has been offline for {n} hands.": _offline,
    "{b} has been offline for {n} hand.": _offline,
    "{b} has taken {n} chips from {b}, the most any bot has taken from another.": _most_taken,
    "{p}'s bots have taken {n} chips from {p}'s bots.": _players,
    "{p}'s bots have taken {n} chips from {p}'s bot.": _players,
    "{p}'s bot has taken {n} chips from {p}'s bots.": _players,
    "{b} is {n} chips up on luck, and {n} down on its play.": _play_lost,
    "{b} is {n} chips up on its play, and {n} down on luck.": _board_cost,
    "{b} has won {n} chips by good luck, more than anybody else still in.": lambda e, b, n: _luckiest(e, b, n, 1),
    "{b} has lost {n} chips to bad luck, more than anybody else still in.": lambda e, b, n: _luckiest(e, b, n, -1),
    "{b} had the luckiest hand of the night: {n} chips of pure luck.": _stroke,
    "{b} plays {w} of its hands, and {b} only {w}.": lambda e, *words: _against(e, _vpip, *words),
    "{b} plays {w} of its hands, and {b} hardly plays any.": lambda e, *words: _against(e, _vpip, *words, "0%"),
    "{b} is the loosest bot still in: it plays {w} of its hands.": lambda e, *words: _most_often(e, _vpip, 1, *words),
    "{b} raises preflop {w} of the time, more than anybody else.": lambda e, *words: _most_often(e, _pfr, 1, *words),
    "After the flop, {b} bets or raises {w} of the time, {b} only {w}.": (
        lambda e, *words: _against(e, _attack, *words)
    ),
    "After the flop, {b} bets or raises {w} of the time, {b} hardly ever.": (
        lambda e, *words: _against(e, _attack, *words, "0%")
    ),
    "{b} is the boldest after the flop: it bets or raises {w} of the time.": (
        lambda evening, *words: _most_often(evening, _attack, 1, *words)
    ),
    "{b} has won {n} of {n} showdowns, the best record of the bots still in.": _record,
    "{b} has had {n} faults tonight, more than anybody else.": _faults,
}  # fmt: skip
