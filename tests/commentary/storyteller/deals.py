"""Whether sentences about a stage in which all bots have the same cards are true."""

from collections.abc import Callable

from server.game.events import DecidedBy
from tests.commentary.storyteller.evening import Evening


def _left(evening: Evening, left: int) -> bool:
    assert evening.stage
    return left == (evening.stage.deals or 0) - len(evening.deals)


def _most(evening: Evening, bot: int, deal: int, made: int) -> bool:
    last = evening.deals[-1]
    return deal == len(evening.deals) and last[bot] == made == max(last.values())


def _per_deal(evening: Evening, bot: int) -> float:
    made = [deal[bot] for deal in evening.deals if bot in deal]
    return sum(made) / len(made)


def _leads(evening: Evening, one: int, other: int, ahead: int) -> bool:
    means = sorted((_per_deal(evening, bot) for bot in evening.field), reverse=True)
    first, second = _per_deal(evening, one), _per_deal(evening, other)
    return [first, second] == means[:2] and round(first - second) == ahead


def _of(decided_by: DecidedBy, check: Callable[..., bool]) -> Callable[..., bool]:
    """Returns `check` for a sentence that can be true only in a stage that `decided_by` decides."""
    return lambda evening, *words: (evening.stage.decided_by or "chips") == decided_by and check(evening, *words)


SENTENCES: dict[str, Callable[..., bool]] = {
    "Up to {n} more deals in {t}.": _left,
    "The next deal is the last of {t}.": lambda evening: _left(evening, 1),
    "{b} was the big winner of deal {n}: up {n} across all tables.": _of("chips", _most),
    "{b} was the big winner of deal {n}: {n} chips earned across all tables.": _of("earned", _most),
    "{b} is beating {b} by {n} chips a deal.": _of("chips", _leads),
    "With luck taken out, {b} is {n} chips a deal better than {b}.": _of(
        "earned", lambda evening, one, ahead, other: _leads(evening, one, other, ahead)
    ),
}
