"""Claims about who is in the hand, how many bots are in it, and who can still act: "three of us", "only Belle is left".
No I/O.

Before the flop, a claim may count the bots that have not acted yet, or leave them out. The checks return "" if a claim
is right, the truth if it is wrong, and None if that is uncertain.
"""

import re
from collections.abc import Iterator, Sequence

from broadcast.commentary.claims.kinds.position import live_order, seats_to_act
from broadcast.commentary.claims.speech.bot_knowledge import STREETS, BotKnowledge
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.people import NamedPeople, Statement, find_statements, seats_dealt_in
from broadcast.commentary.claims.speech.verbs import street_called
from broadcast.commentary.claims.speech.words import number_of

KIND = "players"
EXAMPLES = """
Ah Kd, Kc 7s 2h         | We are [heads-up].                                | in the hand: 3
Ah Kd, Kc 7s 2h         | [Three of us], a dry board.                        |
Ah Kd, Kc 7s 2h         | [Two opponents], so I bet.                        |
Ah Kd, Kc 7s 2h         | It's just me and [one other player].              | opponents: 2
Ah Kd, Kc 7s 2h         | [One player left behind me].                      | to act after it: 2
Ah Kd, Kc 7s 2h         | He leads into two of us.                          | no claim
Ah Kd, Kc 7s 2h         | [The small blind and the big blind are still in]. |
Ah Kd, Kc 7s 2h         | [Just me and the big blind].                      | also in: Belle
Ah Kd, Kc 7s 2h         | [The big blind is all-in].                        | Wyatt has chips left
Ah Kd, Kc 7s 2h         | [The big blind alone is left].                    | also in: Belle
Ah Kd, Kc 7s 2h         | [Both blinds and the button remain].              |
Ah Kd, Kc 7s 2h         | I [only have to get past the big blind].          | to act after it: 2
Ah Kd, Kc 7s 2h         | [The big blind and nobody else to get through].   | to act after it: 2
Ah Kd, Kc 7s 2h         | [Two of us in if I call].                         | in the hand: 3
Ah Kd, Kc 7s 2h         | Three of six players in.                          | no claim
Ah Kd, Kc 7s 2h         | The small blind is first to act.                  | no claim
"""
"""Each row has hole cards and a board, a thought with its claims in brackets, and the truth if a claim is false."""


def _all_acted(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(not seats_to_act(known), f"to act after it: {len(seats_to_act(known))}")


def _heads_up(known: BotKnowledge, _: re.Match[str]) -> str | None:
    right = len(known.live) == 2 or sum(stack > 0 for stack in known.starting_stacks) == 2
    return verdict(None if not right and known.street == "preflop" else right, f"in the hand: {len(known.live)}")


def _check_count(known: BotKnowledge, found: re.Match[str]) -> str | None:
    number, live = number_of(found["number"]), len(known.live)
    right = number == live or (known.street == "preflop" and max(2, live - len(seats_to_act(known))) <= number < live)
    return verdict(right, f"in the hand: {live}")


def _check_table_size(known: BotKnowledge, found: re.Match[str]) -> str | None:
    dealt = sum(stack > 0 for stack in known.starting_stacks)
    return verdict(number_of(found["number"]) in (dealt, len(known.live)), f"dealt in: {dealt}")


def _multiway(known: BotKnowledge, _: re.Match[str]) -> str | None:
    if known.street == "preflop":
        return None
    return verdict(len(known.live) > 2, f"in the hand: {len(known.live)}")


def _check_opponents(known: BotKnowledge, found: re.Match[str]) -> str | None:
    number, others = number_of(found["number"]), len(known.opponents)
    dealt = sum(stack > 0 for stack in known.starting_stacks) - 1
    near = (others, dealt) if known.street == "preflop" else (others,)
    may_count_fewer = (
        known.street == "preflop" and number < others and not re.search(r"\bonly $", found.string[: found.start()])
    )
    right = True if number in near else None if may_count_fewer else False
    return verdict(right, f"opponents: {others}")


_BEHIND = re.compile(
    r"(?:(?:has|have|can|could|may|might|will|gets?|waiting|waits|lurks|lurking|sits?|who) (?:still )?)*"
    r"(?:to (?:act|speak|go|come|decide|get (?:through|past|by))|behind|left (?:after|behind) me|(?:acts?|speaks?|raise"
    r"|wake up) (?:behind|after) me|wake up|to be heard from)"
    r"(?: (?:yet|behind|after))?(?: me)?(?: (?:can|could) (?:still )?(?:squeeze|raise|wake up|act|call|spoil \w+))?"
    r"(?![\w'])(?! (?:in chips|on the flop|first|last|with|him|her))"
)
_IN = re.compile(
    r"(?:in(?: the (?:hand|pot))?|left|remains?|remaining|here"
    r"|around|with (?:us|me))(?![\w'])(?= (?:with|too|as well)\b| to (?:beat|get)\b"
    r"| against\b| and\b| so\b|\s*[^\w\s]|\s*$)(?! to (?:act|call)| behind)"
)
_OUT = re.compile(r"out(?: of (?:it|the (?:hand|way|pot))| now| already)?(?=\W*$|[,.;:!]| so\b| and\b)")
_ALL = re.compile("every|all|both|the rest")
_ONLY_TWO = re.compile(r"(?:the )?only (?:ones|players|two|two players|people)(?: (?:left|remaining|in|still in)\b)+")
_ALL_IN = re.compile(r"all[- ]in(?: already)?(?![\w'-])(?! (?:call|raise|shove|bet|with|on))")
_ONLY = re.compile(r"(?:it's |is |are |now )*\b(?:only|just|(?:nobody|no one)(?: else)? but) (?:the )?$")
_WITH = re.compile(
    r"(?:heads[- ]up (?:with|against|versus|vs\.?)|\b(?:just|only) me (?:and|against|versus|vs\.?)|\bit's me against"
    r"|\bup against|\bdown to|\b(?:only|just) (?:need|have|got) to (?:get (?:past|through|by)|beat)) $"
)
_AND_ME = re.compile(
    r",? and (?:me|i)\b| stands? (?:between|in)\b| is (?:left|in)\b| to (?:beat|get (?:through|past))\b"
    r"|\s*(?:[.;!]|,(?! (?:who|and))|$)"
)
_IS = re.compile(r"(?:\b(?:is|are|still)|'s) $")
"""Matches the words before "left" in "is left" or "are still left". Otherwise, "left" means that somebody has gone."""
_PLACED = re.compile(r"\b(?:first|last|next)\b")
"""Matches words about the order, not about who is left."""
_BUT = re.compile(r"\b(?:but|except|besides)(?: for)? (?:only |just )?$")


def claims_about_people(
    text: str, people: Sequence[NamedPeople], known: BotKnowledge
) -> Iterator[tuple[int, int, str | None]]:
    """Yields the claims of a sentence about who is still to act, who is in the hand and who is all-in.

    Each claim is (start, end, result). The result is "" (right), the truth (wrong) or None (uncertain).
    """
    for who in people:
        before = text[: who.start]
        exclusive_words = _WITH.search(before) or (_ONLY.search(before) if _AND_ME.match(text[who.end :]) else None)
        if (
            exclusive_words
            and who.quantity == "all"
            and not who.is_self
            and not _BUT.search(text[: exclusive_words.start()])
        ):
            are_alone = _check_only_to_act if " get" in exclusive_words[0] else _check_only_opponents
            yield exclusive_words.start(), who.end, are_alone(known, who.seats)
    for said in find_statements(text, people, _ONLY_TWO):
        if said.who.quantity == "all" and known.seat in said.who.seats:
            yield (
                said.start,
                said.end,
                _check_only_opponents(known, [seat for seat in said.who.seats if seat != known.seat]),
            )
    for said in find_statements(text, people, _OUT):
        if (
            said.who.quantity == "all"
            and not said.who.is_self
            and len(said.who.seats) == 1
            and not _ALL.match(said.who.words)
        ):
            seat = said.who.seats[0]
            yield (
                said.start,
                said.end,
                verdict((seat not in known.live) != said.is_negated, f"{known.names[seat]} is in"),
            )
    for words, check in ((_BEHIND, _check_behind), (_IN, _check_still_in), (_ALL_IN, _check_all_in)):
        for said in find_statements(text, people, words):
            only = _ONLY.search(text[: said.start])
            start = only.start() if only else said.start
            if (
                not said.is_continued
                and (only or said.found[0] != "left" or _IS.search(text[: said.found.start()]))
                and not _PLACED.search(text[said.start : said.end])
                and not _BUT.search(text[: said.start])
                and not (said.is_negated and words is not _BEHIND)
            ):
                yield start, said.end, check(known, said, bool(only) or said.is_exclusive)


def _check_behind(known: BotKnowledge, said: Statement, only: bool) -> str | None:
    who, still_to_act, truth = said.who, seats_to_act(known), f"to act after it: {len(seats_to_act(known))}"
    if isinstance(who.quantity, int):
        order = live_order(known)
        after = [other_seat for other_seat in order[order.index(known.seat) + 1 :] if known.stacks[other_seat]]
        return verdict(who.quantity in {len(still_to_act), len(after)}, truth)
    if who.quantity == "none" or (re.match("some", who.words) and not still_to_act):
        return verdict((who.quantity == "none") != bool(still_to_act), truth)
    if who.quantity == "any" or known.seat in who.seats or who.seats == known.opponents:
        return None
    for seat in who.seats:
        if seat not in known.live:
            return f"{known.names[seat]} has folded"
        if seat not in still_to_act and not (said.is_negated and known.stacks[seat] == 0):
            return f"{known.names[seat]} has acted" if known.stacks[seat] else None
    return truth if only and {*still_to_act} - {*who.seats} else ""


def _check_still_in(known: BotKnowledge, said: Statement, only: bool) -> str | None:
    who = said.who
    others = [seat for seat in who.seats if seat != known.seat]
    if who.quantity != "all" or not others or re.search(r"\ball\b", who.words):
        return None
    if out := [seat for seat in others if seat not in known.live]:
        return f"{known.names[out[0]]} has folded"
    return _check_only_opponents(known, others) if only else ""


def _check_all_in(known: BotKnowledge, said: Statement, only: bool) -> str | None:
    if (
        said.who.quantity not in ("all", "any")
        or said.who.is_self
        or known.seat in said.who.seats
        or not said.who.possible_seats
    ):
        return None
    if said.who.quantity == "any":
        return verdict(any(known.stacks[seat] == 0 for seat in known.opponents), "nobody is all-in")
    wrong = [seat for seat in said.who.seats if known.stacks[seat] or seat not in known.live]
    return verdict(not wrong, f"{known.names[wrong[0]]} has chips left") if wrong else ""


def _check_only_opponents(known: BotKnowledge, seats: Sequence[int]) -> str | None:
    """Checks that `seats` are the only opponents left in the hand."""
    if out := [seat for seat in seats if seat not in known.live]:
        return f"{known.names[out[0]]} has folded"
    more = {*known.opponents} - {*seats}
    if known.street == "preflop" and more and more <= {*seats_to_act(known)}:
        return None
    return f"also in: {', '.join(known.names[seat] for seat in more)}" if more else ""


def _check_only_to_act(known: BotKnowledge, seats: Sequence[int]) -> str | None:
    """Checks that nobody except `seats` can still act after the bot."""
    return verdict({*seats_to_act(known)} <= {*seats}, f"to act after it: {len(seats_to_act(known))}")


def _check_left_in(known: BotKnowledge, found: re.Match[str]) -> str | None:
    opponents = not found[0].endswith("players") and re.search("opponents|others", found[0])
    return _check_opponents(known, found) if opponents else _check_count(known, found)


def _check_of_us(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if re.search(r"\b(?:flop|limped|called|folded|blinds|dealt)\b", found.string[found.end() :]):
        return None
    return _check_count(known, found)


def _saw_flop(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many bots saw the flop or, before the flop, can still see it."""
    folded = sum(act.street == "preflop" and act.act == "fold" for act in known.acts)
    saw, number = len(seats_dealt_in(known)) - folded, number_of(found["number"])
    if known.street == "preflop":
        low = len(known.live) - len(seats_to_act(known))
        return "" if number == saw else None if low <= number <= saw else f"in the hand: {saw}"
    return verdict(number in (saw, len(known.live)), f"saw the flop: {saw}")


def _check_saw(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many bots saw the turn or the river."""
    street = street_called(found["street"])
    if STREETS.index(street) > STREETS.index(known.street):
        return None
    folded = sum(act.act == "fold" and STREETS.index(act.street) < STREETS.index(street) for act in known.acts)
    saw = len(seats_dealt_in(known)) - folded
    return verdict(number_of(found["number"]) in (saw, len(known.live)), f"saw the {street}: {saw}")


def _all_out(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(len(known.opponents) <= 1, f"in the hand: {len(known.live)}")


_END = (
    r"(?! and (?:the )?(?:utg|hj|hijack|co|cut-?off|button|btn|sb|bb|small|big|blinds)\b)"
    r"(?= (?:with|and|here|so|i|facing|against|but|in|on|now|after|vs|first|closing|last|three|heads|w/?)\b|[,.;:!]|$)"
)
_N = r"(?<!of )(?P<number>one|two|three|four|five|six|seven|eight|nine|[1-9])"
_WE = (
    r"(?:(?<=\bwe are )|(?<=\bwe're )|(?<=\bit's )|(?<=\bits )|(?<=\bit is )|(?<=\bnow )|(?<=\bi am )|(?<=\bi'm )"
    r"|(?<=\bthis is )|(?<=\bstill )|(?<=^)|(?<=^ )|(?<=\ba )|(?<=, )|(?<=\bof a ))"
)
WORDS = re.compile(
    r"way|handed|ends|me and|myself and|see|saw|max|heads|of us|opponents?|players?|others|people|bots"
    r"|behind|act|multi|every|nobody|no one|dealt|at th|speak|to go|fold|table"
)
FACTS = (
    fact(
        rf"{_N} (?:players?|people|of us|bots|others)? ?(?:were |are )?(?:dealt in|at (?:the|this) table)",
        _check_table_size,
    ),
    fact(
        rf"{_N} (?:players?|of us|people) (?:(?:saw|see|made it|went) )?(?:to )?(?:the|this) (?P<street>turn|river)",
        _check_saw,
    ),
    fact(
        rf"{_N} (?:players?|of us|people) (?:(?:will |would |get to |still )?(?:see|saw|go|went|came|come"
        rf"|going) (?:to )?(?:this |the |a )?flop"
        r"|to the flop)",
        _saw_flop,
    ),
    fact(
        rf"(?<!into )(?<!at ){_N} of us(?: are| all)?"
        r"(?: (?:still |left )?(?:here|in|see|now|left|remain|battling|playing))?(?: if i call)?",
        _check_of_us,
    ),
    fact(
        rf"{_N} (?:players|opponents|others) (?:are |still )*(?:remain|remaining|left|here"
        rf"|with cards)(?! to act| behind)",
        _check_left_in,
    ),
    fact(r"(?:everyone|everybody) else (?:is out|has folded|folded|is gone)|all the others folded", _all_out),
    fact(r"(?:everyone|everybody)(?: else)? has acted(?: (?:already|before me))?", _all_acted),
    fact(rf"(?:(?<=^)|(?<=^ )){_N} of us(?: remain| left)?{_END}", _check_count),
    fact(
        rf"{_WE}heads[- ]up(?= (?:by now|already|from here|pot|now|with|and|against|on|here|so|in|vs"
        rf"|versus)\b|[,.;!]|$)",
        _heads_up,
    ),
    fact(rf"{_WE}{_N}[- ]way(?: pot)?(?= |[,.;!]|$)", _check_count),
    fact(rf"{_WE}{_N}[- ](?:handed|max)", _check_table_size),
    fact(rf"{_WE}multi-?way(?: pot)?", _multiway),
    fact(
        rf"{_N} (?:players|of us|people) (?:are )?(?:still |left )?(?:in the (?:hand|pot)|in this (?:hand|pot)"
        r"|in)(?= |[,.;]|$)",
        _check_count,
    ),
    fact(
        rf"(?:against|facing|i have|i've got|i still have|with) (?:(?:just|only|the) )*{_N} (?:other )?(?:opponents?"
        rf"|players?)(?! (?:who|that|behind|left))",
        _check_opponents,
    ),
    fact(
        rf"(?:with|against) {_N} (?:other players|others|other people)(?: (?:in|still in|left)(?: the (?:pot|hand))?)?",
        _check_opponents,
    ),
    fact(
        rf"(?:(?<=\bme and )|(?<=\bmyself and )|(?<=\bme against ))(?:just |only )?{_N} (?:other )?"
        r"(?:opponents?|players?|others?|people|bots?)(?! (?:who|that))",
        _check_opponents,
    ),
    fact(
        rf"{_N} others? (?:is |are )?(?:still )?in(?: (?:the|this) (?:hand|pot))?(?= with me| ?[.,;!]|$)",
        _check_opponents,
    ),
    fact(r"the action (?:ends|closes|stops) (?:with|on) me", _all_acted),
    fact(rf"{_N} (?:opponents|players|others) to (?:get (?:through|past|by)|beat|worry about)", _check_opponents),
    fact(rf"{_N} (?:players?|of us|people) (?:saw|see|take) this(?= here| one|[.,;!]|$)", _check_count),
    fact(rf"{_N} opponents? (?:left|remaining|remain|still in)(?! to act)", _check_opponents),
    fact(rf"(?<!into )(?<!against ){_N} opponents(?=[,.;!]|$)(?! to act)", _check_opponents),
)
