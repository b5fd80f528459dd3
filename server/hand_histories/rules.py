"""By which rules published hands are played: the usual ones, or those that one of our own exports names. Pure."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from server.game.rules import Level, Rules
from server.hand_histories.phh_reader import BadHistory, Published

_WRITTEN_ELSEWHERE = ("levels", "hands_per_level", "ante_from", "hand_cap")


def house_rules(rules: Rules) -> dict[str, Any]:
    """The fields in which `rules` are not the usual ones; blinds and antes stand elsewhere in a file."""
    usual = msgspec.to_builtins(Rules())
    given = msgspec.to_builtins(rules).items()
    return {name: value for name, value in given if value != usual.get(name) and name not in _WRITTEN_ELSEWHERE}


def rules_of(hand: Published, scale: int) -> Rules:
    """The rules of one hand, amounts times `scale`. Raises BadHistory where we do not know them."""
    try:
        rules = msgspec.convert(_known(hand.rules), Rules)
    except msgspec.ValidationError as error:
        raise BadHistory(f"{hand.where}: '_rules': {str(error)[:200]}") from None
    small, big = _blinds(hand)
    ante, from_whom = _ante(hand)
    level = Level(int(small * scale), int(big * scale), int(ante * scale))
    return replace(rules, levels=(level,), ante_from="big_blind" if from_whom else "everyone")


def common_rules(common: Rules | None, rules: Rules, where: str) -> Rules:
    """The rules of all hands so far and of one more, with the first one's blinds. Raises BadHistory if they differ."""
    if common is None:
        return rules
    if _bare(rules) != _bare(common):
        raise BadHistory(f"{where}: it was played by other rules than the first hand")
    if not rules.levels[0].ante or rules.ante_from == common.ante_from:
        return common
    if common.levels[0].ante:
        raise BadHistory(f"{where}: the ante is paid in another way than in the first hand")
    return replace(common, ante_from=rules.ante_from)


def _bare(rules: Rules) -> Rules:
    return replace(rules, levels=(), ante_from="everyone")


def _known(given: Mapping[str, Any]) -> dict[str, Any]:
    unknown = {*given} - {*Rules.__struct_fields__}
    if unknown:
        raise msgspec.ValidationError(f"there is no rule {min(unknown)[:40]!r}")
    rules = {name: value for name, value in given.items() if name not in _WRITTEN_ELSEWHERE}
    for name in ("think_ms", "raise_laps"):
        if isinstance(rules.get(name), int) and not 0 <= rules[name] <= 10**6:
            raise msgspec.ValidationError(f"{name} is out of all range")
    return rules


def _blinds(hand: Published) -> tuple[Any, Any]:
    small, big, *others = hand.blinds
    if any(others):
        raise BadHistory(f"{hand.where}: somebody straddles, or posts out of turn, which our tables do not know")
    if not 0 <= small <= big or not big:
        raise BadHistory(f"{hand.where}: the blinds {small} and {big} are none")
    if hand.min_bet != big:
        raise BadHistory(f"{hand.where}: the smallest bet, {hand.min_bet}, is not the big blind, which our tables need")
    return small, big


def _ante(hand: Published) -> tuple[Any, bool]:
    """What the ante is, and whether the big blind pays it for all."""
    first, *others = hand.antes
    if all(ante == first for ante in others):
        return first, False
    if not first and not any(others[1:]):  # heads-up antes are written the other way round, like blinds
        return others[0], True
    raise BadHistory(f"{hand.where}: some pay an ante and some do not, which our tables know of the big blind only")
