"""Whether sentences about chips, the lead and the latest hands are true."""

from collections.abc import Callable
from itertools import pairwise

from server.text.grammar import percent
from tests.commentary.storyteller.evening import Evening, Hand, alone


def _stands(evening: Evening, bot: int, said: str) -> bool:
    chips = evening.chips[bot]
    change = chips - evening.opened.starting_stack
    return said in (f"now has {chips:,}", f"is now up {change:,}", f"is now down {-change:,}")


def _lead_taken(evening: Evening, bot: int, other: int, said: str) -> bool:
    *_, before, (leader, hands) = evening.reigns()
    return leader == bot != other == before[0] and hands <= 8 and _stands(evening, bot, said)


def _has_led(evening: Evening, bot: int, hands: int, said: str) -> bool:
    is_so = evening.reigns()[-1] == (bot, hands) and evening.leaders[-1] == bot
    return is_so and hands > 1 and _stands(evening, bot, said)


def _lead_lost(evening: Evening, bot: int, hands: int) -> bool:
    *_, before, (leader, since) = evening.reigns()
    return before == (bot, hands) and leader != bot and bot in evening.left and hands >= 5 and since <= 8


def _lead_changes(evening: Evening, times: int, bot: int) -> bool:
    led = [leader for leader, _ in evening.reigns()]
    return led[-1] == bot and times == sum(one != other for one, other in pairwise(led)) >= 3


def _leads(evening: Evening, bot: int, other: int, chips: int) -> bool:
    (first, most), (second, less), *rest = evening.ranked
    return (first, second, most - less) == (bot, other, chips) and chips > 0 and not (rest and rest[0][1] == less)


def _level(evening: Evening, one: int, other: int, chips: int) -> bool:
    most = evening.ranked[0][1]
    return {bot for bot, each in evening.ranked if each == most} == {one, other} and chips == most


def _close(evening: Evening, chips: int, bot: int) -> bool:
    first, third = evening.ranked[0][1], evening.ranked[2][1]
    return first - third == chips <= first / 10 and evening.left[bot] == first


def _comeback(evening: Evening, bot: int, low: int, now: int) -> bool:
    lowest = min(hand.ended[bot] for hand in evening.stage_hands if hand.ended.get(bot))
    start = evening.opened.starting_stack
    return evening.chips[bot] == now >= start and lowest == low <= start / 5


def _fall(evening: Evening, bot: int, high: int, now: int) -> bool:
    highest = max(hand.ended[bot] for hand in evening.stage_hands if bot in hand.began)
    start = evening.opened.starting_stack
    return 0 < evening.chips[bot] == now <= start / 2 and highest == high >= 1.6 * start


def _double(evening: Evening, bot: int, how: str, after: int) -> bool:
    last = [hand for hand in evening.stage_hands if hand.all_in(bot) and hand.ended[bot] >= 2 * hand.began[bot]][-1]
    times = {"doubled": [2], "tripled": [3], "quadrupled": range(4, 13)}[how]
    is_so = last.ended[bot] == after and after // last.began[bot] in times
    return is_so and evening.ago(last) <= 7 and bot in evening.left


def _moved(evening: Evening, bot: int, how: str, chips: int, hands: int) -> bool:
    latest, sign = evening.latest, 1 if how == "gained" else -1
    changes = {each: sign * sum(hand.change(each) for hand in latest if each in hand.began) for each in evening.players}
    return len(latest) == hands >= 5 and alone(changes) == bot and changes[bot] == chips > 0


def _won_last(evening: Evening, bot: int, chips: int, how: str = "") -> bool:
    last = evening.hands[-1]
    kind, _, rest = last.shown.get(bot, "").partition(", ")
    bare = kind.startswith(("two", "three", "four"))
    words = f"{rest.split(',')[0]} high" if kind == "high card" else kind if bare else f"a {kind}"
    return alone(last.won) == bot and last.won[bot] == chips and how == (f"with {words}" if kind else "")


def _largest_lately(evening: Evening, bot: int, hands: int, chips: int) -> bool:
    firsts = [(hand.won[first], first) for hand in evening.latest if (first := alone(hand.won))]
    is_most = max(firsts) == (chips, bot) and [won for won, _ in firsts].count(chips) == 1
    return len(evening.latest) == hands and is_most


def _out_in(evening: Evening, bot: int) -> tuple[Hand, int]:
    """The stage's last hand after which a bot was eliminated, and its place."""
    return [(hand, place) for hand in evening.stage_hands for out, place in hand.out if out == bot][-1]


def _knocked_out(evening: Evening, by: int, bot: int, place: int) -> bool:
    hand, its = _out_in(evening, bot)
    return its == place and not hand.ended[bot] and hand.winners == [by]


def _out(evening: Evening, bot: int, place: int = 2) -> bool:
    return _out_in(evening, bot)[1] == place and not evening.chips[bot]


def _most_victims(evening: Evening, bot: int, many: int) -> bool:
    alive = [each for each, chips in evening.chips.items() if chips or evening.stage_over]
    victims = dict.fromkeys(alive, 0)
    for hand in evening.hands:
        if len(hand.winners) == 1 and hand.winners[0] in victims:
            victims[hand.winners[0]] += sum(hand.ended.get(out) == 0 and out in hand.began for out, _ in hand.out)
    return alone(victims) == bot and victims[bot] == many >= 2


def _own_bot(evening: Evening, by: int, bot: int, player: str) -> bool:
    return _out_in(evening, bot)[0].winners == [by] and {evening.players[by], evening.players[bot]} == {player}


def _still_in(evening: Evening, player: str, many: int, *bots: int) -> bool:
    left = {bot for bot in evening.left if evening.players[bot] == player}
    return {*bots} == left and len(left) == many


def _last_of(evening: Evening, bot: int, player: str) -> bool:
    bots = [each for each, name in evening.players.items() if name == player]
    return len(bots) > 1 and [each for each in bots if each in evening.left] == [bot]


def _line(evening: Evening, bot: int, gap: int, other: int) -> bool:
    (_, above), (_, below) = evening.ranked[evening.stage.advance - 1 : evening.stage.advance + 1]
    return (evening.left[bot], evening.left[other], above - below) == (above, below, gap)


def _hands_left(evening: Evening, bot: int, gap: int, left: int) -> bool:
    (_, first), (_, second), *_ = evening.ranked
    return evening.hands_left == left > 0 and (evening.left[bot], first - second) == (first, gap)


def _games_left(evening: Evening, left: int = 0) -> bool:
    return evening.in_game and left == evening.stage.games - evening.games_over - 1


def _blinds(evening: Evening, small: int, big: int, hands: int = 1) -> bool:
    rules, number = evening.opened.rules, evening.hands[-1].number + hands - 1
    level = rules.levels[min(number // rules.hands_per_level, len(rules.levels) - 1)]
    is_new = number % rules.hands_per_level == 0 and (level.small, level.big) == (small, big)
    return is_new and evening.hands[-1].game == evening.games[-1].game


def _title_moved(evening: Evening, bot: int, *words: str | int) -> bool:
    first, last = evening.titles[0], evening.titles[-1]
    return words == (percent(first[bot]), percent(last[bot]), len(evening.titles) - 1)


SENTENCES: dict[str, Callable[..., bool]] = {
    "{b} has taken the lead from {b} and {s} chips.": _lead_taken,
    "{b} has led for {n} hands and {s} chips.": _has_led,
    "{b} has lost the lead after {n} hands in front.": _lead_lost,
    "The lead has changed hands {n} times, and {b} is in front now.": _lead_changes,
    "{b} leads {b} by {n} chips.": _leads,
    "{b} and {b} are level at the top, with {n} chips each.": _level,
    "{n} hands to go in {t}.": lambda e, left: e.hands_left == left and e.in_game,
    "{b} has {n}% of the chips in play. The other {n} share the rest.": lambda e, bot, share, others: (
        100 * e.left[bot] // sum(e.left.values()) == share >= 40
        and others == len(e.left) - 1 >= 2
        and alone(e.left) == bot
    ),
    "Only {n} chips separate the top three, with {b} in front.": _close,
    "{b} was down to {n} chips, and is back up to {n}.": _comeback,
    "{b} was up to {n} chips at one point, and is now down to {n}.": _fall,
    "{b} has {d} up to {n} chips.": _double,
    "{b} has {g} {n} chips in the last {n} hands, more than anybody else.": _moved,
    "{b} has taken {n} chips from {b} in the last {n} hands.": lambda e, bot, chips, other, hands: (
        {*e.field} == {bot, other} and _moved(e, bot, "gained", chips, hands)
    ),
    "{b} won {n} chips in the last hand {w}.": _won_last,
    "The last hand went to {b} without a showdown: {n} chips.": _won_last,
    "{b} had the biggest win of the last {n} hands: {n} chips.": _largest_lately,
    "{b} knocked {b} out in {o} place.": _knocked_out,
    "{b} is out in {o} place.": _out,
    "{b} finishes second.": _out,
    "{b} has knocked out {n} bots tonight, more than anybody else still in.": _most_victims,
    "{n} of {n} bots are left in {t}.": lambda e, left, field: left == len(e.left) < len(e.field) == field,
    "{b} knocked out {b}. Both are {p}'s bots.": _own_bot,
    "{p} has {n} bots still in: {b} and {b}.": _still_in,
    "{p} has {n} bots still in: {b}, {b} and {b}.": _still_in,
    "{b} is {p}'s last bot standing.": _last_of,
    "{b} holds the last qualifying place, {n} chips ahead of {b}.": _line,
    "One more elimination, and the last {n} ride on to {t}.": lambda e, many: (
        many == e.stage.advance == len(e.left) - 1
    ),
    "We're heads-up: {b} with {n} chips, {b} with {n}.": lambda e, one, most, other, least: (
        e.left == {one: most, other: least} and most >= least and len(e.field) > 2
    ),
    "{b} leads by {n} chips with {n} hands left.": _hands_left,
    "Up to {n} more games in {t} after this one.": _games_left,
    "This is the last game of {t}.": _games_left,
    "The blinds go up to {n}/{n} in {n} hands.": _blinds,
    "The blinds go up to {n}/{n} with the next hand.": _blinds,
    "{b} is the favourite for the title at {w}.": lambda e, bot, chance: (
        alone(e.titles[-1]) == bot and chance == percent(e.titles[-1][bot])
    ),
    "{b}'s chances of winning the title have gone from {w} to {w} in {n} hands.": _title_moved,
}
