"""Python and JavaScript both reduce the entries of a show to its picture, and agree on every field."""

import gzip
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from broadcast.film.film import film_of
from broadcast.film.highlights import reel, replays_of
from broadcast.on_air.events import OnAirEntry, OnFilm, ReplayStarted, StorylineTold, ThoughtShown
from broadcast.on_air.picture import STEPS, reduce
from broadcast.on_air.picture_hand import HAND_STEPS
from broadcast.on_air.picture_state import State
from broadcast.on_air.picture_tournament import TOURNAMENT_STEPS
from server.game.events import BetReturned, ChatSent, Event
from server.hand_histories.import_hands import import_hands
from server.journal.journal import read_journal
from tests.overlay.support.lively_show import lively_entries
from tests.overlay.support.scenes import SCENES, short_contest
from tests.support.in_node import Node
from tests.support.recordings import KEPT_CONTESTS, KEPT_RECORDINGS, small_contest
from tests.support.source_files import ROOT

PUBLISHED = ROOT / "tests/data/phh/dwan-ivey-2009.phh"
# The picture after every n-th entry, computed by the page's reducer.
_REDUCE = """async ([entries, every], load) => {
  const { reduce } = await load("/static/js/overlay/reducer.js");
  const { opening } = await load("/static/js/overlay/reducer-state.js");
  let state = opening();
  const pictures = [];
  for (const [at, entry] of entries.entries()) {
    state = reduce(state, entry);
    if (at % every === 0 || at === entries.length - 1) pictures.push(state);
  }
  return pictures;
}"""


@pytest.mark.parametrize("scene", SCENES)
def test_both_reducers_agree_on_every_entry_of_a_scene(scene: str, node: Node) -> None:
    entries = SCENES[scene]().entries
    assert_reducers_agree(node, entries, 1 if len(entries) < 200 else 20)


@pytest.mark.parametrize(
    ("module", "reducers", "steps"),
    [
        # The last three are handled outside STEPS, because speech needs the entry's number.
        ("reducer.js", "REDUCERS", {*STEPS, ChatSent, StorylineTold, ThoughtShown}),
        ("reducer-hand.js", "HAND_REDUCERS", {*HAND_STEPS}),
        ("reducer-tournament.js", "TOURNAMENT_REDUCERS", {*TOURNAMENT_STEPS}),
    ],
)
def test_both_reducers_know_the_same_events(module: str, reducers: str, steps: set[type[Event]], node: Node) -> None:
    known = f"async (_, load) => Object.keys((await load('/static/js/overlay/{module}')).{reducers})"
    assert sorted(node.evaluate(known)) == sorted(str(event.__struct_config__.tag) for event in steps)


def test_both_reducers_agree_on_a_replay_that_begins_on_a_later_street(node: Node) -> None:
    film = film_of(small_contest())
    replay = next(each for each in replays_of(film, reel(film.outline, 60_000)) if each.picture.board)
    shown = [ReplayStarted(replay.hand, replay.picture), *(event for shot in replay.shots for event in shot.events)]
    entries = [OnAirEntry(seq, 0, 0, event) for seq, event in enumerate(shown, 1)]
    assert_reducers_agree(node, entries, 1)
    first = reduce(State(), 1, 0, 0, shown[0])
    assert [seat.cards for seat in first.seats] == [seat.cards for seat in replay.picture.seats]
    assert first.board == replay.picture.board
    assert first.chat == ()


def test_both_reducers_agree_on_every_entry_of_a_show_with_many_thoughts(node: Node) -> None:
    film = film_of(lively_entries("upac", 1871))
    entries = [json.loads(text) for text in map(gzip.decompress, film.segments)]
    shown = [entry for segment in entries for entry in segment["entries"]]
    assert sum(entry["type"] == "thought_shown" for entry in shown) > 20
    at_ms = [segment["at_ms"] + entry["offset_ms"] for segment in entries for entry in segment["entries"]]
    events = msgspec.convert(shown, list[OnFilm])
    log = [
        OnAirEntry(entry["seq"], ms, entry["hold_ms"], event)
        for entry, ms, event in zip(shown, at_ms, events, strict=True)
    ]
    assert_reducers_agree(node, log, 1)


@pytest.mark.parametrize("name", [*KEPT_RECORDINGS, PUBLISHED])
def test_both_reducers_agree_on_every_entry_of_old_recordings_and_published_hands(name: str | Path, node: Node) -> None:
    is_published = name == PUBLISHED
    log = import_hands(PUBLISHED.read_bytes()).entries if is_published else read_journal(KEPT_CONTESTS / name).entries
    assert_reducers_agree(node, [OnAirEntry(entry.seq, entry.at_ms, 0, entry.event) for entry in log], 1)


def assert_reducers_agree(node: Node, entries: list[OnAirEntry], every: int) -> None:
    """Compares the picture after every n-th entry and after the last."""
    wire = [json.loads(entry.text()) for entry in entries]
    theirs: list[Any] = node.evaluate(_REDUCE, [wire, every])
    for at, (entry, state) in enumerate(zip(entries, pictures_of(entries), strict=True)):
        if at % every == 0 or at == len(entries) - 1:
            ours = msgspec.json.decode(msgspec.json.encode(state))
            assert theirs.pop(0) == ours, f"after entry {entry.seq}, {wire[at]['type']}"


@pytest.mark.parametrize(
    ("scene", "sizes"),
    [("walk", {"nod"}), ("split", {"win"}), ("winner", {"burst", "screen"}), ("captured", {"burst", "screen"})],
)
def test_win_is_celebrated_according_to_its_importance(scene: str, sizes: set[str]) -> None:
    pictures = [state.win for state in pictures_of(SCENES[scene]().entries)]
    assert {*pictures} - {""} == sizes


def test_each_win_has_a_new_number_so_consecutive_wins_look_different() -> None:
    wins = [state.wins for state in pictures_of(short_contest().entries)]
    assert {later - before for before, later in pairwise(wins)} == {0, 1}


def test_plate_still_shows_the_bet_when_its_chips_go_to_the_pot(node: Node) -> None:
    plates = "async (seats, load) => seats.map((await load('/static/js/common/format.js')).plateOf)"
    pictures = pictures_of(short_contest().entries)
    swept = [now for before, now in pairwise(pictures) if any_bet(before) and not any_bet(now)]
    called = [now for now in swept if is_called(now)]
    paid = [seat for now in called for seat in now.seats if seat.act in ("call", "bet", "raise") and not seat.folded]
    shown = [plate["amount"] for plate in node.evaluate(plates, msgspec.to_builtins(paid))]
    assert len(shown) > 20
    assert all(shown)


def test_plate_is_empty_once_an_uncalled_bet_has_gone_back(node: Node) -> None:
    plates = "async (seats, load) => seats.map((await load('/static/js/common/format.js')).plateOf)"
    entries = short_contest().entries
    after = zip(entries, pictures_of(entries), strict=True)
    returned = [now.seats[entry.event.seat] for entry, now in after if isinstance(entry.event, BetReturned)]
    shown = [plate["amount"] for plate in node.evaluate(plates, msgspec.to_builtins(returned))]
    assert {*shown} == {0}


def is_called(picture: State) -> bool:
    """Whether the last bet was called, so none of it goes back: several bots are in the hand, and none is all in."""
    live = [seat for seat in picture.seats if seat.dealt_in and not seat.folded]
    return len(live) > 1 and not any(seat.all_in for seat in live)


def any_bet(picture: State) -> bool:
    return any(seat.bet for seat in picture.seats)


def pictures_of(entries: Sequence[OnAirEntry]) -> Iterator[State]:
    """The picture after each entry."""
    state = State()
    for entry in entries:
        state = reduce(state, entry.seq, entry.at_ms, entry.hold_ms, entry.event)
        yield state
