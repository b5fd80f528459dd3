"""Claims about the hand so far: "he raised before the flop", "it checked to me", "nobody has bet", "3-bet pot". No I/O.

If one opponent is left, "he" means this opponent. If several are left, "he" may be any of them, and a claim is wrong
only if none of them did what the claim says. Words about an act that the bot may take next are no claim.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from broadcast.commentary.claims.speech.bot_knowledge import BOARD_SIZES, STREETS, BotKnowledge, HandAction
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.names import seats_by_name
from broadcast.commentary.claims.speech.people import (
    SEATS,
    NamedPeople,
    Statement,
    find_statements,
    seat_called,
    seats_dealt_in,
)
from broadcast.commentary.claims.speech.verbs import (
    ACT,
    STREET,
    ActTest,
    is_limp,
    street_called,
    verb_of,
)
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, is_close_enough, number_of
from server.game.events import Street

KIND = "history"
EXAMPLES = """
raise 300, call         | [He raised before the flop].                      |
raise 300, call         | [He raised to 300 preflop], so I fold.            |
raise 300, call         | [He raised to 900 preflop].                       | preflop: raise to 300
raise 300, call         | I am [facing Belle's raise to 300].               |
raise 300, call         | [He limped].                                      | he: raise to 300
raise 300, call; check  | [He checked to me].                               |
raise 300, call; bet 200| [He checked the flop].                            | flop: bet 200
raise 300, call; check  | [Nobody has bet].                                 |
raise 300, call         | [I raised preflop].                               | no claim
raise 300, call; check  | He always bets the flop.                          | no claim
raise 300, call; check  | If he bet the flop, I would fold.                 | no claim
raise 300, call; check  | He will bet the turn.                             | no claim
raise 300, call         | [He raised to 3 BB].                              |
raise 300, call         | [He raised from the cutoff].                      |
raise 300, call         | [He limped from the cutoff].                      | he: raise to 300
raise 300, call; check  | Preflop [I raised].                               | preflop: call 300
raise 300, call; check  | I raise now; [I raised from the button].          | preflop: call 300
raise 300, call; bet 200| [He check-raised me on the flop].                 | flop: bet 200
raise 300, call; bet 200| [He fired 200].                                   |
raise 300, call; bet 200| [He bet the flop] and [raised to 300 preflop].    |
raise 300, call; bet 200| [He bet the flop] and [limped preflop].           | preflop: raise to 300
raise 300, call; bet 200| [He didn't raise preflop].                        | preflop: raise to 300
raise 300, call; bet 200| [He hasn't checked the flop].                     |
raise 300, call; check  | [Nobody bet the flop].                            |
raise 300, call; bet 200| [The small blind raised preflop].                 |
raise 300, call; bet 200| [The button raised preflop].                      | no claim
raise 300, call; bet 200| [The small blind and the big blind raised preflop]. | preflop: fold
raise 300, call; bet 200| [Two players raised preflop].                     | so far: raise to 300, fold, call 300
raise 300, call; bet 200| Nobody but him bet the flop.                      | no claim
raise 300, call; bet 200| [He bet 200] [after calling preflop].             | preflop: raise to 300
raise 300, call; bet 200| [He min-bet the flop].                            | flop: bet 200
raise 300, call; bet 200| [He made the last raise on the flop].             |
raise 300, call; check  | [He is the raiser].                               |
raise 300, call; check  | Preflop [it was limped to me].                    | preflop: raise to 300, fold
raise 300, call; check; then fold | [I bet the flop] and he checked me down. | flop: nothing
raise 300, call; check; then fold | I bet the flop with air half the time.  | no claim
raise 300, call; check; then raise 900 | I bet the flop now.                | no claim
raise 300, call; bet 200; then raise 900 | [I check-raised him].            | i: call 300
raise 300, call; bet 200| He limps with everything.                         | no claim
raise 300, call; bet 200| [He was the preflop raiser].                      |
"""
"""Each row has a situation, a thought with its claims in brackets, and the truth if a claim is false."""
_TIMES = {"once": 1, "twice": 2, "two times": 2, "three times": 3, "2 times": 2, "3 times": 3}
_ME = r"(?:me|us|it|him|her|them|that|this)"
_BETS = (
    r"(?:(?:(?:3|4|three|four)-?)?bets?|c-?bets?|raises?|leads?|opens?|limps?|limpers?|raisers?|checks?|stabs?"
    r"|barrels?|shoves?|min-bets?)"
)
_DETAIL = re.compile(
    rf" (?:(?:(?P<to>to )|for |of )?(?P<amount>{ABOUT}?{NUMBER})(?P<unit> ?(?:bbs?|(?:big )?blinds?|bigs"
    rf"|x)\b)?(?: (?:chips|more))?(?! (?:of|times|outs|players|streets|{_BETS}|big)\b)(?![\w%-])"
    rf"|(?:on |from )?(?:both )?(?:the )?"
    rf"(?P<street>(?:{STREET})(?:(?:,|,? and|,? then|,? &) (?:on )?(?:the )?(?:flop|turn|river))*)\b(?! (?:card"
    rf"|{_BETS}))|(?P<every>(?:on )?(?:every|each) (?:single )?street(?: post-?flop)?|both streets|all three streets"
    rf"|all the way|all hand|since the flop)(?: came)?"
    rf"|(?P<times>{'|'.join(_TIMES)})|(?P<seat>(?:(?:from|in|on|out of) )?{SEATS})\b|(?P<into>into {_ME})"
    rf"|(?:(?:to|for|against|over|behind|after|before|ahead of|in front of) )?{_ME}\b"
    rf"|(?:over |after |to )?(?:(?P<whose>my|[a-z]+'s)|her|the|an?|one|two|three|both"
    rf"|his)(?: (?P<mine>{STREET}))?(?: (?:\d+|small|big))? {_BETS}|over (?:limps|limpers)|(?:it )?(?:up|out)"
    rf"|all[- ]in|yet|so far|(?:in front|ahead) of me|already|again|too|as well|in front|back|here|now|earlier"
    rf"|before|first)"
)
"""Matches one of the details that follow a verb: an amount, a street, a seat."""
_ENDS = re.compile(
    r"\s*$|\s*[,.;:!()-]|,? (?:and|so|but|which|after|then|into|now|because|here|too|again|that|my|while|when"
    r"|with|for|as|before|on|in|from|at|over|since|though|behind)\b"
)
"""Matches what may follow a claim."""
_EXCEPT = re.compile(r" (?:but|except|besides|apart|until)\b")
"""Matches words before an exception, as in "nobody but Belle"."""
_RAISER = re.compile(
    r"\bthe (?:(?:pre-?flop|original|initial|last) (?:raiser|aggressor|opener)|opener|(?:raiser|aggressor)(?: pre-?flop"
    r"| before the flop)?)\b|\b(?:made|put in) the last (?:bet|raise)(?: on the (?P<street>flop|turn|river))?"
)
_USUAL = re.compile(r"\bnever\b|\bdo(?:es)?(?:n't| not)\b")
"""Words that tell what somebody usually does."""
_HABIT = re.compile(r" (?:with|when|for|as|like|from|at|because|over|on|in|every|too|a lot)\b")
"""Matches what follows a verb in the present tense if the act is only a habit: "he limps with pairs"."""
_AS_A_RULE = re.compile(r"\b(?:usually|always|often|sometimes|(?:half|most of|some of) the time|a lot)\b")
_LEADING = re.compile(rf"(?:^|,|\bon|\bon the) ?({STREET}),? $")


def claims_about_people(
    text: str, people: Sequence[NamedPeople], known: BotKnowledge
) -> Iterator[tuple[int, int, str | None]]:
    """Yields (start, end, result) for each claim about acts. The result is "" (right), the truth (wrong) or None
    (uncertain).
    """
    for said in find_statements(text, people, _RAISER):
        yield said.start, said.end, _raised_last(known, said)
    claimed_to = 0
    for said in find_statements(text, people, ACT) if people else ():
        if said.start < claimed_to:
            continue  # these words are already details of an earlier verb
        end, details = said.end, list[re.Match[str]]()
        while detail := _DETAIL.match(text, end):
            details.append(detail)
            claimed_to = end = detail.end()
        if whom := next((who for who in people if who.start == end + 1 and not details), None):
            claimed_to = end = whom.end if re.search("rais|bet|call", said.found[0]) else end
        if said.who.quantity in ("all", "none") and _EXCEPT.match(text, end):
            continue
        if _ENDS.match(text, end) and not (
            said.found[0].endswith(" it") and not any(each["amount"] for each in details)
        ):
            yield said.start, end, _check_claim(known, _Details(text, said, details))


class _Details:
    """The details of a claim about an act: the people, the verb, the streets, the amount, and the number of times."""

    def __init__(self, text: str, said: Statement, found: Sequence[re.Match[str]]) -> None:
        named = {key: value for each in found for key, value in each.groupdict().items() if value}
        self.who, self.is_negated, self.verb = said.who, said.is_negated, verb_of(said.found[0])
        self.words = text[said.start : found[-1].end() if found else said.end]
        self.name = "he" if said.who.words in ("he", "she", "villain") else said.who.words
        self.amount, self.unit, self.into = (named.get(key) for key in ("amount", "unit", "into"))
        whose = [each["whose"] for each in found if each["whose"] and not re.search("limp|check", each[0])]
        self.is_total, self.raiser_name = "to" in named, whose[0].removesuffix("'s") if whose else ""
        self.seat = named.get("seat", "")
        self.times = _TIMES.get(named.get("times", ""))
        self.is_every_street = "every" in named or said.found[0].startswith(("three-barrel", "triple-barrel"))
        self.is_present_tense = not said.found["past"]
        self.may_be_present_tense = self.is_present_tense or re.fullmatch(self.verb.base, said.found[0])
        self.is_uncertain = (
            (self.is_present_tense and (_USUAL.search(self.words) or _HABIT.match(text, said.start + len(self.words))))
            or (said.found["base"] and not said.is_negated and said.who.quantity == "all" and len(said.who.seats) == 1)
            or (said.who.is_self and _AS_A_RULE.search(text))
            or (  # "I bet, called"
                said.is_continued and not found and re.match("call|rais|re-?rais", said.found[0])
            )
            or (  # "two bet" means two bets, and not two players that bet
                isinstance(said.who.quantity, int)
                and not said.found[0].endswith("ed")
                and not re.search(r"[a-z]{4,}s$|them$|of us$", said.who.words)
            )
        )
        self.streets = self._streets(text[: said.start], found, named)

    def _streets(self, before: str, found: Sequence[re.Match[str]], named: Mapping[str, str]) -> list[Street]:
        leading = _LEADING.search(before)
        words = [each["street"] for each in found if each["street"]]
        words = words or [named.get("mine") or (leading[1] if leading else "")]
        streets = [street for each in words for street in re.findall(STREET, each)]
        if self.who.is_self and not streets:
            if re.search(rf" {_ME}$", self.words):  # "he bet the turn and I raised him"
                streets = re.findall(r"\b(?:flop|turn|river)\b", before)[-1:]
            elif ("seat" in named and self.verb.is_preflop) or re.match("[34]", self.verb.past):
                streets = ["preflop"]
        return [street_called(street) for street in streets]


def _check_claim(known: BotKnowledge, said: "_Details") -> str | None:
    """Checks a claim: returns "" if it is right, the truth if it is wrong, and None if this is uncertain."""
    who = said.who
    if said.is_every_street and not said.streets:
        said.streets = [each for each in STREETS[1:] if STREETS.index(each) < STREETS.index(known.street)]
        said.streets += [known.street] * (known.street != "preflop" and not who.is_self)
    if elsewhere := _seat_mistake(known, said):
        return elsewhere
    if said.is_uncertain or any(STREETS.index(street) > STREETS.index(known.street) for street in said.streets):
        return None
    if who.quantity == "none":
        return None if said.is_present_tense and not said.streets else _check_nobody(known, said)
    if isinstance(who.quantity, int):
        return _check_number(known, said, who.quantity)
    return _check_named_bots(known, said)


def _seat_mistake(known: BotKnowledge, said: "_Details") -> str:
    """If the claim names a wrong seat ("from the button"), returns who really sits there. Otherwise returns ""."""
    named_seat = re.match("(?:from|in|on|out of) (.*)", said.seat)
    seat = (
        seat_called(known, named_seat[1])
        if named_seat and len(said.who.seats) == 1 and said.who.quantity == "all"
        else None
    )
    if named_seat is None or seat is None or seat < 0 or seat in said.who.seats or said.is_negated:
        return ""
    return f"{named_seat[1].removeprefix('the ')}: {known.names[seat]}"


def _check_named_bots(known: BotKnowledge, said: "_Details") -> str | None:
    who = said.who
    if known.seat in who.seats and not who.is_self:
        return None
    if re.match(r"(?:every|all|both|they)(?!.*blinds)", who.words):
        return _check_everyone(known, said)
    apart = who.quantity == "all" and len(who.seats) > 1
    groups = (
        [((seat,), (seat,)) for seat in who.seats] if apart else [(who.seats or who.possible_seats, who.possible_seats)]
    )
    answers = [_check_street(known, said, street, *group) for street in said.streets or (None,) for group in groups]
    return next(filter(None, answers), None if None in answers else "")


def _check_street(
    known: BotKnowledge, said: "_Details", street: Street | None, seats: Sequence[int], possible_seats: Sequence[int]
) -> str | None:
    """Checks the claim for `seats` on `street`, or on any street if `street` is None.

    `possible_seats` are all seats that the claim may be about.
    """
    who, verb = said.who, said.verb
    acts = [act for act in known.acts if street in (None, act.street)]
    truth = _what_happened([act for act in known.acts if act.seat in seats], street, said.name)
    if said.is_negated:
        here = [act for act in acts if street or act.street == known.street]
        wrong = _did_any_seat(known, here, seats, verb.surely_means) and who.quantity == "all"
        return (
            truth
            if wrong
            else None
            if _did_any_seat(known, acts, possible_seats, verb.may_mean) or who.quantity == "any"
            else ""
        )
    may_be_next = who.is_self and (
        (street == known.street and (not known.chosen_act or verb.may_mean(known, known.chosen_act)))
        or not acts
        or (
            not street and (said.may_be_present_tense or not known.chosen_act or verb.may_mean(known, known.chosen_act))
        )
    )
    if done := [act for act in acts if act.seat in seats and verb.surely_means(known, act)]:
        result = _check_details(known, said, done, street)
        habit = said.is_present_tense and not (street or said.amount or "to me" in said.words) and not result
        return None if habit or (result and may_be_next) else result
    if (
        said.amount
        and not may_be_next
        and (like := [act for act in acts if act.seat in seats and verb.may_mean(known, act)])
    ):
        return _check_details(known, said, like, street) or None
    if may_be_next or (said.is_present_tense and not (street or said.amount or "to me" in said.words)):
        return None
    if street is None and said.into:
        acts = [act for act in acts if act.street != "preflop"]
    strict = street != "preflop" and _RAISED_ME.search(said.words)
    return None if _did_any_seat(known, acts, possible_seats, verb.surely_means if strict else verb.may_mean) else truth


_RAISED_ME = re.compile(r"\braise[sd] (?:me|us|my|it|that)\b")


def _check_details(
    known: BotKnowledge, said: "_Details", done: Sequence[HandAction], street: Street | None
) -> str | None:
    """Checks the details of a claim that names the right act: which bot's bet the act answered, how often the act was
    done, and the amount.

    `done` are the acts that the claim may be about.
    """
    truth = _what_happened(done, street, said.name)
    if said.raiser_name:
        whose = known.seat if said.raiser_name == "my" else seats_by_name(known).get(said.raiser_name, -1)
        raisers = [_raiser_before(known, act) for act in done]
        if whose >= 0 and whose not in raisers:
            return f"{known.names[raisers[-1]]} had raised" if raisers[-1] >= 0 else truth
    if said.times:
        most = max(sum(act.seat == seat for act in done) for seat in {act.seat for act in done})
        return verdict(True if most == said.times else False if most < said.times else None, truth)
    if said.amount:
        chips = [float(chips) for act in done for chips in (act.bet, act.amount, act.bet - act.facing)]
        if said.is_total and said.verb.base in ("raise", "open"):
            chips = [float(act.bet) for act in done]
        blinds = [each / known.big_blind for each in chips]
        return verdict(is_close_enough(said.amount, blinds if said.unit else chips + blinds), truth)
    return ""


def _raiser_before(known: BotKnowledge, act: HandAction) -> int:
    """Returns the seat that bet or raised last before `act` on the same street, or -1 if nobody did."""
    before = known.acts[: known.acts.index(act)]
    return ([-1] + [each.seat for each in before if each.street == act.street and each.bet > each.facing])[-1]


def _what_happened(acts: Sequence[HandAction], street: Street | None, who: str) -> str:
    """Returns what really happened, in a few words."""
    words = {"bet": "bet {0.bet:,}", "raise": "raise to {0.bet:,}", "call": "call {0.amount:,}"}
    lines = [words.get(act.act, act.act).format(act) for act in acts if street in (None, act.street)]
    return f"{street or who}: {', '.join(lines[-3:]) or 'nothing'}"


def _did_any_seat(known: BotKnowledge, acts: Iterable[HandAction], seats: Sequence[int], did: ActTest) -> bool:
    return any(act.seat in seats and did(known, act) for act in acts)


def _check_nobody(known: BotKnowledge, said: "_Details") -> str | None:
    street = said.streets[0] if said.streets else known.street
    others = [act for act in known.acts if act.seat != known.seat]
    everybody = street != known.street and "else" not in said.who.words
    acts = [act for act in (known.acts if everybody else others) if act.street == street]
    if "call" in said.verb.past:  # only acts after the last bet can be calls of this bet
        acts = acts[1 + max((index for index, act in enumerate(acts) if act.act in ("bet", "raise")), default=-1) :]
        acts = [act for act in acts if act.facing > known.big_blind]
    did = said.verb.may_mean if said.verb.base == "bet" else said.verb.surely_means
    done = [act for act in acts if did(known, act)]
    if street == "preflop" and said.verb.base == "bet":
        return None
    if (
        not done
        and not said.streets
        and _did_any_seat(known, others, range(len(known.starting_stacks)), said.verb.surely_means)
    ):
        return None
    return verdict(not done, _what_happened(acts, street, ""))


def _check_number(known: BotKnowledge, said: "_Details", number: int) -> str | None:
    """Checks how many bots did something: "two players limped before me"."""
    if said.verb.base == "fold":
        folds = [act.street for act in known.acts if act.act == "fold"]
        right = True if number in (len(folds), folds.count(known.street)) else None if number < len(folds) else False
        return verdict(right, f"folded: {len(folds)}")
    default_street = "preflop" if said.verb.surely_means is is_limp else known.street
    acts = [act for act in known.acts if act.street in (said.streets or [default_street])]
    sure, possible_seats = (
        {act.seat for act in some if act.seat in said.who.possible_seats and did(known, act)}
        for some, did in ((acts, said.verb.surely_means), (acts if said.streets else known.acts, said.verb.may_mean))
    )
    right = True if number == len(sure) else False if number > len(possible_seats) else None
    return verdict(right, _what_happened(acts, None, "so far"))


def _check_everyone(known: BotKnowledge, said: "_Details") -> str | None:
    streets = said.streets or [known.street]
    acts = [act for act in known.acts if act.street in streets and act.seat != known.seat]
    wanted = said.verb.base
    if not said.streets and any(said.verb.surely_means(known, act) for act in known.acts if act.street != known.street):
        return None  # the bots may have done so on an earlier street
    if "else" in said.who.words and wanted == "fold":
        return verdict(len(known.opponents) <= 1, f"in the hand: {len(known.live)}")
    both, seats = "both" in said.who.words, known.opponents
    if both and len(seats) != 2 and known.street not in streets:  # one of "both" may have folded on a later street
        seats = tuple(other_seat for other_seat in seats_dealt_in(known) if other_seat != known.seat)
    if both or re.search(r"\ball\b", said.who.words):
        acts = [act for act in acts if act.seat in seats]
    some_folded = any(act.act == "fold" for act in acts) and wanted not in ("fold", "check")
    if (both and len(seats) != 2) or (some_folded and not re.search(r"\b(?:both|all)\b", said.who.words)):
        return None
    missing = {*seats} - {act.seat for act in acts}
    folded_earlier = {
        act.seat for act in known.acts if act.act == "fold" and STREETS.index(act.street) < STREETS.index(streets[0])
    }
    if missing & folded_earlier and both:
        return f"{known.names[min(missing & folded_earlier)]} had folded"
    if not acts or (missing and wanted != "fold"):
        return None
    right = all(_did_any_seat(known, acts, [seat], said.verb.may_mean) for seat in {act.seat for act in acts})
    return verdict(right, _what_happened(acts, streets[0], ""))


def _acts_on_street(known: BotKnowledge) -> list[HandAction]:
    return [act for act in known.acts if act.street == known.street]


def _folded_to(known: BotKnowledge, found: re.Match[str]) -> str | None:
    acts = [act for act in _acts_on_street(known) if act.seat != known.seat]
    if found["by"]:
        seat = seat_called(known, found["by"])
        folded = any(act.seat == seat and act.act == "fold" for act in known.acts)
        return verdict(folded, f"{known.names[seat]} is in" if seat in known.live else "nobody sits there")
    told_before = re.search(r"\b(?:limp|rais|open|call|bet|shov|jam)\w*", found.string)
    if not acts or known.street != "preflop" or told_before:
        return None
    return verdict(all(act.act == "fold" for act in acts), _what_happened(acts, None, "so far"))


def _limped_to(known: BotKnowledge, _: re.Match[str]) -> str | None:
    """Checks that, before the bot's first act, others limped and nobody raised."""
    own_index = next((index for index, act in enumerate(known.acts) if act.seat == known.seat), len(known.acts))
    acts = [act for act in known.acts[:own_index] if act.street == "preflop"]
    limped = any(is_limp(known, act) for act in acts) and all(act.act != "raise" for act in acts)
    return verdict(limped, _what_happened(acts, "preflop", ""))


def _checked_to(known: BotKnowledge, found: re.Match[str]) -> str | None:
    acts = [act for act in _acts_on_street(known) if act.seat != known.seat]
    elsewhere = {*re.findall(r"\b(?:flop|turn|river)\b", found.string)} - {known.street}
    if known.street == "preflop" or elsewhere:
        return None
    if found[0].startswith(("every", "both", "all")) and len({act.seat for act in acts} & {*known.opponents}) < len(
        known.opponents
    ):
        return "some are still to act"
    return verdict(bool(acts) and all(act.act == "check" for act in acts), _what_happened(acts, known.street, ""))


def _pot_kind(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a name for the pot against the number of raises before the flop: "a limped pot", "a 3-bet pot"."""
    low, high = {"l": (0, 0), "u": (0, 0), "s": (1, 1), "r": (1, 99), "3": (2, 2), "t": (2, 2)}[found["kind"][0]]
    raises = [act for act in known.acts if act.street == "preflop" and act.act in ("bet", "raise")]
    if known.street == "preflop" and len(raises) < low:
        return None
    return verdict(low <= len(raises) <= high, f"raises preflop: {len(raises)}")


def _check_raises(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the number of raises before the flop: "two raises in front of me"."""
    raises = sum(act.street == "preflop" and act.act == "raise" for act in known.acts)
    wanted = 2 if found["again"] else int(number_of(found["number"]))
    return verdict(wanted == raises, f"raises preflop: {raises}")


def _defended(known: BotKnowledge, found: re.Match[str]) -> str | None:
    which = found["which"] or found["mine"]
    blinds = known.blinds if not which else (known.blinds[which == "big"],)
    return verdict(known.seat in blinds, "it posted no such blind")


def _my_bet(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the amount of the bot's own bet on an earlier street."""
    bets = [
        act for act in known.acts if act.street == found["street"] and act.seat == known.seat and act.bet > act.facing
    ]
    if found["street"] == known.street or not bets:
        return None
    chips = [each for act in bets for each in (act.bet, act.amount)]
    return verdict(
        is_close_enough(found["number"], [*chips, *(each / known.big_blind for each in chips)]),
        _what_happened(bets, None, "bet"),
    )


def _first_in(known: BotKnowledge, _: re.Match[str]) -> str | None:
    if known.street != "preflop":
        return None
    return verdict(all(act.act == "fold" for act in known.acts), _what_happened(known.acts, None, "so far"))


def _check_limpers(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if found["number"] == "a":
        return None
    limpers = {act.seat for act in known.acts if is_limp(known, act) and act.act == "call" and act.seat != known.seat}
    return verdict(number_of(found["number"]) == len(limpers), f"limpers: {len(limpers)}")


def _raised_last(known: BotKnowledge, said: Statement) -> str | None:
    """Checks who bet or raised last on the street that the words name. If the words name no street, checks who did so
    last in the hand so far.
    """
    words, seats = said.found[0], said.who.seats
    street = said.found["street"] or ("preflop" if re.search("pre|orig|init|open|before", words) else None)
    raisers = [act.seat for act in known.acts if act.act in ("bet", "raise") and street in (None, act.street)]
    raiser = raisers[-1] if raisers else -1
    if (
        said.is_negated
        or said.who.quantity != "all"
        or (said.who.is_self and not street)
        or (known.street == "preflop" and (raiser < 0 or said.who.is_self))
    ):
        return None
    if raiser not in seats and {*raisers} & {*seats} and not said.found["street"]:
        return None  # the named bots raised, and another bot raised after them
    return verdict(raiser in seats, f"{known.names[raiser]} raised" if raiser >= 0 else "nobody raised")


def _checked_through(known: BotKnowledge, found: re.Match[str]) -> str | None:
    streets = [word for word in (found["street"], found.groupdict().get("also")) if word]
    acts = [act for act in known.acts if act.street in streets]
    over = known.street not in streets and all(len(known.board) >= BOARD_SIZES[street] for street in streets)
    return (
        verdict(all(act.act == "check" for act in acts), _what_happened(acts, street_called(streets[0]), ""))
        if over
        else None
    )


def _check_facing(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks who has bet or raised on this street: "facing Belle's raise"."""
    seat = seats_by_name(known).get(found["who"], -1)
    if seat < 0:
        return None
    raisers = [act.seat for act in known.acts if act.street == known.street and act.bet > act.facing]
    return verdict(seat in raisers, f"by {known.names[raisers[-1]]}") if raisers else None


FACTS = (
    fact(r"facing (?P<who>\w+)'s (?:bet|raise|open|shove|3-?bet|jam|lead)(?: (?:to|of) \d+)?", _check_facing),
    fact(
        r"(?:it's |it |action |everyone |everybody )?(?:folded|folds|was folded)(?: around)? to (?:me"
        rf"|us)(?: by (?P<by>{SEATS}))?(?! (?:on|if))",
        _folded_to,
    ),
    fact(r"(?:it's |it |action |everyone |everybody )?(?:was |got )?limped(?: around)? to (?:me|us)", _limped_to),
    fact(
        r"(?:it's |it |action |they |everyone |everybody |both(?: \w+)? |all(?: \w+)? |he |villain |my opponent "
        r"|the opponent |opponent )?checke?[ds](?: (?:on )?(?:the )?(?:flop|turn|river))?(?: around)? to (?:me|us)",
        _checked_to,
    ),
    fact(
        r"(?P<street>flop|turn|river)(?:,? and (?:the )?(?P<also>turn|river))?(?: (?:was|were|got|went|is))?(?: both)?"
        r" (?:checked(?: through| all around| around| out| by everyone)|checked(?=[,.;]|$)|check[-, ]+check)",
        _checked_through,
    ),
    fact(r"we (?:both|all) checked (?:on )?(?:the )?(?P<street>flop|turn|river)", _checked_through),
    fact(
        r"(?:(?<=\ba )|(?<=\ban )|(?<=\bthis )|(?<=^)|(?<=^ ))"
        r"(?P<kind>(?:limped|unopened|unraised|single[- ]raised|raised|(?:3|three)-?bet) (?:(?:multiway|family"
        r"|heads-up|three-way|four-way) )?pot|srp)",
        _pot_kind,
    ),
    fact(
        r"(?P<number>no|one|two|three|four|[1-4]) raises? (?:pre-?flop|before the flop|in front of me|ahead of me)"
        r"|there(?:'s|'s been| is| was| has been) a raise and a (?P<again>re-?raise)(?: (?:in front of|ahead of) me)?",
        _check_raises,
    ),
    fact(r"i defend(?:ed)? (?:my|the) (?:(?P<which>big|small) )?blind|my (?P<mine>big|small) blind(?!s)", _defended),
    fact(
        rf"my (?P<street>flop|turn|river) (?:bet|raise|c-bet) (?:was|of"
        rf"|was only) (?P<number>{ABOUT}?{NUMBER})(?![\w%]| ?%)",
        _my_bet,
    ),
    fact(r"(?<=i'm )first in|(?<=i am )first in(?: the pot)?", _first_in),
    fact(
        r"(?P<number>a|one|two|three|four|[1-4]) limpers?(?!-)(?: already| in front(?: of me)?| ahead(?: of me)?"
        r"| before me)?",
        _check_limpers,
    ),
)
