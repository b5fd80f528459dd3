"""How many bots are in the hand, which ones, and who can still act: "three of us", "only Belle is left". Pure.

Before the flop, who has yet to act may be counted or not.
"""

import re
from functools import lru_cache

from broadcast.commentary.claims.kinds.position import behind, live_order
from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import Fact, fact, verdict
from broadcast.commentary.claims.speech.names import names_pattern, seats_by_name
from broadcast.commentary.claims.speech.people import SEATS, dealt, seat_called
from broadcast.commentary.claims.speech.words import number_of

KIND = "players"
EXAMPLES = """
Ah Kd, Kc 7s 2h         | We are [heads-up].                                | in the hand: 3
Ah Kd, Kc 7s 2h         | [Three of us], a dry board.                        |
Ah Kd, Kc 7s 2h         | [Two opponents], so I bet.                        |
Ah Kd, Kc 7s 2h         | [One player left behind me].                      | to act after it: 2
Ah Kd, Kc 7s 2h         | He leads into two of us.                          | no claim
"""


def _all_acted(known: Known, _: re.Match[str]) -> str | None:
    return verdict(not behind(known), f"to act after it: {len(behind(known))}")


def _only_blinds(known: Known, _: re.Match[str]) -> str | None:
    more = [seat for seat in behind(known) if seat not in known.blinds]
    return verdict(not more, f"to act after it: {len(behind(known))}")


def _heads_up(known: Known, _: re.Match[str]) -> str | None:
    right = len(known.live) == 2 or sum(stack > 0 for stack in known.started) == 2
    return verdict(None if not right and known.street == "preflop" else right, f"in the hand: {len(known.live)}")


def _number_in(known: Known, found: re.Match[str], counts: set[int]) -> str | None:
    if known.street == "preflop":
        counts = counts | {*range(2, len(known.live) + 1)} if len(known.live) > 2 else counts
    return verdict(number_of(found["number"]) in counts, f"in the hand: {len(known.live)}")


def _ways(known: Known, found: re.Match[str]) -> str | None:
    return _number_in(known, found, {len(known.live)})


def _table(known: Known, found: re.Match[str]) -> str | None:
    dealt = sum(stack > 0 for stack in known.started)
    return verdict(number_of(found["number"]) in (dealt, len(known.live)), f"dealt in: {dealt}")


def _multiway(known: Known, _: re.Match[str]) -> str | None:
    if known.street == "preflop":
        return None
    return verdict(len(known.live) > 2, f"in the hand: {len(known.live)}")


def _opponents(known: Known, found: re.Match[str]) -> str | None:
    number, others = number_of(found["number"]), len(known.others)
    dealt = sum(stack > 0 for stack in known.started) - 1
    right = True if number in (others, dealt) else None if known.street == "preflop" and number < others else False
    return verdict(right, f"opponents: {others}")


def _left_to_act(known: Known, found: re.Match[str]) -> str | None:
    order = live_order(known)
    after = [at for at in order[order.index(known.seat) + 1 :] if known.stacks[at]]
    counts = {len(behind(known)), len(after)}
    return verdict(number_of(found["number"]) in counts, f"to act after it: {len(behind(known))}")


def _to_act(known: Known, found: re.Match[str]) -> str | None:
    seats = _named_seats(known, found["who"])
    if len(seats) > 1 or seats[0] < 0 or seats[0] == known.seat:
        return None
    seat = seats[0]
    if seat not in known.live:
        return f"{known.names[seat]} has folded"
    return verdict(seat in behind(known) if known.stacks[seat] else None, f"{known.names[seat]} has acted")


def _still_in(known: Known, found: re.Match[str]) -> str | None:
    seat = seats_by_name(known)[found["who"]]
    return verdict(seat in known.live, f"{known.names[seat]} has folded")


def _alone_with(known: Known, found: re.Match[str]) -> str | None:
    """Checks that these are the only opponents left: "just me and Wyatt", "only Belle is left"."""
    words = re.split(r" and |, ", found["who"] or found["other"])
    seats = {at for word in words for at in _named_seats(known, word)}
    if -1 in seats or not seats:
        return None
    if known.street == "preflop" and seats <= {*known.others} and {*known.others} - {*behind(known)} <= seats:
        return "" if seats == {*known.others} else None
    return verdict(
        seats == {*known.others},
        f"also in: {', '.join(known.names[at] for at in known.others if at not in seats)}"
        if seats <= {*known.others}
        else "has folded",
    )


def _named_seats(known: Known, word: str) -> list[int]:
    if "blinds" in word:
        return [*known.blinds]
    at = seats_by_name(known).get(word, seat_called(known, word))
    return [-1 if at is None else at]


def _left_in(known: Known, found: re.Match[str]) -> str | None:
    opponents = not found[0].endswith("players") and re.search("opponents|others", found[0])
    return _opponents(known, found) if opponents else _ways(known, found)


def _of_us(known: Known, found: re.Match[str]) -> str | None:
    if re.search(r"\b(?:flop|limped|called|folded|blinds|dealt)\b", found.string[found.end() :]):
        return None
    return _ways(known, found)


def _dealt_in(known: Known, found: re.Match[str]) -> str | None:
    return verdict(number_of(found["number"]) == len(dealt(known)), f"dealt in: {len(dealt(known))}")


def _saw_flop(known: Known, found: re.Match[str]) -> str | None:
    """Checks how many saw the flop, or still can."""
    folded = sum(act.street == "preflop" and act.act == "fold" for act in known.acts)
    saw, number = len(dealt(known)) - folded, number_of(found["number"])
    if known.street == "preflop":
        low = len(known.live) - len(behind(known))
        return "" if number == saw else None if low <= number <= saw else f"in the hand: {saw}"
    return verdict(number in (saw, len(known.live)), f"saw the flop: {saw}")


def _only_behind(known: Known, found: re.Match[str]) -> str | None:
    seats = {at for word in re.split(r" and |, ", found["who"]) for at in _named_seats(known, word)}
    if -1 in seats:
        return None
    more = {*behind(known)} - seats
    return f"to act after it: {len(behind(known))}" if more else ""


def _all_out(known: Known, _: re.Match[str]) -> str | None:
    return verdict(len(known.others) <= 1, f"in the hand: {len(known.live)}")


_END = (
    r"(?! and (?:the )?(?:utg|hj|hijack|co|cut-?off|button|btn|sb|bb|small|big|blinds)\b)"
    r"(?= (?:with|and|here|so|i|facing|against|but|in|on|now|after|vs|first|closing|last|three|heads|w/?)\b|[,.;:!]|$)"
)
_N = r"(?P<number>one|two|three|four|five|six|seven|eight|nine|[1-9])"
_WE = (
    r"(?:(?<=\bwe are )|(?<=\bwe're )|(?<=\bit's )|(?<=\bits )|(?<=\bit is )|(?<=\bnow )|(?<=\bi am )|(?<=\bi'm )"
    r"|(?<=\bthis is )|(?<=^)|(?<=^ )|(?<=\ba )|(?<=, )|(?<=\bof a ))"
)


def facts(known: Known) -> tuple[Fact, ...]:
    """Returns the facts that can be told of who is in the hand."""
    return _facts(names_pattern(known))


@lru_cache(4)
def _facts(names: str) -> tuple[Fact, ...]:
    one = rf"(?:{names}|{SEATS})"
    return (
        *_FACTS,
        fact(
            rf"(?<!but )(?<!except )(?P<who>{one})(?:'s| is| are| has| remains| sits| can| could)?"
            r"(?: (?:still|yet|left|also))* (?:to (?:act|speak|go)(?: (?:behind|after)(?: me)?)?|behind me"
            r"|(?:act|raise) (?:behind|after) me|wake up behind me)",
            _to_act,
        ),
        fact(
            rf"(?P<who>{names}) (?:is |are )?still in(?: too)?(?= the hand| the pot| with|[,.;]|$| and| so)", _still_in
        ),
        fact(
            rf"(?:it's )?(?:now )?(?:just|only) (?:me and |me against |me versus "
            rf"|me vs\.? )(?P<who>{one}(?:(?: and |, ){one})*)(?! (?:behind|to act))",
            _alone_with,
        ),
        fact(rf"down to (?P<who>{one}) and (?:me|i)|(?:it's )me against (?P<other>{one})(?! and)", _alone_with),
        fact(rf"(?:just|only) (?P<who>{one}(?:(?: and |, ){one})*) and (?:me|i)\b", _alone_with),
        fact(
            rf"(?:it's |is )?(?:only|just) (?P<who>{one}(?:(?: and |, ){one})*)(?:(?: is| are"
            rf"|'s)?(?: still)? (?:left(?! to act)|remains?|remaining|in"
            r"|here|still here|against me)| here with me| to (?:beat|get through))(?! to act)",
            _alone_with,
        ),
        fact(
            rf"(?P<who>{one}(?: and {one})+) (?:are|is) (?:all that's |the only ones )?(?:left|still in|remain)",
            _alone_with,
        ),
        fact(rf"(?:down to|heads[- ]up (?:with|against|versus|vs\.?)) (?P<who>{one})(?! and)", _alone_with),
        fact(
            rf"only (?P<who>{one}(?: and {one})*)(?: is| are)? (?:(?:left )?to act|behind me|still behind(?: me)?)",
            _only_behind,
        ),
    )


_FACTS = (
    fact(rf"{_N} (?:players?|people|of us|bots|others)? ?(?:were |are )?(?:dealt in|at (?:the|this) table)", _dealt_in),
    fact(
        rf"{_N} (?:players?|of us|people) (?:(?:will |get to |still )?(?:see|saw|go|went|came|come"
        rf"|going) (?:to )?(?:this |the |a )?flop"
        r"|to the flop)",
        _saw_flop,
    ),
    fact(
        rf"(?<!into ){_N} of us(?: are| all)?(?: (?:still |left )?(?:here|in|see|now|left|remain|battling|playing))?",
        _of_us,
    ),
    fact(
        rf"{_N} (?:players|opponents|others) (?:remain|remaining|left|still here|with cards)(?! to act| behind)",
        _left_in,
    ),
    fact(r"(?:everyone|everybody) else (?:is out|has folded|folded|is gone)|all the others folded", _all_out),
    fact(r"(?:everyone|everybody)(?: else)? has acted(?: (?:already|before me))?", _all_acted),
    fact(r"(?:nobody|no one)(?: is)?(?: left)?(?: to act)? behind(?: me)?", _all_acted),
    fact(rf"(?:(?<=^)|(?<=^ )){_N} of us(?: remain| left)?{_END}", _ways),
    fact(rf"{_N} (?:players?|opponents?) to act(?: behind| after)(?: me)?", _left_to_act),
    fact(r"only the blinds (?:are )?(?:left )?to act", _only_blinds),
    fact(rf"{_WE}heads[- ]up(?= (?:from here|pot|now|with|and|against|on|here|so|in|vs|versus)\b|[,.;!]|$)", _heads_up),
    fact(rf"{_WE}{_N}[- ]way(?: pot)?(?= |[,.;!]|$)", _ways),
    fact(rf"{_WE}{_N}[- ](?:handed|max)", _table),
    fact(rf"{_WE}multi-?way(?: pot)?", _multiway),
    fact(
        rf"{_N} (?:players|of us|people) (?:are )?(?:still |left )?(?:in the (?:hand|pot)|in this (?:hand|pot)"
        r"|in)(?= |[,.;]|$)",
        _ways,
    ),
    fact(
        rf"(?:against|facing) (?:just |only )?{_N} (?:other )?(?:opponents?|players?)(?! (?:who|that|behind|left))",
        _opponents,
    ),
    fact(rf"{_N} opponents? (?:left|remaining|remain|still in)(?! to act)", _opponents),
    fact(
        rf"{_N} (?:players?|opponents?|more|of them)? ?(?:are |is )?(?:still |yet "
        r"|left )(?:left )?to act(?: behind(?: me)?| after me)?",
        _left_to_act,
    ),
    fact(rf"{_N} (?:players?|opponents?) (?:still )?behind(?: me)?", _left_to_act),
    fact(
        r"(?:(?<=^)|(?<=^ )|(?<=, )|(?<=with )|(?<=only )|(?<=just )|(?<=while ))"
        r"(?P<number>one|two|three|four|five|both|[1-5])(?: (?:players?|opponents?|others?|blinds|people|more))?"
        r"(?: (?:still|are|is|left|yet))* (?:to (?:act|speak|go)(?: (?:behind|after) me)?|behind me|acts? after me"
        r"|(?:can|could) (?:still )?(?:act|raise|wake up)(?: behind me)?)(?=[,.;!]|$| and| so| but)",
        _left_to_act,
    ),
    fact(rf"(?<!into )(?<!against ){_N} opponents(?=[,.;!]|$)(?! to act)", _opponents),
)
