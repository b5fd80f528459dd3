"""Chooses which captions are spoken, and how long each may take, so that a more important caption never waits.

No I/O.
"""

from collections.abc import Sequence

from msgspec import Struct

from server.game import events

CARD_EVENTS = (events.HoleDealt, events.StreetDealt)
UNCAPTIONED_EVENTS = (events.TurnStarted, events.BetsCollected, events.ChatSent, events.FaultNoted, events.NoteGiven)
"""Events within a hand that never have a caption."""
LINGER_MS = 800
"""For how many milliseconds a caption may still be spoken after the next caption has replaced it."""
MIN_ROOM_MS = 700
"""A caption is spoken only if there are at least this many milliseconds for it."""
CARD_TURN_FRACTION, MAX_CARD_TURN_MS = 0.7, 1060
"""On a page, a street's cards are turned over within this fraction of the street's time on screen, but in at most this
many milliseconds.
"""
MIN_WEIGHT_FOR_ALL = 30
"""A caption's weight is its importance, 0 to 100. Captions of less weight than this are spoken only for listeners who
cannot see the picture.
"""
_OTHER_WEIGHT = 10
_ROUTINE_WEIGHT = 5
_WEIGHTS: dict[type[events.Event], int] = {
    events.TournamentEnded: 100,
    events.BotEliminated: 90,
    events.StageEnded: 88,
    events.PotAwarded: 80,
    events.StageStarted: 75,
    events.GameEnded: 72,
    events.HandEnded: 70,
    events.GameForfeited: 70,
    events.StageCut: 70,
    events.HandShown: 60,
    events.StreetDealt: 50,
    events.HandStarted: 45,
    events.SeatVacated: 45,
    events.GameStarted: 40,
    events.BotWithdrawn: 40,
    events.HoleDealt: 35,
    events.BotRated: 32,
    events.BotDisconnected: 30,
}
_ACTION_WEIGHTS = {"raise": 40, "bet": 38, "call": 30, "check": _ROUTINE_WEIGHT, "fold": 15}
_ALL_IN_WEIGHT = 85


class UpcomingEntry(Struct, frozen=True):
    """An entry that will be on air, such as a bet. `text` is its caption, or "". `hold_ms` is how long the entry is on
    screen, in ms at speed 1.
    """

    seq: int
    event: events.Event
    text: str
    hold_ms: int


class Caption(Struct, frozen=True):
    """A caption of entry `seq` that may be spoken from `at_ms` on, for at most `room_ms`. Both times are at speed 1.

    If the entry deals cards, the cards are turned over on pages before `at_ms`. So the caption does not come before the
    cards.
    """

    seq: int
    text: str
    weight: int
    at_ms: int
    room_ms: int


def weight_of(event: events.Event, text: str = "") -> int:
    """Returns the importance of a caption of `event`, from 0 to 100. `text` is the caption."""
    if isinstance(event, events.ActionTaken):
        return _ALL_IN_WEIGHT if event.all_in else _ACTION_WEIGHTS[event.act]
    if isinstance(event, events.HandStarted) and text.endswith(" has the button."):  # routine, no storyline
        return _ROUTINE_WEIGHT
    return _WEIGHTS.get(type(event), _OTHER_WEIGHT)


def captions_of(shown: Sequence[UpcomingEntry]) -> list[Caption]:
    """Returns the captions of a hand, or of an event between hands, that can be spoken.

    Of simultaneous captions, returns only the last one. The time for a caption ends when a card is dealt, or when a
    caption of at least the same weight may follow. If a caption of less weight may follow, the time ends `LINGER_MS`
    after the start of that caption. The time must not reveal cards that are not on air yet. So it does not depend on
    which captions really follow.
    """
    starts = [sum(each.hold_ms for each in shown[:at]) for at in range(len(shown) + 1)]
    captions = dict[int, Caption]()
    for index, each in enumerate(shown):
        weight = weight_of(each.event, each.text)
        later_starts = [
            (starts[i], shown[i].event) for i in range(index + 1, len(shown)) if _may_have_caption(shown, i)
        ]
        ends = [start for start, event in later_starts if isinstance(event, CARD_EVENTS) or weight_of(event) >= weight]
        ends += [start + LINGER_MS for start, _ in later_starts[:1]]
        begin = starts[index] + _card_turn_ms(each)
        room = min([*ends, starts[-1]]) - begin
        if each.text and room >= MIN_ROOM_MS:
            captions[starts[index]] = Caption(each.seq, each.text, weight, begin, room)
    return list(captions.values())


def _card_turn_ms(shown: UpcomingEntry) -> int:
    """Returns how long it takes to turn over the cards of an event, in ms at speed 1."""
    if isinstance(shown.event, events.StreetDealt):
        return min(round(shown.hold_ms * CARD_TURN_FRACTION), MAX_CARD_TURN_MS)
    return shown.hold_ms if isinstance(shown.event, events.HoleDealt) else 0


def _may_have_caption(shown: Sequence[UpcomingEntry], index: int) -> bool:
    """Whether the event at `index` may have a caption, whatever the cards are."""
    event = shown[index].event
    if isinstance(event, events.HoleDealt):
        return not isinstance(shown[index + 1].event, events.HoleDealt)
    if isinstance(event, events.HandShown):  # all hands at a showdown are shown together
        return not isinstance(shown[index - 1].event, events.HandShown)
    if isinstance(event, events.BlindPosted):
        return event.all_in
    return not isinstance(event, UNCAPTIONED_EVENTS)
