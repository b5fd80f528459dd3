"""The verbs for what bots do in a hand: "checked", "3-bets", "went all in", and which acts they mean. Pure."""

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from broadcast.commentary.claims.speech.known import Acted, Known
from server.game.events import Street

Did = Callable[[Known, Acted], bool]
"""Whether an act is one that a verb describes."""


class Verb(Struct, frozen=True):
    """A verb, with regular expressions for its forms: "checked" (`past`), "checks" (`now`) and "check" (`base`).

    `meant` accepts the acts that the verb surely describes, and `loose` accepts those that it may describe.
    """

    past: str
    now: str
    base: str
    meant: Did
    loose: Did
    before_the_flop: bool = False
    """Whether the verb is about the betting before the flop if the sentence names no street."""


def _earlier(known: Known, act: Acted) -> list[Acted]:
    """Returns the acts before `act` on its street. `act` may be the bot's next act, which is not in `known.acts`."""
    before = known.acts[: known.acts.index(act)] if act in known.acts else known.acts
    return [each for each in before if each.street == act.street]


def _is(*acts: str) -> Did:
    return lambda _, act: act.act in acts


def _raise(lowest: int, highest: int = 99) -> Did:
    """Returns a function that accepts a bet or raise if `lowest` to `highest` bets and raises came before it on its
    street.
    """

    def did(known: Known, act: Acted) -> bool:
        number = sum(each.act in ("bet", "raise") for each in _earlier(known, act))
        return act.act in ("bet", "raise") and lowest <= number <= highest

    return did


def _after_check(wanted: str) -> Did:
    return lambda known, act: (
        act.act == wanted and any(each.seat == act.seat and each.act == "check" for each in _earlier(known, act))
    )


def _after_limp(known: Known, act: Acted) -> bool:
    return act.act == "call" and any(each.seat == act.seat and is_limp(known, each) for each in _earlier(known, act))


def is_limp(known: Known, act: Acted) -> bool:
    """Whether the act is a limp: a call of the big blind, or the big blind's own check."""
    return act.street == "preflop" and act.act in ("call", "check") and act.facing <= known.big_blind


def _min_bet(known: Known, act: Acted) -> bool:
    return act.act == "bet" and (act.bet <= known.big_blind or act.all_in)


def _min_raise(known: Known, act: Acted) -> bool:
    return act.act == "raise" and act.bet <= 2 * max(act.facing, known.big_blind)


def last_raiser(known: Known) -> int:
    """Returns the seat that raised last before the flop; -1 if none has raised."""
    return ([-1] + [act.seat for act in known.acts if act.street == "preflop" and act.act == "raise"])[-1]


def _c_bet(known: Known, act: Acted) -> bool:
    return act.street == "flop" and act.act == "bet" and act.seat == last_raiser(known)


def _shove(_: Known, act: Acted) -> bool:
    return act.all_in and act.act in ("bet", "raise", "call")


def _verb(stems: str, meant: Did, loose: Did | None = None, *, after: str = "", early: bool = False) -> Verb:
    """Returns a regular verb. `stems` are separated by bars, and every form may be followed by `after`.

    `early` is the verb's `before_the_flop`. Without `loose`, the verb may describe only what `meant` accepts.
    """
    each = [stem.removesuffix("e") for stem in stems.split("|")]
    past, now, base = (
        "|".join(form + after for form in forms)
        for forms in ([rf"{stem}{stem[-1]}?ed" for stem in each], [rf"{stem}e?s" for stem in each], stems.split("|"))
    )
    return Verb(past, now, base, meant, loose or meant, early)


_PUT = Verb(
    "made it|bumped it|popped it|put it|put in a raise",
    "makes it|bumps it|pops it",
    "make it",
    _is("raise"),
    _is("raise", "bet"),
)
VERBS = (
    _verb("check[- ]?raise", _after_check("raise")),
    _verb("check[- ]?call", _after_check("call"), _is("call")),
    _verb("limp[- ]?call", _after_limp, early=True),
    Verb(r"3-?bet(?:ted)?|three-?bet(?:ted)?", "3-?bets|three-?bets", "3-?bet|three-?bet", _raise(1, 1), _raise(1)),
    Verb(r"4-?bet(?:ted)?|four-?bet(?:ted)?", "4-?bets|four-?bets", "4-?bet|four-?bet", _raise(2, 2), _raise(2)),
    _verb("re-?raise|re-?pop|squeeze", _raise(1), _is("raise", "bet"), after="(?: it)?"),
    _verb("min-?raise", _min_raise, early=True),
    _verb("isolate|iso-?raise", _is("raise"), early=True),
    _verb("raise", _is("raise"), _is("raise", "bet"), early=True),
    _PUT,
    Verb("c-?bet|continuation bet", r"c-?bets", r"c-?bet", _c_bet, _is("bet")),
    Verb("min-?bet", "min-?bets", "min-?bet", _min_bet, _min_bet),
    Verb("bet", "bets", "bet", _is("bet"), _is("bet", "raise")),
    _verb("(?:double|triple|two|three)-barrel|barrel|fire|stab|donk", _is("bet"), _is("bet", "raise")),
    Verb(r"led(?: out)?|donk[- ]bet", r"leads(?: out)?", r"lead(?: out)?", _is("bet"), _is("bet")),
    _verb("call|just call|flat-call|flat call|flat|peel", _is("call")),
    _verb("limp|open-limp|openlimp", is_limp, after="(?: in(?! front)| along| behind)?", early=True),
    _verb("complete", is_limp, early=True),
    _verb("check", _is("check"), after="(?: behind| back)?"),
    Verb("came along", "comes along", "come along", _is("call"), _is("call")),
    Verb(
        r"defended(?: (?:her|his|the|my|their))?(?: (?:big|small))?(?: blind)?", "defends", "defend",
        _is("call", "raise"), _is("call", "raise"), before_the_flop=True,
    ),
    _verb("fold", _is("fold")),
    _verb("shove|jam", _shove),
    Verb(
        "(?:entered|came into|got into|joined) (?:the|this) pot|voluntarily put money in", "enters the pot",
        "enter the pot", _is("call", "raise", "bet"), _is("call", "raise", "bet"), before_the_flop=True,
    ),
    Verb(r"(?:went|moved|pushed) all[- ]in", r"(?:goes|moves) all[- ]in", "go all[- ]in", _shove, _shove),
    _verb("open|open-raise", _raise(0, 0), _is("raise", "bet"), after="(?: the pot)?(?: for a raise)?", early=True),
)  # fmt: skip
"""All verbs. If words are a form of several verbs, the first of these counts."""
_FORMS = {form: "|".join(getattr(verb, form) for verb in VERBS) for form in ("past", "now", "base")}
ACT = re.compile(
    rf"(?<![\w'-])(?:(?P<past>{_FORMS['past']})|(?P<now>{_FORMS['now']})|(?P<base>{_FORMS['base']}))(?![\w'-])"
)
"""Matches a verb in the group of its form: `past` (he raised), `now` (he bets), or `base` (did not raise)."""
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
