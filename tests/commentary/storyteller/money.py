"""Whether sentences about prizes, series and ratings are true."""

from collections.abc import Callable

from tests.commentary.storyteller.evening import Evening, alone

K = 1200
"""The K of Elo's formula, in hundredths of a point."""


def _paid(evening: Evening) -> list[int]:
    return [cents for cents in evening.opened.prizes_cents if cents]


def _prizes(evening: Evening, places: int, first: int, last: int, count: int) -> bool:
    paid = _paid(evening)
    players = {player or str(bot) for bot, player in evening.players.items()}
    return (places, count) == (len(paid), len(paid)) and (paid[-1], paid[0]) == (last, first) and places <= len(players)


def _pays(evening: Evening, place: int) -> int:
    """The prize in cents of the next bot out, if it takes this place."""
    return dict(enumerate(_paid(evening), 1)).get(place, 0)


def _in_the_money(evening: Evening) -> bool:
    """Whether no two remaining bots have the same player, so that prizes follow the places of bots."""
    stage, left = evening.stage, [*evening.left]
    players = {evening.players[bot] or str(bot) for bot in left}
    is_last = stage is not None and not stage.advance and not stage.series
    return is_last and len(players) == len(left) > 1 and not evening.withdrawn & {*left}


def _next_out(evening: Evening, falls: int, safe: int) -> bool:
    left = len(evening.left)
    rest = [_pays(evening, place) for place in range(1, left)]
    return _in_the_money(evening) and _pays(evening, left) == falls and (not safe or min(rest) == safe > falls)


def _last_two(evening: Evening, one: int, other: int, *cents: int) -> bool:
    right = (_pays(evening, 1), _pays(evening, 2))
    return _in_the_money(evening) and {*evening.left} == {one, other} and right == cents


def _last_paid(evening: Evening, bot: int, gap: int, other: int) -> bool:
    stacks = sorted(evening.left.values(), reverse=True)
    paid = len(_paid(evening))
    mine, its = evening.left[bot], evening.left[other]
    is_line = (stacks[paid - 1], stacks[paid]) == (mine, its) and mine - its == gap
    return is_line and stacks.count(mine) == stacks.count(its) == 1 and _in_the_money(evening)


def _lead_is_worth(evening: Evening, bot: int, first: int, second: int) -> bool:
    right = (_pays(evening, 1), _pays(evening, 2))
    return alone(evening.left) == bot and right == (first, second) and _in_the_money(evening)


def _pots(evening: Evening, one: int, mine: int, other: int, its: int) -> bool:
    won = {bot: sum(bool(hand.won.get(bot)) for hand in evening.hands) for bot in (one, other)}
    return {*evening.names.values()} == {one, other} and won == {one: mine, other: its} and mine >= its


def _pots_lately(evening: Evening, bot: int, won: int, hands: int) -> bool:
    latest = evening.stage_hands[-10:]
    winners = [alone(hand.won) for hand in latest]
    counts = {each: winners.count(each) for each in evening.names.values()}
    return len(latest) == hands and counts[bot] == won and alone(counts) == bot and len(counts) == 2


def _level_lately(evening: Evening, one: int, other: int, won: int, hands: int) -> bool:
    winners = [alone(hand.won) for hand in evening.stage_hands[-10:]]
    return len(winners) == hands and winners.count(one) == winners.count(other) == won and len(evening.names) == 2


def _series(evening: Evening, one: int, other: int, mine: int, its: int) -> bool:
    won = evening.series_won
    return (won[one], won[other]) == (mine, its) and mine > its and sum(won.values()) == mine + its


def _level(evening: Evening, mine: int, its: int) -> bool:
    return mine == its and [evening.series_won[bot] for bot in evening.names.values()] == [mine, its]


def _most_games(evening: Evening, bot: int, won: int) -> bool:
    counts = evening.series_won
    return alone(dict(counts)) == bot and counts[bot] == won


def _elo(evening: Evening, bot: int, other: int, score: float) -> float:
    """How much `bot` gains, in hundredths of a point. The rule book says: "Elo: K = 12, score = final chips / 100"."""
    ratings = {entrant.bot: entrant.rating for entrant in evening.opened.entrants}
    return float(round(K * (score - 1 / (1 + 10.0 ** ((ratings[other] - ratings[bot]) / 40_000)))))


def _points(hundredths: float) -> str:
    return f"{hundredths / 100:.1f}"


def _rating_now(evening: Evening, bot: int, points: float, other: int) -> bool:
    share = evening.left[bot] / sum(evening.left.values())
    return _points(_elo(evening, bot, other, share)) == f"{points:.1f}" and points > 0


def _rating_at_stake(evening: Evening, bot: int, gained: float, lost: float) -> bool:
    other = next(each for each in evening.players if each != bot)
    right = _points(_elo(evening, bot, other, 1)), _points(-_elo(evening, bot, other, 0))
    return right == (f"{gained:.1f}", f"{lost:.1f}")


def _above(evening: Evening, one: int, points: float, other: int) -> bool:
    ratings = {entrant.bot: entrant.rating for entrant in evening.opened.entrants}
    return _points(ratings[one] - ratings[other]) == f"{points:.1f}"


SENTENCES: dict[str, Callable[..., bool]] = {
    "The top {n} are paid: {m} for 1st, down to {m} for {o}.": _prizes,
    "The winner takes all the prize money, {m}.": lambda e, cents: _paid(e) == [cents],
    "The next bot out gets {m}, and everybody else is guaranteed at least {m}.": _next_out,
    "The next bot out gets nothing, and everybody else is guaranteed at least {m}.": (
        lambda evening, safe: _next_out(evening, 0, safe)
    ),
    "The next bot out gets {m}.": lambda e, falls: _next_out(e, falls, 0),
    "{b} and {b} are playing for {m}. Second place pays {m}.": _last_two,
    "{b} and {b} are playing for {m}. Second place pays nothing.": lambda e, *words: _last_two(e, *words, 0),
    "{b} holds the last paying spot, {n} chips ahead of {b}.": _last_paid,
    "As things stand, {b} wins {m}. Second place pays {m}.": _lead_is_worth,
    "{b} has won {n} pots to {b}'s {n}.": _pots,
    "{b} and {b} have won {n} pots each.": lambda e, one, other, each: _pots(e, one, each, other, each),
    "{b} has won {n} of the last {n} pots.": _pots_lately,
    "{b} and {b} have each won {n} of the last {n} pots.": _level_lately,
    "{b} leads {b} by {n} games to {n}.": _series,
    "{b} leads {b} by {n} game to {n}.": _series,
    "The series is tied at {n} games each.": lambda e, each: _level(e, each, each),
    "The series is tied at {n} game each.": lambda e, each: _level(e, each, each),
    "{b} has won {n} games so far, more than anybody else.": _most_games,
    "{b} has won {n} game so far, more than anybody else.": _most_games,
    "If the game ended now, {b} would take {f} rating points from {b}.": _rating_now,
    "{b} can gain {f} rating points in this game, or lose {f}.": _rating_at_stake,
    "{b} is rated {f} points above {b}.": _above,
    "{b} leads, although it is rated {f} points below {b}.": lambda e, b, points, o: (
        _above(e, o, points, b) and alone(e.left) == b
    ),
}  # fmt: skip
