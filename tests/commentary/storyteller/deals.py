"""Whether sentences about a stage in which all bots have the same cards are true."""

from collections.abc import Callable

from tests.commentary.storyteller.evening import Evening


def _left(evening: Evening, left: int) -> bool:
    assert evening.stage
    return left == (evening.stage.deals or 0) - len(evening.deals)


def _most(evening: Evening, bot: int, deal: int, won: int) -> bool:
    last = evening.deals[-1]
    return deal == len(evening.deals) and last[bot] == won == max(last.values())


def _per_deal(evening: Evening, bot: int) -> float:
    won = [deal[bot] for deal in evening.deals if bot in deal]
    return sum(won) / len(won)


def _leads(evening: Evening, one: int, other: int, ahead: int, deals: int) -> bool:
    means = sorted((_per_deal(evening, bot) for bot in evening.field), reverse=True)
    first, second = _per_deal(evening, one), _per_deal(evening, other)
    return [first, second] == means[:2] and round(first - second) == ahead and deals == len(evening.deals)


SENTENCES: dict[str, Callable[..., bool]] = {
    "At most {n} deals of {t} are left.": _left,
    "At most {n} deal of {t} is left.": _left,
    "{b} did best in deal {n}: {n} chips at all tables together.": _most,
    "{b} leads {b} by {n} chips per deal after {n} deals.": _leads,
}
