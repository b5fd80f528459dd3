"""A tournament can be resumed from its journal after any event, with the same cards and chips."""

import asyncio
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.bots.bot import Answer, Bot
from server.contests.arena.rules import ARENA, ARENA_FORMAT
from server.contests.enova.rules import ENOVA, ENOVA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game import events
from server.game.decisions import Action, Decision
from server.game.events import ANYTIME_EVENTS, BlindPosted, ChatSent, Event, HandStarted, TournamentOpened
from server.game.formats import Format, as_deals, as_exhibition, as_series, with_blinds, with_hand_limit
from server.game.rules import Level
from server.game.view import View
from server.journal.bus import Bus
from server.journal.journal import Entry, Journal, read_journal
from server.tournament.director import Director
from server.tournament.resumable_log import Diverged
from server.verify.games import BlindsChecker
from server.verify.recording import TournamentChecker, verify
from server.verify.refutation import Refuted, prove_entries
from tests.support.games.contests import SEED, DiceBot, play_contest
from tests.support.games.recordings import of_kind
from tests.support.source_files import ROOT


class SteadyBot(DiceBot):
    """A bot whose decisions depend only on the events of the hand. So a repeated question gets the same answer."""

    notified_events = (events.HandStarted, events.BlindPosted, events.HoleDealt, events.StreetDealt, events.ActionTaken)
    _news_of_hand: tuple[Event, ...] = ()

    def notify(self, event: Event, view: View) -> None:
        self._news_of_hand = (event,) if isinstance(event, events.HandStarted) else (*self._news_of_hand, event)

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self._dice = random.Random(f"{self.id} {view.game} {self._news_of_hand}")
        return replace(await super().ask(view, resolve), think_ms=view.turn.think_ms // 3)


play_steadily = partial(play_contest, 0, 8, kind=SteadyBot)


def director_events(entries: Sequence[Entry]) -> list[Event]:
    """Returns all events except those that bots or the operator may cause at any time, such as chats."""
    return [entry.event for entry in entries if not isinstance(entry.event, ANYTIME_EVENTS)]


@pytest.fixture(scope="module")
def log() -> list[Entry]:
    """Plays a contest without interruption and returns its entries."""
    return play_steadily()


def count_until(log: Sequence[Entry], event_type: type[Event], count: int = 1) -> int:
    """Returns the number of entries up to the `count`-th event of a type, including this event."""
    return [entry.seq for entry in log if isinstance(entry.event, event_type)][count - 1]


def test_interrupted_contest_ends_in_the_same_way(log: list[Entry]) -> None:
    within_one_hand = range(count_until(log, events.HandStarted, 9), count_until(log, events.HandEnded, 9) + 2)
    for end in sorted({*random.Random(7).sample(range(1, len(log)), 50), *within_one_hand, len(log)}):
        resumed = play_steadily(before=log[:end])
        assert resumed[:end] == log[:end]
        assert [entry.seq for entry in resumed] == list(range(1, len(resumed) + 1))
        assert director_events(resumed) == director_events(log), f"the contest was interrupted after entry {end}"


@pytest.mark.parametrize(("contest", "main_table", "interruptions"), [
    pytest.param(replace(ENOVA_FORMAT, starting_stack=12), 0, 12, id="blinds are asked for"),
    pytest.param(as_series(with_hand_limit(ARENA_FORMAT, 4), 3), 0, 12, id="series"),
    pytest.param(as_exhibition(QUICK_DRAW_FORMAT, 1000, 5000), 0, 12, id="exhibition"),  # It has a time bank.
    pytest.param(as_deals(QUICK_DRAW_FORMAT, 3, hands=2), 0, 60, id="deals"),  # A deal's tables get the same cards.
    pytest.param(as_deals(QUICK_DRAW_FORMAT, 3, hands=2, decided_by="earned"), 4, 60, id="deals by earnings"),
])  # fmt: skip
def test_every_form_of_a_contest_is_resumed_in_the_middle_of_a_hand(
    contest: Format, main_table: int, interruptions: int
) -> None:
    log = play_steadily(contest, main_table=main_table)
    for end in random.Random(7).sample(range(1, len(log)), interruptions):
        resumed = play_steadily(contest, before=log[:end], main_table=main_table)
        assert director_events(resumed) == director_events(log), f"the contest was interrupted after entry {end}"


def test_resumed_deals_are_decided_by_the_rule_that_they_began_with() -> None:
    by_chips, by_earned = (as_deals(QUICK_DRAW_FORMAT, 2, decided_by=by) for by in ("chips", "earned"))
    log = play_steadily(by_chips)
    for event_type in (events.StageStarted, events.DealEnded, events.StageEnded):
        resumed = play_steadily(by_earned, before=log[: count_until(log, event_type)])
        assert director_events(resumed) == director_events(log)


def test_resumed_stage_ends_where_the_operator_ended_it() -> None:
    def is_stage_ended(entries: Sequence[Entry]) -> bool:
        return len(of_kind(entries, HandStarted)) > 1 and not of_kind(entries, events.StageEnded)

    log = play_steadily(is_stage_ended=is_stage_ended)
    assert len(of_kind(log, events.StageCut)) == 1
    assert verify(log).finished
    cut_count = count_until(log, events.StageCut)
    for end in range(cut_count - 3, cut_count + 4):
        resumed = play_steadily(before=log[:end], is_stage_ended=is_stage_ended)
        assert director_events(resumed) == director_events(log), f"the contest was interrupted after entry {end}"
    resumed = play_steadily(before=log[:cut_count])  # Here, the operator does not end the stage.
    assert director_events(resumed) == director_events(log), "the stage must end where the journal says"


def test_withdrawn_bot_does_not_return_in_a_resumed_contest() -> None:
    log = play_steadily(withdrawn=2)
    (tournament_end,) = of_kind(log, events.TournamentEnded)
    assert {placing.bot for placing in tournament_end.placings[-2:]} == {7, 8}
    for end in (count_until(log, events.BotWithdrawn, 2), count_until(log, events.HandEnded, 3), len(log) - 1):
        assert director_events(play_steadily(before=log[:end], withdrawn=2)) == director_events(log)


def test_journal_of_another_contest_is_not_resumed(log: list[Entry]) -> None:
    index = count_until(log, events.HandEnded, 2) - 1
    event_before, hand_end = (entry.event for entry in log[index - 1 : index + 1])
    assert isinstance(hand_end, events.HandEnded)
    other_stacks = replace(hand_end, stacks=(*hand_end.stacks[:-1], hand_end.stacks[-1] + 1))
    other_deck = replace(hand_end, deck_key="00" * 32)
    for pair in ((event_before, other_stacks), (event_before, other_deck), (hand_end, event_before)):
        altered = [replace(entry, event=event) for entry, event in zip(log[index - 1 :], pair, strict=False)]
        with pytest.raises(Diverged, match="entry"):
            play_steadily(before=[*log[: index - 1], *altered, *log[index + 1 : index + 20]])


def test_chats_and_lost_connections_do_not_prevent_resuming(log: list[Entry]) -> None:
    history = [entry.event for entry in log[:400]]
    for index in (3, 60, 200):
        history[index:index] = [ChatSent(1, "howdy"), events.BotDisconnected(3, "it crashed")]
    resumed = play_steadily(before=[Entry(number, 10 * number, event) for number, event in enumerate(history, 1)])
    assert director_events(resumed) == director_events(log)
    assert all(early.at_ms <= late.at_ms for early, late in pairwise(resumed))


BIG_BLIND_TWICE = ROOT / "tests/data/enova/big-blind-twice.jsonl"
"""A recording by an earlier version of the program. In it, a bot posts the big blind twice in a row."""


def test_earlier_rule_of_the_big_blind_is_valid_only_in_earlier_recordings() -> None:
    first, *others = read_journal(BIG_BLIND_TWICE).entries
    opened = first.event
    assert isinstance(opened, TournamentOpened)
    in_edition_2 = replace(first, event=replace(opened, rules=replace(opened.rules, edition=2)))
    with pytest.raises(Refuted, match="the seat with the button should be"):
        prove_entries([in_edition_2, *others], TournamentChecker)


async def test_contest_continues_by_the_rules_of_the_version_that_began_it() -> None:
    recorded = read_journal(BIG_BLIND_TWICE).entries
    (opened,) = of_kind(recorded, TournamentOpened)
    beginning = recorded[: count_until(recorded, HandStarted, 5) - 1]
    bus = Bus(None, lambda: 0.0)
    bus.load(beginning)
    contest = with_blinds(replace(ENOVA_FORMAT, starting_stack=20), (Level(1, 2), Level(3, 6)), 5)
    director = Director(contest, opened.entrants, seed=SEED, bus=bus, prizes_cents=opened.prizes_cents)
    await director.run()
    assert verify(bus.entries).finished
    assert [entry.event for entry in bus.entries[: len(beginning)]] == [entry.event for entry in beginning]


def test_blinds_from_the_wrong_seats_are_refuted() -> None:
    hand = HandStarted(1, 0, 1, 2, 0, (20, 20, 20), "")
    small, big = BlindPosted(1, "small", 1, all_in=False), BlindPosted(2, "big", 2, all_in=False)
    turn = events.TurnStarted(1, 2, 0, 0, 5000, "small")
    for rules, blinds in ((ARENA, [small, replace(big, seat=0)]), (ENOVA, [turn, small, replace(turn, seat=0)])):
        checker = BlindsChecker(rules, 3)
        checker.check_button(hand)
        with pytest.raises(Refuted, match="the seat of the next blind should be 3, but the recording says 1"):
            checker.check_posts([hand, *blinds])


class SilentBot(Bot):
    """A bot that never answers. Keeps each chat that it gets. Fails if a chat is not in the journal yet."""

    notified_events = (ChatSent,)

    def __init__(self, bot: int, journal: Path) -> None:
        self.id, self.chats, self.is_asked = bot, list[Event](), asyncio.Event()
        self._journal = journal

    async def ask(self, view: View, resolve: Callable[[Decision], Action]) -> Answer:
        self.is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError("this bot never answers")

    def notify(self, event: Event, view: View) -> None:
        assert event in events_on_disk(self._journal)
        self.chats.append(event)


def events_on_disk(journal: Path) -> list[Event]:
    return [entry.event for entry in read_journal(journal).entries]


async def test_chats_are_passed_on_only_once_they_are_on_disk(tmp_path: Path) -> None:
    path, syncs = tmp_path / "contest.jsonl", list[int]()
    chats: list[Event] = [ChatSent(1 + number % 3, f"Howdy {number}") for number in range(30)]
    farewell: list[Event] = [ChatSent(1, "Farewell"), events.BotDisconnected(1, "closed the connection")]
    bus = Bus(Journal(path, defer_sync=syncs.append), lambda: 0.0)
    entrants = [events.Entrant(bot, f"Bot {bot}", f"Player {bot}") for bot in (1, 2, 3)]
    director = Director(QUICK_DRAW_FORMAT, entrants, seed=SEED, bus=bus)
    bots = [SilentBot(entrant.bot, path) for entrant in entrants]
    for bot in bots:
        director.add_bot(bot)
    contest = asyncio.create_task(director.run())
    requests = [asyncio.create_task(bot.is_asked.wait()) for bot in bots]
    await asyncio.wait(requests, return_when=asyncio.FIRST_COMPLETED)
    syncs_before = len(syncs)
    for chat in chats:
        director.record_bot_event(chat)
    assert not any(bot.chats for bot in bots), "no chat may be passed on before it is written"
    await asyncio.sleep(0)
    assert len(syncs) == syncs_before + 1, "chats that arrive together must be written together"
    assert events_on_disk(path)[-30:] == chats
    assert [bot.chats for bot in bots] == [chats] * 3
    for event in farewell:
        director.record_bot_event(event)
    assert events_on_disk(path)[-2:] == farewell
    await asyncio.sleep(0)
    assert events_on_disk(path)[-2:] == farewell, "each chat must be written once"
    assert [bot.chats[30:] for bot in bots] == [farewell[:1]] * 3
    contest.cancel()
    with pytest.raises(asyncio.CancelledError):
        await contest
