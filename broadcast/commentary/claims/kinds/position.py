"""Claims about seats and the order of acting: "on the button", "in position", "last to act". No I/O.

The checks compare a claim with what the bot could know. `verdict` makes their result: "" if the claim is right, the
truth if it is wrong, or None if this is uncertain. Before the flop, "in position" is no claim, because some people then
mean the order after the flop.
"""

import re
from collections.abc import Iterator, Sequence

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.people import (
    NamedPeople,
    Statement,
    find_statements,
    seat_called,
    seats_dealt_in,
)

KIND = "position"
EXAMPLES = """
Ah Kd                   | I'm [on the button] with a big hand.              |
Ah Kd                   | [On the button] I raise most hands.               |
Ah Kd                   | I am [in the big blind].                          | seat: button
Ah Kd, Kc 7s 2h         | I am [in position], so I bet.                     |
Ah Kd, Kc 7s 2h         | I'm [out of position].                            | acts last
Ah Kd, Kc 7s 2h         | [I have position on both].                        |
Ah Kd, Kc 7s 2h         | [Button], top pair.                               |
Ah Kd, Kc 7s 2h         | [The small blind has position on me].             | acts last
Ah Kd, Kc 7s 2h         | [I act after the big blind].                      |
Ah Kd, Kc 7s 2h         | [I'm out of position to the big blind].           | acts last
Ah Kd, Kc 7s 2h         | I am [first to act].                              | acts last
Ah Kd, Kc 7s 2h         | [The small blind has already acted].              | Belle has not acted
Ah Kd, Kc 7s 2h         | [My call ends the betting].                       | to act after it: 2
Ah Kd                   | I'll [have position later].                       |
Ah Kd                   | I'd be [out of position].                         | after the flop it acts as number 3 of 3
Ah Kd                   | He is on the button.                              | no claim
Ah Kd                   | UTG and HJ folded.                                | no claim
Ah Kd                   | A raise from the button is often weak.            | no claim
"""
"""Each row has a situation, a thought with its claims in brackets, and the truth if a claim is false. In a row with "no
claim", the thought makes no claim of this kind.
"""


def _seat_truth(known: BotKnowledge) -> str:
    names = {known.button: "button", known.blinds[0]: "small blind", known.blinds[1]: "big blind"}
    both = known.seat == known.button and known.seat in known.blinds
    return f"seat: {'button and a blind' if both else names.get(known.seat, 'no blind, no button')}"


def _check_seat(known: BotKnowledge, found: re.Match[str]) -> str | None:
    named = found.groupdict()
    called = named["called"] or next(name for name in ("gun", "dealer", "button") if named[name])
    seat = seat_called(known, "utg" if called == "gun" else called)
    if seat == -1:  # too few bots are dealt in for a seat of this name
        elsewhere = known.seat in (known.button, *known.blinds) and len(seats_dealt_in(known)) > 3
        return _seat_truth(known) if elsewhere else None
    return verdict(seat == known.seat, _seat_truth(known))


def live_order(known: BotKnowledge) -> list[int]:
    """Returns the seats still in the hand, in the order in which they act on this street."""
    return [seat for seat in known.action_order if seat in known.live]


def _order_truth(known: BotKnowledge) -> str:
    order = live_order(known)
    own_index = order.index(known.seat)
    return (
        "acts first"
        if own_index == 0
        else "acts last"
        if own_index == len(order) - 1
        else f"acts as number {own_index + 1}"
    )


def _in_position(known: BotKnowledge, found: re.Match[str]) -> str | None:
    order = live_order(known)
    if known.street == "preflop" or len(order) < 2 or known.seat not in (order[0], order[-1]):
        return None
    return verdict((known.seat == order[-1]) == (not found["out"]), _order_truth(known))


def _out_of_position(known: BotKnowledge, _: re.Match[str]) -> str | None:
    order = live_order(known)
    return None if known.street == "preflop" else verdict(known.seat != order[-1], _order_truth(known))


def seats_to_act(known: BotKnowledge) -> list[int]:
    """Returns the seats that can still act after the bot on this street."""
    order = live_order(known)
    own_index = order.index(known.seat)
    acted = {act.seat for act in known.acts if act.street == known.street}
    top = max(known.bets, default=0)
    waiting = [seat for seat in order[own_index + 1 :] + order[:own_index] if known.stacks[seat]]
    return [seat for seat in waiting if seat not in acted or known.bets[seat] < top]


def _check_last(known: BotKnowledge, found: re.Match[str]) -> str | None:
    closes = not seats_to_act(known)
    right = closes or (known.seat == live_order(known)[-1] and not re.search("clos|ends", found[0]))
    if not right and known.street == "preflop" and known.seat == known.button:
        return None
    return verdict(right, f"to act after it: {len(seats_to_act(known))}")


def _check_first(known: BotKnowledge, _: re.Match[str]) -> str | None:
    order = live_order(known)
    if known.street == "preflop" and known.seat == _postflop_order(known)[0]:
        return None
    return verdict(known.seat == order[0], _order_truth(known))


def _check_second(known: BotKnowledge, _: re.Match[str]) -> str | None:
    order = live_order(known)
    return None if known.street == "preflop" or len(order) > 2 else verdict(order[0] != known.seat, _order_truth(known))


def _postflop_order(known: BotKnowledge) -> list[int]:
    return [seat for seat in seats_dealt_in(known) if seat in known.live]


def claims_about_people(
    text: str, people: Sequence[NamedPeople], known: BotKnowledge
) -> Iterator[tuple[int, int, str | None]]:
    """Yields the claims of a sentence about who sits where, and who acts after whom.

    Each claim is (start, end, result). The result is "" (right), the truth (wrong) or None (uncertain).
    """
    me = NamedPeople("me", 0, 0, (known.seat,), (known.seat,), is_self=True)
    for said in find_statements(text, people, _SITS):
        if (said.found["preposition"] and not said.who.is_self) or _HAS_SEAT.search(
            text[said.who.end : said.found.start()]
        ):
            yield said.found.start() if said.who.is_self else said.start, said.end, _check_sits(known, said)
    for said in find_statements(text, people, _ACTED):
        if said.who.quantity == "all" and not said.who.is_self and not said.is_negated:
            yield said.start, said.end, _check_acted(known, said.who.seats)
    for said in find_statements(text, people, _PLACED):
        yield said.start, said.end, _check_place(known, said)
    for said in find_statements(text, people, _ORDER, default_people=me):
        last = said.found["last"]
        whom = (
            me if said.found["me"] or said.found["us"] else next((who for who in people if who.start == said.end), None)
        )
        if whom is None and (him := re.match("him|her|them", text[said.end :])):
            alone = known.opponents if len(known.opponents) == 1 or him[0] == "them" else ()
            whom = NamedPeople(him[0], said.end, said.end + him.end(), alone, alone)
        if last and len(known.live) == 2:
            whom = me if not said.who.is_self else NamedPeople("", said.end, said.end, known.opponents, known.opponents)
        if whom and not said.is_continued:
            yield said.start, max(said.end, whom.end), _check_acts_after(known, said, whom, text)


def _check_sits(known: BotKnowledge, said: Statement) -> str | None:
    """Checks who sits where: "Belle is on the button", "I don't have the button"."""
    seat, who = seat_called(known, said.found["called"]), said.who
    if who.quantity != "all" or len(who.seats) != 1 or seat is None or seat < 0 or said.is_continued:
        return None
    words = _seat_truth(known) if who.is_self else f"{said.found['called']}: {known.names[seat]}"
    return verdict((seat in who.seats) != said.is_negated, words)


def _check_acted(known: BotKnowledge, seats: Sequence[int]) -> str | None:
    """Checks whether the bots in `seats` have acted on this street."""
    acted = {act.seat for act in known.acts if act.street == known.street}
    to_come = [seat for seat in seats if seat not in acted and seat in known.live and known.stacks[seat]]
    return f"{known.names[to_come[0]]} has not acted" if to_come else "" if {*seats} <= acted else None


_ACTED = re.compile(
    r"(?:(?:has|have) )?(?:already )?acted(?: already)?(?: before me| in front of me)?(?: on this street)?"
    r"(?=[,.;:!]|$| (?:and|so)\b)"
)


def _check_place(known: BotKnowledge, said: Statement) -> str | None:
    """Checks whether another bot acts first or last, is in position or out of position, or closes the action."""
    who, order = said.who, live_order(known)
    if (
        who.quantity != "all"
        or len(who.seats) != 1
        or who.is_self
        or known.street == "preflop"
        or who.seats[0] not in order
    ):
        return None
    if said.found["closes"]:
        return verdict((who.seats[0] in seats_to_act(known)[-1:]) != said.is_negated, "has acted")
    named_place = said.found["place"] or said.found["turn"]
    first = named_place == "first" or bool(said.found["out"])
    place = order[0] if first else order[-1]
    if not named_place and who.seats[0] not in (order[0], order[-1]):
        return None
    return verdict((place in who.seats) != said.is_negated, f"{known.names[place]} acts {'first' if first else 'last'}")


_SITS = re.compile(
    r"(?P<preposition>(?:on|in|at) )?(?:the )?(?P<called>button|btn|dealer button|small blind|sb|big blind|bb|cut-?off"
    r"|co|hijack|hj|utg"
    r"|under the gun)\b(?! (?:and (?:the |i\b|we\b|small|big|cut|hij|btn|button)|blinds?|stack|special|call|fold|rais"
    r"|bet|check|limp|covers|has|is|left|behind|with me|discount)|')"
)
_HAS_SEAT = re.compile(
    r"(?:\b(?:is|are|am|was|has|have|had|were|sits?|sitting|stays|plays)|'s|'m|n't have) ?(?:not |still |just |also )*$"
)
"""Matches words which say that somebody sits in a seat: "is" in "Belle is on the button"."""
_PLACED = re.compile(
    r"(?:(?:has to |have to |must |will |gets to |to )?(?:acts?|speaks?|goes|to act|to speak) (?P<place>first|last)"
    r"|(?P<turn>first|last)(?: one)? to (?:act|speak|go)|(?P<closes>closes the action)"
    r"|(?:in |(?P<out>out of )|(?:the )?better |(?<=ha[sd] ))position)(?=[,.;:!]|$| (?:here|in this hand"
    r"|on this street|on every))"
)


def _check_acts_after(known: BotKnowledge, said: Statement, whom: NamedPeople, text: str) -> str | None:
    """Checks who acts after whom: "I act after Belle". Before the flop, such words may be about the later streets."""
    first, second = said.who.seats, whom.seats
    at_table = {*first, *second} <= {*known.live} and first and second and not {*first} & {*second}
    if not at_table or said.is_negated or said.who.quantity != "all" or whom.quantity != "all":
        return None
    claims_later = said.found["out"] is said.found["first"] is None and said.found["order"] != "before"
    early = known.street == "preflop" and not _LATER.search(text)
    if said.found["last"] and early:
        return None
    orders = [_postflop_order(known), live_order(known)] if early else [_postflop_order(known)]
    acts_later = {order.index(one) > order.index(other) for order in orders for one in first for other in second}
    still_to_act = said.found["order"] and claims_later and known.seat in second and {*first} <= {*seats_to_act(known)}
    wrong = None if (claims_later in acts_later and (early or len(acts_later) > 1)) or still_to_act else False
    return verdict(True if acts_later == {claims_later} else wrong, _order_truth(known))


_ORDER = re.compile(
    r"(?:(?:'ll|'d|will|would|be|always|gets?|to|has to|have to|must|have|has|hold|holds|got|being) ?)*"
    r"(?:(?:to )?(?:act|speak|go|play)(?:s|ing)? (?:first |last )?(?P<order>before|after|behind) (?P<me>(?:me|us)\b)?"
    r"|(?:in |(?P<out>out of ))?position (?:on|over|against|to|vs\.?) (?P<us>(?:me|us)\b)?"
    r"|(?P<first>first to act against )|(?P<last>the last (?:word|say)))"
)
_LATER = re.compile(
    r"\b(?:post-?flop|after the flop|rest of the hand|every street|each street|later streets?|streets? to come)\b"
)


def _check_postflop_order(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks who acts first or last after the flop."""
    order = _postflop_order(known)
    last = bool(re.search(r"last|position|button", found[0])) and "out of" not in found[0]
    if "position" in found[0] and known.seat not in (order[0], order[-1]):
        return None
    truth = f"after the flop it acts as number {order.index(known.seat) + 1} of {len(order)}"
    return verdict(known.seat == order[-1 if last else 0], truth)


_END = (
    r"(?! and (?:the )?(?:utg|hj|hijack|co|cut-?off|button|btn|sb|bb|small|big|blinds)\b)"
    r"(?= (?:with|and|here|so|i|facing|against|but|in|on|now|after|vs|first|closing|last|three|heads|w/?)\b|[,.;:!]|$)"
)


_OPENS = r"(?:(?<=^)|(?<=^ )|(?<=i'm the )|(?<=i am the )|(?<=as the )|(?<=being the )|(?<=, ))"
_STOPS = r"(?=[,.;:!](?! (?:who|which))|$)"
_SEATS = r"button|btn|small blind|sb|big blind|bb|cut-?off|co|hijack|hj"
_CALLED = rf"(?P<called>{_SEATS})"
_I = r"(?:(?<=\bi )|(?<=\bi'm )|(?<=\bi am )|(?<=\band )|(?<=\bi have to )|(?<=\bi have to be )|(?<=\bi've ))"
WORDS = re.compile(
    r"position|oop|act|ends|button|btn|blind|\b(?:sb|bb|co|hj)\b|cut-?off|hijack|gun|utg|first|last|second|clos|dealer|speak"
)
FACTS = (
    fact(rf"{_OPENS}(?:the )?{_CALLED}{_STOPS}(?!, (?:the )?(?:{_SEATS})\b)", _check_seat, about_self=True),
    fact(rf"my (?:seat|position) is (?:the |in the |on the )?{_CALLED}(?P<gun>)(?P<dealer>)(?P<button>)", _check_seat),
    fact(
        rf"(?:(?<=^)|(?<=^ ))(?:from|as|being in|sitting in"
        rf"|being on) (?:the )?{_CALLED}(?P<gun>)(?P<dealer>)(?P<button>)(?=,? (?:i|this is|this plays|it's"
        rf"|with my)\b)",
        _check_seat,
    ),
    fact(rf"(?:i|i've|i have) post(?:ed)? (?:the )?{_CALLED}(?P<gun>)(?P<dealer>)(?P<button>)", _check_seat),
    fact(
        rf"(?:(?<!position )[io]n (?:the )?{_CALLED}|(?P<gun>under the gun|utg)|(?<=am )the (?P<dealer>dealer)"
        rf"|(?<!the )(?P<button>button)(?=[,.])){_END}",
        _check_seat,
        about_self=True,
    ),
    fact(
        rf"{_I}(?:the )?last(?:{_STOPS}|(?: one| player)? to (?:speak|act|go|decide)(?! (?:after|post)))", _check_last
    ),
    fact(
        rf"{_I}(?:act last|clos(?:e|ing) (?:the|this) (?:betting|action|round)|(?:have )?the last (?:word|say))"
        r"(?: here| on this street)?(?! (?:after|on|for|post))",
        _check_last,
    ),
    fact(rf"(?:last to act|acting last|closing the action){_END}", _check_last, about_self=True),
    fact(
        r"(?:my (?:call|check)|a call|calling) (?:ends|closes) the (?:betting|action|round)|action is on me last",
        _check_last,
    ),
    fact(rf"{_I}(?:the )?(?:first|1st)(?:{_STOPS}|(?: one)? (?:to (?:speak|act|go)|in line))", _check_first),
    fact(rf"{_I}act first(?! (?:before|pre|post|after))|(?:(?<=^)|(?<=^ ))first to speak{_STOPS}", _check_first),
    fact(rf"(?:first to act|acting first){_END}", _check_first, about_self=True),
    fact(rf"(?<=\bi )act second{_END}|(?:(?<=\bhe )|(?<=\bshe ))(?:has to act|acts) first", _check_second),
    fact(
        r"(?:after the flop|post-?flop),? (?:i'll be |i am |i'm |i will be |i act |i'll act |i )?(?:always )?"
        r"(?:last to act|first to act|acting (?:first|last)|first|last|in position|out of position)",
        _check_postflop_order,
        allows_hedging=True,
    ),
    fact(
        rf"(?:{_I}|(?<=\bi'll )|(?<=\bto )|(?<=\bi'll be ))(?:be )?(?:act (?:first|last)|acting (?:first|last)"
        r"|(?:first|last) to act|(?:in|out of) position|(?:have|get|hold) position) (?:post-?flop|after the flop"
        r"|for the rest of the hand|on the (?:turn|river)|on every street|(?:on )?(?:all )?later(?: streets)?)"
        rf"|(?:(?<=\bi'd be )|(?<=\bi'll be ))(?:in|out of) position{_END}"
        r"|(?<=\bi )keep the button for the (?:whole|rest of the) hand",
        _check_postflop_order,
        allows_hedging=True,
    ),
    fact(rf"(?P<out>out of |oop|)(?:(?<=oop)|(?<=out of )position|in position){_END}", _in_position, about_self=True),
    fact(
        r"(?:(?<=\bi )(?:have no|lack|don't have)|(?<=^)without) position|position (?:isn't|is not) (?:on my side"
        r"|mine)",
        _out_of_position,
    ),
    fact(r"(?P<out>)(?:(?<=\bi )|(?<=\bi'll )|(?<=\band ))(?:have|hold) position(?! on the)", _in_position),
)
