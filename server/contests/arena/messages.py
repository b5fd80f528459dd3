"""The Arena's messages: JSON in HTTP requests to the bot, and in its answers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.contests.contest import Chips, Count, Message, Mistake, Note, Protocol

Street = Literal["preflop", "flop", "turn", "river"]
CardText = Annotated[str, Meta(pattern="^[2-9TJQKA][shdc]$", description='card, such as `"As"`')]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot in the game."""

    player_id: str
    name: str
    chips: Chips
    """What it has left."""
    hole_cards: tuple[CardText, ...]
    """Yours; empty for others."""
    state: Literal["active", "folded", "all_in", "out"]
    current_bet: Chips
    """What it has bet on this street."""
    hand_bet: Chips
    """What it has bet in this hand."""
    is_dealer: bool
    is_small_blind: bool
    is_big_blind: bool


class Done(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the hand so far."""

    player_id: str
    action: Literal["small_blind", "big_blind", "ante", "fold", "check", "call", "raise", "all_in"]
    amount: Chips
    """For a raise the total of the street, otherwise the chips added."""
    phase: Street


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """The lowest and highest amount that you can raise to."""

    min: Chips
    max: Chips


class ValidAction(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that you can do now."""

    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Chips | Range
    """For a raise its limits, otherwise the chips that the action costs."""


class GameState(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /action`: it is your turn."""

    game_id: str
    phase: Street
    hand_number: Count
    """Counts from 1."""
    pot: Chips
    """All bets of this hand so far."""
    community_cards: tuple[CardText, ...]
    current_bet: Chips
    """The bet to match on this street."""
    min_raise: Chips
    """How far a raise must go beyond `current_bet`."""
    current_player: str
    """You, as in `players`."""
    players: dict[str, Player]
    """Every bot by its `player_id`, in seat order."""
    action_history: tuple[Done, ...]
    """Every action of this hand, from the first blind on."""
    dealer_index: Count
    """The dealer's index in `players`, counting only those with chips."""
    small_blind: Chips
    big_blind: Chips
    valid_actions: tuple[ValidAction, ...]


class Answer(Struct, frozen=True):
    """The body of your answer, with status 200. Other fields are ignored."""

    action: Literal["fold", "check", "call", "raise", "all_in"] = "fold"
    """`all_in` is accepted at any time: it is a call where you cannot raise."""
    amount: Count = 0
    """For a raise: the total of your bets on this street, a whole number."""
    note: Note = ""
    """Why, in your own words: the audience sees the first 200 characters once the hand is over; other bots never do."""


PROTOCOL = Protocol(
    """\
A bot is a web server. For each of its turns it is sent the whole state of the game as JSON, and its answer is JSON too.
Before the first game it is asked `GET /health`; it need not answer that.

A bot has 3 seconds for each answer.
""",
    (
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
            'the action "bet" is none of fold, check, call, raise, all_in',
            "these are all actions",
        ),
        Mistake(
            '{"action": "raise", "amount": "60"}',
            'the amount "60" must be a whole number, such as 60',
            "an amount is a number, not a text",
        ),
        Mistake('{"action": "check"}', "a check with 20 to call", "only what `valid_actions` has is valid"),
    ),
    """\
No answer in time, a status other than 200, or a body that is not a JSON object: the bot folds. An action that is not
valid: it checks if that costs nothing, otherwise it folds. Every mistake is recorded against your bot. An object
without an action is a fold, and not a mistake.
""",
)
