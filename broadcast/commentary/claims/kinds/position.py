"""The seat and the order of acting: "on the button", "in position", "last to act", "heads-up". Pure.

Before the flop "in position" is no claim, because some count the order after the flop.
"""

import re
from collections.abc import Callable

from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.words import number_of
from server.game.hand import circle

KIND = "position"
EXAMPLES = """
Ah Kd                   | I'm [on the button] with a big hand.              |
Ah Kd                   | [On the button] I raise most hands.               |
Ah Kd                   | I am [in the big blind].                          | seat: button
Ah Kd, Kc 7s 2h         | I am [in position], so I bet.                     |
Ah Kd, Kc 7s 2h         | I'm [out of position].                            | acts last
Ah Kd, Kc 7s 2h         | We are [heads-up].                                | in the hand: 3
Ah Kd, Kc 7s 2h         | I am [first to act].                              | acts last
Ah Kd                   | He is on the button.                              | no claim
Ah Kd                   | A raise from the button is often weak.            | no claim
"""


def _dealt(known: Known) -> list[int]:
    """The seats dealt in, clockwise from the button's left."""
    seats = len(known.started)
    return [at for at in circle(known.button + 1, seats) if known.started[at]]


def _name(known: Known) -> str:
    names = {known.button: "button", known.blinds[0]: "small blind", known.blinds[1]: "big blind"}
    both = known.seat == known.button and known.seat in known.blinds
    return f"seat: {'button and a blind' if both else names.get(known.seat, 'no blind, no button')}"


def _seat(of: Callable[[Known], int]) -> Callable[[Known, re.Match[str]], str | None]:
    return lambda known, _: verdict(of(known) == known.seat if of(known) >= 0 else None, _name(known))


def _under_the_gun(known: Known) -> int:
    seats = _dealt(known)
    if len(seats) < 4 or known.blinds[1] not in seats:
        return -1
    return seats[(seats.index(known.blinds[1]) + 1) % len(seats)]


def _before_button(steps: int) -> Callable[[Known], int]:
    def seat(known: Known) -> int:
        seats = _dealt(known)
        at = seats[-1 - steps] if len(seats) > 3 + steps and seats[-1] == known.button else -1
        return -1 if at in known.blinds else at

    return seat


def _live_order(known: Known) -> list[int]:
    return [at for at in known.order if at in known.live]


def _place(known: Known) -> str:
    order = _live_order(known)
    at = order.index(known.seat)
    return "acts first" if at == 0 else "acts last" if at == len(order) - 1 else f"acts as number {at + 1}"


def _in_position(known: Known, found: re.Match[str]) -> str | None:
    order = _live_order(known)
    if known.street == "preflop" or len(order) < 2 or known.seat not in (order[0], order[-1]):
        return None
    return verdict((known.seat == order[-1]) == (not found["out"]), _place(known))


def _behind(known: Known) -> list[int]:
    """The seats that can still act after the bot on this street."""
    order = _live_order(known)
    at = order.index(known.seat)
    acted = {act.seat for act in known.acts if act.street == known.street}
    top = max(known.bets, default=0)
    waiting = [seat for seat in order[at + 1 :] + order[:at] if known.stacks[seat]]
    return [seat for seat in waiting if seat not in acted or known.bets[seat] < top]


def _last(known: Known, found: re.Match[str]) -> str | None:
    right = known.seat == _live_order(known)[-1] or not _behind(known)
    if not right and known.street == "preflop" and known.seat == known.button:
        return None
    return verdict(right, f"to act after it: {len(_behind(known))}")


def _first(known: Known, _: re.Match[str]) -> str | None:
    order = _live_order(known)
    if known.seat != order[0] and known.street == "preflop":
        return None
    return verdict(known.seat == order[0], _place(known))


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
    order = _live_order(known)
    after = [at for at in order[order.index(known.seat) + 1 :] if known.stacks[at]]
    counts = {len(_behind(known)), len(after)}
    return verdict(number_of(found["number"]) in counts, f"to act after it: {len(_behind(known))}")


_I = (
    r"(?:(?<=\bi'm )|(?<=\bi am )|(?<=\bi'm still )|(?<=\bwe're )|(?<=\bwe are )|(?<=\bi sit )|(?<=\bi act )"
    r"|(?<=\bi'm acting )|(?<=\bsitting )|(?<=^)|(?<=^ )|(?<=, )|(?<=\bi'm playing )|(?<=\bme ))"
)
_BARE_END = r"(?= (?:with|and|here|so|i|facing|against|but|in|on|now|after)\b|[,.;!]|$)"
_N = r"(?P<number>one|two|three|four|five|six|seven|eight|nine|[1-9])"
_WE = (
    r"(?:(?<=\bwe are )|(?<=\bwe're )|(?<=\bit's )|(?<=\bit is )|(?<=\bnow )|(?<=\bi am )|(?<=\bi'm )"
    r"|(?<=\bthis is )|(?<=^)|(?<=^ )|(?<=\ba )|(?<=, )|(?<=\bof a ))"
)
FACTS = (
    fact(rf"{_I}(?:on (?:the )?(?:button|btn)|(?:in )?the dealer){_BARE_END}", _seat(lambda known: known.button)),
    fact(rf"{_I}in (?:the )?(?:small blind|sb){_BARE_END}", _seat(lambda known: known.blinds[0])),
    fact(rf"{_I}in (?:the )?(?:big blind|bb){_BARE_END}", _seat(lambda known: known.blinds[1])),
    fact(rf"{_I}(?:under the gun|utg){_BARE_END}", _seat(_under_the_gun)),
    fact(rf"{_I}(?:in|on) the (?:cut-?off|co){_BARE_END}", _seat(_before_button(1))),
    fact(rf"{_I}(?:in|on) the hijack{_BARE_END}", _seat(_before_button(2))),
    fact(rf"{_I}(?P<out>out of |oop|)(?:(?<=oop)|(?<=out of )position|in position){_BARE_END}", _in_position),
    fact(rf"{_I}(?:last to act|acting last|closing the action|last){_BARE_END}", _last),
    fact(rf"{_I}(?:first to act|acting first){_BARE_END}", _first),
    fact(rf"{_WE}heads[- ]up(?= (?:pot|now|with|and|against|on|here|so|in)\b|[,.;!]|$)", _heads_up),
    fact(rf"{_WE}{_N}[- ]way(?: pot)?", _ways),
    fact(rf"{_WE}{_N}[- ](?:handed|max)", _table),
    fact(rf"{_WE}(?:multi-?way)(?: pot)?", _multiway),
    fact(
        rf"{_N} (?:players|of us|people) (?:are )?(?:still |left )?(?:in the (?:hand|pot)|in this (?:hand|pot))", _ways
    ),
    fact(rf"(?:against|facing) (?:just |only )?{_N} (?:other )?(?:opponents?|players?)(?! (?:who|that))", _opponents),
    fact(rf"{_N} opponents? (?:left|remaining|remain|still in)", _opponents),
    fact(
        rf"{_N} (?:players?|opponents?|more)? ?(?:are |is )?(?:still |yet |left )(?:left )?to act(?: behind(?: me)?"
        r"| after me)?",
        _left_to_act,
    ),
    fact(rf"{_N} (?:players?|opponents?) behind(?: me)?", _left_to_act),
)
