"""A message of each kind that a bot is sent, from a hand that is played to its end."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from server.bots.dialects.arena import Arena, player_ids
from server.bots.dialects.enova import Enova
from server.bots.dialects.http_calls import Request
from server.bots.dialects.messages import Taken
from server.bots.dialects.quickdraw import QuickDraw
from server.bots.dialects.upac import Upac
from server.game.decide import start_hand, take_turn
from server.game.decisions import Call, Decision, Fold, PostBlind
from server.game.events import ChatSent, Entrant, Event, SeatVacated, TurnStarted
from server.game.hand import Hand
from server.game.rules import ARENA, ENOVA, QUICK_DRAW, UPAC, Rules
from server.game.view import view_of
from server.shuffle import deck_of

NAMES = ("Billy the Kid", "Doc Holobyte", "Calamity Bayes")


def messages_of_a_hand(contest: str) -> dict[str, str]:
    """The first message of each name that a bot of the contest is sent, as it stands on the connection."""
    said: dict[str, str] = {}
    for name, text in _said(contest):
        said.setdefault(name, text)
    return said


def _said(contest: str) -> Iterator[tuple[str, str]]:
    match contest:
        case "quick-draw":
            dialect = QuickDraw()
            yield "registered", '{"port_number": 41234, "bot_id": 1, "portNumber": 41234, "id": 1}'
            yield from map(_named_json, _heard(dialect, QUICK_DRAW, (5000,) * 3, ChatSent(1, "Howdy!")))
            yield _named_json(dialect.answer(Taken()))
            yield _named_json(dialect.logs(["hand 0: you answered with a call"]))
        case "upac":
            yield from map(_named_line, _heard(Upac(), UPAC, (50, 50)))
        case "arena":
            yield from map(_named_request, _heard(Arena(player_ids(_entrants(3))), ARENA, (2000,) * 3))
        case _:
            yield from map(_named_request, _heard(Enova(), ENOVA, (20,) * 3, SeatVacated(0, 0)))


def _heard(dialect: Any, rules: Rules, stacks: Sequence[int], *after: Event) -> Iterator[Any]:
    """What the first seat is sent in three hands and of the events `after` them.

    In the first everybody calls, in the second it folds, in the third the others do.
    """
    for number, folding in enumerate(([], [0], range(1, len(stacks))), 1):
        hand, events = start_hand(rules, number, 0, stacks, deck_of(bytes(32)))
        yield from _told(dialect, events, hand)
        while turn := hand.turn:
            if turn.seat == 0:
                yield dialect.ask(view_of(hand, 0, 1, _entrants(len(stacks))))
            hand, events = take_turn(hand, _decided(turn, folding))
            yield from _told(dialect, events, hand)
    yield from _told(dialect, after, hand)


def _decided(turn: TurnStarted, folding: Collection[int]) -> Decision:
    if turn.blind:
        return PostBlind(turn.to_call)
    return Fold() if turn.seat in folding else Call()


def _told(dialect: Any, events: Iterable[Event], hand: Hand) -> Iterator[Any]:
    for event in events:
        if isinstance(event, dialect.news):
            told = dialect.tell(event, view_of(hand, 0, 1, _entrants(len(hand.seats))))
            yield from told if isinstance(told, list) else [told] if told else []


def _entrants(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number, NAMES[number - 1]) for number in range(1, count + 1))


def _named_json(line: bytes) -> tuple[str, str]:
    return json.loads(line)["command"], line.decode().strip()


def _named_line(line: bytes) -> tuple[str, str]:
    text = line.decode().strip()
    first, second, *_ = *text.split(), ""
    return f"{first} {second}" if first == "END" else first, text


def _named_request(request: Request) -> tuple[str, str]:
    text = request.body.decode()
    event = text.partition("event=")[2].partition("&")[0]
    return f"{request.method} {request.path}{f': {event}' if event else ''}", text
