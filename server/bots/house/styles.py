"""How house bots play and chat: their styles, and their decisions. House bots come with this program. Wherever a
function makes random choices, it uses its argument `dice`.
"""

import random
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from server.bots.house.strength import estimate_strength
from server.game.cards import Card
from server.game.decisions import Call, Decision, Fold, RaiseTo

Occasion = Literal["won", "lost", "busted", "folded", "all in", "heard"]
"""Why a bot chats. "heard" means that the bot answers another bot's chat."""
ChatLines = Mapping[Occasion, tuple[str, ...]]
MAX_PAUSE_SECONDS = 2.4
"""The longest pause before an action. It is short enough for every answer to come within 3 seconds."""


class Skill(Struct, frozen=True):
    """How well a bot plays. Frequencies are from 0 to 1. Strengths are those of `strength.py`, from 0 to 1."""

    call_from: float
    """The lowest strength with which the bot calls 25 chips to win a pot of 75, with a much larger stack."""
    raise_from: float
    """The lowest strength with which the bot raises for value. If the bot faces a raise, it needs 0.12 more."""
    aggression: float
    """How often the bot raises with a strong enough hand."""
    bluff: float
    shove: float
    """How often the bot goes all-in instead of raising big."""
    strength_error: float
    """The standard deviation of the bot's error when it estimates a hand's strength."""


class Style(Struct, frozen=True):
    """How a bot plays and talks."""

    skill: Skill
    chat_chance: float
    """How often the bot chats on an occasion, from 0 to 1."""
    pause_range: tuple[float, float]
    """The shortest and longest pause, as fractions of the thinking time."""
    lines: ChatLines
    digits_as_text: bool = False
    """Whether the bot writes like the original sample bot, with the key `action_type` and amounts as strings."""


class Situation(Struct, frozen=True):
    """The facts on which a decision depends. Amounts are in chips, for a big blind of 100 chips.

    `bet` is the bot's bet on this street, `current_bet` is the highest bet, and `stack` is the bot's stack.
    """

    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    bet: int
    stack: int
    current_bet: int
    pot: int
    opponents: int

    @property
    def to_call(self) -> int:
        """The chips that a call costs, at most the whole stack."""
        return min(self.current_bet - self.bet, self.stack)

    @property
    def all_in_total(self) -> int:
        """The total of an all-in raise on this street."""
        return self.bet + self.stack


def choose_decision(style: Style, situation: Situation, dice: random.Random) -> Decision:
    """Returns a fold, call or raise in this style. Under some contests' rules, the raise may be too small."""
    # The more opponents a bot has, the likelier it is that some opponent has a better hand.
    opponent_penalty = 0.025 * max(situation.opponents - 1, 0) if situation.board else 0
    estimated_strength = (
        estimate_strength(situation.hole, situation.board)
        + dice.gauss(0, style.skill.strength_error)
        - opponent_penalty
    )
    if _wants_to_raise(style.skill, situation, estimated_strength, dice):
        return _choose_raise(style.skill, situation, estimated_strength, dice)
    return (
        Call() if situation.to_call == 0 or estimated_strength >= _strength_to_call(style.skill, situation) else Fold()
    )


def pause_of(style: Style, think_seconds: float, dice: random.Random) -> float:
    """Returns how many seconds a bot of this style pauses before it acts, at most `think_seconds`."""
    return min(dice.uniform(*style.pause_range) * think_seconds, MAX_PAUSE_SECONDS) if think_seconds else 0.0


def chat_line(style: Style, occasion: Occasion, name: str, dice: random.Random) -> str:
    """Returns one of the style's lines for the occasion, or "" for no chat. `name` replaces NAME in the line."""
    lines = style.lines.get(occasion, ())
    if not lines or dice.random() >= style.chat_chance:
        return ""
    return dice.choice(lines).replace("NAME", name)


def _strength_to_call(skill: Skill, situation: Situation) -> float:
    """Returns the lowest strength with which a bot calls. This strength rises with the price of the call, which is its
    part of the new pot, and with the part of the stack that the call takes.
    """
    call = situation.to_call
    price = call / (situation.pot + call)
    stack_part = call / max(situation.stack, 1)
    return skill.call_from + 0.5 * (price - 0.25) + 0.18 * stack_part


def _wants_to_raise(skill: Skill, situation: Situation, estimated_strength: float, dice: random.Random) -> bool:
    if situation.stack <= situation.to_call:
        return False
    is_after_raise = situation.to_call > 100
    if estimated_strength >= skill.raise_from + 0.12 * is_after_raise:
        return dice.random() < skill.aggression
    return not is_after_raise and dice.random() < skill.bluff


def _choose_raise(skill: Skill, situation: Situation, estimated_strength: float, dice: random.Random) -> RaiseTo:
    raise_to = situation.current_bet + int(dice.uniform(0.45, 1.1) * max(situation.pot, 150))
    raise_to -= raise_to % 25
    min_raise_to = min(situation.current_bet + 1, situation.all_in_total)
    is_mostly_in = raise_to > 0.6 * situation.all_in_total
    if is_mostly_in or (estimated_strength > 0.75 and dice.random() < skill.shove):
        return RaiseTo(situation.all_in_total)
    return RaiseTo(max(raise_to, min_raise_to))


def styles() -> dict[str, Style]:
    return {
        "careful": Style(Skill(0.47, 0.62, 0.8, 0.03, 0.35, 0.03), 0.22, (0.35, 0.95), _CAREFUL_LINES),
        "loose": Style(Skill(0.3, 0.52, 0.55, 0.08, 0.3, 0.08), 0.25, (0.20, 0.70), _LOOSE_LINES, digits_as_text=True),
        "aggressive": Style(Skill(0.4, 0.46, 0.85, 0.2, 0.5, 0.06), 0.25, (0.15, 0.55), _AGGRESSIVE_LINES),
        "calling": Style(
            Skill(0.24, 0.78, 0.35, 0.02, 0.2, 0.04), 0.2, (0.30, 0.80), _CALLING_LINES, digits_as_text=True
        ),
        "random": Style(Skill(0.36, 0.55, 0.55, 0.1, 0.35, 0.25), 0.3, (0.05, 0.40), _RANDOM_LINES),
        "chatty": Style(
            Skill(0.38, 0.54, 0.65, 0.09, 0.35, 0.06), 0.8, (0.30, 0.90), _CHATTY_LINES, digits_as_text=True
        ),
    }


_CAREFUL_LINES: ChatLines = {
    "won": ("Patience pays, partner.", "I counted twice before I smiled.", "One for the ledger."),
    "lost": (
        "A prudent man keeps some powder dry.",
        "I had that down as a risk.",
        "The odds will come home by sundown.",
    ),
    "busted": ("I should have stayed with the mules.", "The almanac said nothing about this."),
    "folded": ("Not with these two.", "I have seen better hands on a clock.", "I fold, therefore I am."),
    "all in": ("I checked the sums. All of it.", "Even a careful man jumps once."),
    "heard": ("Save your breath for the river, NAME.",),
}
_LOOSE_LINES: ChatLines = {
    "won": ("Any two will do!", "Told you seven-deuce was lucky.", "Drinks are on NAME!"),
    "lost": ("Easy come, easier gone.", "I only came for the flop.", "That horse was lame anyway."),
    "busted": ("Anybody lend me a saddle?", "I regret nothing but the river."),
    "folded": ("Even I have my limits.", "My cards have gone to water the horses."),
    "all in": ("Everything on the prettiest card!", "Yee-haw, the whole herd goes in!"),
    "heard": ("Ha! Tell it to the bartender, NAME.",),
}
_AGGRESSIVE_LINES: ChatLines = {
    "won": ("Reach for the sky.", "This town ain't big enough for your bluff.", "Draw faster next time, NAME."),
    "lost": ("Lucky shot, NAME.", "I will remember that.", "You only winged me."),
    "busted": ("Outdrawn at noon. Carve it on the stone.", "NAME, you and I will meet again."),
    "folded": ("Just this once.", "Just reloading."),
    "all in": ("All of it. Blink first.", "High noon comes early today.", "Say your prayers and your raise."),
    "heard": ("Less talk, more chips, NAME.",),
}
_CALLING_LINES: ChatLines = {
    "won": ("I just wanted to see it.", "Well, I'll be. The river provides.", "Curiosity fed the cat."),
    "lost": ("I had to know.", "It was worth the ticket.", "Nice cards, NAME. I paid to see them."),
    "busted": ("I called it. It did not call back.", "Guess I'll walk home. Slowly."),
    "folded": ("My wife said to fold one today.", "Too rich for my stew."),
    "all in": ("Call. What was it again? All? Call.", "I rode this far, I'll see the rest."),
    "heard": ("I'll call that, NAME.",),
}
_RANDOM_LINES: ChatLines = {
    "won": ("The tumbleweed rolls my way!", "I asked the cactus. The cactus knew.", "Was that me?"),
    "lost": ("The cactus lied.", "Wind changed.", "I was aiming for the other pot."),
    "busted": ("The coin landed on its edge.", "So that is where the chips went."),
    "folded": ("A coyote ate my cards.", "Tails. I fold."),
    "all in": ("Heads! Everything!", "The cactus says shove."),
    "heard": ("My cactus disagrees, NAME.",),
}
_CHATTY_LINES: ChatLines = {
    "won": (
        "Thank you kindly, thank you, I'm here till sundown.",
        "I'd say sorry, NAME, but my mouth is full of your chips.",
        "That reminds me of a hand I had in Abilene. I lost that one.",
        "Somebody hold my hat, I need both hands for this pot.",
    ),
    "lost": (
        "NAME plays like my mule sings.",
        "Well struck, NAME. I'll be in the saloon, telling it differently.",
        "I've been robbed politer than that.",
        "Sheriff! There's a pot gone missing!",
    ),
    "busted": (
        "And that, friends, is how I became a gravedigger.",
        "Farewell! Feed my horse, ignore my debts.",
        "I leave with what I came with: an opinion.",
    ),
    "folded": (
        "I've had warmer hands in January.",
        "These two cards don't even like each other.",
        "I fold, but I want it known I complained.",
        "My grandmother bluffs with better. She's the sheriff.",
    ),
    "all in": (
        "All in! Somebody fetch the undertaker, and a sandwich.",
        "Everything, partner. Even the boots.",
        "I've a good feeling, and it's never been right yet. All in!",
    ),
    "heard": (
        "Big words for a short stack, NAME.",
        "Did you hear that? NAME talks!",
        "NAME, that was almost funny. Keep digging.",
        "The piano player has stopped for less, NAME.",
    ),
}
