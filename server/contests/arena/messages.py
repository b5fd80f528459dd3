"""The messages of the contest Arena: JSON in HTTP requests to the bot, and in its answers."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from server.contests.contest import Chips, Cost, Count, Message, Mistake, Note, Protocol, Tokens
from server.contests.registration_messages import REFUSED, PracticeOptionFields, Refused

Street = Literal["preflop", "flop", "turn", "river"]
CardText = Annotated[str, Meta(pattern="^[2-9TJQKA][shdc]$", description='card, such as `"As"`')]
LongName = Annotated[str, Meta(max_length=100, description="text of at most 100 characters")]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot in the game."""

    player_id: str
    name: str
    chips: Chips
    """The bot's remaining chips."""
    hole_cards: tuple[CardText, ...]
    """Your own cards. Empty for other bots."""
    state: Literal["active", "folded", "all_in", "out"]
    current_bet: Chips
    """The bot's bets on this street."""
    hand_bet: Chips
    """The bot's bets in this hand."""
    is_dealer: bool
    is_small_blind: bool
    is_big_blind: bool


class Done(Struct, frozen=True, forbid_unknown_fields=True):
    """A blind or action in this hand."""

    player_id: str
    action: Literal["small_blind", "big_blind", "ante", "fold", "check", "call", "raise", "all_in"]
    amount: Chips
    """For a raise: the bot's total for the street. For other actions: the chips that the bot added."""
    phase: Street


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """The lowest and highest amount that you can raise to."""

    min: Chips
    max: Chips


class ValidAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that you can take now."""

    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Chips | Range
    """For a raise: the lowest and highest amount. For other actions: the chips that the action costs."""


class Register(PracticeOptionFields, frozen=True, kw_only=True):
    """The body of `POST /practice`, a form or JSON. A bot or its author sends it to get a practice game.

    In a tournament, bots do not register, because the organiser names their addresses.
    """

    url: str
    """Where your bot listens, such as `http://127.0.0.1:5001`."""
    name: LongName = ""
    """Your bot's name. Without it, the server makes up a name."""


class Registered(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a registration for practice."""

    name: str
    """Your bot's name in the game."""
    watch_url: str
    """Where the game can be watched."""
    own_url: str | UnsetType = UNSET
    """Your own page, with your hole cards and your bot's faults."""
    house_bots: str | UnsetType = UNSET
    """How the house bots play, in words, if you asked for a strength."""
    warnings: tuple[str, ...] | UnsetType = UNSET
    """A sentence for each setting of yours that was not accepted."""


class GameState(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /action`: it is your turn."""

    game_id: str
    phase: Street
    hand_number: Count
    """The first hand has number 1."""
    pot: Chips
    """All bets of this hand so far."""
    community_cards: tuple[CardText, ...]
    current_bet: Chips
    """The bet to match on this street."""
    min_raise: Chips
    """The least that a raise must add to `current_bet`."""
    current_player: str
    """Your own `player_id`."""
    players: dict[str, Player]
    """All bots, keyed by `player_id`, in seat order."""
    action_history: tuple[Done, ...]
    """Every action of this hand, from the first blind on."""
    dealer_index: Count
    """The dealer's index among the bots with chips."""
    small_blind: Chips
    big_blind: Chips
    valid_actions: tuple[ValidAction, ...]


class Answer(Struct, frozen=True):
    """The body of your answer, with status 200. Other fields are ignored."""

    action: Literal["fold", "check", "call", "raise", "all_in"] = "fold"
    """`all_in` is accepted at any time. Where you cannot raise, `all_in` is a call."""
    amount: Count = 0
    """For a raise: the total of your bets on this street, a whole number."""
    note: Note = ""
    """Your reason, in words. After the hand, the audience sees its first 200 characters. Other bots never see it."""
    tokens: Tokens = 0
    """The tokens that your language model has used since your last note. The results show them."""
    cost: Cost = 0.0
    """What these tokens have cost."""


PROTOCOL = Protocol(
    """\
A bot is a web server. On each of its turns it gets the whole state of the game as JSON, and answers with JSON.
Before the first game it gets `GET /health`, which it need not answer.

A bot has 3 seconds for each answer.
""",
    (
        Message("POST /practice", "bot", Register, ('{"url": "http://127.0.0.1:5001", "name": "AlphaBot"}',)),
        Message(
            "registered",
            "server",
            Registered,
            ('{"name": "AlphaBot", "watch_url": "http://127.0.0.1:8000/practice/1"}',),
        ),
        Message("refused", "server", Refused, (REFUSED,)),
        Message("POST /action", "server", GameState, (), "Answer with status 200 and an action."),
        Message("answer", "bot", Answer, ('{"action": "call", "amount": 20}', '{"action": "raise", "amount": 60}')),
    ),
    (
        Mistake(
            "call", "the answer is not JSON: line 1, column 1: a value is expected here", "an answer is a JSON object"
        ),
        Mistake("[]", "the answer is not a JSON object", "an answer is a JSON object"),
        Mistake(
            '{"action": "bet"}',
            'the action "bet" is not one of fold, check, call, raise, all_in',
            "there are no other actions",
        ),
        Mistake(
            '{"action": "raise", "amount": "60"}',
            'the amount "60" must be a whole number, such as 60',
            "an amount is a number, not a text",
        ),
        Mistake('{"action": "check"}', "a check with 20 to call", "only the actions in `valid_actions` are valid"),
    ),
    """\
The bot folds if it does not answer in time, or answers with a status other than 200 or a body that is not a JSON
object. After an action that is not valid, it checks if that costs nothing; otherwise it folds. Every mistake is
recorded against your bot. An object without an action is a fold, and not a mistake.
""",
)
