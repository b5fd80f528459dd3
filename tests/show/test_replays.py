"""While no new hand is ready, the show fills the time with replays of hands that earned a mark, such as Bluff."""

from pathlib import Path

from msgspec.structs import replace

from broadcast.commentary.commentary import CLAIMS_PER_READING
from broadcast.on_air.diary import Diary, ReplayLine, read_diary
from broadcast.on_air.events import HighlightMarked
from broadcast.on_air.picture_state import Game, State
from broadcast.on_air.shared_types import Mark
from broadcast.show.finish_estimator import FinishEstimator
from broadcast.show.hold_times import FILLER_WAIT_MS, REPLAY_END_MS
from broadcast.show.replays import BEST_COUNT, MAX_MARKED, Replays
from broadcast.show.shots import Shot
from server.game import events
from server.journal.bus import Bus
from tests.show.show_on_fake_clock import Entries, ManualClock, ShowOnFakeClock, list_types, running_show
from tests.show.test_thoughts import hand_with_thoughts
from tests.support.games.hand_events import hand_events, opening

MARKED_SEEDS, DULL_SEED = (1, 3, 4, 5), 6
"""The seeds of hands that earn a mark, and the seed of a hand that earns none."""
LONG_SECONDS = 200.0
"""In this time, a show puts on air everything that is ready."""


def numbered_hand(seed: int, number: int) -> list[events.Event]:
    first, *rest = hand_events(seed)
    assert isinstance(first, events.HandStarted)
    return [replace(first, hand=number), *rest]


def play_hands(*seeds: int) -> list[events.Event]:
    return [*opening(), *(event for number, seed in enumerate(seeds, 1) for event in numbered_hand(seed, number))]


def list_replayed_hands(entries: Entries) -> list[int]:
    return [entry["hand"] for entry in entries if entry["type"] == "replay_started"]


async def run_until_waiting(show: ShowOnFakeClock) -> None:
    for _ in range(600):
        if show.runner.status.waiting:
            return
        await show.clock.run(1)
    raise AssertionError("the show never waited")


async def test_marked_hand_is_replayed_after_ten_seconds_with_nothing_ready() -> None:
    async with running_show(*play_hands(1, DULL_SEED), with_filler=True) as show:
        await run_until_waiting(show)
        last = show.aired[-1]
        await show.clock.run((last["at_ms"] + last["hold_ms"] + FILLER_WAIT_MS) / 1000 - show.clock.now - 0.1)
        assert list_replayed_hands(show.aired) == []
        await show.clock.run(0.2)
        assert list_replayed_hands(show.aired) == [1]
        scenes = [show.air.picture.scene]
        await show.run_until_aired("replay_ended", step=1)
        assert [*scenes, show.air.picture.scene] == ["replay", "table"]


async def test_reading_scores_fill_the_time_once_before_the_replays() -> None:
    text = "I have pocket aces. The pot is 7. I have 9 chips. I raise to 8."
    async with running_show(*opening(), *hand_with_thoughts(1, text), with_filler=True) as show:
        await show.run_until_aired("scene_shown", step=1)
        assert show.air.picture.scene == "reading"  # this scene says how many of the bots' claims were true
        assert sum(row.reading.claims for row in show.air.picture.statistics.rows if row.reading) >= CLAIMS_PER_READING
        assert list_replayed_hands(show.aired) == []
        await show.run_until_aired("replay_ended", step=1)
        await show.clock.run(LONG_SECONDS)
        scenes = [entry["scene"] for entry in show.aired if entry["type"] == "scene_shown"]
        assert (scenes, list_replayed_hands(show.aired)) == (["reading", "table"], [1])


async def test_ready_hand_ends_a_filling_replay_at_once() -> None:
    async with running_show(*play_hands(1), with_filler=True) as show:
        await show.run_until_aired("replay_started", step=1)
        await show.clock.run(5)
        show.bus.publish(*numbered_hand(DULL_SEED, 2))
        await show.clock.run(REPLAY_END_MS / 1000 + 0.05)
        assert list_types(show.aired).count("replay_ended") == 1
        assert show.air.picture.hand
        assert show.air.picture.hand.hand == 2
        assert show.air.picture.replay is None


async def test_unfinished_hand_or_small_talk_does_not_end_a_filling_replay() -> None:
    async with running_show(*play_hands(1), with_filler=True) as show:
        await show.run_until_aired("replay_started", step=1)
        show.bus.publish(events.ChatSent(1, "hello"), *numbered_hand(DULL_SEED, 2)[:-1])
        await show.run_until_aired("replay_ended", step=1)
        assert list_types(show.aired).count("hand_ended") == 2, "the replay must run to its end"
        await show.clock.run(1)
        assert list_types(show.aired)[-1] == "chat_sent", "the chat must come after the replay"


async def test_nothing_fills_the_time_while_the_operator_stops_the_show() -> None:
    async with running_show(*play_hands(1), with_filler=True) as show:
        await run_until_waiting(show)
        for control, value, normal_value in (("card", "break", ""), ("paused", True, False), ("held", True, False)):
            await show.set(control, value)  # type: ignore[arg-type]
            await show.clock.run(LONG_SECONDS)
            assert list_replayed_hands(show.aired) == []
            await show.set(control, normal_value)  # type: ignore[arg-type]
        await show.run_until_aired("replay_started", step=1)


async def test_nothing_fills_the_time_while_the_governor_speeds_up() -> None:
    """The governor sets the pace so that a stage ends on time."""
    async with running_show(*play_hands(1), finish_by=FinishEstimator(finish_by=10), with_filler=True) as show:
        await show.clock.run(LONG_SECONDS)
        assert show.runner.status.governor > 1
        assert list_replayed_hands(show.aired) == []
        await show.set("governed", value=False)
        await show.run_until_aired("replay_started", step=1)


def test_best_hand_is_replayed_first_and_then_one_with_another_mark() -> None:
    replays, picture = Replays(), State(game=Game(1, 0))
    earned_marks: list[tuple[Mark, int]] = [("Bluff", 62), ("Upset", 80), ("Upset", 70), ("Bluff", 50)]
    for number, (mark, score) in enumerate(earned_marks, 1):
        record_hand(replays, picture, number, mark, score)
    assert [hand.hand for hand in replays.best((), 1)] == [2]  # the best hand, if no hand is excluded
    assert [hand.hand for hand in replays.best({(1, 2)}, 1)] == [1]
    assert [hand.hand for hand in replays.best({(1, 2), (1, 1)}, 1)] == [3]
    assert [hand.hand for hand in replays.best((), 3)] == [1, 2, 3], "several hands must come in their original order"
    for number in range(5, 2 * MAX_MARKED):
        record_hand(replays, picture, number, "Upset", 49 - number)
    assert [hand.hand for hand in replays.best((), BEST_COUNT)] == [1, 2, 3], "lesser hands must not displace the best"


def record_hand(replays: Replays, picture: State, number: int, mark: Mark, score: int) -> None:
    """Records the two shots of a hand. A shot has events that are shown together."""
    replays.record(picture, Shot((events.HandStarted(number, 0, 50, 100, 0, (5000,) * 2, ""),), 1000))
    replays.record(picture, Shot((events.HandEnded((5000,) * 2, ""), HighlightMarked(mark, number, (0,), score)), 400))


async def test_replay_includes_the_elimination_after_its_hand() -> None:
    after_the_hand = events.BotEliminated(4, 3, 6), events.GameEnded(1, (0,) * 6)
    async with running_show(*play_hands(1), *after_the_hand, with_filler=True) as show:
        await show.run_until_aired("replay_ended", step=1)
        start = list_types(show.aired).index("replay_started")
        assert list_types(show.aired)[start:].count("bot_eliminated") == 1


async def test_cue_for_the_best_hands_replays_them_even_if_a_hand_is_ready() -> None:
    async with running_show(*play_hands(*MARKED_SEEDS, DULL_SEED, DULL_SEED), with_filler=True) as show:
        await show.run_until_aired("hand_started", len(MARKED_SEEDS) + 1, step=1)
        await show.cue("best")
        await show.run_until_aired("replay_ended", step=0.1)
        assert len(list_replayed_hands(show.aired)) == BEST_COUNT  # BEST_COUNT: how many hands this cue replays
        assert list_replayed_hands(show.aired) == sorted(list_replayed_hands(show.aired))
        assert list_types(show.aired).count("replay_ended") == 1
        assert show.air.picture.hand
        assert show.air.picture.hand.hand == len(MARKED_SEEDS) + 1, "after the replays, the live picture must be back"
        await show.run_until_aired("hand_ended", len(MARKED_SEEDS) + 1 + BEST_COUNT + 1, step=1)


async def test_restarted_studio_remembers_marked_and_replayed_hands(tmp_path: Path) -> None:
    clock, bus = ManualClock(), Bus(None, lambda: 0.0)
    bus.publish(*play_hands(1, DULL_SEED, 3))
    first_studio = ShowOnFakeClock(bus=bus, clock=clock, diary=Diary(tmp_path / "aired"), with_filler=True)
    async with first_studio.running_task():
        await first_studio.run_until_aired("replay_started", step=1)
        await clock.run(10)
    second_studio = ShowOnFakeClock(bus=bus, clock=clock, diary=Diary(tmp_path / "aired"), with_filler=True)
    async with second_studio.running_task():
        await clock.run(1)
        assert second_studio.air.picture.replay is None
        await clock.run(1000)
    assert sorted([*list_replayed_hands(first_studio.aired), *list_replayed_hands(second_studio.aired)]) == [1, 3]
    replay_lines = [line for line in read_diary(tmp_path / "aired") if isinstance(line, ReplayLine)]
    assert sorted((line.game, line.hand) for line in replay_lines) == [(1, 1), (1, 3)]
