"""What a bot says that it does now, held against its own act: "I raise to 400", "folding this", "so I'll call". Pure.

Only a whole announcement counts: after it the clause ends, or goes on with a reason. A plan, a condition, a choice
("I raise or fold") and an option that is weighed ("I fold, I keep 900") announce nothing. A call where nothing is to
call is a check, and a bet and a raise are the same. An amount may be the total or what is added, and is not judged
once the bot is all-in.
"""

import re

from broadcast.commentary.claims.kinds.price import judged
from broadcast.commentary.claims.speech.known import Acted, Known
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER

KIND = "announced"
EXAMPLES = """
raise to 400 | [I raise to 400].                           |
raise to 400 | My hand is good, so [I raise].              |
raise to 400 | [I bet 400] for value.                      |
raise to 400 | [I raise to 900].                           | did: raise to 400
raise to 400 | [I'm just calling here].                    | did: raise to 400
raise to 400 | I call. No, [I raise].                      |
raise to 400 | [I shove].                                  | did: raise to 400
fold         | [I call] because he bluffs.                 | did: fold
fold         | [Folding this].                             |
fold         | If he raises, I fold.                       | no claim
fold         | I raise or fold.                            | no claim
fold         | I raise here and he calls with better.      | no claim
fold         | I bet 200 and got raised.                   | no claim
call 100     | Folding, of course, is wrong.               | no claim
call 100     | Checking is not possible.                   | no claim
call 100     | I never fold. I can't fold.                 | no claim
call 100     | [I fold here].                              | did: call 100
fold         | I call, I lose 300.                         | no claim
fold         | Should I call? I call too often.            | no claim
fold         | I raise preflop with these.                 | no claim
fold         | He thinks I call.                           | no claim
fold         | I bet he has it.                            | no claim
fold         | I'll call the turn.                         | no claim
fold         | He shoves, I call.                          | no claim
fold         | My plan: I call, then I raise the river.    | no claim
check        | [I call].                                   |
check        | [I fold this].                              | did: check
call 100     | [I check].                                  | did: call 100
call 100     | So [I'll call].                             |
all-in 900   | [I am all-in].                              |
all-in 900   | [I raise to 2,000].                         |
"""

_NOT_NOW = re.compile(
    r"\b(?:normally|by default|in general|say|every time|each time|before|after|that|why|how|where|what|who|then|or"
    r"|options?|plan|alternatively|first|earlier|preflop|pre-flop|rather|as soon as"
    r"|(?:he|she|they|you|people|players?|villain|opponents?|someone|somebody|everyone|nobody|hero) (?:just |then )?"
    r"(?:bets?|raises?|re-?raises?|shoves?|jams?|checks?|calls?|folds?|fires?|comes?)"
    r"|(?:card|heart|spade|diamond|club|ace|king|queen|jack|ten|brick|blank|turn|river) (?:comes|hits|falls|bricks))\b"
)
"""With one of these before it in the sentence, an act may belong to another moment, or to a choice."""
_WEIGHED = re.compile(
    r"\s*(?:;|:|,?\s*(?:or|then|if|unless|when|until|got|was|now)\b"
    r"|(?:,?\s*(?:and|but)|,)\s*(?:i|i'm|i'll|he|she|they|we|it|villain|everyone|nobody|got|was|get|lose|win)\b)"
)
"""What follows an option that is only weighed, a condition or a plan."""
_ENDS = (
    r"(?=\s*(?:$|[.,!);:]|-\s"
    r"|(?:because|since|and|but|as|so|for value|for now|instead|or|then|if|unless|when|until)\b))"
)
_TAIL = r"(?: (?:it|this|here|now|again|my hand|this one|behind|back|along|the bet|his bet|her bet|their bet))*"
_SUBJECT = (
    r"(?:(?:i|we) (?:just |simply |only |happily |reluctantly |therefore |now |gladly )*"
    r"|(?:i|we)(?:'ll| will) (?:just |simply |only |happily |reluctantly )*)"
)
_BEING = r"(?:i'm|i am|we're|we are) (?:just |simply |only |now )*"
_ALONE = r"(?:(?<=^)|(?<=^ ))(?:just |easy |simply )?"
_STOPS = r"(?=\s*(?:$|[.!]|(?:because|since)\b))"
"""A sentence may begin with what the bot does, but "folding, of course, is wrong" announces nothing."""
_SIZE = (
    rf"(?: (?:it )?(?:(?:up )?to |by |of )?(?P<amount>{ABOUT}?{NUMBER})(?P<unit> ?(?:bbs?|big blinds?|x)\b)?"
    r"(?: chips)?)?"
)


def _doing(verb: str) -> str:
    """The pattern of "I am folding" and of "Folding this." for the `verb` "folding"."""
    return rf"{_BEING}{verb}{_TAIL}{_ENDS}|{_ALONE}{verb}{_TAIL}{_STOPS}"


def _judged(known: Known, found: re.Match[str], right: bool | None) -> str | None:
    own, text = known.own, found.string
    if own is None or _NOT_NOW.search(text[: found.start()]) or _WEIGHED.match(text[found.end() :]):
        return None
    return verdict(right, f"did: {_told(own)}")


def _told(own: Acted) -> str:
    if own.all_in:
        return f"all-in {own.bet:,}"
    words = {"bet": f"bet {own.bet:,}", "raise": f"raise to {own.bet:,}", "call": f"call {own.amount:,}"}
    return words.get(own.act, own.act)


def _folds(known: Known, found: re.Match[str]) -> str | None:
    return _judged(known, found, known.own is not None and known.own.act == "fold")


def _checks(known: Known, found: re.Match[str]) -> str | None:
    return _judged(known, found, known.own is not None and known.own.act == "check")


def _calls(known: Known, found: re.Match[str]) -> str | None:
    own = known.own
    right = own is not None and own.act in ("call", "check")
    if own and own.all_in and not right:
        return None  # its last chips may be fewer than a raise
    return _judged(known, found, right)


def _raises(known: Known, found: re.Match[str]) -> str | None:
    own = known.own
    if own is None or (own.all_in and own.act == "call"):
        return None
    right: bool | None = own.act in ("bet", "raise")
    if found["amount"] and not right and any(act.seat == known.seat and act.bet for act in known.acts):
        return None  # it may tell of an earlier bet
    if right and found["amount"] and not own.all_in:
        chips = [float(each) for each in (own.bet, own.amount, own.bet - own.facing)]
        blinds = [each / known.big_blind for each in chips]
        if found["unit"] and found["unit"].endswith("x"):
            return None
        right = judged(found["amount"], blinds if found["unit"] else [*chips, *blinds])
    return _judged(known, found, right)


def _shoves(known: Known, found: re.Match[str]) -> str | None:
    own = known.own
    if own is None:
        return None
    most = max((known.stacks[at] + known.bets[at] for at in known.others), default=0)
    covers = own.act in ("bet", "raise") and own.bet >= most
    return _judged(known, found, True if own.all_in else None if covers else False)


FACTS = (
    fact(rf"{_SUBJECT}fold{_TAIL}{_ENDS}", _folds),
    fact(_doing("folding"), _folds),
    fact(rf"{_SUBJECT}(?:check|tap){_TAIL}{_ENDS}", _checks),
    fact(_doing("checking"), _checks),
    fact(rf"{_SUBJECT}(?:flat[- ]?)?call{_TAIL}{_ENDS}", _calls),
    fact(_doing("(?:flat[- ]?)?calling"), _calls),
    fact(rf"{_SUBJECT}(?:re-?)?raise{_SIZE}{_TAIL}{_ENDS}", _raises),
    fact(rf"{_SUBJECT}(?:make it|bet(?= (?:to |of )?(?:{ABOUT})?\d)){_SIZE}{_TAIL}{_ENDS}", _raises),
    fact(rf"{_BEING}(?:(?:re-?)?raising|betting){_SIZE}{_TAIL}{_ENDS}", _raises),
    fact(rf"{_SUBJECT}(?:shove|jam|(?:go|move) all[- ]in){_TAIL}{_ENDS}", _shoves),
    fact(_doing("(?:shoving|jamming|(?:going |moving )?all[- ]in)"), _shoves),
)
