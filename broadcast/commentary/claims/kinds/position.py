"""The seat and the order of acting: "on the button", "in position", "last to act", "heads-up". Pure.

Before the flop "in position" is no claim, because some count the order after the flop.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from broadcast.commentary.claims.speech.known import Known
from broadcast.commentary.claims.speech.mention import Fact, fact, verdict
from broadcast.commentary.claims.speech.names import names_pattern, seats_by_name
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
Ah Kd                   | UTG and HJ folded.                                | no claim
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
    def check(known: Known, _: re.Match[str]) -> str | None:
        if of(known) < 0:  # too few are dealt in for a seat of this name
            elsewhere = known.seat in (known.button, *known.blinds) and len(_dealt(known)) > 3
            return _name(known) if elsewhere else None
        return verdict(of(known) == known.seat, _name(known))

    return check


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


def seat_called(known: Known, words: str) -> int | None:
    """Returns the seat that words such as "the button" or "HJ" name: -1 if nobody sits there, None for other words."""
    name = words.removeprefix("the ").replace("-", "")
    finders: dict[str, Callable[[Known], int]] = {
        "button": lambda each: each.button, "btn": lambda each: each.button,
        "small blind": lambda each: each.blinds[0], "sb": lambda each: each.blinds[0],
        "big blind": lambda each: each.blinds[1], "bb": lambda each: each.blinds[1],
        "cutoff": _before_button(1), "co": _before_button(1), "hijack": _before_button(2), "hj": _before_button(2),
        "utg": _under_the_gun,
    }  # fmt: skip
    return finders[name](known) if name in finders else None


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
    closes = not _behind(known)
    right = closes or (known.seat == _live_order(known)[-1] and "clos" not in found[0])
    if not right and known.street == "preflop" and known.seat == known.button:
        return None
    return verdict(right, f"to act after it: {len(_behind(known))}")


def _first(known: Known, _: re.Match[str]) -> str | None:
    order = _live_order(known)
    if known.seat != order[0] and known.street == "preflop":
        return None
    return verdict(known.seat == order[0], _place(known))


def _second(known: Known, _: re.Match[str]) -> str | None:
    order = _live_order(known)
    return None if known.street == "preflop" or len(order) > 2 else verdict(order[0] != known.seat, _place(known))


def _he_first(known: Known, _: re.Match[str]) -> str | None:
    order = _live_order(known)
    return None if known.street == "preflop" or len(order) > 2 else verdict(order[0] != known.seat, _place(known))


def _all_acted(known: Known, _: re.Match[str]) -> str | None:
    return verdict(not _behind(known), f"to act after it: {len(_behind(known))}")


def _only_blinds(known: Known, _: re.Match[str]) -> str | None:
    more = [seat for seat in _behind(known) if seat not in known.blinds]
    return verdict(not more, f"to act after it: {len(_behind(known))}")


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


def _to_act(known: Known, found: re.Match[str]) -> str | None:
    seats = _named_seats(known, found["who"])
    if len(seats) > 1 or seats[0] < 0 or seats[0] == known.seat:
        return None
    seat = seats[0]
    if seat not in known.live:
        return f"{known.names[seat]} has folded"
    return verdict(seat in _behind(known) if known.stacks[seat] else None, f"{known.names[seat]} has acted")


def _still_in(known: Known, found: re.Match[str]) -> str | None:
    seat = seats_by_name(known)[found["who"]]
    return verdict(seat in known.live, f"{known.names[seat]} has folded")


def _seats(known: Known, who: str) -> list[int]:
    """The opponents that are meant; none if that is uncertain."""
    at = seats_by_name(known).get(who, seat_called(known, who))
    if at is not None:
        return [at] if at in known.others else []
    many = re.search(r"both|every|all|other|opponents|them", who)
    return [*known.others] if many or len(known.others) == 1 else []


def _postflop_order(known: Known) -> list[int]:
    return [at for at in _dealt(known) if at in known.live]


def _relative(known: Known, found: re.Match[str]) -> str | None:
    """Checks who acts after whom: "I act after Belle", "I have position on both". Before the flop, it may mean later."""
    seats = _seats(known, found["who"])
    if not seats or (found[0].endswith("after me") and {*seats} <= {*_behind(known)}):
        return None  # they still have to answer a bet
    wanted = bool(re.search(r"after|behind|position", found[0])) == bool(re.match(r"i\b", found[0]))
    wanted = wanted != ("out of" in found[0])
    later = known.street == "preflop" and not _LATER.search(found.string)
    orders = [_postflop_order(known), _live_order(known)] if later else [_postflop_order(known)]
    told = {order.index(known.seat) > order.index(at) for order in orders for at in seats}
    return verdict(True if told == {wanted} else None if wanted in told and later else False, _place(known))


_LATER = re.compile(r"\b(?:post-?flop|after the flop|rest of the hand|every street|each street|later streets?|streets? to come)\b")


def _later(known: Known, found: re.Match[str]) -> str | None:
    """Checks who acts first or last after the flop."""
    order = _postflop_order(known)
    place = order[-1] if re.search(r"last|in position|button", found[0]) and "out of" not in found[0] else order[0]
    if "out of" in found[0]:
        return verdict(known.seat != order[-1], _place(known)) if len(order) == 2 or known.seat in (order[0], order[-1]) else None
    return verdict(known.seat == place, f"after the flop it acts as number {order.index(known.seat) + 1} of {len(order)}")


def _alone_with(known: Known, found: re.Match[str]) -> str | None:
    """Checks that these are the only opponents left: "just me and Wyatt", "only Belle is left"."""
    words = re.split(r" and |, ", found["who"] or found["other"])
    seats = {at for word in words for at in _named_seats(known, word)}
    if -1 in seats or not seats:
        return None
    if known.street == "preflop" and seats <= {*known.others} and {*known.others} - {*_behind(known)} <= seats:
        return "" if seats == {*known.others} else None
    return verdict(seats == {*known.others}, f"also in: {', '.join(known.names[at] for at in known.others if at not in seats)}" if seats <= {*known.others} else "has folded")


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
    return verdict(number_of(found["number"]) == len(_dealt(known)), f"dealt in: {len(_dealt(known))}")


def _saw_flop(known: Known, found: re.Match[str]) -> str | None:
    """Checks how many saw the flop, or still can."""
    folded = sum(act.street == "preflop" and act.act == "fold" for act in known.acts)
    saw, number = len(_dealt(known)) - folded, number_of(found["number"])
    if known.street == "preflop":
        low = len(known.live) - len(_behind(known))
        return "" if number == saw else None if low <= number <= saw else f"in the hand: {saw}"
    return verdict(number in (saw, len(known.live)), f"saw the flop: {saw}")


def _has_position(known: Known, found: re.Match[str]) -> str | None:
    seats = _seats(known, found["who"])
    if not seats:
        return None
    order = _postflop_order(known)
    return verdict(order.index(seats[0]) > order.index(known.seat), _place(known))


def _acting(known: Known, found: re.Match[str]) -> str | None:
    seats = _seats(known, found["who"])
    if len(seats) != 1 or known.street == "preflop":
        return None
    order = _live_order(known)
    later = order.index(known.seat) > order.index(seats[0])
    return verdict(later == bool(re.search(r"after|behind|last", found[0])), _place(known))


def _only_behind(known: Known, found: re.Match[str]) -> str | None:
    seats = {at for word in re.split(r" and |, ", found["who"]) for at in _named_seats(known, word)}
    if -1 in seats:
        return None
    more = {*_behind(known)} - seats
    return f"to act after it: {len(_behind(known))}" if more else ""


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
    """Returns the facts that can be told of the seats at this table."""
    return _facts(names_pattern(known))


@lru_cache(4)
def _facts(names: str) -> tuple[Fact, ...]:
    seat = r"(?:the )?(?:button|small blind|big blind|blinds|btn|bb|sb|cut-?off|co|hijack|hj|utg)"
    who = rf"(?P<who>him|her|them|both(?: of them| opponents)?|everyone|everybody|all of them|villain|my opponent|{names}|{seat})"
    he = rf"(?P<who>he|she|both|they(?: all| both)?|everyone|everybody|{names}|{seat})"
    one = rf"(?:{names}|{seat})"
    return (
        *_FACTS,
        fact(
            rf"(?P<who>{one})(?:'s| is| are| has| remains| sits| can| could)?(?: (?:still|yet|left|also))* "
            r"(?:to (?:act|speak|go)(?: (?:behind|after)(?: me)?)?|behind me|(?:act|raise) (?:behind|after) me|wake up behind me)",
            _to_act,
        ),
        fact(
            rf"(?P<who>{names}) (?:is |are )?still in(?: too)?(?= the hand| the pot| with|[,.;]|$| and| so)", _still_in
        ),
        fact(
            rf"(?:i|i'll|i will|i get to|i have to) (?:always |will )?(?:act|speak|go|play) (?:before|after|behind) {who}",
            _relative,
            hedged=True,
        ),
        fact(
            rf"(?:i|i've|i have|i'll have|i am|i'm) (?:also |always |got )?(?:have |hold |in |out of )?position (?:on|over|against) {who}",
            _relative,
            hedged=True,
        ),
        fact(rf"(?P<who>{names}) (?:has|holds|will have) position on me", _has_position),
        fact(rf"(?:acting|being (?:first|last) to act) (?:first |last )?(?:before|after|behind|against) {who}", _acting),
        fact(
            rf"{he} (?:has to |have to |will |must )?(?:acts?|speaks?|goes?|plays?) (?:before|after|behind) me", _relative, hedged=True
        ),
        fact(
            rf"(?:it's )?(?:now )?(?:just|only) (?:me and |me against |me versus |me vs\.? )(?P<who>{one}(?:(?: and |, ){one})*)(?! (?:behind|to act))",
            _alone_with,
        ),
        fact(rf"down to (?P<who>{one}) and (?:me|i)|(?:it's )me against (?P<other>{one})(?! and)", _alone_with),
        fact(rf"(?:just|only) (?P<who>{one}(?:(?: and |, ){one})*) and (?:me|i)\b", _alone_with),
        fact(
            rf"(?:it's |is )?(?:only|just) (?P<who>{one}(?:(?: and |, ){one})*)(?:(?: is| are|'s)?(?: still)? (?:left(?! to act)|remains?|remaining|in"
            r"|here|still here|against me)| here with me| to (?:beat|get through))(?! to act)",
            _alone_with,
        ),
        fact(rf"(?P<who>{one}(?: and {one})+) (?:are|is) (?:all that's |the only ones )?(?:left|still in|remain)", _alone_with),
        fact(rf"(?:down to|heads[- ]up (?:with|against|versus|vs\.?)) (?P<who>{one})(?! and)", _alone_with),
        fact(rf"only (?P<who>{one}(?: and {one})*)(?: is| are)? (?:(?:left )?to act|behind me|still behind(?: me)?)", _only_behind),
    )


_OPENS = r"(?:(?<=^)|(?<=^ )|(?<=i'm the )|(?<=i am the )|(?<=as the )|(?<=being the )|(?<=, ))"
_STOPS = r"(?=[,.;:!](?! (?:who|which))|$)"
_FACTS = (
    fact(rf"{_OPENS}(?:the )?(?:button|btn){_STOPS}", _seat(lambda known: known.button), own=True),
    fact(rf"{_OPENS}(?:the )?(?:small blind|sb){_STOPS}", _seat(lambda known: known.blinds[0]), own=True),
    fact(rf"{_OPENS}(?:the )?(?:big blind|bb){_STOPS}", _seat(lambda known: known.blinds[1]), own=True),
    fact(rf"{_OPENS}(?:the )?(?:cut-?off|co){_STOPS}", _seat(_before_button(1)), own=True),
    fact(rf"{_OPENS}(?:the )?(?:hijack|hj){_STOPS}", _seat(_before_button(2)), own=True),
    fact(rf"(?:(?<=i'm )|(?<=i am ))last{_STOPS}", _last),
    fact(rf"(?:(?<=i'm )|(?<=i am ))first{_STOPS}|(?:(?<=^)|(?<=^ ))first to speak{_STOPS}", _first),
    fact(rf"{_N} (?:players?|people|of us|bots|others)? ?(?:were |are )?(?:dealt in|at (?:the|this) table)", _dealt_in),
    fact(
        rf"{_N} (?:players?|of us|people) (?:(?:will |get to |still )?(?:see|saw|go|went|came|come|going) (?:to )?(?:this |the |a )?flop"
        r"|to the flop)",
        _saw_flop,
    ),
    fact(rf"(?<!into ){_N} of us(?: are| all)?(?: (?:still |left )?(?:here|in|see|now|left|remain|battling|playing))?", _of_us),
    fact(rf"{_N} (?:players|opponents|others) (?:remain|remaining|left|still here|with cards)(?! to act| behind)", _left_in),
    fact(r"(?:everyone|everybody) else (?:is out|has folded|folded|is gone)|all the others folded", _all_out),
    fact(rf"(?:(?<=\bi )|(?<=\band )|(?<=\bi'm ))(?:close|closing) (?:the|this) (?:betting|action|round)(?: here)?(?! (?:after|on|for))", _last),
    fact(r"(?:(?<=\bi'm )|(?<=\bi am )|(?<=\bi have to be ))(?:the )?(?:first|1st)(?: one)? (?:to (?:speak|act|go)|in line)", _first),
    fact(r"(?:(?<=\bi'm )|(?<=\bi am ))(?:the )?last(?: one)?(?: to (?:speak|act|go)|(?=,))(?! (?:after|post))", _last),
    fact(
        r"(?:after the flop|post-?flop),? (?:i'll be |i am |i'm |i will be |i act |i'll act |i )?(?:always )?(?:last to act|first to act|acting (?:first|last)|first|last"
        r"|in position|out of position)",
        _later,
        hedged=True,
    ),
    fact(
        r"(?:(?<=\bi )|(?<=\bi'll )|(?<=\bi'm )|(?<=\bi get to )|(?<=\bto )|(?<=\bi'll be ))(?:be )?(?:act (?:first|last)|acting (?:first|last)|(?:first|last) to act"
        r"|(?:in|out of) position) (?:post-?flop|after the flop|for the rest of the hand|on every street|(?:on )?(?:all )?later streets)"
        r"|(?:(?<=\bi ))keep the button for the (?:whole|rest of the) hand",
        _later,
        hedged=True,
    ),
    fact(
        rf"(?:on (?:the )?(?:button|btn)|(?<=am )the dealer|button(?=[,.])){_END}",
        _seat(lambda known: known.button),
        own=True,
    ),
    fact(rf"(?<!position )[io]n (?:the )?(?:small blind|sb){_END}", _seat(lambda known: known.blinds[0]), own=True),
    fact(rf"(?<!position )[io]n (?:the )?(?:big blind|bb){_END}", _seat(lambda known: known.blinds[1]), own=True),
    fact(rf"(?:under the gun|utg){_END}", _seat(_under_the_gun), own=True),
    fact(rf"(?:in|on) the (?:cut-?off|co){_END}", _seat(_before_button(1)), own=True),
    fact(rf"(?:in|on) the hijack{_END}", _seat(_before_button(2)), own=True),
    fact(rf"(?P<out>out of |oop|)(?:(?<=oop)|(?<=out of )position|in position){_END}", _in_position, own=True),
    fact(r"(?P<out>)(?:(?<=\bi )|(?<=\bi'll )|(?<=\band ))(?:have|hold) position(?! on the)", _in_position),
    fact(rf"(?:last to act|acting last|closing the action){_END}", _last, own=True),
    fact(
        r"(?:(?<=\bi )|(?<=\band )|(?<=\bi'm ))(?:act last|close the action|closing the action)(?! (?:after|on|for))",
        _last,
        own=True,
    ),
    fact(rf"(?:first to act|acting first){_END}", _first, own=True),
    fact(r"(?:(?<=\bi )|(?<=\bi have to ))act first", _first),
    fact(r"(?:(?<=\bi have )|(?<=\bi've ))the last (?:word|say)|(?<=\bi'm )last to speak", _last),
    fact(rf"(?<=\bi )act second{_END}", _second),
    fact(r"(?:(?<=\bhe )|(?<=\bshe ))(?:has to act|acts) first", _he_first),
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
