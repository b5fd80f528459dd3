"""Reads what an event is played for: money, shares of the prizes and blinds. Each function takes a parsed TOML
value and returns it converted, or raises ValueError with words for the organiser that follow the key.
"""

import re
from decimal import Decimal

from server.config.event_values import written
from server.game.prizes import WHOLE, Share
from server.game.rules import Level

MOST_DOLLARS = 10_000
_SUM = re.compile(r"\$?(\d+(?:\.\d{1,2})?)")
_LEVEL = re.compile(r"(\d{1,9})/(\d{1,9})(?:/(\d{1,9}))?")
_PER_CENT = re.compile(r"(\d+(?:\.\d{1,2})?) ?%")


def cents(value: object) -> int:
    """Dollars (5, 5.00, "5", "$5.00"), returned in cents. Raises ValueError."""
    sum_ = _SUM.fullmatch(str(value)) if isinstance(value, int | Decimal | str) else None
    if sum_ is None or isinstance(value, bool):
        raise ValueError(f"should be dollars such as 5 or 5.50, not {written(value)}")
    if Decimal(sum_[1]) > MOST_DOLLARS:
        raise ValueError(f"should be at most {MOST_DOLLARS} dollars, not {sum_[1]}")
    return int(Decimal(sum_[1]) * 100)


def shares(value: object) -> tuple[Share, ...]:
    """One share of the prizes for each place, best first; () for "house", those of the rule book. Raises ValueError."""
    if value == "house":
        return ()
    if not isinstance(value, list) or not value:
        raise ValueError(f'should be "house" or a list such as ["50%", "30%", "20%"], not {written(value)}')
    read = tuple(_share(place, item) for place, item in enumerate(value, 1))
    whole = sum(share.part for share in read)
    if whole not in (0, WHOLE):
        raise ValueError(f"has parts that add up to {Decimal(whole) / 100:f} %, not to 100 %")
    return read


def _share(place: int, item: object) -> Share:
    if isinstance(item, str) and (part := _PER_CENT.fullmatch(item)):
        return Share(part=int(Decimal(part[1]) * 100))
    if isinstance(item, str) and item.startswith("$") and _SUM.fullmatch(item):
        return Share(cents(item))
    raise ValueError(f'has for place {place} {written(item)}: write "20%" or "$5"')


def blinds(value: object) -> tuple[Level, ...]:
    """The blinds of each level, from a list of "small/big" or "small/big/ante". Raises ValueError."""
    if not isinstance(value, list) or not value:
        raise ValueError(
            f'should be a list with the blinds of each level, such as ["1/2", "2/4"], not {written(value)}'
        )
    return tuple(_level(item) for item in value)


def _level(item: object) -> Level:
    found = _LEVEL.fullmatch(item) if isinstance(item, str) else None
    if found is None:
        raise ValueError(f'has {written(item)}: write "1/2", or "1/2/1" for an ante of 1')
    level = Level(int(found[1]), int(found[2]), int(found[3] or 0))
    if not 1 <= level.small <= level.big:
        raise ValueError(f'has "{item}": a small blind is at least 1 and not more than the big one')
    return level
