"""Reducers in Python and JavaScript compute a show's picture (state) from its events, and agree on every field."""

import json
import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from broadcast.film.film import film_recording
from broadcast.film.highlights import choose_reel, replays_of
from broadcast.on_air import events
from broadcast.on_air.picture import STEPS
from broadcast.on_air.picture_hand import HAND_STEPS
from broadcast.on_air.picture_state import Seat
from broadcast.on_air.picture_tournament import TOURNAMENT_STEPS
from server.game.events import BetReturned, ChatSent, ControlSet, CueGiven, Event
from server.hand_histories.import_hands import import_hands
from server.journal.journal import read_journal
from tests.overlay.support.lively_show import play_lively_show
from tests.overlay.support.scenes import SCENES, play_short_contest
from tests.overlay.support.scripted_show import Script, picture_after, pictures_of
from tests.support.games.recordings import KEPT_FOLDER, KEPT_RECORDINGS, aired, small_contest
from tests.support.programs.in_node import Node
from tests.support.source_files import ROOT

PHH_FILE = ROOT / "tests/data/phh/dwan-ivey-2009.phh"
CHANGES: tuple[Event, ...] = (
    *(ControlSet("card", card, "") for card in ("", "break", "break until 21:15 CET", "technical")),
    *(ControlSet("view", view, "") for view in ("", "table", "held")),  # "held": the zoom stays as it is
    *(ControlSet(name, value, "") for name in ("graphics", "sound", "thoughts") for value in (True, False)),
    *(ControlSet(name, value, "", bot) for name in ("chat", "media") for value in (True, False) for bot in (2, 5)),
    *(ChatSent(bot, "Howdy!") for bot in (2, 5)),
    *(ControlSet("held", value=True, was=""), CueGiven("next"), events.PaceChanged(0.75), events.PaceChanged(3.5)),
    *(events.TroubleShown(text) for text in ("", "the disk is full")),
    *(events.StorylineShown(text) for text in ("", "Tess has won five pots in a row.")),
)
"""Changes of the picture by operators, commentators, chatting bots, and the program itself."""
# Returns the pictures that a page computes after entries 0, `every`, 2 * `every` and so on, and after the last.
_REDUCE = """async ([entries, every], load) => {
  const { reduce } = await load("/static/js/overlay/reducer.js");
  const { initialState } = await load("/static/js/overlay/reducer-state.js");
  let state = initialState();
  const pictures = [];
  for (const [at, entry] of entries.entries()) {
    state = reduce(state, entry);
    if (at % every === 0 || at === entries.length - 1) pictures.push(state);
  }
  return pictures;
}"""


@pytest.mark.parametrize("scene", SCENES)
def test_both_reducers_agree_on_each_scene(scene: str, node: Node) -> None:
    entries = SCENES[scene]().entries
    assert_reducers_agree(node, entries, 1 if len(entries) < 200 else 20)


@pytest.mark.parametrize(
    ("module", "reducers", "steps"),
    [
        # The last three events are not in STEPS, because the code that applies them also needs the entry's number.
        ("reducer.js", "REDUCERS", {*STEPS, ChatSent, events.StorylineTold, events.ThoughtShown}),
        ("reducer-hand.js", "HAND_REDUCERS", {*HAND_STEPS}),
        ("reducer-tournament.js", "TOURNAMENT_REDUCERS", {*TOURNAMENT_STEPS}),
    ],
)
def test_both_reducers_know_the_same_events(module: str, reducers: str, steps: set[type[Event]], node: Node) -> None:
    code = f"async (_, load) => Object.keys((await load('/static/js/overlay/{module}')).{reducers})"
    assert sorted(node.evaluate(code)) == sorted(str(event.__struct_config__.tag) for event in steps)


def test_both_reducers_agree_on_a_replay_that_begins_on_a_later_street(node: Node) -> None:
    film = film_recording(small_contest())  # `film`: all that the show of this recording puts on air
    replay = next(hand for hand in replays_of(film, choose_reel(film.outline, 60_000)) if hand.picture.board)
    started = events.ReplayStarted(replay.hand, replay.picture)
    events_on_air = [started, *(event for shot in replay.shots for event in shot.events)]
    entries = [events.OnAirEntry(seq, 0, 0, event) for seq, event in enumerate(events_on_air, 1)]
    assert_reducers_agree(node, entries)
    first = picture_after(entries[:1])
    assert [seat.cards for seat in first.seats] == [seat.cards for seat in replay.picture.seats]
    assert (first.board, first.chat) == (replay.picture.board, ())


def test_both_reducers_agree_on_a_show_with_many_thoughts(node: Node) -> None:
    entries = aired(play_lively_show("upac"))
    assert sum(isinstance(entry.event, events.ThoughtShown) for entry in entries) > 20
    assert_reducers_agree(node, entries)


@pytest.mark.parametrize("name", [*KEPT_RECORDINGS, PHH_FILE])
def test_both_reducers_agree_on_old_recordings_and_published_hands(name: str | Path, node: Node) -> None:
    is_published = name == PHH_FILE
    log = import_hands(PHH_FILE.read_bytes()).entries if is_published else read_journal(KEPT_FOLDER / name).entries
    assert_reducers_agree(node, [events.OnAirEntry(entry.seq, entry.at_ms, 0, entry.event) for entry in log])


@pytest.mark.parametrize("seed", range(6))
def test_both_reducers_agree_on_random_changes_at_the_desk(seed: int, node: Node) -> None:
    dice = random.Random(seed)
    script = Script().connect().stage().game()
    for hand in range(4):
        script.play_by_pattern(hand).put(*dice.choices(CHANGES, k=dice.randrange(9)))
        if dice.random() < 0.6:
            script.replay(dice.choice((None, None, 5, 20)))
    assert_reducers_agree(node, script.entries)


def assert_reducers_agree(node: Node, entries: Sequence[events.OnAirEntry], every: int = 1) -> None:
    """Compares the reducers' pictures after entries 0, `every`, 2 * `every` and so on, and after the last."""
    sent = [json.loads(entry.to_json()) for entry in entries]
    pages_pictures: list[Any] = node.evaluate(_REDUCE, [sent, every])
    for index, (entry, state) in enumerate(zip(entries, pictures_of(entries), strict=True)):
        if index % every == 0 or index == len(entries) - 1:
            studios_picture = msgspec.json.decode(msgspec.json.encode(state))
            assert pages_pictures.pop(0) == studios_picture, f"after entry {entry.seq}, {sent[index]['type']}"


def test_plate_keeps_a_called_bet_but_no_returned_bet(node: Node) -> None:
    """The plate below a seat's cards shows the bot's last action and its bet."""
    entries = play_short_contest()
    pictures = [*pictures_of(entries)]
    callers = list[Seat]()
    for old, new in pairwise(pictures):
        live = [seat for seat in new.seats if seat.dealt_in and not seat.folded]
        is_called_in_full = len(live) > 1 and not any(seat.all_in for seat in live)
        if is_called_in_full and any(seat.bet for seat in old.seats) and not any(seat.bet for seat in new.seats):
            callers += [seat for seat in live if seat.act in ("call", "bet", "raise")]
    moments = zip(entries, pictures, strict=True)
    refunded = [new.seats[entry.event.seat] for entry, new in moments if isinstance(entry.event, BetReturned)]
    plates = "async (seats, load) => seats.map((await load('/static/js/common/format.js')).plateOf)"
    called_plates, refund_plates = (node.evaluate(plates, msgspec.to_builtins(seats)) for seats in (callers, refunded))
    assert len(called_plates) > 20
    assert all(plate["amount"] for plate in called_plates)
    assert {plate["amount"] for plate in refund_plates} == {0}
