"""The verbs for what bots do in a hand, such as "checked", "3-bets" and "went all in", and the acts that they mean.
No I/O.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge, HandAction
from server.game.events import Street

ActTest = Callable[[BotKnowledge, HandAction], bool]
"""A function that says whether a verb describes an act."""


class Verb(Struct, frozen=True):
    """A verb, with regular expressions for its forms: "checked" (`past`), "checks" (`now`) and "check" (`base`).

    `surely_means` accepts the acts that the verb surely describes, and `may_mean` accepts those that it may describe.
    """

    past: str
    now: str
    base: str
    surely_means: ActTest
    may_mean: ActTest
    is_preflop: bool = False
    """Whether the verb means an act before the flop if the sentence names no street."""


def _earlier_acts(known: BotKnowledge, act: HandAction) -> list[HandAction]:
    """Returns the acts before `act` on its street. `act` may be the bot's next act, which is not in `known.acts`."""
    before = known.acts[: known.acts.index(act)] if act in known.acts else known.acts
    return [each for each in before if each.street == act.street]


def _is_one_of(*acts: str) -> ActTest:
    return lambda _, act: act.act in acts


def _is_nth_raise(lowest: int, highest: int = 99) -> ActTest:
    """Returns a function that accepts a bet or raise if its street had at least `lowest` and at most `highest` bets and
    raises before it.
    """

    def did(known: BotKnowledge, act: HandAction) -> bool:
        number = sum(each.act in ("bet", "raise") for each in _earlier_acts(known, act))
        return act.act in ("bet", "raise") and lowest <= number <= highest

    return did


def _after_check(wanted: str) -> ActTest:
    return lambda known, act: (
        act.act == wanted and any(each.seat == act.seat and each.act == "check" for each in _earlier_acts(known, act))
    )


def _after_limp(known: BotKnowledge, act: HandAction) -> bool:
    return act.act == "call" and any(
        each.seat == act.seat and is_limp(known, each) for each in _earlier_acts(known, act)
    )


def is_limp(known: BotKnowledge, act: HandAction) -> bool:
    """Whether the act is a limp: a call of the big blind, or the big blind's own check."""
    return act.street == "preflop" and act.act in ("call", "check") and act.facing <= known.big_blind


def _min_bet(known: BotKnowledge, act: HandAction) -> bool:
    return act.act == "bet" and (act.bet <= known.big_blind or act.all_in)


def _min_raise(known: BotKnowledge, act: HandAction) -> bool:
    return act.act == "raise" and act.bet <= 2 * max(act.facing, known.big_blind)


def last_raiser(known: BotKnowledge) -> int:
    """Returns the seat that raised last before the flop, or -1 if nobody has raised."""
    return ([-1] + [act.seat for act in known.acts if act.street == "preflop" and act.act == "raise"])[-1]


def _c_bet(known: BotKnowledge, act: HandAction) -> bool:
    return act.street == "flop" and act.act == "bet" and act.seat == last_raiser(known)


def _shove(_: BotKnowledge, act: HandAction) -> bool:
    return act.all_in and act.act in ("bet", "raise", "call")


def _regular_verb(
    stems: str, surely_means: ActTest, may_mean: ActTest | None = None, *, after: str = "", is_preflop: bool = False
) -> Verb:
    """Returns a regular verb. `stems` are separated by bars. Every form may be followed by the pattern `after`.

    If `may_mean` is None, the verb describes only acts that `surely_means` accepts.
    """
    each = [stem.removesuffix("e") for stem in stems.split("|")]
    past, now, base = (
        "|".join(form + after for form in forms)
        for forms in ([rf"{stem}{stem[-1]}?ed" for stem in each], [rf"{stem}e?s" for stem in each], stems.split("|"))
    )
    return Verb(past, now, base, surely_means, may_mean or surely_means, is_preflop)


_MAKE_IT = Verb(
    "made it|bumped it|popped it|put it|put in a raise",
    "makes it|bumps it|pops it",
    "make it",
    _is_one_of("raise"),
    _is_one_of("raise", "bet"),
)
VERBS = (
    _regular_verb("check[- ]?raise", _after_check("raise")),
    _regular_verb("check[- ]?call", _after_check("call"), _is_one_of("call")),
    _regular_verb("limp[- ]?call", _after_limp, is_preflop=True),
    Verb(
        r"3-?bet(?:ted)?|three-?bet(?:ted)?", "3-?bets|three-?bets", "3-?bet|three-?bet",
        _is_nth_raise(1, 1), _is_nth_raise(1),
    ),
    Verb(
        r"4-?bet(?:ted)?|four-?bet(?:ted)?", "4-?bets|four-?bets", "4-?bet|four-?bet",
        _is_nth_raise(2, 2), _is_nth_raise(2),
    ),
    _regular_verb("re-?raise|re-?pop|squeeze", _is_nth_raise(1), _is_one_of("raise", "bet"), after="(?: it)?"),
    _regular_verb("min-?raise", _min_raise, is_preflop=True),
    _regular_verb("isolate|iso-?raise", _is_one_of("raise"), is_preflop=True),
    _regular_verb("raise", _is_one_of("raise"), _is_one_of("raise", "bet"), is_preflop=True),
    _MAKE_IT,
    Verb("c-?bet|continuation bet", r"c-?bets", r"c-?bet", _c_bet, _is_one_of("bet")),
    Verb("min-?bet", "min-?bets", "min-?bet", _min_bet, _min_bet),
    Verb("bet", "bets", "bet", _is_one_of("bet"), _is_one_of("bet", "raise")),
    _regular_verb(
        "(?:double|triple|two|three)-barrel|barrel|fire|stab|donk", _is_one_of("bet"), _is_one_of("bet", "raise")
    ),
    Verb(r"led(?: out)?|donk[- ]bet", r"leads(?: out)?", r"lead(?: out)?", _is_one_of("bet"), _is_one_of("bet")),
    _regular_verb("call|just call|flat-call|flat call|flat|peel", _is_one_of("call")),
    _regular_verb("limp|open-limp|openlimp", is_limp, after="(?: in(?! front)| along| behind)?", is_preflop=True),
    _regular_verb("complete", is_limp, is_preflop=True),
    _regular_verb("check", _is_one_of("check"), after="(?: behind| back)?"),
    Verb("came along", "comes along", "come along", _is_one_of("call"), _is_one_of("call")),
    Verb(
        r"defended(?: (?:her|his|the|my|their))?(?: (?:big|small))?(?: blind)?", "defends", "defend",
        _is_one_of("call", "raise"), _is_one_of("call", "raise"), is_preflop=True,
    ),
    _regular_verb("fold", _is_one_of("fold")),
    _regular_verb("shove|jam", _shove),
    Verb(
        "(?:entered|came into|got into|joined) (?:the|this) pot|voluntarily put money in", "enters the pot",
        "enter the pot", _is_one_of("call", "raise", "bet"), _is_one_of("call", "raise", "bet"), is_preflop=True,
    ),
    Verb(r"(?:went|moved|pushed) all[- ]in", r"(?:goes|moves) all[- ]in", "go all[- ]in", _shove, _shove),
    _regular_verb(
        "open|open-raise", _is_nth_raise(0, 0), _is_one_of("raise", "bet"),
        after="(?: the pot)?(?: for a raise)?", is_preflop=True,
    ),
)  # fmt: skip
"""All verbs. If words are a form of several verbs, the first of these verbs is meant."""
_FORMS = {form: "|".join(getattr(verb, form) for verb in VERBS) for form in ("past", "now", "base")}
ACT = re.compile(
    rf"(?<![\w'-])(?:(?P<past>{_FORMS['past']})|(?P<now>{_FORMS['now']})|(?P<base>{_FORMS['base']}))(?![\w'-])"
)
"""Matches a verb. The name of the matching group is its form: `past` (he raised), `now` (he bets), or `base` (did not
raise).
"""
STREET = r"flop|turn|river|before the flop|pre-?flop|pre\b"


@lru_cache(256)
def verb_of(words: str) -> Verb:
    """Returns the verb of a match of `ACT`."""
    return next(verb for verb in VERBS if any(re.fullmatch(form, words) for form in (verb.past, verb.now, verb.base)))


def street_called(words: str) -> Street:
    """Returns the street that words such as "pre" or "before the flop" name."""
    match words:
        case "flop" | "turn" | "river":
            return words
    return "preflop"
