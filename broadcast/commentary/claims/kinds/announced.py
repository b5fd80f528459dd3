"""What the bot announces to do now: "I call", "Raise to 600.", "I'm folding". Held against what it then does. Pure.

An act that depends on something ("if he bets, I fold"), and one of an earlier street, is no claim.
"""

import re

from broadcast.commentary.claims.speech.known import Acted, Known
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, judged, number_said

KIND = "announced"
EXAMPLES = """
raise 300, call; then call          | I [call].                              |
raise 300, call; then fold          | I [call].                              | does: fold
raise 300, call; then call          | I'm [folding].                         | does: call 300
raise 300, call; then raise 900     | [Raise to 900].                        |
raise 300, call; then raise 900     | I'll [raise to 500].                   | does: raise to 900
raise 300, call; then raise 900     | 9 blinds, so [call].                   | does: raise to 900
raise 300, call; then raise 900     | I [make it 900].                       |
raise 300, call; then raise 1400    | I raise to 1,400 so that he pays.      | no claim
raise 300, call; then raise 900     | I [make it 500].                       | does: raise to 900
raise 300, call; then call          | I [make it 0].                         | does: call 300
raise 300, call; then check         | I [bet 0].                             | does: check
raise 300, call; then raise 900     | [A modest 400 it is].                  | does: raise to 900
raise 300, call; then fold          | If he is weak, I call.                 | no claim
raise 300, call; then fold          | Call or fold, I must choose.           | no claim
raise 300, call; then fold          | I would call with aces.                | no claim
raise 300, call; then fold          | A call is too loose.                   | no claim
raise 300, call; then fold          | Calling is loose.                      | no claim
raise 300, call; then raise 400     | My hand is good, so I [raise].         |
raise 300, call; then call          | I [call].                              |
raise 300, call; then fold          | If he raises, I fold.                  | no claim
raise 300, call; then fold          | I raise here and he calls with better. | no claim
raise 300, call; then fold          | I bet 200 and got raised.              | no claim
raise 300, call; then call          | Folding, of course, is wrong.          | no claim
raise 300, call; then call          | Checking is not possible.              | no claim
raise 300, call; then call          | I never fold. I can't fold.            | no claim
raise 300, call; then fold          | I call, I lose 300.                    | no claim
raise 300, call; then fold          | Should I call? I call too often.       | no claim
raise 300, call; then fold          | I raise preflop with these.            | no claim
raise 300, call; then fold          | He thinks I call.                      | no claim
raise 300, call; then fold          | I bet he has it.                       | no claim
raise 300, call; then fold          | I'll call the turn.                    | no claim
raise 300, call; then fold          | He shoves, I call.                     | no claim
raise 300, call; then fold          | My plan: I call, then I raise later.   | no claim
raise 300, call; then fold          | Before the flop I call.                | no claim
raise 300, call; then fold          | As soon as an ace comes, I call.       | no claim
raise 300, call; then fold          | Every time I call, I lose.             | no claim
raise 300, call; then fold          | Options: call, fold, raise to 900.     | no claim
raise 300, call; then fold          | Call: costs 300. Fold: keeps 900.      | no claim
"""
_ACTS = {
    "fold": r"fold(?:ing)?|muck(?:ing)?|pass(?! on)",
    "check": r"check(?:ing)?(?!-rais)",
    "call": r"(?:flat(?:ting)?-?)?call(?:ing)?|limp(?:ing)?(?: in)?|complete|flat",
    "shove": r"(?:jam|shov)(?:e|ming|ing)?|(?:go(?:ing)?|mov(?:e|ing)) all[- ]in|all[- ]in",
    "bet": r"(?:min-)?(?:bet(?:ting)?|rais(?:e|ing))|(?:3|4|three|four)-?bet(?:ting)?|lead(?:ing)?(?: out)?"
    r"|stab(?:bing)?|fir(?:e|ing)|squeeze|iso-?raise",
}
_VERB = "|".join(rf"(?P<{name}>{words})" for name, words in _ACTS.items())
_I_DO = (
    r"(?:(?<=\bi )|(?<=\bi'll )|(?<=\bi will )|(?<=\bi'm )|(?<=\bi am )|(?<=\bim )|(?<=\bi just )|(?<=\bi'll just )"
    r"|(?<=\bi'm just )|(?<=\bgoing to )|(?<=\bso )|(?<=\blet's )|(?<=\blet me )|(?<=\beasy )|(?<=\bsnap )|(?<=\bjust )"
    r"|(?<=\bi have to )|(?<=\bi must )|(?<=\bi simply )|(?<=\bi'm gonna )|(?<=\band i )|(?<=\btherefore )|(?<=: )"
    r"|(?<=\bi gladly )|(?<=\bi happily )|(?<=\bi now )|(?<=\bnow i )|(?<=\bclear )|(?<=\bi'll gladly )"
    r"|(?<=\bi quietly )"
    r"|(?<=\bmake a )|(?<=\bjust a )|(?<=^)|(?<=^ )|(?<=^  )|(?<=^- )|(?<=^; )|(?<=^;)|(?<=, ))"
)
_AMOUNT = (
    rf"(?: (?:it )?(?:up )?(?:to |for |of |by )?(?:my (?:whole |entire |last )?)?(?P<number>{ABOUT}?{NUMBER}(?!,?\d))"
    rf"(?P<unit> ?(?:bbs?|big blinds?|bigs"
    rf"|x)\b)?)?"
)
_ENDS = (
    r"(?=(?: (?:chips|more|total|here|now|back|behind|along|again|it|this|that|one|once|for|and (?:see|take"
    r"|hope|pray|close|shrug|move|wait)"
    r"|to (?:keep|see|charge|get|make|slow|trap|protect|deny|take|build|induce)|small|big|all[- ]in|without|because"
    r"|thanks|please|off|with (?:my|the|this)|instead|then|in position|anyway|down|away|preflop|quickly|happily"
    r"|gladly|on the button))*\W*(?:$|[.,;!)])"
    r"|(?: it)? (?:for|and (?:see|take|hope|pray|close|shrug|move|wait)|to (?:keep|see|charge|get|make|slow"
    r"|trap|protect|deny|take"
    r"|build|induce)|because|once|with (?:my|the|this)|here|behind|back)\b)(?! (?:on|the) (?:flop|turn|river))"
)


def _told(known: Known) -> str:
    act = known.act
    assert act
    words = {"bet": f"bet {act.bet:,}", "raise": f"raise to {act.bet:,}", "call": f"call {act.amount:,}"}
    return f"does: {words.get(act.act, act.act)}"


def _does(known: Known, found: re.Match[str]) -> str | None:
    act = known.act
    if act is None or _ELSEWHERE.search(found.string) or _WEIGHED.match(found.string[found.end() :]):
        return None
    said = next(name for name in _ACTS if found[name])
    if said == "shove":
        covers = act.act in ("bet", "raise") and act.bet >= max((known.stacks[at] for at in known.others), default=0)
        return verdict(True if act.all_in else None if covers else False, _told(known))
    if (act.act if act.act != "raise" else "bet") != said:
        return _told(known)
    if not found["number"] or act.all_in:
        return ""
    return verdict(_is_amount(known, act, found["number"], found["unit"]), _told(known))


def _is_amount(known: Known, act: Acted, number: str, unit: str | None) -> bool | None:
    """Whether a number is what the act puts in, in chips or big blinds."""
    chips = [float(each) for each in (act.bet, act.amount, act.bet - act.facing)]
    blinds = [each / known.big_blind for each in chips]
    return judged(number, blinds if unit else chips + blinds)


def _makes(known: Known, found: re.Match[str]) -> str | None:
    """Checks an amount without the name of the act: "I make it 600", "400 it is"."""
    act, number = known.act, found["number"] or found["size"]
    if act is None or _ELSEWHERE.search(found.string) or _WEIGHED.match(found.string[found.end() :]):
        return None
    if act.act in ("fold", "check") or (act.act == "call" and found["number"]):
        return _told(known)
    right = _is_amount(known, act, number, found["unit"])
    return None if act.all_in and not right and number_said(number) > act.bet else verdict(right, _told(known))


_ELSEWHERE = re.compile(
    r"\b(?:went|goes|or|would|either|he|she|they|later|next|plan|options?|rather|than|always|usually|could|of course"
    r"|before|after|pre-?flop|every time|each time|as soon as)\b"
)
"""A sentence with one of these words weighs acts, or tells of others."""
_WEIGHED = re.compile(
    r"\s*(?:[;:]|(?:,?\s*(?:and|but)|,)\s*(?:i|i'm|i'll|he|she|they|we|it|get|lose|win|fold|call|raise)\b)"
)
"""What follows an act that is only weighed: "I call, I lose 300"."""
FACTS = (
    fact(rf"{_I_DO}(?:{_VERB}){_AMOUNT}{_ENDS}", _does, hedged=True),
    fact(
        rf"(?:(?<=\bi )|(?<=\bi'll ))make it (?:up to )?(?=\d)(?P<number>{ABOUT}?{NUMBER})(?P<unit> ?(?:bbs?"
        rf"|big blinds?"
        rf"|bigs|x)\b)?{_ENDS}|(?:(?<=^)|(?<=^ )|(?<=, ))(?:an? )?(?:[a-z]+ )?(?=\d)(?P<size>{NUMBER}) it is"
        rf"(?=[,.;!]|$)",
        _makes,
        hedged=True,
    ),
)
