"""An exhibition's thinking clock: a bot has some seconds for each decision, and a bank of seconds for each game. The
recording proves how much of its bank each bot used.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from server.bots.bot import Answer
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.decisions import Action, Call, Decision
from server.game.formats import StagePlan, as_exhibition
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry
from server.tournament.director import Director
from server.verify.recording import verify
from server.verify.refutation import Refuted
from tests.support.games.recordings import of_kind

SEED = bytes(31) + b"\x07"
SECONDS, BANK = 10, 30
SLOW, QUICK = 1, 2
THOUGHT_MS = 22_000
GAMES = 2
STAGES = (StagePlan("High Noon", games=GAMES, hands=3),)
EXHIBITION = as_exhibition(replace(QUICK_DRAW_FORMAT, stages=STAGES), 1000 * SECONDS, 1000 * BANK)


class Thinker:
    """A bot that calls after thinking for `thinks_ms`, or times out if that is longer than it may think."""

    news = ()

    def __init__(self, bot: int, thinks_ms: int) -> None:
        self.id = bot
        self._thinks_ms = thinks_ms

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        assert view.turn.think_ms >= 1000 * SECONDS
        if self._thinks_ms > view.turn.think_ms:
            return Answer(None, view.turn.think_ms, "timeout")
        return Answer(resolve(Call()), self._thinks_ms)

    def notify(self, event: events.Event, view: View) -> None:
        """Ignores every event."""


def played(before: Sequence[Entry] = ()) -> list[Entry]:
    """Plays an exhibition of a slow and a quick bot, from its start or from the entries `before`; returns its log."""

    async def play() -> list[Entry]:
        bus = Bus(None, lambda: 0.0)
        bus.load(before)
        entrants = [events.Entrant(SLOW, "Slow"), events.Entrant(QUICK, "Quick")]
        director = Director(EXHIBITION, entrants, seed=SEED, bus=bus)
        director.welcome(Thinker(SLOW, THOUGHT_MS))
        director.welcome(Thinker(QUICK, 900))
        await director.run()
        return bus.entries

    return asyncio.run(play())


def banks(entries: Iterable[Entry]) -> list[tuple[int, ...]]:
    """The seconds in the banks of the slow and the quick bot before each hand."""
    found: list[tuple[int, ...]] = []
    seats: tuple[int, ...] = ()
    for entry in entries:
        if isinstance(entry.event, events.GameStarted):
            seats = entry.event.seats
        if isinstance(entry.event, events.HandStarted):
            assert entry.event.banks_ms is not UNSET
            by_bot = dict(zip(seats, entry.event.banks_ms, strict=True))
            found.append((by_bot[SLOW] // 1000, by_bot[QUICK] // 1000))
    return found


def test_bank_pays_for_thinking_beyond_the_seconds_until_it_is_empty_and_is_full_in_the_next_game() -> None:
    log = played()
    proof = verify(log)
    remark = "an exhibition: 10 s for each decision, and 30 s in a game for decisions that take longer"
    assert (proof.finished, proof.remarks[0]) == (True, remark)
    first, second, _, full, *_ = banks(log)
    assert first == full == (BANK, BANK), "each game begins with full banks"
    assert second == (0, BANK), "three decisions of 22 s take 12 s each from the slow bot's bank, which holds 30 s"
    given = [turn.think_ms // 1000 for turn in of_kind(log, events.TurnStarted)]
    taken = of_kind(log, events.ActionTaken)
    slow = [(seconds, act) for seconds, act in zip(given, taken, strict=True) if act.think_ms > 900]
    late = [act for _, act in slow if act.fault]
    assert [seconds for seconds, _ in slow[:4]] == [40, 28, 16, 10]
    assert {event.fault for event in late} == {"timeout"}
    assert late[0].think_ms == 16_000, "the third time, only 6 s were left in the bank beside the usual 10 s"


def test_exhibition_goes_on_with_the_same_banks_wherever_it_was_interrupted() -> None:
    log = played()
    for cut in range(1, len(log), 5):
        assert at_the_table(played(log[:cut])) == at_the_table(log), f"cut after {cut}"


def at_the_table(log: Iterable[Entry]) -> list[events.Event]:
    return [entry.event for entry in log if not isinstance(entry.event, events.BotConnected)]


FORGED = (
    (events.HandStarted, {"banks_ms": (30_000, 29_000)}, "the time in the banks before the hand should be"),
    (events.HandStarted, {"banks_ms": UNSET}, "the time in the banks before the hand should be"),
    (events.TurnStarted, {"think_ms": 3000}, "think_ms in turn_started should be 40000"),
    (events.ActionTaken, {"fault": "timeout", "think_ms": 9000}, "did not lose its turn: its clock gave it 40 s, but"),
)


@pytest.mark.parametrize(("kind", "changes", "why"), FORGED, ids=[why for *_, why in FORGED])
def test_verify_refuses_what_the_clock_did_not_allow(
    kind: type[events.Event], changes: dict[str, object], why: str
) -> None:
    log = played()
    used = THOUGHT_MS  # an answer that has used its bank is no forgery
    at = next(
        at for at, each in enumerate(log) if isinstance(each.event, kind) and getattr(each.event, "think_ms", 0) != used
    )
    log[at] = replace(log[at], event=replace(log[at].event, **changes))
    with pytest.raises(Refuted, match=why):
        verify(log)
