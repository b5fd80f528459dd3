"""Situations to try a bot in: seats, chips, how others play, how messages arrive. Also explains broken rules. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from server.game.cards import Deck
from server.game.decisions import Call, Decision, Fold, PostBlind, RaiseTo
from server.game.events import Fault, TurnStarted
from server.game.hand import Hand
from server.shuffle import deck_of, key_of

Manner = Literal["", "pieces", "glued", "unknown fields", "chat storm", "refused", "late"]
"""How messages arrive: as usual, in pieces, several at once, with unknown fields, or after a lot of chat; or that one
answer is refused, or has so little time that it is late.
"""
Play = Callable[[Hand], Decision]
"""What the others do on their turns."""

MAX_HANDS_TO_THE_RIVER = 12
"""Enough hands for a bot that may always check to reach a river, unless it folds needlessly."""
ROYAL = ("Ts", "Js", "Qs", "Ks", "As")
"""A board that nobody can beat: every pot is split."""
LONG_NAMES = (
    "The Hon. Bartholomew O'Hara IV",
    'Quote " and \\ backslash',
    "Ünïcödé 決闘 Ñandú",
    "{brace} [bracket] <b>",
    "x",
)

ANY = {
    "act": "A bot that is asked answers in time with an action that is allowed.",
    "street": "There are up to four rounds of betting: before the flop, on flop, turn and river.",
    "raise": "A bot that faces a bet folds, calls, or raises to at least the amount that is allowed.",
    "all-in": "A bot that faces a bet of more chips than it has may fold, or call with all of them.",
    "short": "A bot with few chips left may put in all of them, even if that is less than a call or a raise.",
    "split": "Equal hands share a pot; the next hand follows.",
    "end": "A bot plays as many hands as it is dealt.",
}
"""What every contest's document says, by part of the game. A bot is tested only on what its document mentions."""
AT_A_TABLE = {
    "names": "Names have up to 30 characters of any script, among them quotes, brackets and braces.",
    "late": "A late answer does not count; the bot folds, and is asked again at its next turn.",
}
"""What documents also say if more than two play."""
ONE_IS_OUT = {"out": "A bot without chips stays in the list of players, without cards."}


class Situation(Struct, frozen=True, kw_only=True):
    """Some hands at one table, each with the contest's starting chips. The bot on trial sits at `seat`.

    `rule` is what the contest's document says about it.
    """

    name: str
    rule: str
    others: Play
    seats: int = 3
    seat: int = 0
    mine: float = 0
    """The bot's own chips in big blinds, while its neighbour has the rest; 0 for the usual stack."""
    hands: int = 1
    manner: Manner = ""
    royal: bool = False
    long_names: bool = False
    one_is_out: bool = False
    """Whether its neighbour has no chips left."""
    all_streets: bool = False
    """Whether it ends once the bot has acted on every street, after `hands` hands at the latest."""


def go_along(hand: Hand) -> Decision:
    """Calls and checks."""
    return _blind(hand) or Call()


def give_up(hand: Hand) -> Decision:
    """Folds unless checking is free."""
    return _blind(hand) or (Fold() if hand.turn and hand.turn.to_call else Call())


def raise_once(hand: Hand) -> Decision:
    """Makes the smallest raise if nobody has raised yet."""
    raises = hand.turn and hand.turn.max_raise_to and hand.current_bet <= hand.big_blind
    return _blind(hand) or (RaiseTo(hand.turn.min_raise_to) if hand.turn and raises else Call())


def push(hand: Hand) -> Decision:
    """Goes all-in."""
    return _blind(hand) or (RaiseTo(hand.turn.max_raise_to) if hand.turn and hand.turn.max_raise_to else Call())


def _blind(hand: Hand) -> Decision | None:
    return PostBlind(hand.turn.to_call) if hand.turn and hand.turn.blind else None


def situations(stated: Mapping[str, str], *, duel: bool) -> Iterator[Situation]:
    """The situations of a contest, simplest first; `stated` is what its document says, by part of the game."""
    seats = 2 if duel else 3
    last = seats - 1

    def at(name: str, rule: str, others: Play = go_along, **more: Any) -> Iterator[Situation]:
        if rule in stated:
            yield Situation(**{"name": name, "rule": stated[rule], "others": others, "seats": seats, **more})

    yield from at("is first to act", "act", give_up)
    yield from at("may check", "act", seat=last)
    yield from at("plays a hand to its end", "street", hands=3)
    yield from at("faces a raise", "raise", raise_once, seat=last, hands=2)
    yield from at("faces an all-in", "all-in", push, seat=last, hands=2)
    yield from at("has hardly more than a blind", "short", push, mine=1.5, hands=2)
    yield from at("shares a pot", "split", royal=True, hands=2)
    if not duel:
        yield from at("plays against one other", "act", seats=2, hands=2)
        yield from at("sits at a full table", "act", seats=6, seat=3, hands=2)
    yield from at("hears long and odd names", "names", seats=5, long_names=True)
    yield from at("gets fields that it does not know", "fields", manner="unknown fields", hands=2)
    yield from at("sits beside one who is out", "out", seats=4, seat=3, one_is_out=True, hands=2)
    yield from at("gets messages in pieces", "stream", manner="pieces", hands=2)
    yield from at("gets several messages at once", "stream", manner="glued", hands=2)
    yield from at("hears a storm of chat", "chat", manner="chat storm", hands=2)
    yield from at("has an answer refused", "error", manner="refused", hands=2)
    yield from at("is late once", "late", manner="late", hands=3)
    yield from at("plays twenty hands in a row", "end", hands=20)


def essentials(stated: Mapping[str, str], *, duel: bool) -> list[Situation]:
    """The situations of every evening: all streets, a raise, an all-in, a check, a showdown."""
    at = {situation.name: situation for situation in situations(stated, duel=duel)}
    first = replace(at["may check"], name="acts on every street", rule=stated["street"])
    return [
        replace(first, hands=MAX_HANDS_TO_THE_RIVER, all_streets=True),
        *(at[name] for name in ("faces a raise", "faces an all-in", "shares a pot")),
    ]


def deck_for(situation: Situation, hand: int, seed: bytes) -> Deck:
    """The deck of a hand; the same seed gives the same cards."""
    dealt = deck_of(key_of(seed, f"{situation.name} {hand}"))
    if not situation.royal:
        return dealt
    rest = [card for card in dealt.cards if card not in ROYAL]
    before = 2 * situation.seats
    return Deck((*rest[:before], *ROYAL, *rest[before:]))


Matter = Literal["message", "action", "time", "turn", "gone"]
"""What a rule is about: a message's form, legal actions, the time limit, whose turn it is, the connection."""


class RuleTexts(Struct, frozen=True):
    """A contest's rules in words, and the answers that are legal for the seat whose turn it is."""

    rules: Mapping[Matter, str]
    told: Mapping[str, str]
    """What the document says, by part of the game; "comes" is how a bot joins the table."""
    answers: Callable[[Hand, TurnStarted], Sequence[str]]

    def rule_on(self, fault: Fault, *, asked: bool) -> str:
        """The rule that a fault breaks; `asked` is whether it was the bot's turn."""
        illegal: Matter = "action" if asked else "turn"
        matters: dict[Fault, Matter] = {"timeout": "time", "disconnected": "gone", "illegal": illegal}
        return self.rules[matters.get(fault, "message")]

    def expected_in(self, hand: Hand) -> str:
        """What the seat whose turn it is could answer: "fold, call (costs 100) or … within 3 s"."""
        turn = hand.turn
        assert turn is not None, "somebody is asked"
        *answers, last = self.answers(hand, turn)
        return f"{', '.join(answers)} or {last}, within {turn.think_ms / 1000:g} s"


def named_actions(turn: TurnStarted, amount: str, free: str) -> list[str]:
    """Fold, call and raise in words: `amount` words the amount of a raise ("an amount"), `free` a free action."""
    raises = f"raise with {amount} of {span(turn.min_raise_to, turn.max_raise_to)}" if turn.max_raise_to else ""
    return ["fold", f"call (costs {turn.to_call})" if turn.to_call else free, *([raises] if raises else [])]


def span(low: int, high: int) -> str:
    """Amounts in words: "40 to 2000"."""
    return f"{low}" if low == high else f"{low} to {high}"
