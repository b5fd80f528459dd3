"""The operator's changes take effect on air at once, and never show a playing card early."""

import random
from functools import reduce
from typing import get_args

import pytest
from msgspec.structs import replace

from broadcast.on_air.picture_state import Desk, State
from server.game import events
from server.tournament.control_values import Controls, current_value, evolve
from tests.show.show_on_fake_clock import Entries, ShowOnFakeClock, list_types, run_alone, running_show, without_times
from tests.show.test_thoughts import hand_with_thoughts
from tests.support.games.hand_events import events_of_hands, hand_events, opening
from tests.support.games.recordings import small_contest
from tests.support.idle_loop import settle

DESK_ENTRY_TYPES = ("control_set", "cue_given", "pace_changed", "replay_started", "replay_ended", "trouble_shown")


def table_entries(entries: Entries) -> Entries:
    return without_times([entry for entry in entries if entry["type"] not in DESK_ENTRY_TYPES])


def without_desk(picture: State) -> State:
    # Also leaves out chat, because the pace decides how long chat stays.
    return replace(picture, desk=Desk(), chat=(), seq=0, at_ms=0)


async def test_paused_hold_continues_at_the_new_speed() -> None:
    async with running_show(*events_of_hands(1)) as show:
        await show.clock.run(2)  # the opening stays on screen for 6 seconds
        await show.set("paused", value=True)
        await show.clock.run(1000)
        assert "stage_started" not in list_types(show.aired)
        await show.set("paused", value=False)
        await show.set("speed", 4.0)
        await show.clock.run(0.9)
        assert "stage_started" not in list_types(show.aired)
        await show.clock.run(0.2)
        assert "stage_started" in list_types(show.aired)


async def test_cue_next_shows_the_next_event_but_not_who_gave_the_cue() -> None:
    async with running_show(*events_of_hands(1)) as show:
        await settle()
        await show.cue("next")
        assert list_types(show.aired)[-2:] == ["stage_started", "caption_spoken"]
        await show.set("paused", value=True)
        for expected in ("game_started", "hand_started"):
            await show.cue("next")
            await show.clock.run(100)
            assert [name for name in list_types(table_entries(show.aired)) if name != "caption_spoken"][-1] == expected
        assert "Ada" not in str(show.aired)


async def test_cue_next_with_nothing_to_show_has_no_effect_later() -> None:
    first, *later = events_of_hands(1)
    async with running_show(first) as show:
        await show.clock.run(1000)
        await show.set("paused", value=True)
        await show.cue("next")
        show.bus.publish(*later)
        await show.clock.run(1000)
        assert "stage_started" not in list_types(show.aired)


async def test_held_show_stops_after_the_hand_and_next_shows_one_more() -> None:
    """A held show stops after a hand. A paused show stops at once."""
    async with running_show(*events_of_hands(1, 2, 3, 4)) as show:
        await show.run_until_aired("hole_dealt")
        await show.set("held", value=True)
        await show.clock.run(1000)
        assert list_types(show.aired).count("hand_ended") == list_types(show.aired).count("hand_started") == 1
        for hands in (2, 3):
            await show.cue("next")
            await show.clock.run(1000)
            assert list_types(show.aired).count("hand_ended") == list_types(show.aired).count("hand_started") == hands
        await show.set("held", value=False)
        await show.clock.run(1000)
        assert list_types(show.aired).count("hand_ended") == 4


async def test_cue_next_in_one_hold_has_no_effect_in_the_next_hold() -> None:
    async with running_show(*events_of_hands(1)) as show:
        await show.set("held", value=True)
        await show.clock.run(100)
        await show.cue("next")
        assert "stage_started" in list_types(show.aired)
        await show.set("held", value=False)
        await show.set("held", value=True)
        await show.clock.run(1000)
        assert "game_started" not in list_types(show.aired)


@pytest.mark.parametrize("card", ["break", "technical"])
async def test_break_card_appears_at_once_and_the_show_stops_behind_it(card: str) -> None:
    async with running_show(*events_of_hands(1)) as show:
        await show.run_until_aired("turn_started", 3)
        await show.set("card", card)
        entry_count = len(show.aired)
        await show.cue("next")
        await show.clock.run(1000)
        assert list_types(show.aired[entry_count:]) == ["cue_given"]
        assert show.air.picture.desk.card == card
        await show.set("card", "")
        await show.clock.run(1000)
        assert list_types(show.aired).count("hand_ended") == 1
    aired_alone, *_ = await run_alone(events_of_hands(1))  # the same show without an operator
    assert table_entries(show.aired) == without_times(aired_alone)


async def test_trouble_is_announced_once_at_its_start_and_once_at_its_end() -> None:
    async with running_show(*events_of_hands(1)) as show:
        await settle()
        for text in ("", "the disk is full", "the disk is full", "", ""):
            show.runner.show_trouble(text)
        assert [entry["text"] for entry in show.aired if entry["type"] == "trouble_shown"] == ["the disk is full", ""]


async def test_replay_repeats_the_last_hand_exactly_and_restores_the_picture() -> None:
    async with running_show(*events_of_hands(1)) as show:
        await show.clock.run(300)
        hand = table_entries(show.aired)[list_types(table_entries(show.aired)).index("hand_started") :]
        await show.set("held", value=True)
        picture_before = without_desk(show.air.picture)
        entries_before = len(show.aired)
        await show.cue("replay")
        await show.run_until_aired("hole_dealt", 7)
        await show.set("paused", value=True)
        await show.clock.run(500)
        assert b'"replay":{"hand":1' in show.air.snapshot()
        assert show.air.picture.scene == "replay"
        assert show.runner.status.doing == "hand 1 again"
        await show.set("paused", value=False)
        await show.run_until_aired("replay_ended")
        assert list_types(show.aired[entries_before:])[:2] == ["cue_given", "replay_started"]
        assert table_entries(show.aired[entries_before:]) == hand
        assert without_desk(show.air.picture) == picture_before


async def test_current_hand_is_replayed_only_once_its_winner_is_known() -> None:
    hand_with_two_pots = hand_events(4, (1000, 2000, 5000, 5000, 3000, 5000))
    async with running_show(*opening(), *hand_with_two_pots, *hand_events(2)) as show:
        await show.run_until_aired("hole_dealt")
        await show.cue("replay")  # this cue is ignored, because no hand came before
        await show.run_until_aired("pot_awarded")
        await show.cue("replay")  # the replay must wait, because the second pot has not been awarded
        await show.run_until_aired("replay_ended")
        await show.run_until_aired("hole_dealt", 14)  # hand 2 has begun: hand 1 and its replay have only 12
        await show.cue("replay")
        await show.run_until_aired("replay_ended", 2)
        assert list_types(show.aired).count("replay_started") == 2
        final_stacks = [entry["stacks"] for entry in show.aired if entry["type"] == "hand_ended"]
        first, first_again, second, first_once_more = final_stacks
        assert first_again == first_once_more == first != second


async def test_hand_of_the_previous_game_is_replayed_at_its_own_table() -> None:
    next_game = events.GameEnded(1, (5000,) * 6), events.GameStarted(2, 6, (6, 5, 4, 3, 2, 1), (5000,) * 6)
    async with running_show(*events_of_hands(1), *next_game) as show:
        await show.run_until_aired("game_started", 2)
        picture_before = without_desk(show.air.picture)
        await show.cue("replay")
        await show.run_until_aired("hole_dealt", 7)
        picture = show.air.picture
        assert [seat.bot for seat in picture.seats] == [1, 2, 3, 4, 5, 6]
        assert picture.game
        assert picture.game.game == 1
        await show.run_until_aired("replay_ended")
        assert without_desk(show.air.picture) == picture_before


async def test_thoughts_that_are_switched_off_leave_the_screen_at_once() -> None:
    async with running_show(*opening(), *hand_with_thoughts(1, "I call, because I like it.")) as show:
        await show.run_until_aired("thought_shown")
        assert [line.is_thought for line in show.air.picture.chat] == [True]
        await show.set("thoughts", value=False)
        assert show.air.picture.chat == ()
        await show.clock.run(300)
        await show.cue("replay")
        await show.run_until_aired("replay_ended")
        assert list_types(show.aired).count("thought_shown") == 1
        assert "note_given" not in list_types(show.aired)
        await show.set("thoughts", value=True)
        await show.cue("replay")
        await show.run_until_aired("replay_ended", 2)
        assert list_types(show.aired).count("thought_shown") == 2


async def test_muted_bot_has_neither_chat_nor_thoughts_on_air() -> None:
    started, *rest = hand_with_thoughts(3)
    async with running_show(*opening(), started, events.ChatSent(1, "one"), events.ChatSent(2, "two"), *rest) as show:
        await show.set("chat", value=False, bot=1)
        await show.clock.run(300)
        for entry_type in ("note_given", "thought_shown"):
            speakers = {entry["bot"] for entry in show.aired if entry["type"] == entry_type}
            assert 1 not in speakers
            assert len(speakers) > 1
        await show.set("chat", value=False, bot=2)
        await show.cue("replay")
        await show.run_until_aired("replay_ended")
        await show.set("chat", value=True, bot=2)
        assert [entry["text"] for entry in show.aired if entry["type"] == "chat_sent"] == ["two"]
        assert show.air.picture.desk.chat_off == (1,)


async def test_desk_gets_the_status_of_the_show() -> None:
    opened, stage, *rest = events_of_hands(1, 2, 3)
    assert isinstance(stage, events.StageStarted)
    async with running_show(opened, replace(stage, advance=2), *rest) as show:  # two bots go on to another stage
        status = show.runner.status
        assert (status.doing, status.waiting, status.pace) == ("before the start", "", 1.0)
        await show.run_until_aired("hole_dealt")
        status = show.runner.status
        assert status.doing == "The Trials, game 1 of 15, hand 1 of 6"
        assert (status.hands_shown, status.hands_ahead, status.waiting) == (0, 2, "")
        assert status.eta_s > 60
        await show.set("paused", value=True)
        assert show.runner.status.waiting == "paused"
        await show.set("paused", value=False)
        await show.clock.run(1000)
        status = show.runner.status
        assert (status.hands_shown, status.hands_ahead, status.waiting) == (3, 0, "waiting for the table")


@pytest.mark.parametrize(("entry_count", "waiting_for"), [(1, "waiting for the start"), (None, "")])
async def test_show_waits_for_its_start_but_not_after_its_champion(entry_count: int | None, waiting_for: str) -> None:
    """`with_filler` allows replays while the show waits for the table."""
    async with running_show(*(entry.event for entry in small_contest()[:entry_count]), with_filler=True) as show:
        await show.clock.run(3000)
        assert show.runner.status.waiting == waiting_for
        assert "replay_started" not in list_types(show.aired), "no replay may hide the champion"


@pytest.mark.parametrize("seed", range(10))
async def test_no_card_is_on_air_early_whatever_the_operator_does(seed: int) -> None:
    """At the end, each entry has been on air once and in order, and the picture is the same as without an operator."""
    dice = random.Random(seed)
    event_groups = [opening(), *(hand_events(seed * 10 + number) for number in range(4))]
    async with running_show(with_filler=True) as show:
        for group in event_groups:
            for event in group:
                show.bus.publish(event)
                if dice.random() < 0.2:
                    await use_desk(show, dice)
                    await show.clock.run(dice.choice((0, 0.3, 2, 20)))
                ended_hands = sum(isinstance(entry.event, events.HandEnded) for entry in show.bus.entries)
                assert list_types(without_replays(show.aired)).count("hole_dealt") <= 6 * ended_hands
        for control, value in (("card", ""), ("paused", False), ("held", False), ("speed", 8.0)):
            await show.set(control, value)  # type: ignore[arg-type]
        await show.clock.run(2000)

    entries, picture = await run_alone([event for group in event_groups for event in group])
    assert without_replays(show.aired) == without_times(entries)
    assert without_desk(show.air.picture) == without_desk(picture)
    assert [entry["seq"] for entry in show.aired] == list(range(1, len(show.aired) + 1))


async def use_desk(show: ShowOnFakeClock, dice: random.Random) -> None:
    if dice.random() < 0.4:
        await show.cue(dice.choice(get_args(events.Cue)))
        return
    control_names = [name for name in get_args(events.Control) if name not in ("started", "chat")]
    control: events.Control = dice.choice(control_names)
    controls = reduce(evolve, (entry.event for entry in show.bus.entries), Controls())
    is_on = current_value(controls, control, 1)
    choices: dict[events.Control, tuple[bool | float | str, ...]] = {
        "speed": (0.25, 1.0, 8.0), "view": ("", "table", "held"), "card": ("", "", "break", "technical")
    }  # fmt: skip
    await show.set(control, dice.choice(choices.get(control, (not is_on,))), bot=1 if control == "media" else 0)


def without_replays(entries: Entries) -> Entries:
    live_entries, in_replay = [], False
    for entry in entries:
        in_replay = entry["type"] == "replay_started" or (in_replay and entry["type"] != "replay_ended")
        if not in_replay and entry["type"] not in DESK_ENTRY_TYPES:
            live_entries.append(entry)
    return without_times(live_entries)
