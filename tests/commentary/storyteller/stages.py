"""Whether sentences about prizes, series, ratings, and stages in which all bots have the same cards are true."""

from collections.abc import Callable

from server.game.events import DecidedBy
from tests.commentary.storyteller.evening import Evening, alone

K = 1200
"""The K of Elo's formula, in hundredths of a point."""


def _paid(evening: Evening) -> list[int]:
    return [cents for cents in evening.opened.prizes_cents if cents]


def _prizes(evening: Evening, places: int, first: int, last: int, count: int) -> bool:
    paid = _paid(evening)
    players = {player or str(bot) for bot, player in evening.players.items()}
    return places == count == len(paid) <= len(players) and (paid[0], paid[-1]) == (first, last)


def _pays(evening: Evening, *places: int) -> tuple[int, ...]:
    """The prizes of these places in cents; nothing if two remaining bots have the same player, who gets one prize."""
    players = {evening.players[bot] or str(bot) for bot in evening.left}
    is_last = not evening.stage.advance and not evening.stage.series
    follows = is_last and len(players) == len(evening.left) > 1 and not evening.withdrawn & {*evening.left}
    prizes = dict(enumerate(_paid(evening), 1))
    return tuple(prizes.get(place, 0) for place in places) if follows else ()


def _next_out(evening: Evening, falls: int, safe: int) -> bool:
    left = len(evening.left)
    rest = _pays(evening, *range(1, left))
    return _pays(evening, left) == (falls,) and (not safe or min(rest) == safe > falls)


def _last_two(evening: Evening, one: int, other: int, first: int, second: int = 0) -> bool:
    return {*evening.left} == {one, other} and _pays(evening, 1, 2) == (first, second)


def _last_paid(evening: Evening, bot: int, gap: int, other: int) -> bool:
    stacks, paid = [chips for _, chips in evening.ranked], len(_paid(evening))
    mine, its = stacks[paid - 1], stacks[paid]
    is_line = (evening.left[bot], evening.left[other], gap) == (mine, its, mine - its)
    return is_line and stacks.count(mine) == stacks.count(its) == 1 and bool(_pays(evening, 1))


def _pots(evening: Evening, one: int, mine: int, other: int, its: int) -> bool:
    won = {bot: sum(bot in hand.winners for hand in evening.hands) for bot in evening.players}
    return won == {one: mine, other: its} and mine >= its


def _pots_lately(evening: Evening) -> dict[int, int]:
    winners = [alone(hand.won) for hand in evening.latest]
    return {bot: winners.count(bot) for bot in evening.players}


def _series(evening: Evening, one: int, other: int, mine: int, its: int) -> bool:
    won = evening.series_won
    return (won[one], won[other]) == (mine, its) and mine > its and sum(won.values()) == mine + its


def _elo(evening: Evening, bot: int, score: float) -> float:
    """How much `bot` gains, in points. The rule book says: "Elo: K = 12, score = final chips / 100"."""
    ratings = {entrant.bot: entrant.rating for entrant in evening.opened.entrants}
    other = next(rating for each, rating in ratings.items() if each != bot)
    return float(round(K * (score - 1 / (1 + 10.0 ** ((other - ratings[bot]) / 40_000))))) / 100


def _is(points: float, said: float) -> bool:
    return f"{points:.1f}" == f"{said:.1f}"


def _above(evening: Evening, one: int, points: float, other: int) -> bool:
    ratings = {entrant.bot: entrant.rating for entrant in evening.opened.entrants}
    return _is((ratings[one] - ratings[other]) / 100, points)


def _deals_left(evening: Evening, left: int = 1) -> bool:
    return left == (evening.stage.deals or 0) - len(evening.deals)


def _most_of_a_deal(evening: Evening, bot: int, deal: int, made: int) -> bool:
    last = evening.deals[-1]
    return deal == len(evening.deals) and last[bot] == made == max(last.values())


def _per_deal(evening: Evening, bot: int) -> float:
    made = [deal[bot] for deal in evening.deals if bot in deal]
    return sum(made) / len(made)


def _leads_deals(evening: Evening, one: int, other: int, ahead: int) -> bool:
    means = sorted((_per_deal(evening, bot) for bot in evening.field), reverse=True)
    first, second = _per_deal(evening, one), _per_deal(evening, other)
    return [first, second] == means[:2] and round(first - second) == ahead


def _of(decided_by: DecidedBy, check: Callable[..., bool]) -> Callable[..., bool]:
    """Returns `check` for a sentence that can be true only in a stage that `decided_by` decides."""
    return lambda e, *words: (e.stage.decided_by or "chips") == decided_by and check(e, *words)


SENTENCES: dict[str, Callable[..., bool]] = {
    "The top {n} are paid: {m} for 1st, down to {m} for {o}.": _prizes,
    "The winner takes all the prize money, {m}.": lambda e, cents: _paid(e) == [cents],
    "The next bot out gets {m}, and everybody else is guaranteed at least {m}.": _next_out,
    "The next bot out gets nothing, and everybody else is guaranteed at least {m}.": lambda e, m: _next_out(e, 0, m),
    "The next bot out gets {m}.": lambda e, falls: _next_out(e, falls, 0),
    "{b} and {b} are playing for {m}. Second place pays {m}.": _last_two,
    "{b} and {b} are playing for {m}. Second place pays nothing.": _last_two,
    "{b} holds the last paying spot, {n} chips ahead of {b}.": _last_paid,
    "As things stand, {b} wins {m}. Second place pays {m}.": lambda e, bot, *cents: (
        alone(e.left) == bot and _pays(e, 1, 2) == cents
    ),
    "{b} has won {n} pots to {b}'s {n}.": _pots,
    "{b} and {b} have won {n} pots each.": lambda e, one, other, each: _pots(e, one, each, other, each),
    "{b} has won {n} of the last {n} pots.": lambda e, bot, won, hands: (
        len(e.latest) == hands and alone(_pots_lately(e)) == bot and sorted(_pots_lately(e).values())[1:] == [won]
    ),
    "{b} and {b} have each won {n} of the last {n} pots.": lambda e, one, other, won, hands: (
        len(e.latest) == hands and _pots_lately(e) == {one: won, other: won}
    ),
    "{b} leads {b} by {n} games to {n}.": _series,
    "The series is tied at {n} games each.": lambda e, each: [e.series_won[bot] for bot in e.players] == [each, each],
    "{b} has won {n} games so far, more than anybody else.": lambda e, bot, won: (
        alone(dict(e.series_won)) == bot and e.series_won[bot] == won
    ),
    "If the game ended now, {b} would take {f} rating points from {b}.": lambda e, bot, points, _: (
        _is(_elo(e, bot, e.left[bot] / sum(e.left.values())), points) and points > 0
    ),
    "{b} can gain {f} rating points in this game, or lose {f}.": lambda e, bot, gained, lost: (
        _is(_elo(e, bot, 1), gained) and _is(-_elo(e, bot, 0), lost)
    ),
    "{b} is rated {f} points above {b}.": _above,
    "{b} leads, although it is rated {f} points below {b}.": lambda e, bot, points, other: (
        _above(e, other, points, bot) and alone(e.left) == bot
    ),
    "Up to {n} more deals in {t}.": _deals_left,
    "The next deal is the last of {t}.": _deals_left,
    "{b} was the big winner of deal {n}: up {n} across all tables.": _of("chips", _most_of_a_deal),
    "{b} was the big winner of deal {n}: {n} chips earned across all tables.": _of("earned", _most_of_a_deal),
    "{b} is beating {b} by {n} chips a deal.": _of("chips", _leads_deals),
    "With luck taken out, {b} is {n} chips a deal better than {b}.": _of(
        "earned", lambda e, one, ahead, other: _leads_deals(e, one, other, ahead)
    ),
}
