"""Reads a thought (a bot's comment on its action) sentence by sentence. Separates what the bot states about itself
from what it only asks, fears or plans.

Anything doubtful is treated as not stated. No I/O.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from broadcast.commentary.claims.speech.synonyms import in_plain_words
from broadcast.commentary.claims.speech.words import LONG_RANK
from server.game.events import Street

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019", "'"),
        **dict.fromkeys("\u201c\u201d", '"'),
        **dict.fromkeys("\u2011\u2013", "-"),
        **dict.fromkeys("\u2014\n\r", ";"),
        **dict.fromkeys("\t_\ufe0f", " "),
        **dict.fromkeys("♠♤", "s"),
        **dict.fromkeys("♥♡", "h"),
        **dict.fromkeys("♦♢", "d"),
        **dict.fromkeys("♣♧", "c"),
        "≈": "~",
    }
)
"""Replaces each character with exactly one other, so that words keep their positions."""
_QUOTED = re.compile(r'"[^"]*"')
_PAUSE = re.compile(r"(?:\.\.+|…)(?=\s*(?:[a-z]|[2-9TJQKA]{2}\b))")
"""Matches dots after which the sentence goes on: "QJ... and J8 got there"."""
_SENTENCE = re.compile(r"[^.!?;…]+(?:\.(?=\d)[^.!?;…]*)*[.!?;…]*")
_BREAK = re.compile(
    r"[,:()]|\s-+\s|\b(?:but|so|because|since|and|then|while|although|though|yet(?! to)|however|which|therefore"
    r"|hence|thus|as)\b"
)
"""Matches where one clause ends and the next begins."""
_ANOTHER_TIME = re.compile(
    r"\b(?:(?:last|next|previous|prior|another|other|earlier|first) (?:hands?|games?|orbit|time|night|session"
    r"|one(?! to))|previously|ago|hand #?\d+|in the past|used to|hands? ago|yesterday|tomorrow)\b"
)
"""Matches words about another hand or another time."""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|suppos(?:e|ing)|imagin(?:e|ing)|assum(?:e|ing)|whether|provided|in case|when|whenever"
    r"|once(?=\s+\w)(?! (?:and|again|more)\b)|until"
    r"|till|(?:as|so) long as|hop(?:e|es|ing)|wish(?:es|ing)?|against|otherwise(?! *[.,!]| *$)|as a rule|in theory"
    r"|(?:i'd|would) have(?! to)|even though he|had i|were (?:i|we))\b"
)
"""Words that make a supposition. What comes after such a word in the sentence, or before it in the same clause, is not
stated as a fact.
"""
_NEEDED = re.compile(
    rf"^\W*(?:an? |any |one (?:more )?|another )?(?:{LONG_RANK}|clubs?|diamonds?|hearts?|spades?) and i\b"
    rf"|^\W*(?:any )?{LONG_RANK} or (?:an? |any )?{LONG_RANK},? (?:and )?(?:that's|it's|is|gives|makes)\b"
)
"""Matches words about a card that may come: "four and I've got a wheel", "king or eight, that's a straight"."""
_HEDGED = re.compile(
    r"\b(?:would|could|might|may|should|shall|will|won't|wouldn't|couldn't|shouldn't|can't|cannot|can|must"
    r"|i'll|he'll|they'll|i'd|he'd|gonna|going to|about to|want(?:s|ed|ing)?|plan(?:s|ning|ned)?|tr(?:y|ies|ying)"
    r"|rep(?:s|ping|resent|resents|resenting)?|pretend(?:s|ing)?|maybe|perhaps|possibly|probably|likely|unlikely"
    r"|presumably|apparently|thinks?|thought|guess|feels?|felt|believes?|suspects?|reckon|assumes?|seems?|looks? like"
    r"|as if|as though|like|either|neither|instead|never|unsure|not sure|doubt|potential(?:ly)?|eventually|later"
    r"|sometimes|always|often|usually|typically|generally|mostly|rarely|says?|said|saying|told|tells?|claims?|claimed"
    r"|story|ranges?|fears?|fearing|afraid|worr(?:y|ied)|puts?|putting|knows?|believing|thinking|wonder|expects?"
    r"|mind|prefer|enjoy|credibl[ey]|convinc\w*|wait(?:s|ing)?|chas(?:e|es|ing)|than|not)\b"
)
"""What comes after one of these words in a clause is not stated as a fact."""
_NOT_STATED_AFTER = re.compile(
    r"^(?:,,+ (?:well|no(?!,? (?:fold|call|check|raise|bet|good|point|thanks)\b)"
    r"|wait|sorry|actually|or rather|i mean)\b"
    r"|(?:\s*|,\s*(?=or\b|possibly|maybe|perhaps|probably|basically|if\b))(?:(?:is|are|was) )?(?:on (?:the )?board"
    r"|out there|possible|possibly|possibilit\w*|missed|bricked|combos?"
    r"|combinations?|blockers?|beats?|or|maybe|perhaps|potential|at best|in (?:my|his|her|our|their) range|type"
    r"|basically|almost(?! (?:any|every|all))|practically|nearly|rang\w+|heavy|if|unless|would|could|might|can(?!'t)"
    r"|may|should|opportunit\w*|chances?|hands?\b(?! here)|vs|versus|away|would've|territory|equity|strength|value"
    r"|got there|no,? wait|wait,? no|scratch that)\b)"
)
"""Matches words which show that the words before them are not stated as a fact: "possible" in "a flush possible"."""
_SUBJECT = re.compile(
    r"^\s*(?:is|are|was|were|beats?|wins?|loses?|comes?|gets?|makes?|has|have|seems?|looks?|plays?|will|does|do|needs?"
    r"|deserves?|demands?|wants?|calls?|folds?|raises?|bets?|checks?)\b"
)
"""Matches a verb whose subject is the hand before it: "beats" in "a flush beats me"."""
_FILLERS = (
    r"(?:(?:^|\s+)(?:a|an|the|only|just|still|now|merely|already|also|bare|weak|strong|decent|good|great|nice|solid"
    r"|marginal"
    r"|monster|made|small|medium|mere|naked|tiny|big|huge|very|pretty|beautiful|hidden|disguised|current|basically"
    r"|both|well"
    r"|exactly|nothing but|lovely|perfect|fine|modest|premium|powerful|vulnerable|live|clean|real|concealed|pure"
    r"|currently|flopped|turned|rivered|of|two cards|cards?|hand|hole cards|clear|my|our|simple|relatively|fairly"
    r"|quite|full(?! house)|proper|genuine|actual))*\s*$"
)
"""Words that may come between a verb and a hand, as in "I have only a weak pair"."""
_ADVERBS = (
    r"(?:(?:technically|only|still|also|just|now|actually|already|really|do|currently|simply|in fact|clearly|even"
    r"|both) )*"
)
_HOLE = (
    r"(?:(?:(?:10|[2-9tjqka])[cdhs]){1,2}|[2-9tjqka]-?[2-9tjqka][so]?|pocket \w+|(?:ace|king|queen|jack|ten"
    r"|nine|eight|seven|six|five|four)-(?!any)\w+)(?: of \w+| suited| offsuit)?"
)
_HAS = re.compile(
    r"(?:\b(?:ive|im holding)(?: got)?|"
    rf"(?:^|[,:;] )\W*{_HOLE}(?: {_HOLE})? (?:gives? (?:me|us)|makes|is|for|hit|flopped|has|=)|"
    rf"\b(?:i|we) {_ADVERBS}(?:have|hold|hav|own|got|peel(?:ed)?|found|woke up with|started(?: this hand)? with"
    rf"|looked down at|opened with|was dealt|were dealt|connected with)(?: got| hit| made| flopped| turned| rivered"
    rf"| picked up)?|\b(?:i|we)(?:'ve| have) {_ADVERBS}(?:got|made|hit|flopped|turned|rivered|picked up)?"
    rf"|\b(?:i|we)'ve(?: {_ADVERBS.rstrip()})?|\b(?:i|i've) turned (?:this|it|my hand) into"
    rf"|\b(?:i'm|i am|we're|we are) {_ADVERBS}(?:holding|sitting (?:on|with)|left with|playing|dealt|looking (?:at"
    r"|down at))|\b(?:blind|button|cut-?off|hijack|gun|utg|sb|bb|look|option) with"
    r"|\b(?:the|my) (?:(?:10|[2-9tjqka])[cdhs]|(?<=my )\w+|cards? in my hand) (?:also )?(?:gives?|makes?"
    r"|leaves?) (?:me|us)"
    rf"|\bmy {LONG_RANK} (?:now |still |also )?(?:is|makes?|made)(?: it| this)?"
    r"|\b(?:in my hand|(?:plus|and) mine) (?:also )?(?:gives?|makes?) (?:me|us)"
    r"|\b(?:that|this|which|turn|river|flop|board|it) (?:gives|leaves|makes) (?:me|us)(?: with)?|\bleft with"
    r"|(?:^|[,:(]|\b(?:and|so|but|then|since|because))\s*(?:with|holding|having|got|have|only|just|still|plus)"
    r"|^\W*(?:this|that|it) is|^\W*(?:it|that)'s|(?:^\W*|, |\bso )(?:this|that|which) makes"
    r"|^\W*(?:hand|cards|holding|hole cards|my hand|i|read|\w+)\s*:"
    r"|\b(?:i|my)\b[^:;,]*\b(?:read|looked|checked|cards?|hand|holding)\b[^:;,]*:\s|\bmine is"
    r"|\bi pick up|, which (?:is|are|means)|\bi(?:'m)? (?:sit|stuck) with"
    r"|(?:all|what) (?:that )?(?:i|we)(?:'ve| have| hold)?(?: got)? is|\bi(?:'ve been| was| have been) (?:dealt"
    r"|given)|\bi look down at"
    r"|^\W*(?:so|well|ok|okay|hmm|ah|oh|right|again|now),? |(?<=[,:;] )(?:that's|it's|this is)|\b(?:i|we) play"
    r"|\b(?:i'm|i am) on|\b(?:i was|i'm|and was|we were) dealt|^\W*"
    rf"){_FILLERS}"
)
"""Matches words before a hand which say that the bot has this hand now."""
_LISTED = re.compile(
    rf"(?:^|[,:(;]|\b(?:and|plus|but|so|i'm|i am))\s*(?:(?:and|plus|but|no|yet|or rather|also|with)\b,?)?{_FILLERS}"
)
"""Matches the words before a draw or a made hand in a list, such as "ace high, open-ended"."""
_MY = re.compile(
    rf"\b(?:my|our)(?: (?:(?:starting|current|own|whole|best|showdown|two|hole|five) )*(?:hand|cards|holding)"
    rf"(?: (?:right )?(?:now|here))?(?: is| are|:| has| contains| holds))?{_FILLERS}"
)
"""Matches words such as "my" or "my hand is" before a hand."""
_HAD = re.compile(
    r"(?:"
    rf"(?:(?<!had )\b(?:i|we)(?:'ve| have)? {_ADVERBS}|^\W*(?:just )?(?=missed))(?P<verb>had|held|spiked|binked"
    rf"|smashed|nailed|flopped|turned|rivered|hit|made|caught|picked up|paired|missed)"
    r"|\b(?:the )?(?P<street>flop|turn|river)(?: card)?(?: \w+)? (?:gave|gives|brought|makes|made|left|leaves) (?:me"
    r"|us)(?: with)?|\b(?:i|we) (?:was|were|had been|have been) (?:drawing to|on|chasing)"
    r"|\b(?P<vague>gave|left|made|brought) (?:me|us)(?: with)?"
    rf"){_FILLERS}"
)
"""Matches words before a hand which say that the bot had this hand on an earlier street, or missed it."""
_HAS_NOT = re.compile(
    r"(?:"
    rf"\b(?:i|we) {_ADVERBS}(?:have no|hold no|don't {_ADVERBS}(?:have|hold)|do not {_ADVERBS}(?:have|hold)"
    r"|lack)(?: any)?|\b(?:i've|we've|i have|we have) (?:still )?(?:got no|no)"
    r"|(?:^|[,:(]|\b(?:and|so|but|with|nor|or))\s*(?:with )?(?:no|without)(?: any)?"
    rf"){_FILLERS}"
)
"""Matches words before a hand which say that the bot does not have this hand."""
_MORE = re.compile(
    r"^\s*(?:,|and|plus|with|along with|together with|as well as|has|&|\+|/|, and|, plus|, with|and also|, but|but)?"
    rf"{_FILLERS}"
)
"""Matches words such as "and" between two hands. If the bot has the first hand, it has the second hand, too."""
_NO_MORE = re.compile(rf"^\s*(?:(?:,|and|, and)\s*no|(?:,\s*)?(?:or|nor)(?: any)?){_FILLERS}")
"""Matches words such as "or" between two hands. If the bot lacks the first hand, it lacks the second hand, too."""
_SENTENCE_START = re.compile(rf"^\W*{_FILLERS}")
"""Matches the words that may stand between the start of a sentence and its first hand."""
_MAY_FOLLOW_OWN_HAND = re.compile(
    r"^\s*(?:$|[,.:;!()\-+&/]|and|plus|with|on|here|now|so|but|in|for|at|that|which|facing|from|again|as well|too"
    r"|(?:is|are|isn't|ain't) (?:not |never |n't )?(?:folding|going)|under|over|below|beneath|besides?|beside|missed"
    r"|thanks|alone|behind|when|by|suited|offsuit|off"
    r"|heads|already|right now|only|after|because|since|versus|vs|w/?\b|off|out|i\b|i'm|to (?:the|a|fill|trips)|lol|=)"
)
"""Matches what may follow a hand at the start of a sentence if the hand is the bot's own."""
_MAKING = re.compile(
    r"\bneed\w*\b|\bouts? (?:to|for)\s*$|\b(?:mak|complet|fill|improv|hit|beat|counterfeit|kill|finish)\w*\s*$"
)
"""After one of these words, "my" may name a hand that is not made yet: "a heart makes my flush"."""
_FACED = re.compile(r"\b(?:faces?|facing|against|vs|versus|from|who|covers?|raised?|bets?|opens?|behind)\b")
"""After one of these words in a clause, a seat or an amount may be somebody else's."""
_SELF = re.compile(r"\b(?:i|i'm|im|i've|ive|we|we're|my|me|holding|sitting|having|with|got)\b")
_CARDS = re.compile(
    r"\s*(?:[\w/-]+ )?(?:[\w/-]+)?(?: of \w+| off|suited| suited| offsuit| kicker| pair| here| in hand)*\s*"
)
"""Matches a few words that may name a hand: "pocket jacks", "64 of diamonds"."""
_VERB_STREETS = {"flopped": "flop", "turned": "turn", "rivered": "river"}


class Sentence(Struct, frozen=True):
    """A sentence of a thought, in which plain words replace slang. It starts at position `start` of the thought.

    `positions_in_thought` says, for each character of `text`, where it stands in the thought. Its last number is the
    position at which `text` ends. The tuple is empty if no word was replaced.
    """

    text: str
    start: int
    positions_in_thought: tuple[int, ...] = ()

    def position_in_thought(self, position: int) -> int:
        """Returns where the character at `position` of the sentence stands in the thought."""
        return self.positions_in_thought[position] if self.positions_in_thought else self.start + position


class Span(Struct, frozen=True):
    """Words in a sentence, from `start` to `end`, that name a hand. With `is_own_hand`, the words name the ranks of the
    bot's two cards, so the hand is taken for the bot's own.
    """

    start: int
    end: int
    is_own_hand: bool = False


class Ownership(Struct, frozen=True):
    """What a sentence says about a hand that it names: that the bot has the hand (`has_hand`), or does not have it.

    `street` is "" if the sentence is about the present. If it is about an earlier street, `street` is that street, or
    "some" if the sentence names no street. With `came_on_street`, the card of that street made the hand. With
    `is_unattributed`, the sentence does not say whose hand it is: "QJ, first to act".
    """

    has_hand: bool
    street: Street | Literal["", "some"] = ""
    came_on_street: bool = False
    is_unattributed: bool = False


def sentences(thought: str) -> Iterator[Sentence]:
    """Yields the sentences of `thought` that state something about this hand. Leaves out quotations and questions.

    Also leaves out the sentence after a question, because that sentence may be an answer that tells what others hold.
    Keeps that sentence if the bot speaks of itself in it, or if the question was about the bot's own hand.
    """
    paused = _PAUSE.sub(lambda found: "," * len(found[0]), thought)
    lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in paused).translate(_PLAIN)
    text = _QUOTED.sub(lambda found: " " * len(found[0]), lowered)
    after_question = False
    for found in _SENTENCE.finditer(text):
        is_question = "?" in found[0]
        answers, after_question = (
            after_question and not _SELF.search(found[0]),
            is_question and not _OWN_QUESTION.search(found[0]),
        )
        if not is_question and not answers and not _ANOTHER_TIME.search(found[0]):
            yield Sentence(*in_plain_words(found[0], found.start()))


_OWN_QUESTION = re.compile(r"\b(?:do i (?:have|hold)|have i got)(?: here| now)?\s*\?")
"""Matches the bot's question about its own hand, which the next sentence answers."""
_UNTIL = re.compile(r"\b(?:until|till)\b.*")
"""Matches words such as "until the river". A statement before such words is true now, and is no supposition."""


def is_stated(sentence: Sentence, start: int, end: int, *, allows_hedging: bool = False) -> bool:
    """Whether the words from `start` to `end` state a fact, and not a supposition, a plan or an opinion.

    With `allows_hedging`, words such as "I think" may come before `start` in the same clause.
    """
    text = sentence.text
    if _NOT_STATED_AFTER.search(text[end:]) or _SUPPOSED.search(text[:start]):
        return False
    clause, following = _clause_before(text, start), _BREAK.split(text[end:], maxsplit=1)[0]
    return not ((not allows_hedging and _HEDGED.search(clause)) or _SUPPOSED.search(_UNTIL.sub("", following)))


_JUDGEMENT = re.compile(
    r"\b(?:terribl[ey]|horribl[ey]|awful|ugly|gross|juicy|thin|trivial|easy|cheap|sane|saner|standard|borderline|fine"
    r"|pretty|lovely|nice|great|beautiful|perfect|poor|weak\w*|strong|willing|slightly|enough|too (?:weak|good"
    r"|strong|thin)"
    r"|dig|lov(?:e|es|ing)|lik(?:e|es|ing)|hat(?:e|es|ing)|want out|prefer|rather|thanks|please|worr(?:y|ies)|dreams?"
    r"|probably|surely|clearly best|i think|i believe|i guess|i'd guess|i suspect|i smell|itchy|light|wide|honest"
    r"|brave|dumb|stupid"
    r"|silly|greedy|sticky|suspicious|polite|stor(?:y|ies)|smells?|looks|tells me|honestly|because (?:he|she|they|of)"
    r"|as if|as though|out of|hoping|trying|bluff(?:s|ing)?|means|says|screams|devil|prayer|charity|swindle|trouble"
    r"|trash|garbage|monster|scar(?:y|es?)|disguises?"
    r"|bored|crowd|joke|saloon|horse|lottery|for heroes|stubborn|who knows|somebody|the way|feels?|sort of|kind of"
    r"|i can't|don't mind|only with|any (?:flop|turn|river)|family pot)\b"
)
_JUDGED = re.compile(
    r"(?: [\w'-]+){0,6}? (?:is|are|was|were|isn't|aren't)(?= (?:an?|the|how|why|all|[a-z]+'s|probably|hanging|pretty"
    r"|made|never|still|not|just|going|worth|what|my|no)\b| [a-z]+(?:ing|able|ful|less|y)\b)"
    r"(?! (?:suited|a pair|the nuts|an? [a-z]+[- ](?:pair|draw))\b)"
    r"|(?:(?! (?:i|we) ) [\w'-]+){0,3}? (?:plays|walks|wants?|wanted|turns into|begs) "
    r"|[,:] the (?!small|big|button|cut|board|pot)|'s the "
    r"|(?:(?: [\w'-]+){0,4}?,+|:|\.\.+| and an?) (?=\w)(?!so\b|but\b)"
    r"(?!.*(?:\d|\b(?:suited|off|pre-?flop|button|blinds?|under|position"
    r"|flop|turn|river|pot|call|rais|bet(?!t)|check|fold|shov|jam|open|limp|draw|pair|outs|high|board|flush|straight|bb"
    r"|heads|first|stack|kicker|equity|nuts|ahead|behind|beat)))"
)
"""Matches what follows a hand that the bot names only to judge it: "JT is a trap", "small pair, big dreams"."""
_ADVICE = re.compile(r"\W*(?:call|check|rais|bet|fold|shov|jam|fir|stab)(?:e|ing)?\b")
_REASONED = re.compile(
    r"(?:.*?(?:[,;:]| and| so).*?\b(?:he|she|him|his|her|they|he's|she's|he'll|she'll|somebody|someone|i'd|usually"
    r"|caution|or)\b| with (?:something|worse|better|air|nothing|who)\b| since the\b| only in\b)"
)
"""Matches the conclusion that follows an act: "she called, so she has a king"."""


def is_reasoned(sentence: Sentence, end: int) -> bool:
    """Whether the bot draws a conclusion from an act. The words about the act end at `end`."""
    return bool(_REASONED.match(sentence.text, end))


def is_judged(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the sentence names the hand at `start` to `end` only to say what the bot thinks of such a hand."""
    around = sentence.text[:start] + " " + sentence.text[end:]
    advised = _ADVICE.match(_clause_before(sentence.text, start))
    return bool(advised or _JUDGEMENT.search(around) or _JUDGED.match(sentence.text, end))


_GERUND = re.compile(r"\W*(?!holding|sitting|being|having)[a-z]+ing\b(?!.*\b(?:i|i'm|me|my)\b)")
"""A clause that begins with a verb in "-ing", such as "calling", is about something that anybody may do."""


def is_about_self(sentence: Sentence, start: int, names: str) -> bool:
    """Whether the bot speaks of itself at `start`. `names` is the pattern of the other bots' names."""
    before, clause = sentence.text[:start], _clause_before(sentence.text, start)
    others = re.compile(rf"{_OTHERS.pattern}|\b{names}\b")
    if not clause.strip():
        return not others.search(before)
    if others.search(clause) or _GERUND.match(clause) or _FACED.search(clause):
        return False
    return bool(_SELF.search(clause) or (_CARDS.fullmatch(clause) and not others.search(before)))


def _clause_before(text: str, start: int) -> str:
    """Returns the words before `start` in the same clause."""
    breaks = [found.end() for found in _BREAK.finditer(text, 0, start)]
    return text[breaks[-1] if breaks else 0 : start]


def ownership(sentence: Sentence, spans: Iterable[Span]) -> Iterator[tuple[Span, Ownership]]:
    """Yields each of the `spans` with what the sentence says: that the bot has this hand, or does not have it.

    Leaves out a span about which the sentence says nothing of this kind. The spans are in order, and do not overlap.
    """
    last: tuple[Span, Ownership] | None = None
    for span in spans:
        owned = _ownership_of(sentence, span, last)
        last = (span, owned) if owned else None
        if owned:
            yield span, owned


def _ownership_of(sentence: Sentence, span: Span, last: tuple[Span, Ownership] | None) -> Ownership | None:
    text, before, after = sentence.text, sentence.text[: span.start], sentence.text[span.end :]
    if _NEEDED.search(before) or (_RANKS.fullmatch(text, span.start, span.end) and _are_outs(before, after)):
        return None
    if last and not last[1].street and not text[last[0].start : last[0].end].endswith(("out", "outs")):
        between = text[last[0].end : span.start]
        goes_on = (_MORE if last[1].has_hand else _NO_MORE).search(between) and not _SUBJECT.search(after)
        one_more = not _ONE_CARD.fullmatch(text, span.start, span.end) or _ONE_CARD.fullmatch(
            text, last[0].start, last[0].end
        )
        is_board = between.strip() == "with" and re.fullmatch(_HOLE, text[last[0].start : last[0].end])
        completes = _DRAW.search(text, last[0].start, last[0].end) and _RANKS.fullmatch(text, span.start, span.end)
        if is_board or completes:
            return None
        # A single card after a draw or a pair may be on the board, so `one_more` is false.
        if goes_on and one_more:
            return last[1] if is_stated(sentence, last[0].start, span.end, allows_hedging=True) else None
    if found := _HAS_NOT.search(before) or _HAD.search(before):
        missed = found.re is _HAD and found["verb"] == "missed"
        if missed and not re.search("draw|gut", text[span.start : span.end]):
            return None  # a bot can miss only a draw
        owned = _past_ownership(found, after) if found.re is _HAD else Ownership(has_hand=False)
        return owned if _is_own(sentence, found.start(), span.end) else None
    return _present_ownership(sentence, span) or _names_both_cards(sentence, span)


def _are_outs(before: str, after: str) -> bool:
    """Whether the ranks between the words `before` and the words `after` are outs: "sevens and threes: eight outs",
    "six outs, three nines and".
    """
    return bool(re.match(r"\W*[:=,]\s*(?:that's |so )?[\w-]+ outs\b", after) or re.search(r"\bouts\b[^.;]*$", before))


def _past_ownership(found: re.Match[str], after: str) -> Ownership:
    """Returns the ownership of a hand that the bot had on an earlier street. `found` is a match of `_HAD`, and `after`
    are the words after the hand.
    """
    then = re.match(r" on the (flop|turn)", after)
    street = _VERB_STREETS.get(found["verb"] or "") or found["street"] or (then[1] if then else "some")
    return Ownership(has_hand=True, street=_street(street), came_on_street=found["verb"] in ("turned", "rivered"))


def _present_ownership(sentence: Sentence, span: Span) -> Ownership | None:
    """Returns the ownership if the sentence says that the bot has the hand at `span` now. Otherwise returns None."""
    text, before, after = sentence.text, sentence.text[: span.start], sentence.text[span.end :]
    if found := _MY.search(before):
        clause = _clause_before(text, found.start())
        if _MAKING.search(clause):
            return None
        doubtful = bool(_HEDGED.search(clause) and _OTHERS.search(clause)) or not _MAY_FOLLOW_HAND.search(after)
        return (
            Ownership(has_hand=True)
            if not doubtful and is_stated(sentence, found.start(), span.end, allows_hedging=True)
            else None
        )
    is_draw = _DRAW.search(text, span.start, span.end)
    lists = is_draw or (_MADE.match(text, span.start, span.end) and not _OTHERS.search(text))
    found = _HAS.search(before)
    if not found and lists and not _SOMEBODY_COULD_HAVE.search(after) and not _FEARS.search(before):
        found = _LISTED.search(before)
    if _I_HAVE_IT.match(after):
        return Ownership(has_hand=True) if is_stated(sentence, span.start, span.end) else None
    speaks = found and _WE_SPEAK.search(found[0])
    surely = (speaks and " " in text[span.start : span.end]) or span.is_own_hand
    goes_on = _MAY_FOLLOW_HAND.search(after) or (surely and not _COMPOUND.match(after))
    if not found or not goes_on or not _is_own(sentence, found.start(), span.end):
        return None
    if speaks:
        return Ownership(has_hand=True)
    opens_sentence = _SENTENCE_START.search(before)
    valued = opens_sentence and _VALUED.match(after) and not _STRONG.search(text, span.start, span.end)
    is_unclaimed = (opens_sentence and not valued and not span.is_own_hand) and (
        _is_feared(text, span)
        or _ONE_CARD.fullmatch(text, span.start, span.end)
        or not (_MAY_FOLLOW_OWN_HAND.search(after) or (is_draw and _MAY_FOLLOW_DRAW.search(after)))
    )
    supposed = not valued and (
        (opens_sentence and _GENERAL.search(after))
        or _WOULD.search(after)
        or _BEATS.search(after)
        or _OTHERS_NEXT.search(after)
    )
    return (
        None
        if is_unclaimed or supposed
        else Ownership(has_hand=True, is_unattributed=bool(opens_sentence or _HOLE_FIRST.search(found[0])))
    )


def _names_both_cards(sentence: Sentence, span: Span) -> Ownership | None:
    """Returns the ownership if the words at `span` name the bot's two cards with their suits: "A free flop with 9h5h".
    Otherwise returns None.
    """
    named = span.is_own_hand and _SUITS_NAMED.fullmatch(sentence.text, span.start, span.end)
    clause, after = _clause_before(sentence.text, span.start), sentence.text[span.end :]
    stated = (
        named and is_stated(sentence, span.start, span.end) and not (_PEOPLE.search(clause) or _WOULD.search(after))
    )
    return Ownership(has_hand=True) if stated else None


def _is_feared(text: str, span: Span) -> bool:
    """Whether the bot fears the hand at `span`, as in "a flush, any jack". A draw is never feared."""
    return bool(_ANY.search(text)) and not _DRAW.search(text, span.start, span.end)


def _is_own(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` state a fact, in a clause that is not about anybody else."""
    others = _PEOPLE if _WE_SPEAK.search(sentence.text, start, end) else _OTHERS
    return is_stated(sentence, start, end) and not others.search(_clause_before(sentence.text, start))


_SUITS_NAMED = re.compile(r"(?!asks)(?:(?:10|[2-9tjqka])[cdhs] ?){2}|.*\b(?:suited|off)")
_FEARS = re.compile(r"\b(?:behind|los(?:e|ing) to|beaten by|ahead of me|worst case|hands that|range)\b")
"""A list after one of these words does not name what the bot has."""
_ANY = re.compile(r"\bany(?! (?:bet|raise|size|amount|price|more|time|way|day|flop|turn|river)s?)\b")
_DRAW = re.compile(r"draw|gut|open|out|backdoor|one card|four to")
_RANKS = re.compile(
    r"(?:(?:two|three|four|five|sixe?|seven|eight|nine|ten|jack|queen|king|ace|deuce|trey)e?s?(?: and | )?)+"
)
"""Matches ranks. After the name of a draw, they are the ranks that complete the draw: "an open-ender with fours and
nines".
"""
_STRONG = re.compile("set|straight|flush|full|boat|quads|trips|nuts")
_I_HAVE_IT = re.compile(
    r" (?:is|are) (?:all|what|everything|the best) (?:that )?(?:i|we)(?:'ve| have)? ?(?:got|have|hold)?(?=\W*$|[,;]"
    r"| here| now)"
    r"| in my (?:hand|hole cards)\b| (?:that )?(?:i|we) (?:hold|have|flopped|turned|rivered|made|hit)(?=\W*$|[,;]"
    r"| here| now| on)"
)
"""Matches words after a hand that make it the bot's own: "ace high is all I have", "the pair I flopped"."""
_VALUED = re.compile(
    r" (?:(?:suited|offsuit|here|now|on this board) )*(?:is|isn't|are|aren't|was|wasn't|plays|deserves|doesn't"
    r"|won't|can't|loves|misses)(?: not| hardly| still"
    r"| just| only)? (?:worthless|enough|much|a lot|plenty|decent|fine|strong|weak|vulnerable|(?:well )?hidden"
    r"|(?:well )?disguised"
    r"|worth|marginal|nothing|too|never|playable|trash|garbage|junk|an? (?:\w+ )?(?:hand|call|fold|raise|open"
    r"|bluff-catcher|trap)"
    r"|no |good enough|pretty|the (?:sort|kind)|borderline|great|well|to|love|like|want|cut it|do it|get|go|this"
    r"|protect\w*|protection|postflop|the flop)\b(?!.*\b(?:he|she|they|beats?|against|ahead)\b)"
)
"""Matches words after a hand by which the bot judges its own hand: "is good enough", "deserves protection"."""
_MADE = re.compile(r"(?:top|second|third|middle|bottom) pair|(?:single )?pair of|two pair$|\w+[- ]high$")
"""In a list, these made hands are taken for the bot's own. A stronger hand is often a hand that the bot fears."""
_WE_SPEAK = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|me|us)\b")
_ONE_CARD = re.compile(r"(?:two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace)(?: of \w+)?")
"""A sentence that begins with one card may be about the board."""
_SOMEBODY_COULD_HAVE = re.compile(
    r"^[^,.;]*\b(?:on (?:the |this )?(?:board|flop|turn)|there|possible|around|everywhere|came|hits?)\b"
)
"""Matches words after a draw which say only that somebody could have this draw: "a flush draw on the board"."""
_MAY_FOLLOW_DRAW = re.compile(
    r"^ (?:keeps|lets|helps|justifies|is enough|makes it|too|going|alive|left|to go with|going strong|with|though"
    r"|plus|as well)\b"
)
_HOLE_FIRST = re.compile(rf"^\W*{_HOLE}")
_MAY_FOLLOW_HAND = re.compile(
    r"^\s*(?:$|[^\w\s]|(?:and|plus|with|on|here|now|so|but|in|for|at|that|which|facing|from|again|as|too|heads"
    r"|already|right|only"
    r"|after|because|since|versus|vs|w|off|out|to|lol|if|when|while|then|until|though|although|i|we|he|she|they|it"
    r"|yet|still"
    r"|by|against|without|under|before|behind|going|is|isn't|are|aren't|was|wasn't|has|does|needs|looks|feels|seems"
    r"|deserves|wants|will|should"
    r"|can|could|might|may|would|blocks?|dominates|doesn't|don't|won't|loves|goes|keeps|crushes|loses|misses|missed"
    r"|improves"
    r"|stays|remains|sits|belongs|likes|holds|turned|becomes|became|helps|lets|top|bottom|second|middle|nine|eight"
    r"|four|no|just|not|gives|makes|plays|n|or|this"
    r"|suited|offsuit|using|over|there|currently|today|then|also|instead|total|draw|hand|cards?|having|holding|there"
    r"|always|almost|nearly|any|never|usually|probably|likely|beats?|wins?|got|hidden|ahead|worth)\b)"
)
"""Matches what may follow the name of a hand. It does not match "plan" in "a set plan", which names no hand."""
_COMPOUND = re.compile(
    r"[- ](?:draws?|plans?|choices?|combos?|blockers?|outs?|boards?|ranges?|types?|mining"
    r"|potential|options?|hands|cards|in my|or|over|up|questions?|of)\b"
)
"""Matches words that give the name of a hand another meaning: "set mining", "a pair of options"."""
_WOULD = re.compile(r"^(?:(?!, (?:so|but)\b)[^.;])*?\b(?:i'd|would|could|might)\b")
"""Matches words after a hand that make the sentence a supposition: "with top pair I would raise"."""
_GENERAL = re.compile(
    r"\b(?:never|always|rarely|usually|nobody|are how|are why)\b|\b(?:pairs?|gives?|helps?|completes?"
    r"|fills?|hits?) (?:me|us|my)\b|^ and [\w-]+ (?:flopped|turned|rivered|made|have|got)\b"
)
"""If these words follow cards, the sentence tells what cards of this kind do in general, not which cards the bot holds.
"""
_BEATS = re.compile(
    r"^(?:(?!\b(?:so|but|because|only|i|we|my)\b)[^.;])*?\b(?:beats?|ahead of|(?:is|are) (?:all )?(?:ahead|behind))\b"
    r"|^[^.;]*?\b(?:is|are) (?:all|the only (?:hands?|things?|cards?)) (?:that|which|to) beats?\b"
)
_OTHERS_NEXT = re.compile(
    r"^(?:(?!\b(?:i|we|my|me|i'm|i'll|i've|our)\b)[^;.])*?\b(?:he|she|they|villain|opponents?|anyone|people|"
    r"(?<!two )(?<!three )(?<!four )(?<!five )players)\b"
)
"""Matches words after a hand that speak of somebody else before they speak of the bot: "with top pair he bets"."""
_PEOPLE = re.compile(
    r"\b(?:he|she|they|him|her|them|his|their|you|your|villain|opponents?|someone|somebody|anyone|anybody|everyone"
    r"|nobody|players?)\b"
)
_OTHERS = re.compile(
    r"\b(?:he|she|they|him|her|them|his|their|you|your|villain|villain's|opponents?|opponent's|someone|somebody"
    r"|anyone|anything|anybody|everyone|everybody|nobody|player|players|seat|board|flop|raiser|caller|others?|it)\b"
)


def _street(name: str) -> Street | Literal["", "some"]:
    match name:
        case "flop" | "turn" | "river":
            return name
    return "some"
