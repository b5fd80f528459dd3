"""Claims about the price of a call: the pot, the chips to call, pot odds as a ratio or a share, free checks. No I/O.

The pot may be counted with or without the bets of this street. An amount is right if it is at most 5 % off, and wrong
if it is more than 12 % off (8 % with decimals). With "about", these limits are 12 % and 25 %. The needed share of wins
is right if it is at most 3 percentage points off, and wrong from about 5 points on. With "about", and for words such as
"a third", these limits are 4 and 6 points. Between the limits, a check returns None, and the claim is not judged.
"""

import re
from collections.abc import Iterator, Sequence

from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.people import NamedPeople, find_statements
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, is_close_enough, is_near, is_vague, stated_number

KIND = "price"
EXAMPLES = """
pot 300, call 100       | I am [getting 3 to 1 on a call].                  |
pot 300, call 100       | I [need 25% equity to call].                      |
pot 300, call 100       | I [need about a quarter].                         |
pot 300, call 100       | I'm [getting 5 to 1].                             | getting: 3 to 1
pot 300, call 100       | [Pot odds of 40%].                                | needs: 25%
pot 300, call 100       | The [pot is 300].                                 |
pot 300, call 100       | It is [100 to call].                              |
pot 300, call 100       | It's [200 to call].                               | to call: 100
pot 300, call 100       | I can [check for free].                           | to call: 100
pot 300, call 0         | I can [check for free].                           |
pot 300, call 100       | [I can check] here.                               | to call: 100
pot 300, call 0         | I [have to call 40] to win.                       | to call: 0
pot 300, call 0         | I am [facing a bet] of half the pot.              | to call: nothing
pot 300, call 100       | We have [over seven big blinds in the pot].       | pot: 300
pot 300, call 100       | If the pot is 900, I call.                        | no claim
pot 300, call 100       | I will make the pot 900.                          | no claim
pot 300, call 100       | [Needs 25%].                                      |
pot 300, call 100       | It is [100 to win 300, so 25%].                   |
pot 300, call 100       | It is [100 to win 300, so 40%].                   | needs: 25%
pot 300, call 100       | That is [better than 4 to 1].                     | getting: 3.0 to 1
pot 300, call 100       | Calling [costs half my stack].                    | costs: 2% of its stack
pot 300, call 100       | I [need to be good about a third of the time].    | needs: 25%
pot 300, call 100       | [They want 100 from me].                           |
pot 300, call 100       | I'm [paying 200 to continue].                     | to call: 100
pot 300, call 100       | A call is [0% of my stack].                       | costs: 2% of its stack
pot 300, call 100       | Half pot: 150.                                    | no claim
pot 300, call 100       | Half the pot: 150.                                | no claim
pot 300, call 100       | He needs 40% to call.                             | no claim
pot 300, call 100       | I need 40% folds.                                 | no claim
"""
"""Each row has the pot, the chips to call, a thought with its claims in brackets, and the truth if a claim is false."""
_AMOUNT = (
    rf"(?P<number>{ABOUT}?{NUMBER})(?P<unit> ?(?:bbs?|big blinds?)\b)?(?: chips)?(?!\.?[\d%]| ?(?:%|percent|per cent"
    r"|to 1|times|outs?|players?|x\b))"
)
_COUNTED = rf"(?=(?:{ABOUT})?(?:\d|{NUMBER} (?:bbs?|big blinds?)\b)){_AMOUNT}"
_DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?k?"
_SHARE = (
    rf"(?:(?P<number>{ABOUT}?{NUMBER}) ?(?:%|percent|per cent)|{ABOUT}?(?P<part>(?:a|one) (?:third|quarter"
    rf"|fifth|sixth|eighth|tenth)|half|one(?: time)? in (?:two|three|four|five|six)))"
)
_GAP = r"(?: (?!(?:if|and|but|have|got|he|she|they|against|when|folds?|bet|raise)\b)[a-z'-]+){0,4}?"
"""Matches a few words without a number."""
_NEED = (
    r"(?:need(?:ing|ed)?|(?:(?<=^)|(?<=^ )|(?<=it )|(?<=call )|(?<=calling )|(?<=that )|(?<=which )|(?<=this ))needs"
    r"|requires?|required"
    r"|(?:needs?|has|have) to (?:be (?:good|right|ahead|best)|win)|break[- ]?even|pot odds|priced?|demands?"
    r"|call(?:ing)? costs)"
)
_NEEDED = (
    r"(?:needed|required|to (?:call|continue|break[- ]?even|make (?:the|this) call)|is (?:what|all) i need|is enough"
    r"|pot odds|price|break[- ]?even)"
)


def amount_is(known: BotKnowledge, found: re.Match[str], accepted: Sequence[float]) -> bool | None:
    """Whether the amount in the words is close to one of the `accepted` amounts, which are in chips.

    Without a unit, the amount may be in chips or in big blinds, as in "I have 14 BB, the pot is 20".
    """
    blinds = [each / known.big_blind for each in accepted]
    return is_close_enough(found["number"], blinds if found.groupdict().get("unit") else [*accepted, *blinds])


def _accepted_pots(known: BotKnowledge) -> list[int]:
    """Returns the amounts that people call the pot: with all bets of this street, without these bets, without the
    largest bet, or after a call.
    """
    pot, bets = known.pot, known.bets or (0,)
    return [pot, pot - sum(bets), pot - max(bets), pot + known.to_call]


_PART_OF_POT = re.compile(r"(?:\b(?:half|thirds?|quarters?|full|over)|%|/\d)(?: of(?: the)?)?[- ]$")
_AFTER_CALL = re.compile(r"\b(?:after|if|would|will|call|calling|with my|becomes?|total|then)\b")
_EARLIER = re.compile(r"\b(?:pre-?flop|flop|turn|was|earlier|before|then)\b")
"""Words about an earlier pot."""


def _check_pot(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if _PART_OF_POT.search(found.string[: found.start()]):
        return None  # the words give the size of a bet
    pots = _accepted_pots(known) if _AFTER_CALL.search(found.string) else _accepted_pots(known)[:3]
    right = amount_is(known, found, pots)
    earlier = [act.pot + paid for act in known.acts for paid in (0, act.amount)]
    if right is False and _EARLIER.search(found.string) and amount_is(known, found, earlier) is not False:
        return None
    return verdict(right, f"pot: {known.pot:,}")


_HIS_BET = re.compile(r"(?:\b(?:the|this|that|his|her|their)|'s) (?:bet|raise)\b")
_BETTING = re.compile(r"\b(?:bet|rais|bluff|shov|stab|steal|jam|open|limp)(?:e|s|ing)?\b")


def _check_to_call(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if _BETTING.search(_HIS_BET.sub("", found.string[: found.start()])):
        return None  # the words say what a bet or raise would cost
    if found.string[: found.start()].endswith(" of my last "):
        return None  # the amount is the stack from which the bot would pay the call
    accepted = [known.to_call] + [max(known.bets)] * found[0].startswith("facing")
    return verdict(amount_is(known, found, accepted), f"to call: {known.to_call:,}")


def _call_to_win(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if not known.to_call:
        return None
    answers = (
        is_close_enough(found["number"], [known.to_call]),
        is_close_enough(
            found["pot"], _accepted_pots(known) if "into" in found[0] else [known.pot, known.pot + known.to_call]
        ),
    )
    right = True if answers == (True, True) else False if False in answers else None
    return verdict(right, f"{known.to_call:,} to win {known.pot:,}")


def _break_even_percent(known: BotKnowledge) -> float:
    """Returns how often a call must win to break even, in percent."""
    return 100 * known.to_call / (known.pot + known.to_call)


def _check_share(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how often a call must win: "I need 25%", "a third is enough"."""
    if not known.to_call or re.search(r"\bfolds\b|\bfold(?:ing)? (?:equity|\d)|bluff|half price", found.string):
        return None
    part, number = found["part"], found["number"] or ""
    said = 100 * _PARTS[part.split()[-1]] if part else stated_number(number)
    limit, off = 4 if part or is_vague(number) else 3, abs(said - _break_even_percent(known))
    if off > limit and (
        (part and re.search("less than|under|over", found[0]))
        or (
            "odds" in found[0] and abs(said - 100 * known.to_call / known.pot) < 6
        )  # some people say "odds" and mean the call divided by the pot
    ):
        return None
    return verdict(
        True if off <= limit else False if off >= limit + 2 - 0.2 else None, f"needs: {_break_even_percent(known):.0f}%"
    )


def _better_ratio(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if not known.to_call or _NOT_THE_PRICE.search(found.string):
        return None
    said, true = stated_number(found["number"]), known.pot / known.to_call
    return verdict(True if true >= said else None if true > 0.92 * said else False, f"getting: {true:.1f} to 1")


def _check_share_of_stack(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks which share of the bot's stack a call costs."""
    text = _HIS_BET.sub("", found.string)
    if not known.to_call or re.search(r"\b(?:bet|rais)", text) or found[0].startswith(("a ", "half")):
        return None
    true, part = 100 * known.to_call / known.stacks[known.seat], found["part"]
    said = 100 * _PARTS[part.split()[-1]] if part else stated_number(found["number"])
    right, wrong = (0.2 * true, 0.3 * true) if part else (3, 8)
    off = abs(said - true)
    if not said:  # 0 % is wrong if the call costs at least 1 %
        return None if true < 1 else f"costs: {true:.0f}% of its stack"
    return verdict(True if off <= right else None if off <= wrong else False, f"costs: {true:.0f}% of its stack")


_OFFERED = re.compile(r"\b(?:getting|i get|gives? me|offers? me|lays? me)\b")
_NOT_THE_PRICE = re.compile(r"\bimplied|\bhit|\bagainst|\bimprov|\bmiss|\bunderdog|\bdog\b|\bfavou?rite")
"""Words about odds that are not the price of a call."""


def _check_ratio(known: BotKnowledge, found: re.Match[str]) -> str | None:
    clause = re.split("[,;:]", found.string[: found.start()])[-1] + re.split("[,;:]", found.string[found.start() :])[0]
    told = clause if _OFFERED.search(clause) else found.string
    if not known.to_call and re.search(r"\bi'm getting $", found.string[: found.start()]):
        return "to call: nothing"
    if not known.to_call or _NOT_THE_PRICE.search(told):
        return None
    said, true = stated_number(found["number"]), known.pot / known.to_call
    wide = is_vague(found["number"]) or (said == int(said) and abs(said - true) < 0.45)
    right = True if is_near(said, true, share=0.12) else is_near(said, true, share=0.25 if wide else 0.15) and None
    return verdict(right, f"getting: {true:.1f} to 1".replace(".0 ", " "))


def _check_more(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks "200 more.", but not in a sentence about a bet or raise."""
    return None if not known.to_call or re.search(r"rais|bet|puts?\b", found.string) else _check_to_call(known, found)


def _check_free(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(not known.to_call, f"to call: {known.to_call:,}")


def _check_facing(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if "3-bet" in found[0]:
        raises = sum(act.bet > act.facing for act in known.acts if act.street == known.street)
        return verdict(raises + (known.street != "preflop") > 1, f"raises: {raises}")
    return verdict(bool(known.to_call), "to call: nothing")


def claims_about_people(
    text: str, people: Sequence[NamedPeople], known: BotKnowledge
) -> Iterator[tuple[int, int, str | None]]:
    """Yields the claims of a sentence about the size of other bots' bets: "Belle bet half the pot".

    Each claim is (start, end, result). The result is "" (right), the truth (wrong) or None (uncertain).
    """
    for said in find_statements(text, people, _BET_SIZE):
        one = said.who.quantity == "any" and said.who.words in ("he", "she", "villain")
        if (one or len(said.who.seats) == 1) and not said.who.is_self and not said.is_negated:
            yield said.start, said.end, _check_size_of(known, said.found, said.who.possible_seats, text)


def _check_size(known: BotKnowledge, found: re.Match[str]) -> str | None:
    bets = [act for act in known.acts if act.street == known.street and act.bet > act.facing]
    if not bets or bets[-1].seat == known.seat:
        return None
    return _check_size_of(known, found, [bets[-1].seat], found.string)


_STREET_NAMED = re.compile(r"\b(?:flop|turn|river|pre-?flop|street)\b")


def _check_size_of(known: BotKnowledge, found: re.Match[str], seats: Sequence[int], text: str) -> str | None:
    """Checks the size of the only bet on this street, as a share of the pot before the bet."""
    bets = [act for act in known.acts if act.street == known.street and act.act == "bet"]
    other = {*_STREET_NAMED.findall(text)} - {known.street}
    if len(bets) != 1 or bets[0].seat not in seats or not bets[0].pot or other:
        return None
    return verdict(
        is_bet_size(found["size"], bets[0].amount, bets[0].pot), f"bet: {bets[0].amount / bets[0].pot:.0%} of the pot"
    )


def is_bet_size(words: str, amount: int, pot: int) -> bool | None:
    """Whether a bet of `amount` into `pot` has the size that `words` name, such as "half the pot"."""
    true = amount / pot
    said = next((share for word, share in _SIZES.items() if re.search(word, words)), 1.0)
    if words.startswith("over"):
        return true > 1 if abs(true - 1) > 0.1 else None
    off = min(abs(said - true), abs(said - true / (1 + true)))  # some people add the bet to the pot
    return True if off <= 0.1 else False if off > (0.15 if said < 0.6 else 0.25) else None


def _check_bet_amount(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks the amount of the bet that the bot faces: "her bet is 400"."""
    bets = [act for act in known.acts if act.street == known.street and act.bet > act.facing]
    if not known.to_call or not bets or {*_STREET_NAMED.findall(found.string)} - {known.street}:
        return None
    last = bets[-1]
    return verdict(
        amount_is(known, found, [last.bet, last.amount, last.bet - last.facing, known.to_call]), f"bet: {last.bet:,}"
    )


def _check_leaves(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks how many chips a call leaves the bot: "a call leaves me with 3,000"."""
    if not known.to_call or re.search(r"\b(?:bet|rais|shov|jam)", found.string):
        return None
    left = known.stacks[known.seat] - known.to_call
    return verdict(amount_is(known, found, [left]), f"leaves: {left:,}")


def _check_cannot_check(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(bool(known.to_call), "to call: nothing")


def _check_spr(known: BotKnowledge, found: re.Match[str]) -> str | None:
    mine, others = known.stacks[known.seat], [known.stacks[seat] for seat in known.opponents]
    stacks = [mine, min(mine, max(others, default=mine))]
    accepted = [stack / pot for stack in stacks for pot in _accepted_pots(known) if pot > 0]
    said = stated_number(found["number"])
    near = [is_near(said, true, share=0.2, min_tolerance=0.5) for true in accepted]
    far = [not is_near(said, true, share=0.5, min_tolerance=1.5) for true in accepted]
    return verdict(True if any(near) else False if all(far) else None, f"SPR: {stacks[1] / known.pot:.1f}")


def _all_in_call(known: BotKnowledge, _: re.Match[str]) -> str | None:
    if not known.to_call:
        return None
    left = known.stacks[known.seat] - known.to_call
    return verdict(left <= 0, f"leaves: {left:,}")


_SIZES = {
    "two[- ]third": 2 / 3, "three[- ]quarter": 3 / 4, "half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5,
    "tenth": 1 / 10, "twice|double|2x": 2,
}  # fmt: skip
"""Words for the size of a bet, each with the share of the pot that it means. Other words mean the whole pot."""
_PARTS = {
    "two": 1 / 2, "three": 1 / 3, "four": 1 / 4, "five": 1 / 5, "six": 1 / 6, "tenth": 1 / 10, "eighth": 1 / 8,
    "half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "sixth": 1 / 6,
}  # fmt: skip
SIZE_WORDS = (
    r"(?:(?:an? |one[- ]|the )?(?:two[- ]thirds?|three[- ]quarters?|half|third|quarter|fifth|tenth"
    r"|full)(?:[- ](?:of (?:the )?|the )?pot)"
    r"|(?:the (?:full |whole |size of the )?|full )?pot(?:[- ]sized?)?|over-?bet(?:s)?|(?:twice|double"
    r"|2x) (?:the )?pot)(?: the pot)?"
)
"""Words for the size of a bet against the pot."""
_BET_SIZE = re.compile(
    rf"(?:(?:(?=over-?bet)|(?:bets?|fired?|fires|led(?: out)?|leads?"
    rf"|made it|stabbed|barrell?ed)(?: (?:just|about|only|exactly|for"
    rf"|around|roughly|again|the river|the turn|the flop))* )(?P<size>{SIZE_WORDS}))(?![\w'])(?! (?:odds|to me|with))"
)
_NO_FAVOURITE = "(?! (?:favou?rite|underdog|dog|against|chip))"
_TO_ONE = r"(?: ?: ?| to |-to-| ?- ?)(?:1|one)(?: pot odds| odds| on (?:a |my |the )?call| direct odds)?"
_COSTS = (
    r"(?:(?<!to )call(?:ing)?(?: is| costs| for)?|to call is|completing costs|costs?(?: me| us)?|(?:need|must"
    r"|got|have)(?: to)? (?:call|put in|pay)"
    r"|pay(?:ing)?|(?:he|she|they|it)(?:'s| is| are)? (?:charg\w+|ask(?:s|ing)?|wants?)(?: me| us)?(?: for)?"
    r"|asked (?:for|to call|to pay))"
)
_TO_SEE = r"(?:to (?:call|continue|see|stay|enter|complete|peel)|from me|to me(?! by))"
_PAID = rf"(?P<number>{_DIGITS})(?: more| chips)?(?: to call)?"
_ODDS = (
    r"(?:getting|gets? me|get|that is|that's|gives? me|odds|have|offer(?:s|ed|ing)?(?: me)?|lay(?:s|ing) me"
    r"|odds (?:of|are|is)|odds:|price (?:is|of)|at)"
)
WORDS = re.compile(
    r"\d|pot|odds|call|check|free|nothing|no bet|facing|overbet|half|third|quarter|fifth|sixth|eighth|tenth|per ?cent"
    r"|\bin (?:two|three|four|five|six)|more|another|to[ -]one|stack|chips|leaves|blinds?\b|bbs?\b"
)
FACTS = (
    fact(
        r"pot(?: size)?(?: now| already| currently)?(?:'s| is| has| of| stands at| sits at| =| contains| holds)"
        r"(?: now| already| up to| at)*"
        rf" {_COUNTED}",
        _check_pot,
    ),
    fact(rf"(?<!half the )(?<!of the )pot(?::| at)? {_COUNTED}", _check_pot),
    fact(rf"{_COUNTED}(?: chips)?(?: are| is)? (?:already )?(?:in the (?:pot|middle)|out there)(?! odds)", _check_pot),
    fact(
        rf"(?:{_COSTS}(?: only| just| another| about)* )?(?=\d){_AMOUNT}(?: more| chips)? {_TO_SEE}(?! (?:into"
        rf"|to win))",
        _check_to_call,
        allows_hedging=True,
    ),
    fact(
        rf"{_COSTS}(?: only| just| another)? (?=\d){_AMOUNT}(?! to win (?:an? |the )?\d| into| for)",
        _check_to_call,
        allows_hedging=True,
    ),
    fact(
        rf"(?:another|only|just) (?=\d){_AMOUNT}(?: chips)? to (?:call|see|continue|stay)",
        _check_to_call,
        allows_hedging=True,
    ),
    fact(rf"facing an? (?:bet|raise|shove|all-in|open|3-bet)(?: of| to) {_AMOUNT}", _check_to_call),
    fact(
        rf"(?:(?:to call|call(?:ing)?|pay(?:ing)?|risk(?:ing)?|for) )?{_PAID} (?:to win|into) (?:a "
        rf"|the )?(?P<pot>{_DIGITS})",
        _call_to_win,
        allows_hedging=True,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ )|(?<=, )|(?<=: )|(?<=just )|(?<=only )|(?<=calling )){_PAID} for (?:an? "
        rf"|the )?(?:(?:pot|chance|shot) (?:of|at) )?(?P<pot>{_DIGITS})(?!,\d)"
        r"(?=(?: pot| chips)? *(?:[.,;:]|$|=))",
        _call_to_win,
    ),
    fact(
        rf"{_NEED}:?{_GAP} {_SHARE}(?: equity)?(?: {_NEEDED}| of the time)?(?! (?:fold|of))",
        _check_share,
        allows_hedging=True,
    ),
    fact(
        rf"(?<!he needs )(?<!they need ){_SHARE}(?: equity)?(?: is)? {_NEEDED}(?! range)",
        _check_share,
        allows_hedging=True,
    ),
    fact(
        rf"{_DIGITS} (?:to win|into|for) {_DIGITS}(?:,| is| =)(?: so| that's)? (?=[a~\d]){_SHARE}",
        _check_share,
        allows_hedging=True,
    ),
    fact(rf"(?:(?<=\bgetting )|(?:pot )?{_ODDS} )(?P<number>{ABOUT}?{NUMBER}){_TO_ONE}{_NO_FAVOURITE}", _check_ratio),
    fact(
        rf"(?P<number>{ABOUT}?{NUMBER})(?: ?: ?| to |-to-)(?:1|one)(?: (?:pot )?odds)?"
        rf"{_NO_FAVOURITE}",
        _check_ratio,
    ),
    fact(
        rf"(?:(?<=^)|(?<=^ )|(?<=, )|(?<=: )|(?<=only )|(?<=just )){_AMOUNT} more(?= for me| to (?:call|see"
        rf"|continue|complete|stay|win)|[.,;]|$)",
        _check_more,
    ),
    fact(
        rf"(?:(?:costs?(?: me)?|takes?|risk(?:ing)?|wants|it's|that's) )?{_SHARE} (?:of )?(?:my|the) (?:whole "
        rf"|remaining )?(?:stack|chips)",
        _check_share_of_stack,
        allows_hedging=True,
    ),
    fact(rf"another (?=\d){_AMOUNT}(?: chips| more)?(?=[.,;]|$)", _check_more),
    fact(rf"better than (?P<number>{NUMBER}){_TO_ONE}", _better_ratio),
    fact(
        r"check(?:ing)?(?: \w+)?(?: back| behind)? (?:for free|is free|costs nothing)"
        r"|see (?:a|the|another) (?:card|turn|river|flop) for (?:free|nothing)|free to check|check my option",
        _check_free,
        allows_hedging=True,
        about_self=True,
    ),
    fact(
        r"nothing to (?:call|pay)|costs? (?:me )?nothing to (?:see|continue|stay)"
        r"|(?:(?<=^)|(?<=^ )|(?<=, )|(?<=so ))i can check(?= here| now| behind|[.,;!]|$)"
        r"|no bet to (?:call|face|me)|it's free",
        _check_free,
        allows_hedging=True,
    ),
    fact(r"facing an? (?:[\w-]+[- ])?(?:bet|raise|shove|all-in|overbet)(?! (?:of|to) \d)", _check_facing),
    fact(
        rf"(?:facing|bet of|(?:the|his|her|this) bet is(?: for)?|it's|that's)(?: an?)?(?: just| only"
        rf"| about)? (?P<size>{SIZE_WORDS})"
        r"(?: bet| shove| lead)?(?! (?:odds|control))",
        _check_size,
    ),
    fact(
        rf"(?:the|his|her|this|[a-z]+'s) (?:bet|raise|shove|lead|open)(?: is| was| of|'s) (?:for |to |only "
        rf"|just )*(?=\d){_AMOUNT}"
        r"(?! to win| into)",
        _check_bet_amount,
    ),
    fact(
        rf"(?:(?:a call|calling|that|it|the call) (?:would |will )?leaves? me (?:with )?(?:only |just )?"
        rf"|(?:after (?:a call|calling)|if i call),? i(?:'d| would|'ll| will)? (?:still |only )?(?:have"
        rf"|be left with|be down to) ){_AMOUNT}",
        _check_leaves,
        allows_hedging=True,
    ),
    fact(r"i (?:can't|cannot) check", _check_cannot_check, allows_hedging=True),
    fact(rf"(?:spr|stack[- ]to[- ]pot ratio)(?: \w+){{0,3}}? ?(?P<number>{ABOUT}?(?=\d){NUMBER})", _check_spr),
    fact(
        r"(?:calling|a call|the call|to call) (?:(?:puts|would put|is for|means being|is)(?: me| us)? all[- ]in"
        r"|(?:is for|would be for|takes|would take|costs|is) (?:all (?:of )?my (?:chips|stack)|my (?:whole"
        r"|entire) stack|everything))",
        _all_in_call,
        allows_hedging=True,
    ),
)
