"""The situations in which `highnoon probe` tests a bot: seats, chips, how other bots play, and unusual messages.

No I/O. The module also names the rule that a bot has broken.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from server.game.cards import Deck
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import Fault, TurnStarted
from server.game.hand import Hand
from server.shuffle import deck_of, key_of

MessageQuirk = Literal["", "pieces", "glued", "unknown fields", "chat storm", "refused", "late"]
"""The way in which messages to the tested bot are unusual:

- "": not at all
- "pieces": they arrive in pieces
- "glued": several arrive at once
- "unknown fields": they have fields that the contest's rule book does not name
- "chat storm": they arrive after a lot of chat
- "refused": the bot's first answer is refused
- "late": the bot gets too little time for its first answer, so the answer is late
"""
Strategy = Callable[[Hand], Decision]
"""How the other bots play."""

MAX_HANDS_TO_THE_RIVER = 12
"""A tested bot gets this many hands to act on every street. One hand is enough unless the bot folds or goes all-in,
because the other bots only check and call.
"""
ROYAL_BOARD = ("Ts", "Js", "Qs", "Ks", "As")
"""A board that no hand beats, so every pot is split."""
LONG_NAMES = (
    "The Hon. Bartholomew O'Hara IV",
    'Quote " and \\ backslash',
    "Ünïcödé 決闘 Ñandú",
    "{brace} [bracket] <b>",
    "x",
)

COMMON_RULES = {
    "act": "On its turn a bot answers in time with a legal action.",
    "street": "There are up to four rounds of betting: before the flop, on the flop, on the turn and on the river.",
    "raise": "A bot that faces a bet folds, calls, or raises to at least the smallest amount that is allowed.",
    "all-in": "A bot that faces a bet larger than its stack may fold, or call with all its chips.",
    "short": "A bot with few chips left may put in all of them, even if that is less than a call or a raise.",
    "split": "Equal hands split the pot, and the next hand follows.",
    "end": "A bot plays as many hands as it is dealt.",
}
"""Rules that most contests have, by topic. A bot is tested only on the topics of its own contest."""
TABLE_RULES = {
    "names": "Names have up to 30 characters of any script, including quotes, brackets and braces.",
    "late": "A late answer does not count: the bot folds, and is asked again on its next turn.",
}
"""More rules, by topic, for contests with tables of more than two bots."""
OUT_OF_CHIPS_RULE = {"out": "A bot without chips stays in the list of players, but gets no cards."}


class Situation(Struct, frozen=True, kw_only=True):
    """Some hands at one table, each with the contest's starting chips. The tested bot sits at `seat`.

    `rule` is what the contest's rule book says about this situation.
    """

    name: str
    rule: str
    others: Strategy
    seats: int = 3
    seat: int = 0
    stack_bb: float = 0
    """The tested bot's stack in big blinds, or 0 for the usual stack. The bot in the seat before the tested bot gets
    the rest of the tested bot's usual stack.
    """
    hands: int = 1
    message_quirk: MessageQuirk = ""
    has_royal_board: bool = False
    long_names: bool = False
    neighbour_is_out: bool = False
    """Whether a bot beside the tested bot has no chips left."""
    all_streets: bool = False
    """Whether the situation ends as soon as the tested bot has acted on every street. If the bot never does so, the
    situation ends after `hands` hands.
    """


def check_or_call(hand: Hand) -> Decision:
    """Calls, or checks if there is nothing to call."""
    return _blind_decision(hand) or Call()


def check_or_fold(hand: Hand) -> Decision:
    """Checks if that is free, and otherwise folds."""
    return _blind_decision(hand) or (Fold() if hand.turn and hand.turn.to_call else Call())


def raise_once(hand: Hand) -> Decision:
    """Makes the smallest raise if no bot has raised yet on this street. Otherwise calls or checks."""
    can_raise = hand.turn and hand.turn.max_raise_to and hand.current_bet <= hand.big_blind
    return _blind_decision(hand) or (RaiseTo(hand.turn.min_raise_to) if hand.turn and can_raise else Call())


def go_all_in(hand: Hand) -> Decision:
    """Goes all-in, or calls if no raise is allowed."""
    return _blind_decision(hand) or (
        RaiseTo(hand.turn.max_raise_to) if hand.turn and hand.turn.max_raise_to else Call()
    )


def _blind_decision(hand: Hand) -> Decision | None:
    return PostBlind(hand.turn.to_call) if hand.turn and hand.turn.blind else None


def situations(rules_by_topic: Mapping[str, str], *, duel: bool) -> Iterator[Situation]:
    """Yields the situations of a contest, simplest first. `rules_by_topic` is the contest's rule book. Leaves out
    situations whose rule is not in this rule book. With `duel`, only two bots play.
    """
    seats = 2 if duel else 3
    last_seat = seats - 1

    def situation(name: str, rule: str, others: Strategy = check_or_call, **changes: Any) -> Iterator[Situation]:
        if rule in rules_by_topic:
            yield Situation(**{"name": name, "rule": rules_by_topic[rule], "others": others, "seats": seats, **changes})

    yield from situation("is first to act", "act", check_or_fold)
    yield from situation("may check", "act", seat=last_seat)
    yield from situation("plays a hand to its end", "street", hands=3)
    yield from situation("faces a raise", "raise", raise_once, seat=last_seat, hands=2)
    yield from situation("faces an all-in", "all-in", go_all_in, seat=last_seat, hands=2)
    yield from situation("has hardly more than a blind", "short", go_all_in, stack_bb=1.5, hands=2)
    yield from situation("shares a pot", "split", has_royal_board=True, hands=2)
    if not duel:
        yield from situation("plays against one other", "act", seats=2, hands=2)
        yield from situation("sits at a full table", "act", seats=6, seat=3, hands=2)
    yield from situation("hears long and odd names", "names", seats=5, long_names=True)
    yield from situation("gets fields that it does not know", "fields", message_quirk="unknown fields", hands=2)
    yield from situation("sits beside one who is out", "out", seats=4, seat=3, neighbour_is_out=True, hands=2)
    yield from situation("gets messages in pieces", "stream", message_quirk="pieces", hands=2)
    yield from situation("gets several messages at once", "stream", message_quirk="glued", hands=2)
    yield from situation("hears a storm of chat", "chat", message_quirk="chat storm", hands=2)
    yield from situation("has an answer refused", "error", message_quirk="refused", hands=2)
    yield from situation("is late once", "late", message_quirk="late", hands=3)
    yield from situation("plays twenty hands in a row", "end", hands=20)


def essentials(rules_by_topic: Mapping[str, str], *, duel: bool) -> list[Situation]:
    """Returns situations that occur in every tournament: all streets, a check, a raise, an all-in and a split pot."""
    by_name = {situation.name: situation for situation in situations(rules_by_topic, duel=duel)}
    first = replace(by_name["may check"], name="acts on every street", rule=rules_by_topic["street"])
    return [
        replace(first, hands=MAX_HANDS_TO_THE_RIVER, all_streets=True),
        *(by_name[name] for name in ("faces a raise", "faces an all-in", "shares a pot")),
    ]


def deck_for(situation: Situation, hand: int, seed: bytes) -> Deck:
    """Returns the deck for hand number `hand`. The same seed gives the same cards."""
    shuffled = deck_of(key_of(seed, f"{situation.name} {hand}"))
    if not situation.has_royal_board:
        return shuffled
    other_cards = [card for card in shuffled.cards if card not in ROYAL_BOARD]
    hole_cards = 2 * situation.seats
    return Deck((*other_cards[:hole_cards], *ROYAL_BOARD, *other_cards[hole_cards:]))


RuleSubject = Literal["message", "action", "time", "turn", "gone"]
"""What a rule is about: a message's form, legal actions, the time limit, whose turn it is, or the connection."""


class RuleTexts(Struct, frozen=True):
    """A contest's rules as sentences for bots' authors."""

    rules_by_subject: Mapping[RuleSubject, str]
    """The rule that is quoted when a bot breaks it, by subject."""
    rules_by_topic: Mapping[str, str]
    """The rules of the contest's rule book, by topic. The topic "comes" says how a bot joins the table."""
    legal_answers: Callable[[Hand, TurnStarted], Sequence[str]]
    """Lists the legal answers of the seat to act."""

    def rule_on(self, fault: Fault, *, asked: bool) -> str:
        """Returns the rule that a bot broke with `fault`. `asked` says whether it was the bot's turn."""
        illegal: RuleSubject = "action" if asked else "turn"
        subjects: dict[Fault, RuleSubject] = {"timeout": "time", "disconnected": "gone", "illegal": illegal}
        return self.rules_by_subject[subjects.get(fault, "message")]

    def legal_answers_text(self, hand: Hand) -> str:
        """Returns the legal answers of the seat to act: "fold, call (costs 100) or … within 3 s"."""
        turn = hand.turn
        assert turn is not None, "it is nobody's turn"
        *first_answers, last_answer = self.legal_answers(hand, turn)
        return f"{', '.join(first_answers)} or {last_answer}, within {turn.think_ms / 1000:g} s"


def list_actions(turn: TurnStarted, amount_text: str, check_text: str) -> list[str]:
    """Lists the legal actions as texts: fold, call (or check) and raise. `amount_text` is the text for the amount of a
    raise, such as "an amount". `check_text` is the text for a check.
    """
    raise_text = (
        f"raise with {amount_text} of {range_text(turn.min_raise_to, turn.max_raise_to)}" if turn.max_raise_to else ""
    )
    return [
        "fold",
        f"call (costs {turn.to_call})" if turn.to_call else check_text,
        *([raise_text] if raise_text else []),
    ]


def range_text(low: int, high: int) -> str:
    """Returns a range of amounts as text: "40 to 2000", or "40" if both ends are equal."""
    return f"{low}" if low == high else f"{low} to {high}"
