"""Reads thoughts (bots' reasons for an act) from files. The writers of the files have labelled claims and opinions."""

import re
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from broadcast.commentary.claims.reader import ThoughtReader
from broadcast.commentary.claims.speech.bot_knowledge import BotKnowledge
from server.game.betting import start_hand, take_turn
from server.game.events import Entrant, GameStarted, TournamentOpened
from server.game.rules import Level, Rules
from tests.overlay.support.scripted_show import parse_decision, rig_deck

OPEN_FILES = ("open", "opened")
"""Files of thoughts that were used to improve the checker of claims."""
SEALED_FILE = "sealed"
"""A file of thoughts that are used only to measure how good the checker of claims is."""
_BOTS = ("Belle", "Buck", "Calamity", "Doc", "Jesse", "Wyatt")
_LABEL = re.compile(r"\[(?:(?P<verdict>true|false) )?(?P<kind>[a-z ]+): (?P<words>[^\]]*)\]")
_SOFTENERS = re.compile(
    r"(?i)\b(?:i think|i'd say|i guess|i believe|i suppose|maybe|perhaps|probably|about|must be|seems?)\b"
)
_CORRECTIONS = re.compile(r"(?i)\b(?:no|wait|actually|sorry|scratch|i mean|hold on|hang on|hmm)\b")


class Label(Struct, frozen=True):
    """The words of a thought from `start` to `end`. `right` is whether they are true, or None if they claim no fact."""

    start: int
    end: int
    kind: str
    right: bool | None


class Thought(Struct, frozen=True):
    text: str
    labels: tuple[Label, ...]


class Position(Struct, frozen=True):
    """A line of a file: a hand up to the act of a bot, and thoughts of this bot about the act.

    Seat 0 has the button. `actions` are the earlier acts, with their seats: "3 call, 4 raise 250, 0 fold". An amount is
    the seat's total for the street. `act` is the bot's own act, such as "raise 250", or "" if the file does not say.
    """

    names: tuple[str, ...]
    stacks: tuple[int, ...]
    holes: tuple[str, ...]
    blinds: tuple[int, int]
    board: str
    actions: str
    thoughts: tuple[str, ...]
    act: str = ""


@cache
def written_thoughts(file: str) -> tuple[tuple[BotKnowledge, Thought], ...]:
    """The thoughts in a file of tests/data/prose, each with what its bot knew. `file` is the name without .jsonl."""
    lines = Path(f"tests/data/prose/{file}.jsonl").read_text().splitlines()
    positions = [msgspec.json.decode(line, type=Position) for line in lines]
    return tuple((_knowledge_at(position), _read_labels(text)) for position in positions for text in position.thoughts)


def _read_labels(text: str) -> Thought:
    """Reads a text such as "I have [false made hand: top pair] and [opinion: he is weak]."."""
    verdicts, plain_text, labels, last_end = {"true": True, "false": False, None: None}, "", list[Label](), 0
    for label in _LABEL.finditer(text):
        plain_text += text[last_end : label.start()]
        start, plain_text, last_end = len(plain_text), plain_text + label["words"], label.end()
        labels.append(Label(start, len(plain_text), label["kind"], verdicts[label["verdict"]]))
    return Thought(plain_text + text[last_end:], tuple(labels))


def is_softened(thought: Thought, claim: Label) -> bool:
    """Whether a word like "maybe" is in the sentence up to the claim's end, or one like "no" soon after the claim."""
    words = re.split(r"[.!?;\n]", thought.text[: claim.start])[-1] + thought.text[claim.start : claim.end]
    return bool(_SOFTENERS.search(words) or _CORRECTIONS.search(thought.text[claim.end :][:45]))


@cache
def _knowledge_at(position: Position) -> BotKnowledge:
    small, big = position.blinds
    deck = rig_deck(position.stacks, 0, dict(enumerate(position.holes)), position.board)
    rules, bots = Rules(levels=(Level(small, big),)), tuple(1 + _BOTS.index(name) for name in position.names)
    reader, entrants = ThoughtReader(), tuple(Entrant(bot, name) for bot, name in enumerate(_BOTS, 1))
    reader.apply(TournamentOpened("quick-draw", "", rules, 0, entrants, ""))
    reader.apply(GameStarted(1, 1, bots, position.stacks))
    hand, events = start_hand(rules, 1, 0, position.stacks, deck)
    actions = [action.split() for action in position.actions.split(", ") if action]
    last_act = position.act or "fold"
    for seat, act, *amount in [*actions, ["", *last_act.split()]]:
        for event in events:
            reader.apply(event)
        assert hand.turn
        assert seat in ("", str(hand.turn.seat)), position
        hand, events = take_turn(hand, parse_decision(f"raise:{amount[0]}" if amount else act))
    reader.apply(events[0])
    knowledge = reader.knowledge_at(len(actions) + 1)
    assert knowledge, position
    return knowledge if position.act else replace(knowledge, chosen_act=None)
