"""The diary lists what was on air, so that a restarted studio (the show's server) repeats nothing and omits nothing."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from broadcast.on_air.diary import AiredLine, Diary, DiaryLine, ReplayLine, StudioStart, entries_on_air, real_times
from server.game.events import ChatSent, ControlSet, Event, GameStarted, HandEnded, HandStarted
from server.journal.bus import Bus
from server.journal.journal import Entry
from tests.journal.test_journal import limit_file_size
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock, list_types, run_alone, without_times
from tests.support.games.deals import play_deals
from tests.support.games.hand_events import events_of_hands


@pytest.mark.parametrize("seed", range(18))
async def test_studio_killed_repeatedly_shows_everything_once(seed: int, tmp_path: Path) -> None:
    dice, log = random.Random(seed), events_of_hands(seed, seed + 100, seed + 200)
    if seed >= 12:
        # In each of three deals, four tables play the same cards. If the seed is odd, the show is planned for 1 minute.
        log = [entry.event for entry in play_deals(4, 3, minutes=seed % 2)]
    clock, bus, hand_counts = ManualClock(), Bus(None, lambda: 0.0), list[int]()
    bus.publish(*log)
    entries = list[dict[str, Any]]()
    for seconds in [*(dice.choice((0.0, 0.5, 3.0, 8.0, 25.0)) for _ in range(6)), 10_000.0]:
        diary = Diary(tmp_path / "aired")
        studio = ShowOnFakeClock(bus=bus, clock=clock, diary=diary, on_hand_shown=hand_counts.append)
        async with studio.running_task():
            await clock.run(seconds)
        entries += [entry for entry in studio.aired if entry["type"] != "snapshot"]
    expected, expected_picture = await run_alone(log)  # `run_alone` uses one studio, which is never killed.
    assert without_times(entries) == without_times(expected)
    fields_not_compared = {"seq": 0, "at_ms": 0, "chat": ()}
    assert replace(studio.air.picture, **fields_not_compared) == replace(expected_picture, **fields_not_compared)
    hands = sum(isinstance(event, HandEnded) for event in log)
    assert hand_counts[-1] == studio.runner.status.hands_shown == hands, "the count must include earlier studios' hands"
    moments = [entry["at_ms"] for entry in entries]
    assert moments == sorted(moments), "each studio must continue the show's time from the last entry in the diary"


async def test_restarted_studio_keeps_settings_and_applies_missed_changes(tmp_path: Path) -> None:
    clock, bus = ManualClock(), Bus(None, lambda: 0.0)
    first = ShowOnFakeClock(bus=bus, clock=clock, diary=Diary(tmp_path / "aired"))
    bus.publish(*events_of_hands(1, 2))
    async with first.running_task():
        await first.run_until_aired("hand_ended")
        await first.cue("replay")
        await first.set("speed", 2.0)
        await first.set("media", value=False, bot=3)
        await first.set("paused", value=True)
    bus.publish(ControlSet("card", "break", ""))  # No studio runs now.
    second = ShowOnFakeClock(bus=bus, clock=clock, diary=Diary(tmp_path / "aired"))
    async with second.running_task():
        await clock.run(100)
        assert second.aired[0]["state"]["seats"] == json.loads(msgspec.json.encode(first.air.picture.seats))
        assert list_types(second.aired) == ["snapshot", "pace_changed", "control_set"]
        assert second.runner.status.waiting == "the break card is up"
        desk = second.air.picture.desk  # `desk` has the operator's settings.
        assert (desk.media_off, desk.speed, desk.card) == ((3,), 2.0, "break")
        await second.set("card", "")
        assert second.runner.status.waiting == "paused"
        await second.set("paused", value=False)
        await second.run_until_aired("hand_ended")
        assert "replay_started" not in list_types(second.aired)
        await second.cue("replay")
        await second.run_until_aired("replay_ended")


@pytest.mark.parametrize("line", ["again 1 2", "again 1 2 3 4", "dated -1 5", "seen 1 2", "1 2", "again a b c"])
def test_damaged_line_is_skipped_and_the_next_is_intact(line: str, tmp_path: Path) -> None:
    (tmp_path / "aired").write_text(f"1 0 6000\n{line}\n2 6000 7000\n3 130")
    diary = Diary(tmp_path / "aired")
    diary.append(AiredLine(3, 13000, 3000))
    assert diary.read() == [AiredLine(1, 0, 6000), AiredLine(2, 6000, 7000), AiredLine(3, 13000, 3000)]


def test_diary_loses_only_the_lines_that_a_full_disk_refuses(tmp_path: Path) -> None:
    path = tmp_path / "aired"
    diary = Diary(path)
    diary.append(AiredLine(1, 1000, 500))
    with limit_file_size(path.stat().st_size + 4):
        for seq in (2, 3):
            diary.append(AiredLine(seq, seq * 1000, 500))
    diary.append(AiredLine(4, 4000, 500))
    assert diary.read() == [AiredLine(1, 1000, 500), AiredLine(4, 4000, 500)]


def entries(*events: Event) -> list[Entry]:
    return [Entry(seq, seq * 10, event) for seq, event in enumerate(events, 1)]


def test_entry_whose_line_was_lost_is_recalled_unless_it_was_muted() -> None:
    game = GameStarted(1, 6, (1, 2), (5000, 5000))
    hand = HandStarted(1, 0, 50, 100, 0, (5000, 5000), "")
    log = entries(game, ControlSet("speed", 2.0, 1.0), hand, ControlSet("speed", 4.0, 2.0), game)
    pairs = entries_on_air([AiredLine(3, 30, 0), AiredLine(4, 40, 0)], log)
    assert [(entry.seq, line.at_ms) for entry, line in pairs] == [(1, 30), (3, 30), (2, 40), (4, 40)]
    pairs = entries_on_air([AiredLine(3, 30, 0)], entries(game, ChatSent(1, "secret"), game))
    assert [entry.seq for entry, _ in pairs] == [1, 3], "a chat without a line in the diary was muted, and must stay so"


def test_real_times_include_the_time_without_a_studio() -> None:
    first: list[DiaryLine] = [StudioStart(0, 1_000_000), AiredLine(1, 0, 500), ReplayLine(1, 1, 200)]
    lines = [*first, StudioStart(300, 1_060_000), AiredLine(2, 300, 500)]
    assert real_times(lines) == ([AiredLine(1, 0, 500), AiredLine(2, 60_000, 500)], 1_000_000)
    assert real_times([AiredLine(1, 5, 500)]) == ([AiredLine(1, 5, 500)], 0)
    lines[3] = StudioStart(300, 900_000)  # The machine's clock was set back before this studio started.
    assert real_times(lines)[0] == [AiredLine(1, 0, 500), AiredLine(2, 300, 500)]
