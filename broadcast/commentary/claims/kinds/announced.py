"""Claims about what the bot is about to do: "I call", "Raise to 600.", "I'm folding". No I/O.

Each claim is compared with what the bot then does. An act with a condition is no claim: "if he bets, I fold". An act on
an earlier street is no claim. Each check returns "" if the words are right, the truth if they are wrong, and None if
this is uncertain.
"""

import re

from broadcast.commentary.claims.kinds.price import SIZE_WORDS, is_bet_size
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge, HandAction
from broadcast.commentary.claims.speech.mention import fact, verdict
from broadcast.commentary.claims.speech.words import ABOUT, NUMBER, is_close_enough, stated_number

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
raise 300, call; then fold          | I [raise] it up, he has nothing.       | does: fold
raise 300, call; then fold          | I'll check the turn.                   | no claim
raise 300, call; then fold          | If he is weak, I call.                 | no claim
raise 300, call; then fold          | Call or fold, I must choose.           | no claim
raise 300, call; then fold          | I would call with aces.                | no claim
raise 300, call; then fold          | A call is too loose.                   | no claim
raise 300, call; then fold          | Calling is loose.                      | no claim
raise 300, call; then raise 400     | My hand is good, so I raise.           | no claim
raise 300, call; then call          | I [call].                              |
raise 300, call; then fold          | If he raises, I fold.                  | no claim
raise 300, call; then fold          | I raise here and he calls with better. | no claim
raise 300, call; then fold          | I bet 200 and got raised.              | no claim
raise 300, call; then call          | Folding, of course, is wrong.          | no claim
raise 300, call; then call          | Checking is not possible.              | no claim
raise 300, call; then call          | I never fold. I can't fold.            | no claim
raise 300, call; then fold          | I call, I lose 300.                    | no claim
raise 300, call; then fold          | Should I call? I call too often.       | no claim
raise 300, call; then fold          | Tight, that's what I call it.          | no claim
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
"""Each row has a situation, a thought with its claims in brackets, and the truth if a claim is false. The act after
"then" is what the bot does.
"""
_IT = r"(?:it|this|this one|these|them|the hand|my hand|my cards|the cards)"
_ACTS = {
    "fold": rf"fold(?:ing)?|muck(?:ing)?|pass(?:ing)?(?! on)|surrender(?:ing)?"
    rf"|(?:giv(?:e|ing)|lay(?:ing)?) (?:{_IT} )?(?:up|down)|let(?:ting)? {_IT} go|let go"
    rf"|(?:toss|ditch|dump|release|throw|chuck)(?:ing)? {_IT}(?: away)?|step(?:ping)? aside"
    rf"|get(?:ting)? (?:out(?: of the way)?|away)|bail(?:ing)?(?: out)?|bow(?:ing)? out|(?:(?:this|it"
    rf"|that) )?(?:(?:goes|go) )?(?:straight )?in(?:to)? the muck(?: (?:they|it|this|these) goe?s?)?|(?<='m )out"
    rf"|(?<='m )done(?: with {_IT})?",
    "check": r"check(?:ing)?(?!-rais)|tap(?:ping)? (?:the table|behind)"
    r"|tak(?:e|ing) (?:a|the|my) free (?:card|turn|river)",
    "call": r"(?:flat(?:ting)?[- ]?|over-?)?call(?:ing)?|limp(?:ing)?(?: in| along| behind)?|complet(?:e|ing)"
    r"|flat(?:ting)?|peel(?:ing)?"
    r"|com(?:e|ing) along|look(?:ing)? (?:him|her|them) up|pay(?:ing)? (?:(?:him|her|them) )?off|set-?min(?:e|ing)"
    r"|float(?:ing)?|pay(?:ing)?(?= to see)|see(?:ing)? (?:a|the) flop|(?<='m )in",
    "shove": r"(?:(?:bluff|open|re|over|check)-?)?(?:jam|shov|shipp?|push)(?:e|ming|ing)?(?: (?:it|my stack|my chips))?"
    r"|(?:go(?:ing)?|mov(?:e|ing)|get(?:ting)? it"
    r"|(?:stick|shove|push|put|get|ship)(?:t?ing)? (?:it|them|my stack|the rest|everything)) (?:all[- ])?in|all[- ]in"
    r"|rip(?:ping)? it(?: in)?",
    "bet": r"(?:min-?|value-?|over-?|c-?|semi-?)?(?:bet(?:ting)?|bluff(?:ing)?)"
    r"|(?:min-?|re-?|check-|bluff-?)?rais(?:e|ing)"
    r"|(?:3|4|three|four)-?bet(?:ting)?|lead(?:ing)?(?: out)?|stab(?:bing)?|fir(?:e|ing)|barrel(?:l?ing)?"
    r"|squeez(?:e|ing)"
    r"|iso(?:late|lating|-?rais(?:e|ing))?|(?:click|pop|bump|kick) it(?: back| up)?|open(?:ing)?(?! (?:up|ended))",
}
_VERB = "|".join(rf"(?P<{name}>{words})" for name, words in _ACTS.items())
_INTERCHANGEABLE_ACTS = {("fold", "check"), ("call", "bet")}
"""Pairs of acts. Loose words for the first act may also mean the second act. For example, "I give up" may mean a fold
or a check.
"""
_SURELY = (
    r"(?:(?:just|simply|now|gladly|happily|reluctantly|quietly|therefore|easily|still|here|also|quickly|calmly|must"
    r"|will|have to|am|gonna|going to|ready to|happy to|glad to) )*"
)
_LEAD = re.compile(
    rf"(?:(?:^|[,;:-])\s*(?:(?:ok|okay|so|and|but|well|easy|clear|snap|just|simply|i guess|an easy|a clear) )*"
    rf"|\b(?:i|i'm|i'll|im|i am|now i|let me|let's|so|therefore|and i|i'm just going to) {_SURELY}"
    r"|\b(?:time to|decide to|elect to|choose to|opt to|it's an?|that's an?|make an?|make the|just an?|easy|snap|clear"
    r"|(?:go(?:ing)?|settl(?:e|ing)|opt(?:ing)?|stick(?:ing)?|continu(?:e|ing)) (?:with|for) an?|put(?:ting)? in an?"
    r"|my (?:move|play|decision|choice|answer|action|line|verdict|plan) (?:is|here is)(?: to| an?)?"
    r"|(?:give up|fold|pay nothing|shrug) and) (?:(?:easy|clear|simple|quick|small|standard|reluctant|modest) )*)$"
)
"""Matches the words before an act that the bot announces."""
_ITS_A = re.compile(r"(?:it|that)'s an? (?:\w+ )*$")
"""Matches words before "bet" or "shove" which say that the bet may be somebody else's: "that's a big bet"."""
_NOT_DONE = re.compile(
    r"\b(?:(?:i'm|i am) not|(?:^|[.;,] ?)not|i won't|i will not|i don't|i refuse to|i declin(?:e|ing) to|decline to) $"
)
_AMOUNT = (
    rf"(?:,? (?P<share>{SIZE_WORDS}|half|(?:a|one) third|two[- ]thirds)(?= ?[,.;:!]|$| (?:here|now|again)\b| \d))?"
    rf"(?:[,:]? (?:it )?(?:up )?(?:small |big )?(?:to |for |of |by |in )?(?:the |my (?:whole |entire |last )?)?"
    rf"(?P<number>{ABOUT}?{NUMBER}(?!,?\d)(?! ?%))(?P<unit> ?(?:bbs?|big blinds?|bigs|x)\b)?)?"
    r"(?: (?:on )?(?:the|this) (?P<at>flop|turn|river))?"
)
_ENDS = (
    r"(?=(?: (?:chips|more|total|here|now|back|behind|along|again|it|this|this time|this one|that|one|once|up|for"
    r"|over|the top|and (?:see|take|hope|pray|close|shrug|move|wait|muck)"
    r"|to (?:keep|see|charge|get|make|slow|trap|protect|deny|take|build|induce|isolate|set-mine)|small|big"
    r"|all[- ]in|without"
    r"|because|it is|thanks|please|off|with (?:my|the|this)|instead|then|in position|anyway|down|away|preflop"
    r"|quickly|happily|gladly|on the button))*\W*(?:$|[.,;!)])"
    r"|(?: it| in| again| now| to (?:him|her|them))* (?:for|and (?:see|act|smile|take|hope|pray|close"
    r"|shrug|move|wait|muck|keep|let|trap|live|go)"
    r"|to (?:keep|see|charge|get|make|slow|trap|protect|deny|take|build|induce|isolate|set-mine)|because|into (?=\d)"
    r"|as an?|once|with (?:my|the|this)|here|behind|back)\b)"
    r"(?! (?:on|the) (?:flop|turn|river)| (?:here )?and (?:he|she|they)\b)"
    r"(?!(?: \w+){0,2} (?:is|are|was|would|makes|gives|gets|loses|wins|seems|looks|feels|folds)\b)"
)


def _what_it_does(known: BotKnowledge) -> str:
    act = known.chosen_act
    assert act
    words = {"bet": f"bet {act.bet:,}", "raise": f"raise to {act.bet:,}", "call": f"call {act.amount:,}"}
    return f"does: {words.get(act.act, act.act)}"


def _check_act(known: BotKnowledge, found: re.Match[str]) -> str | None:
    act, before = known.chosen_act, found.string[: found.start()]
    announced = next(name for name in _ACTS if found[name])
    if act is None or _is_only_weighed(found) or (found["at"] and not _is_now(known, found)):
        return None
    if _NOT_DONE.search(before):
        return None if (act.act if act.act != "raise" else "bet") != announced else _what_it_does(known)
    if not _LEAD.search(before) or (announced in ("bet", "shove") and _ITS_A.search(before)):
        return None
    return _check_announced_act(known, act, announced, found)


def _is_now(known: BotKnowledge, found: re.Match[str]) -> bool:
    """Whether words such as "I check the river" announce the act that the bot takes now.

    False if the river is not the current street, or if the bot has already acted on the river. Also False for words
    that may be plans, such as "I'll check the river" and "then I shove the river".
    """
    acted = any((act.seat, act.street) == (known.seat, known.street) for act in known.acts)
    return found["at"] == known.street and not acted and bool(_PLAINLY.search(found.string[: found.start()]))


_PLAINLY = re.compile(r"(?:^|[,;]|\bso\b|\band\b)\s*(?:i )?$")
"""Matches the words before an act if the bot does the act now. Does not match "I'll", "then" and "would"."""


def _is_only_weighed(found: re.Match[str]) -> bool:
    """Whether the sentence only weighs the act, or tells what others did: "check, bet, and it's on me"."""
    weighing_words = _NOT_ANNOUNCED if found.string[: found.start()].strip() else _OPTIONAL
    in_a_row = len(_BARE_ACT.findall(found.string)) > 1
    if _OTHERS.search(found.string[: found.start()]):
        return True
    return in_a_row or bool(weighing_words.search(found.string) or _WEIGHED.match(found.string[found.end() :]))


def _check_announced_act(known: BotKnowledge, act: HandAction, announced: str, found: re.Match[str]) -> str | None:
    """Checks whether `act` is the act that the bot `announced`, with the amount that the words name."""
    if announced == "shove":
        covers = act.act in ("bet", "raise") and act.bet >= max(
            (known.stacks[seat] for seat in known.opponents), default=0
        )
        loosely = found[0].startswith(("get", "stick", "put")) and act.act in ("bet", "raise", "call")
        return verdict(True if act.all_in else None if covers or loosely else False, _what_it_does(known))
    done = act.act if act.act != "raise" else "bet"
    if done != announced:
        named_loosely = (
            not re.match("fold|muck|pass|call|flat|limp|complet|float|peel", found[0])
            and (announced, done) in _INTERCHANGEABLE_ACTS
        )
        return None if named_loosely else _what_it_does(known)
    if done in ("fold", "check") or act.all_in:
        return ""
    if found["share"] and not found["number"]:
        return (
            verdict(is_bet_size(found["share"], act.amount, act.pot), _what_it_does(known))
            if act.act == "bet"
            else None
        )
    if not found["number"]:
        return ""
    return verdict(_is_amount(known, act, found["number"], found["unit"]), _what_it_does(known))


def _is_amount(known: BotKnowledge, act: HandAction, number: str, unit: str | None) -> bool | None:
    """Whether `number` is the amount of the act, in chips or big blinds. With a `unit`, it is in big blinds."""
    chips = [float(each) for each in (act.bet, act.amount, act.bet - act.facing)]
    blinds = [each / known.big_blind for each in chips]
    return is_close_enough(number, blinds if unit else chips + blinds)


def _check_amount(known: BotKnowledge, found: re.Match[str]) -> str | None:
    """Checks an announced amount without a word for the act: "I make it 600", "400 it is"."""
    act, number = known.chosen_act, found["number"] or found["size"]
    if act is None or _NOT_ANNOUNCED.search(found.string) or _WEIGHED.match(found.string[found.end() :]):
        return None
    if act.act in ("fold", "check") or (act.act == "call" and found["number"]):
        return _what_it_does(known)
    right = _is_amount(known, act, number, found["unit"])
    return (
        None if act.all_in and not right and stated_number(number) > act.bet else verdict(right, _what_it_does(known))
    )


_NOT_ANNOUNCED = re.compile(
    r"\b(?:went|goes|or|would|either|later|next|plan|options?|rather|than|always|usually|could|of course"
    r"|before|after|pre-?flop|every time|each time|as soon as)\b"
)
"""A sentence with one of these words announces nothing. It weighs acts, tells what others do, or is about another time.
"""
_OTHERS = re.compile(r"\b(?:he|she|they|what)\b")
_BARE_ACT = re.compile(r"(?:^|,) ?(?:check|bet|call|raise|fold)\b")
_OPTIONAL = re.compile(
    r"\b(?:or|would|either|rather|than|options?|plan|if|could|always|usually|of course|pre-?flop|then"
    r"|next|later|when)\b"
)
"""If a sentence begins with an act and has one of these words, the bot only weighs the act."""
_WEIGHED = re.compile(
    r"(?: here| now)?\s*(?:[;:]|(?:,?\s*(?:and|but)|,)\s*(?:i|i'm|i'll|(?:he|she|they) (?:folds?|calls?|raises?|bets?"
    r"|checks?|shoves?|jams?)|we|it|get|lose|win|fold|call|raise)\b)"
)
"""Matches what follows an act that the bot only weighs: "I call, I lose 300"."""
FACTS = (
    fact(rf"(?:{_VERB}){_AMOUNT}{_ENDS}", _check_act, allows_hedging=True),
    fact(
        rf"(?:(?<=\bi )|(?<=\bi'll )|(?<=^)|(?<=^ ))(?:make it|go|going) (?:up to "
        rf"|to )?(?=\d)(?P<number>{ABOUT}?{NUMBER})(?P<unit> ?(?:bbs?|big blinds?"
        rf"|bigs|x)\b)?{_ENDS}|(?:(?<=^)|(?<=^ )|(?<=, ))(?:an? )?(?:[a-z]+ )?(?:(?:raise|bet) (?:to"
        rf"|of) )?(?=\d)(?P<size>{NUMBER}) it is"
        rf"(?=[,.;!]|$)",
        _check_amount,
        allows_hedging=True,
    ),
)
