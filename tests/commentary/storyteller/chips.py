"""Whether sentences about chips, the lead and the latest hands are true."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from tests.commentary.storyteller.evening import Evening, Hand, alone


def _lead_taken(evening: Evening, bot: int, other: int) -> bool:
    *_, before, (leader, hands) = evening.reigns()
    return leader == bot != other == before[0] and hands <= 8


def _has_led(evening: Evening, bot: int, hands: int) -> bool:
    return hands > 1 and evening.reigns()[-1] == (bot, hands) and evening.leaders[-1] == bot


def _stack_is(evening: Evening, bot: int, chips: int) -> bool:
    return evening.chips[bot] == chips > 0


def _change_is(evening: Evening, bot: int, chips: int) -> bool:
    return evening.chips[bot] - evening.opened.starting_stack == chips


def _is_down(evening: Evening, bot: int, chips: int) -> bool:
    return _change_is(evening, bot, -chips)


def _lead_lost(evening: Evening, bot: int, hands: int) -> bool:
    *_, before, (leader, since) = evening.reigns()
    return before == (bot, hands) and leader != bot and bot in evening.left and hands >= 5 and since <= 8


def _changes(evening: Evening, times: int, bot: int) -> bool:
    led = [leader for leader, _ in evening.reigns()]
    return led[-1] == bot and times == sum(one != other for one, other in pairwise(led)) >= 3


def _leads(evening: Evening, bot: int, other: int, chips: int) -> bool:
    first, second, *rest = sorted(evening.left.items(), key=lambda item: -item[1])
    is_second = not rest or rest[0][1] < second[1]
    return (first[0], second[0], first[1] - second[1]) == (bot, other, chips) and is_second and chips > 0


def _level(evening: Evening, one: int, other: int, chips: int) -> bool:
    most = max(evening.left.values())
    return {bot for bot, each in evening.left.items() if each == most} == {one, other} and chips == most


def _hands_to_go(evening: Evening, left: int) -> bool:
    last, game = evening.hands[-1], evening.games[-1]
    return left == game.hands - last.number and last.game == game.game and evening.in_game


def _share(evening: Evening, bot: int, per_cent: int, others: int) -> bool:
    share = 100 * evening.left[bot] // sum(evening.left.values())
    return share == per_cent >= 40 and others == len(evening.left) - 1 >= 2 and alone(evening.left) == bot


def _close(evening: Evening, chips: int, bot: int) -> bool:
    first, _, third, *_ = sorted(evening.left.values(), reverse=True)
    return first - third == chips <= first / 10 and evening.left[bot] == first


def _comeback(evening: Evening, bot: int, low: int, now: int) -> bool:
    lowest = min(hand.ended[bot] for hand in evening.stage_hands if hand.ended.get(bot))
    start = evening.opened.starting_stack
    return evening.chips[bot] == now >= start and lowest == low <= start / 5


def _fall(evening: Evening, bot: int, high: int, now: int) -> bool:
    highest = max(hand.ended[bot] for hand in evening.stage_hands if bot in hand.began)
    start = evening.opened.starting_stack
    return 0 < evening.chips[bot] == now <= start / 2 and highest == high >= 1.6 * start


def _double(evening: Evening, bot: int, after: int, times: Sequence[int]) -> bool:
    doubled = [hand for hand in evening.stage_hands if hand.all_in(bot) and hand.ended[bot] >= 2 * hand.began[bot]]
    last = doubled[-1]
    is_so = last.ended[bot] == after and after // last.began[bot] in times
    return is_so and evening.ago(last) <= 7 and bot in evening.left


def _moved(evening: Evening, sign: int, bot: int, chips: int, hands: int) -> bool:
    latest = evening.stage_hands[-10:]
    changes = {each: sign * sum(hand.change(each) for hand in latest if each in hand.began) for each in evening.players}
    return len(latest) == hands >= 5 and alone(changes) == bot and changes[bot] == chips > 0


def _taken_lately(evening: Evening, bot: int, chips: int, other: int, hands: int) -> bool:
    return {*evening.field} == {bot, other} and _moved(evening, 1, bot, chips, hands)


def _won_last(evening: Evening, bot: int, chips: int, how: str = "") -> bool:
    last = evening.hands[-1]
    kind, _, rest = last.shown.get(bot, "").partition(", ")
    bare = kind.startswith(("two", "three", "four"))
    words = f"{rest.split(',')[0]} high" if kind == "high card" else kind if bare else f"a {kind}"
    return alone(last.won) == bot and last.won[bot] == chips and how == (f"with {words}" if kind else "")


def _largest_lately(evening: Evening, bot: int, hands: int, chips: int) -> bool:
    latest = evening.stage_hands[-10:]
    firsts = [(hand.won[first], first) for hand in latest if (first := alone(hand.won))]
    most = max(firsts)
    return len(latest) == hands and most == (chips, bot) and [won for won, _ in firsts].count(chips) == 1


def _knocked_out(evening: Evening, by: int, bot: int, place: int) -> bool:
    hand = _hand_of(evening, bot, place)
    return not hand.ended[bot] and [each for each, won in hand.won.items() if won] == [by]


def _hand_of(evening: Evening, bot: int, place: int) -> Hand:
    return [hand for hand in evening.stage_hands if (bot, place) in hand.out][-1]


def _out(evening: Evening, bot: int, place: int) -> bool:
    return bool(_hand_of(evening, bot, place)) and not evening.chips[bot]


def _victims(evening: Evening, bot: int) -> int:
    broke = [[out for out, _ in hand.out if hand.ended.get(out) == 0 and out in hand.began] for hand in evening.hands]
    single = ([each for each, won in hand.won.items() if won] == [bot] for hand in evening.hands)
    return sum(len(out) for out, by_one in zip(broke, single, strict=True) if by_one)


def _most_victims(evening: Evening, bot: int, many: int) -> bool:
    alive = [each for each, chips in evening.chips.items() if chips] if not evening.stage_over else [*evening.chips]
    victims = {each: _victims(evening, each) for each in alive}
    return alone(victims) == bot and victims[bot] == many >= 2


def _left(evening: Evening, left: int, field: int) -> bool:
    return left == len(evening.left) < len(evening.field) == field


def _own_bot(evening: Evening, by: int, bot: int, player: str) -> bool:
    last = [hand for hand in evening.stage_hands if bot in [out for out, _ in hand.out]][-1]
    is_by = [each for each, won in last.won.items() if won] == [by]
    return is_by and {evening.players[by], evening.players[bot]} == {player}


def _still_in(evening: Evening, player: str, many: int, *bots: int) -> bool:
    left = {bot for bot in evening.left if evening.players[bot] == player}
    return {*bots} == left and len(left) == many


def _last_of(evening: Evening, bot: int, player: str) -> bool:
    bots = [each for each, name in evening.players.items() if name == player]
    return len(bots) > 1 and [each for each in bots if each in evening.left] == [bot]


def _line(evening: Evening, bot: int, gap: int, other: int) -> bool:
    assert evening.stage
    places = evening.stage.advance
    chips = sorted(evening.left.values(), reverse=True)
    above, below = chips[places - 1], chips[places]
    return (evening.left[bot], evening.left[other], above - below) == (above, below, gap)


def _one_more(evening: Evening, places: int) -> bool:
    assert evening.stage
    return places == evening.stage.advance == len(evening.left) - 1


def _last_two(evening: Evening, one: int, most: int, other: int, least: int) -> bool:
    return evening.left == {one: most, other: least} and most >= least and len(evening.field) > 2


def _hands_left(evening: Evening, bot: int, gap: int, left: int) -> bool:
    first, second, *_ = sorted(evening.left.values(), reverse=True)
    game = evening.games[-1]
    limit = game.hands - evening.hands[-1].number
    return (
        limit == left > 0
        and evening.hands[-1].game == game.game
        and (evening.left[bot], first - second) == (first, gap)
    )


def _games_left(evening: Evening, left: int) -> bool:
    assert evening.stage
    return evening.in_game and left == evening.stage.games - evening.games_over - 1


def _blinds(evening: Evening, small: int, big: int, hands: int) -> bool:
    rules, last = evening.opened.rules, evening.hands[-1]
    at = (last.number + hands - 1) // rules.hands_per_level
    before = (last.number + hands - 2) // rules.hands_per_level
    level = rules.levels[min(at, len(rules.levels) - 1)]
    return at == before + 1 and (level.small, level.big) == (small, big) and last.game == evening.games[-1].game


def _best_title(evening: Evening, bot: int, chance: str) -> bool:
    return alone(evening.titles[-1]) == bot and chance == _percent(evening.titles[-1][bot])


def _title_moved(evening: Evening, bot: int, *words: str | int) -> bool:
    first, last = evening.titles[0], evening.titles[-1]
    return words == (_percent(first[bot]), _percent(last[bot]), len(evening.titles) - 1)


def _percent(tenths: int) -> str:
    if 0 < tenths < 10:
        return "less than 1%"
    return "99%" if 990 < tenths < 1000 else f"{int(tenths / 10 + 0.5)}%"


SENTENCES: dict[str, Callable[..., bool]] = {
    "{b} has taken the lead from {b} and now has {n} chips.": (
        lambda e, a, b, n: _lead_taken(e, a, b) and _stack_is(e, a, n)
    ),
    "{b} has taken the lead from {b} and is now up {n} chips.": (
        lambda e, a, b, n: _lead_taken(e, a, b) and _change_is(e, a, n)
    ),
    "{b} has taken the lead from {b} and is now down {n} chips.": (
        lambda e, b, o, n: _lead_taken(e, b, o) and _is_down(e, b, n)
    ),
    "{b} has led for {n} hands and now has {n} chips.": (
        lambda e, b, many, n: _has_led(e, b, many) and _stack_is(e, b, n)
    ),
    "{b} has led for {n} hands and is now up {n} chips.": (
        lambda e, b, many, n: _has_led(e, b, many) and _change_is(e, b, n)
    ),
    "{b} has lost the lead after {n} hands in front.": _lead_lost,
    "The lead has changed hands {n} times, and {b} is in front now.": _changes,
    "{b} leads {b} by {n} chips.": _leads,
    "{b} and {b} are level at the top, with {n} chips each.": _level,
    "{n} hands to go in {t}.": _hands_to_go,
    "{b} has {n}% of the chips in play. The other {n} share the rest.": _share,
    "Only {n} chips separate the top three, with {b} in front.": _close,
    "{b} was down to {n} chips, and is back up to {n}.": _comeback,
    "{b} was up to {n} chips at one point, and is now down to {n}.": _fall,
    "{b} has doubled up to {n} chips.": lambda e, b, n: _double(e, b, n, [2]),
    "{b} has tripled up to {n} chips.": lambda e, b, n: _double(e, b, n, [3]),
    "{b} has quadrupled up to {n} chips.": lambda e, b, n: _double(e, b, n, range(4, 13)),
    "{b} has gained {n} chips in the last {n} hands, more than anybody else.": lambda e, *words: _moved(e, 1, *words),
    "{b} has lost {n} chips in the last {n} hands, more than anybody else.": lambda e, *words: _moved(e, -1, *words),
    "{b} has taken {n} chips from {b} in the last {n} hands.": _taken_lately,
    "{b} won {n} chips in the last hand {w}.": _won_last,
    "The last hand went to {b} without a showdown: {n} chips.": _won_last,
    "{b} had the biggest win of the last {n} hands: {n} chips.": _largest_lately,
    "{b} knocked {b} out in {o} place.": _knocked_out,
    "{b} knocked {b} out of this game in {o} place.": _knocked_out,
    "{b} is out in {o} place.": _out,
    "{b} finishes second.": lambda e, b: _out(e, b, 2),
    "{b} finishes second in this game.": lambda e, b: _out(e, b, 2),
    "{b} is out of this game in {o} place.": _out,
    "{b} has knocked out {n} bots tonight, more than anybody else still in.": _most_victims,
    "{n} of {n} bots are left in {t}.": _left,
    "{b} knocked out {b}. Both are {p}'s bots.": _own_bot,
    "{p} has {n} bots still in: {b} and {b}.": _still_in,
    "{p} has {n} bots still in: {b}, {b} and {b}.": _still_in,
    "{b} is {p}'s last bot standing.": _last_of,
    "{b} holds the last qualifying place, {n} chips ahead of {b}.": _line,
    "One more elimination, and the last {n} ride on to {t}.": _one_more,
    "We're heads-up: {b} with {n} chips, {b} with {n}.": _last_two,
    "{b} leads by {n} chips with {n} hands left.": _hands_left,
    "{b} leads by {n} chips with {n} hand left.": _hands_left,
    "Up to {n} more games in {t} after this one.": _games_left,
    "Up to {n} more game in {t} after this one.": _games_left,
    "This is the last game of {t}.": lambda evening: _games_left(evening, 0),
    "The blinds go up to {n}/{n} in {n} hands.": _blinds,
    "The blinds go up to {n}/{n} with the next hand.": lambda e, small, big: _blinds(e, small, big, 1),
    "{b} is the favourite for the title at {w}.": _best_title,
    "{b}'s chances of winning the title have gone from {w} to {w} in {n} hands.": _title_moved,
}  # fmt: skip
