"""Compares pairs of hands that an agent plays by its tools: does any answer depend on what the agent may not know?

Both hands have the same decisions, the same cards of the agent, and the same board up to a random street. The cards of
the others, the later board and the others' thoughts differ. Until the first different card is dealt, every answer of
`wait_for_turn`, `act` and `history` must be the same, byte by byte, apart from the time left.
"""

import asyncio
import random
import re
import socket
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct
from starlette.types import Message

from server.app.mcp.door import AdmittedAgent, JoinRequest
from server.app.mcp.seat import AgentRequestError, AgentSeat
from server.app.mcp.tools import Caller, Tools
from server.bots.bot import Answer, Bot
from server.bots.dialects.agent import AgentDialect
from server.bots.transports.socket_pair import PairConnection
from server.contests import CONTESTS
from server.contests.quick_draw.rules import QUICK_DRAW
from server.game.cards import Deck
from server.game.decisions import Action, Decision, Fold, RaiseTo
from server.game.events import Entrant, Event, HoleDealt, NoteGiven, StreetDealt
from server.game.view import View
from server.tournament.dealer import Table
from tests.game.random_hands import random_deck
from tests.publish.published_pairs import Tried, play_hand, reshuffled

STACK, SEATS, AGENT = 5000, 4, 0
WORD = "the-secret-of-the-oracle"
STREETS = (0, 3, 4, 5)
"""The sizes of the board up to which both hands are alike."""
ENTRANTS = tuple(Entrant(number, name) for number, name in enumerate(("Oracle", "Ada", "Babbage", "Curie"), 1))
_LEFT = re.compile(rb'"time_left_ms":\d+,')


class Pair(Struct, frozen=True):
    """Two decks that look the same to the agent until the board has more than `alike` cards, and the decisions."""

    decks: tuple[Deck, Deck]
    decisions: tuple[Decision, ...]
    alike: int


def differing_answers(dice: random.Random, pairs: int) -> Tried:
    moments, differing = 0, list[str]()
    for number in range(1, pairs + 1):
        pair = random_pair(dice)
        one, other = (
            asyncio.run(_answers(deck, pair, word)) for deck, word in zip(pair.decks, ("odds", "outs"), strict=True)
        )
        moments += len(one)
        differing += [f"pair {number}"] * (one != other)
    return Tried(pairs, moments, differing)


def random_pair(dice: random.Random) -> Pair:
    deck = random_deck(dice)
    events, decisions, _ = play_hand(dice, 1, [STACK] * SEATS, deck)
    cards = next({*event.cards} for event in events if isinstance(event, HoleDealt) and event.seat == AGENT)
    board = [card for event in events if isinstance(event, StreetDealt) for card in event.cards]
    alike = dice.choice([size for size in STREETS if size <= len(board)])
    return Pair((deck, reshuffled(dice, deck, cards | {*board[:alike]})), tuple(decisions), alike)


class _Follower:
    """Another bot at the table: it does what was decided, and thinks aloud."""

    news_types: tuple[type[Event], ...] = ()

    def __init__(self, decisions: Iterator[Decision], word: str) -> None:
        self._decisions, self._word = decisions, word

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        await asyncio.sleep(0)
        note = f"I have {view.hand.seats[view.seat].cards}: {self._word}."
        return Answer(resolve(next(self._decisions)), 0, note=note)

    def notify(self, event: Event, view: View) -> None:
        """Ignores every event."""


class _Log:
    """A table's log that keeps nothing."""

    next_recorded = None

    def will_repeat(self, kind: type[Event]) -> bool:
        return False

    async def write(self, events: Sequence[Event], notes: Sequence[NoteGiven] = ()) -> None:
        pass


class OneSeat:
    """A door to a single seat, which is taken."""

    contest = CONTESTS["quick-draw"]
    contest_format = contest.format
    joining_text = "The seat is taken."

    def __init__(self, seat: AgentSeat) -> None:
        self._seat = seat

    def admit(self, join_request: JoinRequest, client: str) -> AdmittedAgent:
        raise AgentRequestError(self.joining_text)

    def seat(self, secret: str) -> AgentSeat:
        return self._seat


async def _never() -> Message:
    """Waits forever: the client never hangs up."""
    await asyncio.Event().wait()
    return {}


async def _answers(deck: Deck, pair: Pair, word: str) -> list[bytes]:
    """Plays one hand; returns the answers to the agent at each of its turns.

    Stops once the board has more than `alike` cards, or the hand is over.
    """
    seat, decisions = AgentSeat("Oracle"), iter(pair.decisions)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    caller = Caller("127.0.0.1", "http://127.0.0.1", _never)
    tools = Tools(OneSeat(seat))
    listening = asyncio.create_task(seat.listen(ours))
    connection = PairConnection(theirs, asyncio.get_running_loop())
    agent = Bot(1, AgentDialect(OneSeat.contest.news_types), connection, lambda _: None, numbered=True)
    others = [_Follower(decisions, word) for _ in range(SEATS - 1)]
    table = Table(QUICK_DRAW, 1, ENTRANTS, (agent, *others), _Log())
    playing = asyncio.create_task(table.play_hand(1, 1, [STACK] * SEATS, deck))
    answers: list[bytes] = []
    while True:
        waiting = asyncio.create_task(tools.call("wait_for_turn", {"secret": WORD}, caller))
        await asyncio.wait((waiting, playing), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            break
        told = _json(waiting.result())
        situation = msgspec.json.decode(told)
        if not situation["your_turn"] or len(situation["table"]["board"]) > pair.alike:
            break
        history = _json(await tools.call("history", {"secret": WORD}, caller))
        act = _act(next(decisions), situation)
        taken = _json(await tools.call("act", {"secret": WORD, **act, "thought": "As I like."}, caller))
        answers.append(b"\n".join((told, history, taken)))
    for task in (waiting, playing, listening):
        task.cancel()
    await asyncio.gather(waiting, playing, listening, return_exceptions=True)
    agent.hang_up()
    return answers


def _json(answer: object) -> bytes:
    return _LEFT.sub(b"", msgspec.json.encode(answer))


def _act(decision: Decision, situation: dict[str, object]) -> dict[str, object]:
    """The arguments of `act` for a decision."""
    legal = {move["action"] for move in situation["legal"]}  # type: ignore[attr-defined]
    state = {"state": situation["state"]}
    if isinstance(decision, RaiseTo):
        return {**state, "action": "raise", "amount": decision.raise_to}
    return {**state, "action": "fold" if isinstance(decision, Fold) else "check" if "check" in legal else "call"}
