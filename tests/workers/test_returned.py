"""Deals, tables, checks and films from a worker count only if they were ordered and are within limits."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from broadcast.video.frames import Clip, Cut
from server.app.clips import batch as clips
from server.app.clips.batch import save_checked_clip
from server.app.evening.deals_on_workers import MAX_DETAIL, HouseEvents, PlayedTable, TableOrder, prove_table
from server.app.probe import batch as probes
from server.app.probe.batch import checks_in
from server.app.probe.probing import does_not_come
from server.app.sparring.deals_job import DealsOrder, PlayedDeals, play_deals, prove_deals
from server.app.sparring.sides import Side
from server.bots.sandbox.runner import BoxEnvironment
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.deals import deal_rules
from server.game.events import (
    ChatSent,
    Entrant,
    Event,
    FaultNoted,
    HandEnded,
    HoleDealt,
    NoteGiven,
)
from server.tournament.deal import MAX_WORDS, Deal, DealRoom, deal_keys
from server.workers.orders import GAME_BYTES, ResultRejected, encode
from server.workers.workplace import Workplace
from tests.support.games.contests import SEED, DiceBot

ORDER = DealsOrder("quick-draw", (Side("house", "careful", "Ann"), Side("house", "loose", "Bo")), bytes(32), 20, 6, 5)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedDeals:
    """An honest worker's result: deals 6 to 10 of a match of 20 between house styles, which need no boxes."""
    workplace = Workplace(cast(Any, None), tmp_path_factory.mktemp("workplace"))
    return msgspec.msgpack.decode(asyncio.run(play_deals(workplace, encode(ORDER))), type=PlayedDeals)


def test_deals_count_only_if_they_were_ordered(played: PlayedDeals) -> None:
    proved = prove_deals(encode(played), ORDER)
    assert (len(proved.deals), proved.lost) == (ORDER.count, None)
    for other, why in (
        (replace(ORDER, first=1), "the number of the game"),
        (replace(ORDER, deals=30), "the stage"),
        (replace(ORDER, count=6), "the number of deals"),
        (replace(ORDER, sides=ORDER.sides[::-1]), "the match"),
    ):
        with pytest.raises(ResultRejected, match=why):
            prove_deals(encode(played), other)


def test_altered_deals_are_refused(played: PlayedDeals) -> None:
    first, second = played.tables
    for altered, why in (
        (replace(played, tables=(first,)), "the number of tables"),
        (replace(played, tables=(first[:-1], second)), "whether it is complete"),
        (replace(played, tables=(b"", second)), "not a journal"),
        (replace(played, lost=3), "the bot that left is not in the match"),
    ):
        with pytest.raises(ResultRejected, match=why):
            prove_deals(encode(altered), ORDER)


def test_large_or_unreadable_result_is_refused(tmp_path: Path) -> None:
    def keep(result: bytes) -> None:
        asyncio.run(save_checked_clip(result, Clip((Cut(0, 1),)), "ffmpeg", tmp_path / "film.mp4"))

    for most, read in (
        (GAME_BYTES, lambda result: prove_deals(result, ORDER)),
        (GAME_BYTES, lambda result: asyncio.run(prove_table(result, TABLE))),
        (probes.MAX_BYTES, lambda result: checks_in(result, "upac")),
        (clips.MAX_BYTES, keep),
    ):
        with pytest.raises(ResultRejected, match="the limit is"):
            read(bytes(most + 1))
        with pytest.raises(ResultRejected):
            read(b"nonsense")
    assert not list(tmp_path.iterdir())


def test_all_checks_of_a_bot_must_be_present() -> None:
    absent = does_not_come("upac", "it is not there")
    assert checks_in(encode(absent), "upac") == absent
    for incomplete in ([replace(absent[0], ok=True)], []):
        with pytest.raises(ResultRejected, match="what was tried"):
            checks_in(encode(incomplete), "upac")


ENTRANTS = tuple(Entrant(bot, f"Bot {bot}") for bot in range(1, 4))
TABLE = TableOrder(
    "quick-draw",
    Deal(deal_rules(QUICK_DRAW_FORMAT.rules, 1), 4, 3, (5000,) * 3, deal_keys(SEED, 4, 3)),
    1,
    ENTRANTS,
    tuple(Side("folder", "0" * 64, entrant.name) for entrant in ENTRANTS),
    BoxEnvironment("evening"),
)
"""An order to play the second table of a deal. Three hands are played there."""


@pytest.fixture(scope="module")
def table() -> PlayedTable:
    """An honest worker's result."""

    async def play() -> PlayedTable:
        room, dice = DealRoom(1), random.Random(3)
        bots = tuple(DiceBot(each.bot, dice, lambda event: room.hear(1, event)) for each in ENTRANTS)
        (played,) = await room.play(TABLE.deal, [(ENTRANTS, bots, ())], 1)
        return PlayedTable(cast("HouseEvents", (ChatSent(1, "howdy"), *played.log.events)))

    return asyncio.run(play())


def prove_events(events: Sequence[Event], order: TableOrder = TABLE) -> tuple[Event, ...]:
    found, _ = asyncio.run(prove_table(encode(PlayedTable(cast("HouseEvents", tuple(events)))), order))
    return tuple(found.log.events)


def with_first(table: PlayedTable, kind: type[Event], **fields: object) -> list[Event]:
    """The events of the table, the first of this kind with other fields."""
    at = next(number for number, event in enumerate(table.events) if isinstance(event, kind))
    return [*table.events[:at], replace(table.events[at], **fields), *table.events[at + 1 :]]


def test_table_counts_only_if_it_was_ordered_and_begins_as_recorded(table: PlayedTable) -> None:
    turns = [event for event in table.events if not isinstance(event, ChatSent | FaultNoted | NoteGiven)]
    for order in (TABLE, replace(TABLE, recorded=tuple(turns[:5]))):
        assert prove_events(table.events, order) == table.events
    deal = TABLE.deal
    for other, why in (
        (replace(TABLE, deal=replace(deal, keys=deal_keys(SEED, 5, 3))), None),
        (replace(TABLE, deal=replace(deal, stacks=(4000,) * 3)), None),
        (replace(TABLE, recorded=(ChatSent(1, "howdy"),)), None),
        (replace(TABLE, recorded=(*turns[:5], turns[4])), "does not begin with the recorded events"),
    ):
        with pytest.raises(ResultRejected, match=why):
            prove_events(table.events, other)


def test_altered_table_is_refused(table: PlayedTable) -> None:
    events, same = table.events, "the same deal and decisions lead to"
    for altered, why in (
        (events[:-1], same),
        (events[:12], "ends before its last decision"),
        (with_first(table, HoleDealt, cards=("As", "Ah")), "a table has "),
        (with_first(table, HandEnded, stacks=(15000, 0, 0)), "a table has "),
        ((ChatSent(4, "I do not play here"), *events), "bots at this table cannot cause"),
        ((*[ChatSent(1, "howdy")] * 2 * MAX_WORDS, *events), "more chats and notes than bots may send"),
    ):
        with pytest.raises(ResultRejected, match=why):
            prove_events(altered)


def test_words_from_a_worker_are_made_safe(table: PlayedTable) -> None:
    wild = "\u202e" + "x" * 2000
    words = (ChatSent(1, wild), NoteGiven(2, 1, wild, wild), FaultNoted(3, "malformed", wild + "\x1b[2J"))
    chat, note, fault, *_ = prove_events((*words, *table.events))
    assert isinstance(chat, ChatSent)
    assert len(chat.text) == 200
    assert isinstance(note, NoteGiven)
    assert (len(note.text), len(note.thought or "")) == (200, 600)
    assert isinstance(fault, FaultNoted)
    assert (len(fault.detail), "\x1b" in fault.detail) == (MAX_DETAIL, False)
    short, *_ = prove_events((NoteGiven(2, 1, "a tell"), *table.events))
    assert short == NoteGiven(2, 1, "a tell", UNSET)
