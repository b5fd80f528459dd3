"""Reads the hands of a recording, to export them, each with its contest, stage, game and chat. Pure."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET, Struct
from msgspec.structs import replace

from server.game.cards import Card
from server.game.events import (
    HAND_EVENTS,
    ActionTaken,
    BlindPosted,
    ChatSent,
    Event,
    FaultNoted,
    GameStarted,
    HandEnded,
    HandStarted,
    HoleDealt,
    StageStarted,
    TournamentOpened,
)
from server.game.hand import blind_seats
from server.game.rules import Level, Rules
from server.journal.journal import Entry


class HandRecord(Struct, frozen=True):
    """A complete hand of a recording. `number` counts the recording's hands from 1."""

    opened: TournamentOpened
    stage: StageStarted
    game: GameStarted
    number: int
    at_ms: int
    """When the hand started, in milliseconds since the start of the recording."""
    started: HandStarted
    ended: HandEnded
    """`started` and `ended` are the first and the last event. In a cap game, their stacks are limited to the cap."""
    events: tuple[Event, ...]
    """All events of the hand, including `started` and `ended`."""
    chats: tuple[ChatSent, ...] = ()
    minor_faults: tuple[FaultNoted, ...] = ()
    """The faults in this hand that cost the bot neither chips nor the hand."""

    @property
    def rules(self) -> Rules:
        """The rules at the table, with the blinds of this hand."""
        hand = self.started
        level = Level(hand.small_blind, hand.big_blind, hand.ante)
        return replace(self.opened.rules, levels=(level,), hand_cap=UNSET)

    @property
    def dealt_seats(self) -> tuple[int, ...]:
        """The seats that get cards, in PHH's order: clockwise from the small blind or, if two play, from the big
        blind.
        """
        hand, count = self.started, len(self.started.stacks)
        small, big = blind_seats(self.opened.rules, hand.button, hand.stacks)
        dealt = [seat for seat in ((small + step) % count for step in range(count)) if hand.stacks[seat]]
        return (big, small) if len(dealt) == 2 else tuple(dealt)

    @property
    def names(self) -> dict[int, str]:
        """The name of the bot in each seat."""
        names = {entrant.bot: entrant.name for entrant in self.opened.entrants}
        return {seat: names.get(bot, f"bot {bot}") for seat, bot in enumerate(self.game.seats)}

    @property
    def hole_cards(self) -> dict[int, tuple[Card, ...]]:
        """The hole cards of each seat; () if they are unknown."""
        dealt = [event for event in self.events if isinstance(event, HoleDealt)]
        return {event.seat: tuple(card for card in event.cards if card) for event in dealt}

    @property
    def acts(self) -> list[ActionTaken]:
        return [event for event in self.events if isinstance(event, ActionTaken)]

    @property
    def blinds(self) -> list[BlindPosted]:
        return [event for event in self.events if isinstance(event, BlindPosted)]


def recorded_hands(entries: Iterable[Entry]) -> Iterator[HandRecord]:
    """Yields the complete hands of a recording, in order."""
    opened: TournamentOpened | None = None
    stage, game = StageStarted(0, "", 0, 0, (), ()), GameStarted(0, 0, (), ())
    number, at_ms = 0, 0
    events: list[Event] = []  # since the start of the latest hand
    for entry in entries:
        match entry.event:
            case TournamentOpened():
                opened = entry.event
            case StageStarted():
                stage = entry.event
            case GameStarted():
                game = entry.event
            case HandStarted():
                events, at_ms = [], entry.at_ms
        events.append(entry.event)
        if isinstance(entry.event, HandEnded) and opened and isinstance(events[0], HandStarted):
            number += 1
            chats = tuple(event for event in events if isinstance(event, ChatSent))
            minor_faults = tuple(event for event in events if isinstance(event, FaultNoted))
            started, ended = _limit_to_cap(opened.rules, events[0], entry.event)
            between = (event for event in events[1:-1] if isinstance(event, HAND_EVENTS))
            hand_events = (started, *between, ended)
            yield HandRecord(opened, stage, game, number, at_ms, started, ended, hand_events, chats, minor_faults)
            events = []


def _limit_to_cap(rules: Rules, started: HandStarted, ended: HandEnded) -> tuple[HandStarted, HandEnded]:
    """Limits the stacks in a hand's first and last event to the cap."""
    if rules.hand_cap is UNSET:
        return started, ended
    cap = rules.hand_cap
    chips_beyond_cap = [max(0, stack - cap) for stack in started.stacks]
    before, after = (
        tuple(stack - beyond for stack, beyond in zip(stacks, chips_beyond_cap, strict=True))
        for stacks in (started.stacks, ended.stacks)
    )
    return replace(started, stacks=before), replace(ended, stacks=after)
