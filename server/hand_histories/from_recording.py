"""Reads the hands of a recording for export, each with its contest, stage, game and chat. All functions are pure."""

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
    """A complete hand of a recording. `number` is the hand's number in the recording, from 1."""

    opened: TournamentOpened
    stage: StageStarted
    game: GameStarted
    number: int
    at_ms: int
    """When the hand started, in milliseconds since the start of the recording."""
    started: HandStarted
    """The first event. If the rules' `hand_cap` limits how many chips a player may use in one hand, the stacks in
    `started` and `ended` are without the chips beyond this limit.
    """
    ended: HandEnded
    """The last event."""
    events: tuple[Event, ...]
    """All events of the hand, including `started` and `ended`."""
    chats: tuple[ChatSent, ...] = ()
    minor_faults: tuple[FaultNoted, ...] = ()
    """The faults in this hand that cost no bot anything."""

    @property
    def rules(self) -> Rules:
        """The rules at the table, with the blinds of this hand."""
        started = self.started
        level = Level(started.small_blind, started.big_blind, started.ante)
        return replace(self.opened.rules, levels=(level,), hand_cap=UNSET)

    @property
    def dealt_seats(self) -> tuple[int, ...]:
        """The seats that get cards, clockwise from the small blind. If two play, the big blind comes first. Poker Hand
        History files have the same order.
        """
        started, count = self.started, len(self.started.stacks)
        small, big = blind_seats(self.opened.rules, started.button, started.stacks)
        seats = [seat for seat in ((small + step) % count for step in range(count)) if started.stacks[seat]]
        return (big, small) if len(seats) == 2 else tuple(seats)

    @property
    def names(self) -> dict[int, str]:
        """The name of the bot in each seat."""
        names = {entrant.bot: entrant.name for entrant in self.opened.entrants}
        return {seat: names.get(bot, f"bot {bot}") for seat, bot in enumerate(self.game.seats)}

    @property
    def hole_cards(self) -> dict[int, tuple[Card, ...]]:
        """The hole cards of each seat, or () if they are unknown."""
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
    events: list[Event] = []  # the events since the start of the latest hand
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
            started, ended = _leave_out_chips_beyond_cap(opened.rules, events[0], entry.event)
            events_between = (event for event in events[1:-1] if isinstance(event, HAND_EVENTS))
            hand_events = (started, *events_between, ended)
            yield HandRecord(opened, stage, game, number, at_ms, started, ended, hand_events, chats, minor_faults)
            events = []


def _leave_out_chips_beyond_cap(rules: Rules, started: HandStarted, ended: HandEnded) -> tuple[HandStarted, HandEnded]:
    """If the chips that a player may use have a cap, removes the chips beyond the cap from both events' stacks."""
    if rules.hand_cap is UNSET:
        return started, ended
    cap = rules.hand_cap
    beyond_cap = [max(0, stack - cap) for stack in started.stacks]
    start_stacks, end_stacks = (
        tuple(stack - chips for stack, chips in zip(stacks, beyond_cap, strict=True))
        for stacks in (started.stacks, ended.stacks)
    )
    return replace(started, stacks=start_stacks), replace(ended, stacks=end_stacks)
