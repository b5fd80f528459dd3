"""Claims about stacks: "I have 12 big blinds", "my stack is 1,200", "I cover him", "I am the chip leader". No I/O.

A stack may be counted with or without this street's bets, and before or after a call. `price.py` says how close a
number must be. Each check returns "" for a right claim, the truth for a wrong claim, and None if it cannot tell.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from broadcast.commentary.claims.kinds.price import amount_is
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.names import seats_by_name
from broadcast.commentary.claims.speech.people import NamedPeople, Statement, find_statements
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, is_close_enough, number_of

KIND = "chips"
EXAMPLES = """
stack 1200              | I have [12 big blinds left].                      |
stack 1200              | I'm [25 bb deep] here.                            | has: 12 big blinds
stack 1200              | [My stack is 1,200], so I wait.                   |
stack 1200              | [With about 12 big blinds] I shove.               |
stack 1200              | I am [the chip leader].                           | has: 1,200 of the most, 5,000
stack 9000              | I [cover him].                                    |
stack 1200              | I [cover everyone].                               | the most: 5,000
stack 9000              | I am [short-stacked].                             | has: 90 big blinds
stack 1200              | The [blinds are 50/100].                          |
stack 1200              | He has 40 big blinds left.                        | no claim
stack 1200              | [The small blind has 50 big blinds].              |
stack 1200              | I have [under 10 big blinds].                     | has: 12 big blinds
stack 1200              | I have [over 10 big blinds].                      |
stack 1200              | I have [over 20 big blinds].                      | has: 12 big blinds
stack 1200              | [The big blind has fewer chips than me].          | Wyatt has: 40 big blinds
stack 1200              | [Effective stacks 12 BB].                         |
stack 1200              | [Effective stacks 50 BB].                         | has: 12 big blinds
stack 1200              | A [12 BB stack] is short.                         |
stack 1200              | I'm on [twelve blinds].                           |
stack 9000              | I've got [the big blind covered by 20 BB].        | Wyatt has: 40 big blinds
stack 9000              | I [cover the big blind four to one].              | Wyatt has: 40 big blinds
stack 1200              | I've got [the big blind covered].                 | the most: 4,000
stack 2500              | [The small blind has twice my stack].             |
stack 2500              | [The small blind has half my stack].              | Belle has: 50 big blinds
stack 4500              | I've got everyone covered but the small blind.    | no claim
stack 9000              | He is covered in dust.                            | no claim
stack 1200              | If I had 40 big blinds, I would call.             | no claim
"""
"""Each row has a situation, a thought with its claims in brackets, and the truth if a claim is false."""
_AMOUNT = rf"(?P<number>{ABOUT}?{NUMBER})"
_BLINDS = r"(?P<unit> ?(?:bbs?|big blinds?)|(?<=\d) ?blinds| (?<!two )(?<!both )(?<!the )blinds)"
_MY_BLINDS = r"(?P<unit> ?(?:bbs?|(?:big )?blinds?))"


def _accepted_stacks(known: BotKnowledge) -> list[int]:
    mine = known.stacks[known.seat]
    return [mine, mine + known.bets[known.seat], known.starting_stacks[known.seat], mine - known.to_call]


def _truth(known: BotKnowledge, *, in_blinds: bool) -> str:
    stack = known.stacks[known.seat]
    return f"has: {stack / known.big_blind:.3g} big blinds" if in_blinds else f"has: {stack:,}"


def _check_stack(known: BotKnowledge, found: re.Match[str]) -> str | None:
    if re.match(r" pots?\b|.*\b(?:i'd|would) have\b", found.string[found.end() :]):
        return None  # the stack is counted in pots, or is only supposed
    accepted = _accepted_stacks(known)
    if known.street != "preflop" and re.search("left|behind|remaining", found[0]):
        accepted.remove(known.starting_stacks[known.seat])
    if "effective" in found[0]:
        accepted = [min(stack, known.stacks[seat]) for stack in accepted for seat in known.opponents]
        accepted += [min(known.starting_stacks[known.seat], known.starting_stacks[seat]) for seat in known.opponents]
    elif re.search(r"effective|deep", found.string):
        largest = max((known.stacks[seat] for seat in known.opponents), default=0)
        accepted += [min(stack, largest) for stack in _accepted_stacks(known)]
        accepted += [known.stacks[seat] for seat in known.opponents]
    return verdict(amount_is(known, found, accepted), _truth(known, in_blinds=bool(found.groupdict().get("unit"))))


def _check_unattributed_stack(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks a stack if the words do not say whose it is. The words may mean an opponent's stack, or the pot."""
    others = [stack for seat in known.opponents for stack in (known.stacks[seat], known.starting_stacks[seat])]
    told = _check_stack(known, found)
    return None if told and amount_is(known, found, [*others, known.pot]) is not False else told


def claims_about_people(
    text: str, people: Sequence[NamedPeople], known: BotKnowledge
) -> Iterator[tuple[int, int, str | None]]:
    """Yields (start, end, result of the check) for each claim about other bots' chips."""
    for words, check in (
        (_HOLDS, _check_stack_of),
        (_STACK_IS, _check_stack_of),
        (_COMPARED, _check_comparison),
        (_STACK_RANK, _check_stack_rank),
        (_SIZED, _check_depth_of),
        (_NEARLY, _nearly_all_in),
        (_TIMES, _check_stack_multiple),
    ):
        for said in find_statements(text, people, words):
            seats = _seats_meant(said, text, known)
            if seats and not said.is_negated:
                yield said.start, said.end, check(known, said.found, seats)
    for said in find_statements(text, people, _MORE_THAN):
        whom = next((who for who in people if who.start == said.end), None)
        seats = whom.seats if whom else known.opponents if said.found["him"] else ()
        if said.who.is_self and seats and known.seat not in seats and not said.is_negated:
            less = not re.match("more|bigger|larger|deeper", said.found["size"])
            end = whom.end if whom else said.end
            yield said.start, end, _check_richer(known, seats, less=less)
    yield from _covers(text, people, known)


def _covers(text: str, people: Sequence[NamedPeople], known: BotKnowledge) -> Iterator[tuple[int, int, str | None]]:
    """Yields (start, end, result of the check) for each claim that says who covers whom (has more chips)."""
    for said in find_statements(text, people, _COVERS):
        if said.who.quantity == "none" and said.found["me"]:
            mine, most = known.starting_stacks[known.seat], max(_other_stacks_before(known))
            yield said.start, said.end, verdict(None if mine == most else mine > most, f"the most: {most:,}")
            continue
        whom = next((who for who in people if who.start == said.end), None)
        him = said.found["him"] or said.found["them"]
        start, end = said.found.start(), max(whom.end if whom else 0, said.end)
        if said.found[0] == "covered" and said.who.quantity == "all" and _I_HAVE_HIM.search(text[: said.start]):
            whom, start = said.who, said.start
        if (said.found["me"] or said.found["us"]) and not said.who.is_self:
            yield said.start, said.end, _check_covered(known, said.who.seats or known.opponents)
        elif (said.who.is_self or whom is said.who) and (whom or him) and not _EXCEPT.match(text, end):
            seats = whom.seats if whom else known.opponents
            everyone = whom and whom.words.startswith("every")
            by, truth = _BY.match(text, end), _check_cover(known, _dealt_others(known) if everyone else seats)
            yield start, by.end() if by else end, _cover_by(known, by, seats) if by and truth == "" else truth


def _seats_meant(said: Statement, text: str, known: BotKnowledge) -> tuple[int, ...]:
    """Returns the seats that a sentence is about. Returns () if they are uncertain, or if the bot speaks of itself.

    "He" may be a bot that the sentence has named before.
    """
    if said.who.quantity == "all" and known.seat not in said.who.seats:
        return said.who.seats
    if said.who.quantity != "any" or said.who.seats or said.who.words in ("someone", "somebody"):
        return ()
    before = set(re.findall(r"\w+", text[: said.start]))
    named = {seat for name, seat in seats_by_name(known).items() if name in before}
    return tuple(named) if len(named) == 1 and min(named) >= 0 else ()


def _check_stack_of(known: BotKnowledge, found: re.Match[str], seats: Sequence[int]) -> str | None:
    answers = [
        amount_is(
            known, found, [known.stacks[seat], known.stacks[seat] + known.bets[seat], known.starting_stacks[seat]]
        )
        for seat in seats
    ]
    right = True if all(answers) else None if None in answers else False
    if right and re.search("left|behind|remaining", found[0]):  # chips that have been bet are not "left"
        behind = [amount_is(known, found, [known.stacks[seat]]) for seat in seats]
        right = True if all(behind) else None if None in behind else False
    return verdict(right, _they_have(known, seats))


def _they_have(known: BotKnowledge, seats: Sequence[int]) -> str:
    return "; ".join(f"{known.names[seat]} has: {_in_blinds(known, seat)}" for seat in seats)


def _check_comparison(known: BotKnowledge, found: re.Match[str], seats: Sequence[int]) -> str | None:
    """Checks who has more chips, the bot or others: "Belle has fewer chips than I do"."""
    return _check_richer(known, seats, less=bool(re.search("more|rich|deep|big|larg", found["size"])))


def _check_richer(known: BotKnowledge, seats: Sequence[int], *, less: bool) -> str | None:
    """Checks whether the bot has more chips than each of `seats`. With `less`, checks whether it has fewer."""
    leads = [
        (stacks[known.seat] - stacks[seat]) * (-1 if less else 1)
        for stacks in (known.starting_stacks, known.stacks)
        for seat in seats
    ]
    right = True if min(leads) > 0 else False if max(leads) <= 0 else None
    return verdict(right, _they_have(known, seats))


def _check_depth_of(known: BotKnowledge, found: re.Match[str], seats: Sequence[int]) -> str | None:
    blinds = known.starting_stacks[seats[0]] / known.big_blind
    short = found["size"] == "short"
    right = (
        True
        if (blinds <= 20 if short else blinds >= 100)
        else False
        if (blinds >= 60 if short else blinds <= 20)
        else None
    )
    return verdict(right, f"{known.names[seats[0]]} has: {_in_blinds(known, seats[0])}")


def _big_blind(known: BotKnowledge, found: re.Match[str]) -> str | None:
    return verdict(number_of(found["number"]) == known.big_blind, f"blinds: {known.small_blind}/{known.big_blind}")


def _in_blinds(known: BotKnowledge, seat: int) -> str:
    return f"{known.stacks[seat] / known.big_blind:.3g} big blinds"


def _check_stack_rank(known: BotKnowledge, found: re.Match[str], seats: Sequence[int]) -> str | None:
    """Checks who has the biggest or shortest stack.

    A claim counts as wrong only if it is wrong for all of these: the stacks before the hand, the stacks now, and the
    stacks now of the bots still in the hand.
    """
    pick = max if re.match("big|deep|rich|larg|most", found["size"]) else min
    dealt = [seat for seat, stack in enumerate(known.starting_stacks) if stack]
    best = [pick(stacks[seat] for seat in dealt) for stacks in (known.starting_stacks, known.stacks)]
    firsts = [
        stacks[seats[0]] == most for stacks, most in zip((known.starting_stacks, known.stacks), best, strict=True)
    ]
    right = True if all(firsts) else None if any(firsts) or not _is_not_extreme(known, seats[0], pick) else False
    return verdict(right, f"{known.names[seats[0]]} has: {_in_blinds(known, seats[0])}")


def _is_not_extreme(known: BotKnowledge, claimed_seat: int, pick: Callable[[Iterable[int]], int]) -> bool:
    """Whether a bot still in the hand has more chips than the bot at `claimed_seat`, or fewer chips if `pick` is `min`.
    Ignores bots without chips.
    """
    live = [known.stacks[seat] for seat in {*known.live, claimed_seat} if known.stacks[seat]]
    return bool(live) and pick(live) != known.stacks[claimed_seat]


def _nearly_all_in(known: BotKnowledge, _: re.Match[str], seats: Sequence[int]) -> str | None:
    left = known.stacks[seats[0]]
    if left > known.pot and left > 30 * known.big_blind:
        return f"{known.names[seats[0]]} has: {_in_blinds(known, seats[0])}"
    return "" if left <= known.pot / 4 else None


def _dealt_others(known: BotKnowledge) -> list[int]:
    return [seat for seat, stack in enumerate(known.starting_stacks) if seat != known.seat and stack]


def _other_stacks_before(known: BotKnowledge) -> list[int]:
    """Returns the stacks of the other bots dealt in, as they were before the hand."""
    return [stack for seat, stack in enumerate(known.starting_stacks) if seat != known.seat and stack]


def _other_stacks_now(known: BotKnowledge) -> list[int]:
    return [stack for seat, stack in enumerate(known.stacks) if seat != known.seat and known.starting_stacks[seat]]


def _check_leader(known: BotKnowledge, _: re.Match[str]) -> str | None:
    mine, most = known.starting_stacks[known.seat], max(_other_stacks_before(known))
    before, now = mine > most, known.stacks[known.seat] > max(_other_stacks_now(known))
    return verdict(before if before == now else None, f"has: {mine:,} of the most, {most:,}")


def _check_shortest(known: BotKnowledge, _: re.Match[str]) -> str | None:
    mine, least = known.starting_stacks[known.seat], min(_other_stacks_before(known))
    before, now = mine < least, known.stacks[known.seat] < min(_other_stacks_now(known))
    return verdict(before if before == now else None, f"has: {mine:,}; the least: {least:,}")


def _check_short(known: BotKnowledge, _: re.Match[str]) -> str | None:
    mine = known.starting_stacks[known.seat]
    blinds = mine / known.big_blind
    if blinds <= 15 or mine < min(_other_stacks_before(known)):
        return ""
    is_deep = blinds >= 60 or (blinds > 30 and mine > max(_other_stacks_before(known)))
    return _truth(known, in_blinds=True) if is_deep and known.stacks[known.seat] / known.big_blind > 30 else None


def _single_digit(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return verdict(known.stacks[known.seat] < 10 * known.big_blind, _truth(known, in_blinds=True))


def _check_deep(known: BotKnowledge, _: re.Match[str]) -> str | None:
    blinds = known.stacks[known.seat] / known.big_blind
    return "" if blinds >= 100 else _truth(known, in_blinds=True) if blinds <= 15 else None


def _cover_all(known: BotKnowledge, _: re.Match[str]) -> str | None:
    return _check_cover(known, _dealt_others(known))


def _check_cover(known: BotKnowledge, seats: Sequence[int]) -> str | None:
    others, mine = [known.starting_stacks[seat] for seat in seats], known.starting_stacks[known.seat]
    if not others or (mine in others and mine == max(others)):
        return None
    if mine > max(others):
        return ""
    return (
        None if mine > min(others) and len(seats) < len(_other_stacks_before(known)) else f"the most: {max(others):,}"
    )


def _cover_by(known: BotKnowledge, found: re.Match[str], seats: Sequence[int]) -> str | None:
    """Checks by how much the bot covers others: "by ten big blinds", "three to one"."""
    pairs = [(stacks[known.seat], stacks[seat]) for stacks in (known.starting_stacks, known.stacks) for seat in seats]
    ratios = [mine / stack for mine, stack in pairs if stack]
    more = [mine - stack for mine, stack in pairs]
    right = is_close_enough(found["times"], ratios) if found["times"] else amount_is(known, found, more)
    return verdict(right, _they_have(known, seats))


def _check_stack_multiple(known: BotKnowledge, found: re.Match[str], seats: Sequence[int]) -> str | None:
    """Checks a claim that another bot's stack is a multiple of the bot's own: "Belle has twice my stack"."""
    pairs = [(stacks[seat], stacks[known.seat]) for stacks in (known.starting_stacks, known.stacks) for seat in seats]
    ratios = [stack / mine / _SHARES[found["times"]] for stack, mine in pairs if mine]
    off = [0 if found["over"] and ratio > 1 else abs(ratio - 1) for ratio in ratios]
    right = True if max(off, default=0) < 0.15 else None if min(off) < 0.25 else False
    return verdict(right, _they_have(known, seats))


def _check_covered(known: BotKnowledge, seats: Sequence[int]) -> str | None:
    others, mine = [known.starting_stacks[seat] for seat in seats], known.starting_stacks[known.seat]
    if not others or mine in others:
        return None
    return (
        "" if mine < min(others) else None if mine < max(others) and len(others) == 1 else f"the least: {min(others):,}"
    )


def _against_pot(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks whether the stack is larger or smaller than the pot."""
    stack, more = (
        known.stacks[known.seat],
        found[0].find("less") < 0 and not re.search("smaller|shorter|fewer", found[0]),
    )
    sure = all((stack > pot) == more for pot in (known.pot, known.pot + known.to_call))
    wrong = all((stack <= pot if more else stack >= pot) for pot in (known.pot, known.pot - max(known.bets)))
    near = abs(stack - known.pot) < 0.1 * known.pot
    return verdict(
        True if sure else False if wrong and not near else None, f"{_truth(known, in_blinds=False)}, pot: {known.pot:,}"
    )


def _check_m(known: BotKnowledge, found: re.Match[str]) -> str | None:
    players = sum(stack > 0 for stack in known.starting_stacks)
    round_cost = known.small_blind + known.big_blind
    accepted = [
        stack / (round_cost + known.ante * antes) for stack in _accepted_stacks(known) for antes in (players, 1)
    ]
    return verdict(is_close_enough(found["number"], accepted), f"M: {accepted[0]:.1f}")


def _check_blinds(known: BotKnowledge, found: re.Match[str]) -> str | None:
    right = [number_of(found["small"]), number_of(found["big"])] == [known.small_blind, known.big_blind]
    return verdict(right, f"blinds: {known.small_blind}/{known.big_blind}")


_I_HAVE = (
    r"(?:(?<=\bi have )|(?<=\bi've got )|(?<=\bi've )|(?<=\bi'm )|(?<=\bi am )|(?<=\bwe have )|(?<=\bhave only )"
    r"|(?<=\bi'm down to )|(?<=\bi am down to )|(?<=\bi'm sitting on )|(?<=\bi'm on )|(?<=\bi've only got )"
    r"|(?<=\bi've still got )"
    r"|(?<=\bi'm playing )|(?<=\bi sit on )|(?<=\bi've just )|(?<=\bi have just )|(?<=\bi started with )"
    r"|(?<=\bi started this hand with )|(?<=\bi started the hand with )"
    r"|(?<=\bi began with )|(?<=\bwe both have )|(?<=\bi'm left with )|(?<=\bi am left with )"
    r"|(?<=\bi only have )|(?<=\bi hold )|(?<=\bi hold only )|(?<=\bi'm at )|(?<=\bi still have ))"
)
_I_AM = r"(?:(?<=\bi'm )|(?<=\bi am )|(?<=\bim )|(?<=\bas )|(?<=\bwe are )|(?<=\bwe're )|(?<=\bi have )|(?<=\bi've ))"
_LEFT = r"(?: (?:left|behind|deep|effective|remaining|in my stack|in front of me|to work with))"
_END = r"(?= *(?:[,.;:!)]|$| so\b| and\b| but\b))"


_HOLDS = re.compile(
    rf"(?:(?:stack (?:is|of|sits at)|down to|sitting (?:on|with)|sits on|(?:his|her|their) last"
    rf"|started (?:the hand |this hand )?with|holds?|plays|playing|at|a|exactly) )*"
    rf"{_AMOUNT}(?:{_BLINDS}|(?<=[\ddk])(?= (?:chips|left|behind|remaining)))(?: (?:left|behind|remaining|chips|each"
    rf"|apiece|stack))*"
    r"(?![\w'%])(?! (?:in the pot|to call|into|bet|raise|open))"
)
_STACK_IS = re.compile(rf"'s stack (?:is|sits at|stands at) (?:now )?{_AMOUNT}(?P<unit>)(?=\W*$|[.,;!] )")
_COMPARED = re.compile(
    r"(?:stack is |'s stack is )?(?:much |far |slightly |a bit |a little |way |a )*(?P<size>shorter|deeper|richer"
    r"|poorer|more|fewer|less|bigger|larger|smaller)"
    r"(?: chips| stack(?:ed)?| money| blinds)?(?: left| behind)? than (?:me|i do|i am|i have|mine|my stack|us)\b"
)
_STACK_RANK = re.compile(
    r"the (?P<size>big|bigger|biggest|shorter|smaller|larger|most|fewest|short|shortest|deepest|richest|smallest"
    r"|largest)(?: stack| chips)?"
    r"(?: at (?:the|this) table| here| of (?:us|all|them))?(?![\w'])(?! (?:blind|raise|bet|pot|hand|card))"
)
_SIZED = re.compile(
    r"(?:very |quite |pretty )?(?P<size>short|deep)(?:[- ]stacked)?(?=\W*$|[,.;:!]| (?:here|and|so|now)\b)"
)
_MORE_THAN = re.compile(
    r"(?:got )?(?:a )?(?:much |far |slightly |a bit )?(?P<size>more|fewer|less|bigger|larger|smaller|deeper|shorter)"
    r"(?: chips| stack| money)? than (?P<him>him|her|them)?"
)
_NEARLY = re.compile(r"(?:nearly|almost) all[- ]in\b")
_COVERS = re.compile(
    r"covers? (?:(?P<me>me|us)\b|(?P<him>him|her|them)\b)?|(?:has|have) (?P<us>me|us) covered(?! only)"
    r"|(?:(?P<them>him|her|them) )?covered\b"
)
_EXCEPT = re.compile(r" (?:but|except|besides|apart)\b")
_I_HAVE_HIM = re.compile(r"\b(?:i|we)(?:'ve| have)(?: got)? $")
_BY = re.compile(rf" by {_AMOUNT}{_BLINDS}?|,? (?P<times>two|three|four|five|[2-5])(?: to one| times over|[: ]1)\b")
_TIMES = re.compile(
    r"(?:about |almost |(?P<over>over |more than ))?(?P<times>twice|double|three times|half|a third of) my stack"
)
_SHARES = {"twice": 2, "double": 2, "three times": 3, "half": 1 / 2, "a third of": 1 / 3}


WORDS = re.compile(
    r"\d|\bbbs?\b|blind|chip|stack|cover|deep|short|rich|big|left|behind|remain|in front|\bm\b|effective"
)
FACTS = (
    fact(rf"{_I_HAVE}(?!(?:one|two)\b){_AMOUNT}(?:{_MY_BLINDS}| ?chips){_LEFT}*", _check_stack),
    fact(
        rf"{_I_HAVE}(?P<size>more|less|fewer)(?: chips)?(?: left)?(?: behind)? than (?:there is|there's|what's"
        rf"|is) in the pot",
        _against_pot,
    ),
    fact(
        r"my (?:remaining )?stack is (?P<size>more|bigger|larger|less|smaller|shorter) than the pot|i have (?:more"
        r"|less) than"
        r" (?:the pot|a pot-sized bet)(?: left| behind)",
        _against_pot,
    ),
    fact(rf"my (?:remaining |last )?{_AMOUNT}{_BLINDS}", _check_stack),
    fact(rf"(?:the )?big blind is (?=\d){_AMOUNT}(?! (?:behind|deep|left|big|bb|chips))", _big_blind),
    fact(rf"{_I_HAVE}(?=\D{{0,20}}\d){_AMOUNT}(?:{_LEFT}+|{_END})(?! ?%)(?! to (?:call|win))", _check_stack),
    fact(rf"(?!two\b|both\b|one\b){_AMOUNT}{_MY_BLINDS}{_LEFT}+", _check_unattributed_stack, about_self=True),
    fact(
        rf"(?=\d){_AMOUNT} (?:chips )?(?:behind|remaining)",
        _check_unattributed_stack,
        about_self=True,
    ),
    fact(rf"{_AMOUNT}(?:{_BLINDS}| chips)? (?:left )?in (?:my stack|front of me)", _check_stack),
    fact(rf"{_AMOUNT}{_BLINDS} (?:stack|for me)", _check_unattributed_stack, about_self=True),
    fact(rf"(?:(?<=^)|(?<=^ ))stack(?: is|:| of)? {_AMOUNT}{_BLINDS}?{_END}", _check_stack),
    fact(rf"(?<!\w ){_AMOUNT}{_BLINDS}{_END}", _check_unattributed_stack, about_self=True),
    fact(
        rf"(?:with|w/?) (?:only |just )?{_AMOUNT}(?:{_BLINDS}| chips)"
        r"(?! (?:bet|raise|open)| i (?:might|would|could)\b| i'd\b)",
        _check_unattributed_stack,
        about_self=True,
    ),
    fact(
        rf"(?:my|our) (?:\w+ )?stack(?: size|'s)? (?:down to|is|of|=|sits at|is at"
        rf"|is down to) {_AMOUNT}{_BLINDS}?(?![\d%]| ?%)",
        _check_stack,
    ),
    fact(rf"effective stacks?(?: (?:is|are|of|=|here is))? {_AMOUNT}{_BLINDS}?", _check_stack),
    fact(
        rf"{_AMOUNT}{_BLINDS} (?:remain|remaining|to (?:my name|play with))", _check_unattributed_stack, about_self=True
    ),
    fact(r"(?:(?<=^)|(?<=^ )|(?<=, ))(?:chip leader|biggest stack)(?: at the table| here)?(?=[.,;!]|$)", _check_leader),
    fact(r"(?:(?<=^)|(?<=^ )|(?<=, ))shortest stack(?: at the table| here)?(?=[.,;!]|$)", _check_shortest),
    fact(
        rf"{_I_AM}(?:the )?(?:(?:clear |table )?chip leader|big(?:gest|ger)? stack|largest stack|deepest|richest)"
        r"(?: (?:at the table|of (?:us|all|them)(?: \w+)?|here))?",
        _check_leader,
    ),
    fact(rf"{_I_HAVE}single[- ]digit(?:s in)? (?:big )?blinds", _single_digit),
    fact(rf"{_I_AM}(?:the )?(?:shortest stack|shortest|smallest stack)(?: at the table)?", _check_shortest),
    fact(rf"{_I_AM}(?:the |a )?(?:short[- ]stacked|short stack|(?:very |pretty |quite )?short{_END})", _check_short),
    fact(rf"{_I_AM}(?:deep[- ]stacked|(?:very |quite )?deep{_END})", _check_deep),
    fact(r"(?:(?<=\bi )|(?<=\bwe ))cover (?:the (?:whole )?table|all of them|the field)", _cover_all),
    fact(rf"(?:(?<=\bmy )|(?<=\ban ))m (?:is |of |= ?){_AMOUNT}", _check_m),
    fact(rf"blinds (?:are|at|of) (?:at )?(?P<small>{NUMBER}) ?(?:/|and|-) ?(?P<big>{NUMBER})", _check_blinds),
)
