"""What has happened in the hand: "he raised before the flop", "it checked to me", "nobody has bet", "3-bet pot". Pure.

"He" is the only opponent left. If there are several, "he" may be any of them, and the claim is wrong only if none of
them did it. An act that the bot may be about to take is no claim.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from broadcast.commentary.claims.kinds.position import seat_called
from broadcast.commentary.claims.kinds.price import judged
from broadcast.commentary.claims.speech.known import BOARD_SIZES, STREETS, Acted, Known
from broadcast.commentary.claims.speech.mention import Fact, fact, verdict
from broadcast.commentary.claims.speech.names import names_pattern, seats_by_name
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, number_of
from server.game.events import Street

KIND = "history"
EXAMPLES = """
raise 300, call         | [He raised before the flop].                      |
raise 300, call         | [He raised to 300 preflop], so I fold.            |
raise 300, call         | [He raised to 900 preflop].                       | preflop: raise to 300
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
"""
ACTS = re.compile(
    r"rais|bet|call|check|fold|limp|shov|jam|all[- ]in|open|leads?\b|led\b|donk|barrel|fire|(?:made|makes) it|pot\b"
    r"|aggressor|shown"
)
"""Every sentence about what has happened contains one of these. A search for them is quicker than a search for each
fact.
"""
_Did = Callable[[Known, Acted], bool]


def _raises_before(known: Known, act: Acted) -> int:
    before = known.acts[: known.acts.index(act)]
    return sum(each.street == act.street and each.act in ("bet", "raise") for each in before)


def _is(*acts: str) -> _Did:
    return lambda _, act: act.act in acts


def _limp(known: Known, act: Acted) -> bool:
    return act.street == "preflop" and act.act in ("call", "check") and act.facing <= known.big_blind


def _open(known: Known, act: Acted) -> bool:
    return act.act in ("bet", "raise") and not _raises_before(known, act)


def _reraise(known: Known, act: Acted) -> bool:
    return act.act == "raise" and _raises_before(known, act) >= 1


def _shove(_: Known, act: Acted) -> bool:
    return act.all_in and act.act in ("bet", "raise", "call")


def _after_check(wanted: str) -> _Did:
    def did(known: Known, act: Acted) -> bool:
        before = known.acts[: known.acts.index(act)]
        checked = any(each.seat == act.seat and each.street == act.street and each.act == "check" for each in before)
        return act.act == wanted and checked

    return did


def _min_raise(known: Known, act: Acted) -> bool:
    return act.act == "raise" and act.bet <= 2 * max(act.facing, known.big_blind)


def _c_bet(known: Known, act: Acted) -> bool:
    return act.street == "flop" and act.act == "bet" and act.seat == _raiser(known)


def _raiser(known: Known) -> int:
    """Returns the seat that raised last before the flop; -1 if none has raised."""
    raisers = [act.seat for act in known.acts if act.street == "preflop" and act.act == "raise"]
    return raisers[-1] if raisers else -1


def _nth_raise(number: int) -> _Did:
    return lambda known, act: act.act == "raise" and act.street == "preflop" and _raises_before(known, act) == number


_VERBS: tuple[tuple[str, str, _Did, _Did], ...] = (
    (r"check[- ]?raised", r"check[- ]?raises", _after_check("raise"), _after_check("raise")),
    (r"check[- ]?called", r"check[- ]?calls", _after_check("call"), _is("call")),
    (r"(?:3-?bet|three-?bet)", r"(?:3-?bets|three-?bets)", _reraise, _reraise),
    (r"re-?raised", r"re-?raises", _reraise, _is("raise")),  # some say so of a raise over a limp
    (r"(?:3|three)-?bet(?:ted)?", r"(?:3|three)-?bets", _nth_raise(1), _reraise),
    (r"(?:4|four)-?bet(?:ted)?", r"(?:4|four)-?bets", _nth_raise(2), _nth_raise(2)),
    (
        r"(?:re-?raised|re-?popped(?: it)?|squeezed)",
        r"(?:re-?raises|re-?pops(?: it)?|squeezes)",
        _is("raise"),
        _is("raise", "bet"),
    ),
    (r"min-?raised", r"min-?raises", _min_raise, _min_raise),
    (
        r"(?:raised|(?:made|bumped) it(?= (?:up )?(?:to )?\d))",
        r"(?:raises|(?:makes|bumps) it(?= (?:up )?(?:to )?\d))",
        _is("raise"),
        _is("raise", "bet"),
    ),
    (r"(?:c-?bet|continuation bet)", r"c-?bets", _c_bet, _is("bet")),
    (r"(?:bet|barrell?ed|fired|stabbed)", r"(?:bets|barrels|fires|stabs)", _is("bet"), _is("bet", "raise")),
    (r"(?:led(?: out)?|donk(?:ed| bet))", r"(?:leads(?: out)?|donks)", _is("bet"), _is("bet")),
    (r"(?:(?:just |flat(?:-| )?)?called|flatted)", r"(?:(?:just |flat-?)?calls|flats)", _is("call"), _is("call")),
    (r"(?:(?:open-?)?limped(?: in| along| behind)?|completed)", r"(?:limps(?: in)?|completes)", _limp, _limp),
    (r"checked(?: behind| back)?", r"checks(?: behind| back)?", _is("check"), _is("check")),
    (r"folded", r"folds", _is("fold"), _is("fold")),
    (
        r"(?:shoved|jammed|(?:went|moved|pushed|is) all[- ]in)",
        r"(?:shoves|jams|(?:goes|moves) all[- ]in)",
        _shove,
        _shove,
    ),
    (r"(?:opened(?: the pot)?(?: for a raise)?|open-raised)", r"(?:opens|open-raises)", _open, _is("raise", "bet")),
)
"""Each verb in the past and in the present, the act that it means, and the acts that it may mean in loose speech."""
_BEFORE_THE_FLOP = [verb for verb in _VERBS if any(re.match(verb[0], word) for word in ("raised", "limped", "opened"))]
"""What bots do "from the small blind" happened before the flop, if no street is named."""
_SEAT = r"(?:button|btn|small blind|big blind|sb|bb|cut-?off|co|hijack|hj|utg|under the gun)"
_STREET = r"(?P<street{0}>flop|turn|river|before the flop|pre-?flop|pre\b)"
_LEADING = re.compile(r"(?:^|,|\bon|\bon the) ?(flop|turn|river|pre-?flop),? $")
_HE = (
    r"he|she|they|villain|(?:my |the |this )?opponent|(?:the )?(?:big blind|small blind|button|bb|sb|btn"
    r"|cut-?off|co|hijack"
    r"|hj|utg)"
)
_ADVERBS = r"(?:(?:has|have|had|just|then|already|simply|only|also|even|both|first|again|there|now) )*"
_TIMES = {"once": 1, "twice": 2, "two times": 2, "three times": 3, "2 times": 2, "3 times": 3}


def _street_of(words: str | None) -> Street | None:
    if words is None:
        return None
    return words if words in ("flop", "turn", "river") else "preflop"  # type: ignore[return-value]


def _street_before(found: re.Match[str]) -> str | None:
    """The street named right before the words: "on the turn, he bet"."""
    named = _LEADING.search(found.string[: found.start()])
    return named[1] if named else None


def _told(acts: Sequence[Acted], street: Street | None, who: str) -> str:
    """Returns what really happened, in a few words."""
    words = {"bet": "bet {0.bet:,}", "raise": "raise to {0.bet:,}", "call": "call {0.amount:,}"}
    lines = [words.get(act.act, act.act).format(act) for act in acts if street in (None, act.street)]
    return f"{street or who}: {', '.join(lines[-3:]) or 'nothing'}"


def _seats(known: Known, who: str) -> tuple[list[int], list[int]]:
    """Returns the seats that the subject certainly means, and the seats that it may mean."""
    names = seats_by_name(known)
    if who in ("i", "we"):
        return [known.seat], [known.seat]
    who = who if who in names else who.removeprefix("the ")
    if who in names:
        return [names[who]], [names[who]]
    at = seat_called(known, who)
    if at is not None:
        return ([at], [at]) if at >= 0 else ([], [*range(len(known.started))])
    others = [at for at, stack in enumerate(known.started) if at != known.seat and stack]
    return ([*known.others], others) if len(known.others) == 1 else (others, others)


_Verb = tuple[str, str, _Did, _Did]


def _did(verb: _Verb, *, present: bool) -> Callable[[Known, re.Match[str]], str | None]:
    """The check whether the subject did what the verb says."""

    def check(known: Known, found: re.Match[str]) -> str | None:
        who = found["who"] or _subject_before(known, found)
        if who is None:
            return None
        streets = _streets(found, who)
        if not streets and found["every"]:
            streets = [each for each in STREETS[1:] if STREETS.index(each) < STREETS.index(known.street)]
            streets += [known.street] * (known.street != "preflop" and who not in ("i", "we"))
        answers = [_did_on(known, found, who, street, verb=verb, present=present) for street in streets or (None,)]
        told = [answer for answer in answers if answer]
        return told[0] if told else None if None in answers else ""

    return check


def _did_on(
    known: Known, found: re.Match[str], who: str, street: Street | None, *, verb: _Verb, present: bool
) -> str | None:
    """Whether the subject did so on this street; None for any street."""
    _, _, meant, loose = verb
    seats, all_seats = _seats(known, who)
    own = who in ("i", "we")
    if not seats or (known.seat in seats and not own):
        return None
    if own and ((found["seat"] and verb in _BEFORE_THE_FLOP) or "three" in verb[0] or "four" in verb[0]):
        street = street or "preflop"
    acts = [act for act in known.acts if street in (None, act.street)]
    if street and STREETS.index(street) > STREETS.index(known.street):
        return None
    if own and (street is None or not (acts and street != known.street)):
        return None  # it may be what the bot is about to do
    done = [act for act in acts if act.seat in seats and meant(known, act)]
    if done:
        return _details(known, found, done, street)
    if present and not (street or found["amount"] or "to me" in found[0]):
        return None
    if street is None and _INTO_ME.search(found[0]):
        acts = [act for act in acts if act.street != "preflop"]
    strict = street != "preflop" and _RAISED_ME.search(found[0])
    may_be = _any(known, acts, all_seats, meant if strict else loose)
    return None if may_be else _told([act for act in known.acts if act.seat in seats], street, who)


_INTO_ME = re.compile(r"\binto (?:me|us)\b")
_RAISED_ME = re.compile(r"\braise[sd] (?:me|us|my|it|that)\b")


def _subject_before(known: Known, found: re.Match[str]) -> str | None:
    """Who did what stands before: the subject of "bet the flop and checked the turn" does both."""
    before = list(_doers(names_pattern(known)).finditer(found.string, 0, found.start()))
    return before[-1]["who"] if before else None


@lru_cache(4)
def _doers(names: str) -> re.Pattern[str]:
    verbs = "|".join(rf"{past}|{now}" for past, now, *_ in _VERBS)
    return re.compile(rf"\b(?P<who>{_HE}|i|we|(?:the )?{names}) {_ADVERBS}(?:{verbs})\b")


def _streets(found: re.Match[str], who: str) -> list[Street]:
    """The streets that the words name; the street of the words before if the bot answers there: "and I raised it"."""
    named = re.findall(r"flop|turn|river|pre\w*|before the flop", f"{found['street1'] or ''} {found['more'] or ''}")
    named = named or [word for word in (found["street2"], found["mine"], _street_before(found)) if word]
    if not named and who in ("i", "we") and re.search(r" (?:it|that|him|her)$", found[0]):
        named = re.findall(r"\b(?:flop|turn|river)\b", found.string[: found.start()])[-1:]
    return [street for word in named if (street := _street_of(word))]


def _any(known: Known, acts: Sequence[Acted], seats: Sequence[int], did: _Did) -> bool:
    return any(act.seat in seats and did(known, act) for act in acts)


def _details(known: Known, found: re.Match[str], done: Sequence[Acted], street: Street | None) -> str | None:
    """Whether the amount and the number of times are right, too."""
    told = _told(done, street, found["who"] or "he")
    if found["times"]:
        most = max(sum(act.seat == seat for act in done) for seat in {act.seat for act in done})
        wanted = _TIMES[found["times"]]
        return verdict(True if most == wanted else False if most < wanted else None, told)
    if amount := found["amount"] or found["later"]:
        chips = [float(chips) for act in done for chips in (act.bet, act.amount, act.bet - act.facing)]
        blinds = [each / known.big_blind for each in chips]
        return verdict(judged(amount, blinds if found["unit"] else chips + blinds), told)
    return ""


def _on_street(known: Known) -> list[Acted]:
    return [act for act in known.acts if act.street == known.street]


def _folded_to(known: Known, found: re.Match[str]) -> str | None:
    acts = [act for act in _on_street(known) if act.seat != known.seat]
    told_before = re.search(r"\b(?:limp|rais|open|call|bet|shov|jam)\w*", found.string)
    if not acts or known.street != "preflop" or told_before:
        return None
    return verdict(all(act.act == "fold" for act in acts), _told(acts, None, "so far"))


def _checked_to(known: Known, found: re.Match[str]) -> str | None:
    acts = [act for act in _on_street(known) if act.seat != known.seat]
    elsewhere = {*re.findall(r"\b(?:flop|turn|river)\b", found.string)} - {known.street}
    if known.street == "preflop" or elsewhere:
        return None
    if found[0].startswith(("every", "both", "all")) and len({act.seat for act in acts} & {*known.others}) < len(
        known.others
    ):
        return "some are still to act"
    return verdict(bool(acts) and all(act.act == "check" for act in acts), _told(acts, known.street, ""))


def _nobody(known: Known, found: re.Match[str]) -> str | None:
    street = _street_of(found["street"]) or known.street
    wanted = ("raise",) if found["verb"].startswith(("raise", "open")) else ("bet", "raise")
    if found["verb"].startswith("call"):
        wanted = ("call",)
    acts = [act for act in known.acts if act.street == street and act.seat != known.seat]
    if wanted == ("call",):  # since the last bet
        acts = acts[1 + max((at for at, act in enumerate(acts) if act.act in ("bet", "raise")), default=-1) :]
        acts = [act for act in acts if act.facing > known.big_blind]
    acts = [act for act in acts if act.act in wanted]
    if street == "preflop" and "raise" not in wanted and not found["verb"].startswith("call"):
        return None
    named = ("bet",) if found["verb"] == "bet" else wanted
    elsewhere = any(act.act in named and act.seat != known.seat for act in known.acts)
    if not acts and elsewhere and not found["street"]:
        return None
    return verdict(not acts, _told(acts, street, ""))


def _everyone(known: Known, found: re.Match[str]) -> str | None:
    street = _street_of(found["street"]) or known.street
    wanted = {"folded": "fold", "checked": "check", "called": "call", "limped": "call"}[found["verb"]]
    acts = [act for act in known.acts if act.street == street and act.seat != known.seat]
    if not found["street"] and any(act.act == wanted for act in known.acts if act.street != street):
        return None  # they may have done so on an earlier street
    if found["else"] and wanted == "fold":
        return verdict(len(known.others) <= 1, f"in the hand: {len(known.live)}")
    if not acts or (wanted == "call" and any(act.act == "fold" for act in acts)):
        return None
    return verdict(all(act.act == wanted for act in acts), _told(acts, street, ""))


def _pot_kind(low: int, high: int) -> Callable[[Known, re.Match[str]], str | None]:
    def check(known: Known, _: re.Match[str]) -> str | None:
        raises = [act for act in known.acts if act.street == "preflop" and act.act in ("bet", "raise")]
        if known.street == "preflop" and len(raises) < low:
            return None
        return verdict(low <= len(raises) <= high, f"raises preflop: {len(raises)}")

    return check


def _limpers(known: Known, found: re.Match[str]) -> str | None:
    if found["number"] == "a":
        return None
    limpers = {act.seat for act in known.acts if _limp(known, act) and act.act == "call" and act.seat != known.seat}
    return verdict(number_of(found["number"]) == len(limpers), f"limpers: {len(limpers)}")


def _aggressor(known: Known, found: re.Match[str]) -> str | None:
    raiser = _raiser(known)
    if found["who"] == "i":
        raised = any(act.seat == known.seat and act.street == "preflop" and act.act == "raise" for act in known.acts)
        if raised and raiser != known.seat:
            return None  # it was raised again
        return verdict(raiser == known.seat, "someone else raised" if raiser >= 0 else "nobody raised")
    seats, _ = _seats(known, found["who"])
    right = raiser in seats or (None if known.street == "preflop" and raiser < 0 else False)
    return verdict(right, "raised before the flop" if raiser == known.seat else "he did not raise last")


def _checked_through(known: Known, found: re.Match[str]) -> str | None:
    streets = [word for word in (found["street"], found.groupdict().get("also")) if word]
    acts = [act for act in known.acts if act.street in streets]
    over = known.street not in streets and all(len(known.board) >= BOARD_SIZES[street] for street in streets)
    return verdict(all(act.act == "check" for act in acts), _told(acts, _street_of(streets[0]), "")) if over else None


def _folded(known: Known, found: re.Match[str]) -> str | None:
    folds = [act.street for act in known.acts if act.act == "fold"]
    number = number_of(found["number"])
    right = True if number in (len(folds), folds.count(known.street)) else None if number < len(folds) else False
    return verdict(right, f"folded: {len(folds)}")


def _all_in(known: Known, _: re.Match[str]) -> str | None:
    return verdict(any(known.stacks[at] == 0 for at in known.others), "nobody is all-in")


def facts(known: Known) -> tuple[Fact, ...]:
    """Returns the phrases that can state facts about the bots at the table."""
    return _facts(names_pattern(known))


@lru_cache(4)
def _facts(names: str) -> tuple[Fact, ...]:
    named = rf"|(?:the )?{names}"
    he, adverbs = _HE, _ADVERBS
    goes_on = (
        r"(?= (?:and|so|but|which|after|then|into|now|because|here|too|again|that|my|(?:from|in"
        rf"|on) (?:the )?{_SEAT})\b|[,.;!)-]|\s*$)"
    )
    rest = (
        rf"(?: (?:it )?(?:up|out))?(?: (?:it )?(?:to |for |of )?(?P<amount>{ABOUT}?{NUMBER})(?P<unit> ?(?:bbs?"
        r"|big blinds?"
        r"|x)\b)?(?: chips)?(?! (?:of|times)))?"
        rf"(?: (?:on |from )?(?:both )?(?:the )?{_STREET.format(1)}(?P<more>(?:(?:,|,? and"
        rf"|,? then) (?:on )?(?:the )?(?:flop|turn|river))*))?"
        r"(?P<every> (?:on )?(?:every|each) street| all the way)?"
        rf"(?: (?P<times>{'|'.join(_TIMES)}))?(?: all[- ]in)?(?: already)?(?: into (?:me|us))?(?: (?:to )?(?:me"
        rf"|us|it|him|that|{names}))?(?: my (?:(?P<mine>pre-?flop|flop|turn|river) )?(?:bet|c-?bet|raise|lead"
        rf"|open|limp|check|stab|barrel))?(?: again)?"
        rf"(?:,? (?:on |from )?(?:the )?{_STREET.format(2)})?"
        rf"(?P<seat> (?:(?:from|in|on) )?(?:the )?{_SEAT}\b)?"
        r"(?: (?:behind|ahead of|in front of|after|before) me| in front| over (?:(?:the|a|one|two"
        r"|three) )?(?:limps?|limpers?))?"
        rf"(?: (?:to|for) (?P<later>(?=\d){ABOUT}?{NUMBER}))?"
    )
    found: list[Fact] = []
    for verb in _VERBS:
        past, now, *_ = verb
        found += [
            fact(
                rf"(?:(?P<who>{he}|i|we{named}) |(?<=\band )|(?<=\bthen )|(?<=\bbut )){adverbs}{past}{rest}{goes_on}",
                _did(verb, present=False),
            ),
            fact(rf"(?P<who>{he}{named}) {adverbs}{now}{rest}{goes_on}", _did(verb, present=True)),
        ]
    on = r"(?: (?:on |before )?(?:the )?(?P<street>flop|turn|river|pre-?flop|before the flop))?"
    return (
        *found,
        fact(
            r"(?:it's |it |action |everyone |everybody )?(?:folded|folds|was folded)(?: around)? to (?:me"
            r"|us)(?! (?:on|if))",
            _folded_to,
        ),
        fact(
            r"(?:it's |it |action |they |everyone |everybody |both(?: \w+)? |all(?: \w+)? |he |villain |my opponent "
            r"|the opponent |opponent )?(?:checked"
            r"|checks)(?: (?:on )?(?:the )?(?:flop|turn|river))?(?: around)? to (?:me|us)",
            _checked_to,
        ),
        fact(
            r"(?:nobody|no one|no-one)(?: else)?(?: has)? (?:yet )?(?P<verb>bet|raised|opened|called"
            rf"|shown any interest){on}(?: yet| so far)?{goes_on}",
            _nobody,
        ),
        fact(
            rf"(?:everyone|everybody)(?P<else> else)?(?: has)? (?P<verb>folded|checked|called|limped){on}{goes_on}",
            _everyone,
        ),
        fact(
            r"(?P<street>flop|turn|river)(?:,? and (?:the )?(?P<also>turn|river))?(?: (?:was|were|got|went"
            r"|is))?(?: both)?"
            r" (?:checked(?: through| around| out| by everyone)|checked(?=[,.;]|$)|check[-, ]+check)",
            _checked_through,
        ),
        fact(r"we (?:both|all) checked (?:on )?(?:the )?(?P<street>flop|turn|river)", _checked_through),
        fact(
            r"(?P<number>two|three|four|five|[2-5])(?: (?:of them|players|others|opponents))?(?: have)?(?: already)?"
            r" folded(?! to)",
            _folded,
        ),
        fact(r"(?:(?<=\ba )|(?<=^)|(?<=^ ))limped pot", _pot_kind(0, 0)),
        fact(
            r"(?P<number>a|one|two|three|four|[1-4]) limpers?(?!-)(?: already| in front(?: of me)?| ahead(?: of me)?"
            r"| before me)?",
            _limpers,
        ),
        fact(r"(?:(?<=\ba )|(?<=\bthis ))(?:single[- ]raised pot|srp)", _pot_kind(1, 1)),
        fact(r"(?<=\ba )raised pot", _pot_kind(1, 99)),
        fact(r"(?<=\ba )(?:3|three)-?bet pot", _pot_kind(2, 2)),
        fact(
            rf"(?P<who>i|{he}{named}) (?:am|was|is|'m) the (?:preflop|pre-flop|original) (?:raiser|aggressor)",
            _aggressor,
        ),
        fact(rf"(?:{he}|someone|somebody) is (?:already )?all[- ]in", _all_in),
    )
