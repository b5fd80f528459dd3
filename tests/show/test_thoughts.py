"""The show chooses which thoughts of bots go on air, when, and for how long."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import count, pairwise, product
from pathlib import Path

import pytest
from msgspec.structs import replace

from broadcast.commentary.claims.claim import Estimate
from broadcast.odds.calculator import OddsCalculator, equities_of, situation_after
from broadcast.on_air.diary import Diary, ThoughtLine, read_diary
from broadcast.on_air.events import Chance, FocusChanged, HighlightMarked, StakesShown, ThoughtShown
from broadcast.on_air.picture import reduce
from broadcast.on_air.picture_speech import thought_ms
from broadcast.on_air.picture_state import Hand, Seat, State
from broadcast.on_air.scenes import SCENES
from broadcast.on_air.shared_types import Checked
from broadcast.show.thoughts import Thoughts, is_decisive
from server.game.events import ActionTaken, ChatSent, ControlSet, Event, NoteGiven, PotAwarded, StreetDealt, TurnStarted
from server.journal.bus import Bus
from tests.commentary.test_drama import last_hand, play_one_hand
from tests.show.show_on_fake_clock import Entries, ManualClock, ShowOnFakeClock, list_types, running_show
from tests.support.background import background_task
from tests.support.games.hand_events import at_table, hand_events, opening
from tests.support.idle_loop import settle

SEEDS = range(12)


def hand_with_thoughts(seed: int, text: str = "") -> list[Event]:
    """A hand, and then a note (the acting bot's thought) on each action. Without `text`, each note has new words."""
    hand = hand_events(seed)
    bots = [event.seat + 1 for event in hand if isinstance(event, ActionTaken)]
    return [*hand, *(NoteGiven(bot, number, text or new_text(seed, number)) for number, bot in enumerate(bots, 1))]


def new_text(seed: int, action: int) -> str:
    return f"Act {action}: " + " ".join(f"word{seed}x{action}x{number}" for number in range(8)) + "."


async def show_entries(events: Sequence[Event], speed: float = 1) -> Entries:
    """Shows `events` after an opening. Returns the entries that were on air."""
    async with running_show(*opening(), *events, speed=speed) as show:
        await show.clock.run(5000)
    return show.aired


async def test_thought_comes_with_its_action_and_the_note_after_the_hand() -> None:
    for seed in SEEDS:
        entries, actors = await show_entries(hand_with_thoughts(seed)), list[int]()
        for entry in entries:
            if entry["type"] == "action_taken":
                actors.append(entry["seat"] + 1)
            if entry["type"] == "thought_shown":
                assert entry["text"].startswith(f"Act {len(actors)}:")
                assert entry["bot"] == actors[-1]
        assert "thought_shown" in list_types(entries)
        assert list_types(entries).index("note_given") > list_types(entries).index("hand_ended")


async def test_faster_show_has_fewer_thoughts_or_none() -> None:
    hands = [event for seed in SEEDS for event in hand_with_thoughts(seed)]
    counts = [list_types(await show_entries(hands, speed)).count("thought_shown") for speed in (0.5, 1, 2, 4, 0)]
    assert counts[0] > counts[1] > counts[2] > 0 == counts[3] == counts[4]


async def test_show_waits_only_before_events_that_end_thoughts() -> None:
    wait_count = 0
    for seed in SEEDS:
        plain_show, full_show = [
            [entry for entry in await show_entries(events) if entry["type"] not in ("thought_shown", "note_given")]
            for events in (hand_events(seed), hand_with_thoughts(seed))
        ]
        assert list_types(plain_show) == list_types(full_show)
        for (plain, next_plain), (entry, next_entry) in zip(pairwise(plain_show), pairwise(full_show), strict=True):
            wait_ms = next_entry["at_ms"] - entry["at_ms"] - (next_plain["at_ms"] - plain["at_ms"])
            is_end = next_entry["type"] in ("street_dealt", "pot_awarded") or entry.get("all_in")
            assert wait_ms == 0 or (wait_ms > 0 and is_end), entry
            wait_count += wait_ms > 0
    assert wait_count


async def test_bot_that_repeats_itself_is_shown_less_often() -> None:
    shows = [[event for seed in SEEDS for event in hand_with_thoughts(seed, text)] for text in ("", new_text(0, 1))]
    new_count, repeated_count = [list_types(await show_entries(hands)).count("thought_shown") for hands in shows]
    assert repeated_count < new_count


def apply(state: State, at_ms: int, event: Event, hold_ms: int = 0) -> State:
    return reduce(state, state.seq + 1, at_ms, hold_ms, event)


def read_chat(state: State) -> list[tuple[str, int, int]]:
    return [(line.text, line.from_ms, line.to_ms) for line in state.chat]


FOUR_SEATS = State(seats=tuple(Seat(bot, 100) for bot in (1, 2, 3, 4)))
TEXT = "a" * 90
READING_MS = 6000


def test_thought_has_sixty_milliseconds_for_each_character_within_limits() -> None:
    assert [thought_ms("x" * length) for length in (1, 90, 140, 600)] == [2500, READING_MS, 9000, 10_000]
    claims = Checked(0, 9, right=False, truth="has: aces"), Checked(9, 20, right=True)
    assert thought_ms("x" * 78, claims) == READING_MS, "viewers must have time to read the truth beside a claim, too"


def test_thought_displaces_chat_and_keeps_two_thirds_of_its_time() -> None:
    state = apply(apply(FOUR_SEATS, 0, ChatSent(1, "five words and no more")), 500, ChatSent(2, "me too"))
    state = apply(state, 1000, ThoughtShown(3, TEXT))
    assert read_chat(state) == [(TEXT, 1000, 1000 + READING_MS)], "chat that would wait too long must be dropped"
    state = apply(state, 3000, ThoughtShown(4, "another"))
    assert read_chat(state) == [(TEXT, 1000, 5000), ("another", 5000, 7500)]
    assert read_chat(apply(state, 3000, ThoughtShown(9, "not at the table"))) == read_chat(state)


def test_thought_stays_with_its_action_and_gives_way_to_the_stakes() -> None:
    state = apply(FOUR_SEATS, 0, ThoughtShown(1, TEXT), hold_ms=9000)
    assert read_chat(state) == [(TEXT, 0, 9000)]
    lines_of_both = read_chat(apply(state, 1000, ThoughtShown(2, "another"), hold_ms=1000))
    assert lines_of_both == [(TEXT, 0, 4000), ("another", 4000, 6500)]
    state = apply(FOUR_SEATS, 0, ThoughtShown(1, TEXT))
    silent_focus = FocusChanged("table", (), None, "", silent=True)  # in a silent moment, chat waits, but thoughts stay
    assert read_chat(apply(state, 1000, silent_focus, 5000)) == [(TEXT, 0, READING_MS)]
    assert read_chat(apply(state, 1000, StakesShown(0, ()), 5000)) == [(TEXT, 0, 4000)]  # StakesShown: what is at stake


def test_chat_returns_after_the_stakes_unless_half_of_its_time_was_over() -> None:
    chat = apply(FOUR_SEATS, 0, ChatSent(1, "five words and no more"))
    assert read_chat(apply(chat, 500, StakesShown(0, ()), 2600)) == [("five words and no more", 3100, 5975)]
    assert not read_chat(apply(chat, 2000, StakesShown(0, ()), 2600))


def test_thought_ends_with_its_decision_but_chat_stays() -> None:
    state = apply(apply(FOUR_SEATS, 0, ThoughtShown(1, TEXT)), 500, ThoughtShown(2, "waits"))
    fold = ActionTaken(0, "fold", 0, 0, False, 1)
    assert read_chat(apply(state, 1000, fold)) == [("waits", 4000, 6500)]
    assert read_chat(apply(state, 1000, replace(fold, seat=1))) == [(TEXT, 0, 4000)], "a waiting thought must end, too"
    assert read_chat(apply(state, 1000, replace(fold, seat=2))) == read_chat(state)
    turn = TurnStarted(0, 100, 0, 0, 3000)
    assert read_chat(apply(state, 1000, turn)) == [("waits", 4000, 6500)]
    assert read_chat(apply(state, 1000, PotAwarded(0, 0, ()), 2000)) == []
    chat = apply(FOUR_SEATS, 0, ChatSent(1, "five words and no more"))
    assert read_chat(apply(chat, 500, replace(fold, seat=0))) == read_chat(chat), "chat must outlive decisions"
    flop = replace(FOUR_SEATS, hand=Hand(1, 0, 50, 100, 0, "flop"))
    state = apply(apply(flop, 0, ThoughtShown(1, TEXT)), 500, ThoughtShown(2, "waits until the first has been read"))
    assert [line.street for line in state.chat] == ["flop", "flop"]
    assert not apply(state, 1000, StreetDealt("turn", ("2c",))).chat
    chat = apply(flop, 0, ChatSent(1, "five words and no more"))
    assert read_chat(apply(chat, 500, StreetDealt("turn", ("2c",)))) == read_chat(chat)


@pytest.mark.parametrize(
    ("acts", "decisive"),
    [
        ("raise:5000 call", ["raise", "call"]),
        ("raise:600 call raise:600 call raise:1200 fold", ["bet", "bet"]),
        ("raise:200 call raise:200 fold", []),
    ],
    ids=["an all-in and its call", "a bluff with seven high", "a bluff for few chips"],
)
def test_all_in_or_bluff_is_decisive_in_a_big_pot(acts: str, decisive: list[str]) -> None:
    entries = last_hand(play_one_hand(acts, holes=("Ks Kh", "7c 2d"), board="Ah Td 5s 4c 9d"))
    decisive_events = [entry.event for entry in entries if is_decisive(entry)]
    assert [event.act for event in decisive_events if isinstance(event, ActionTaken)] == decisive
    believing_entries = [replace(entry, believes_ahead=True) for entry in entries]
    are_all_in = [entry.table.seats[1].all_in for entry in believing_entries if is_decisive(entry)]
    assert all(are_all_in), "the bet of a bot that believes it is ahead must not count as a bluff"


async def test_every_thought_can_be_read_before_it_ends() -> None:
    thought_ends, moments = list[tuple[type[Event], bool]](), list[tuple[Event, State, int]]()
    for seed in range(24):
        async with running_show(*opening(), *hand_with_thoughts(seed)) as show:
            show.air.recorders.add(lambda entry, before, _: moments.append((entry.event, before, entry.at_ms)))
            await show.clock.run(5000)
    for event, picture, at_ms in moments:
        ended_lines = picture.chat if isinstance(event, StreetDealt | PotAwarded) else ()
        if isinstance(event, TurnStarted):
            ended_lines = tuple(line for line in picture.chat if line.bot == picture.seats[event.seat].bot)
        for line in ended_lines:
            thought_ends.append((type(event), line.to_ms > at_ms))
            assert at_ms >= line.from_ms + thought_ms(line.text) * 2 // 3
    assert {*thought_ends} == {*product((StreetDealt, PotAwarded), (True, False)), (TurnStarted, True)}


async def test_thought_comes_with_counts_of_all_and_of_false_claims() -> None:
    hands = [event for seed in (3, 5, 8) for event in hand_with_thoughts(seed, "I have pocket aces.")]
    action_counts, claim_counts, has_aces = Counter[int](), list[tuple[int, int]](), dict[int, bool]()
    false_counts = Counter[int]()
    for entry in await show_entries(hands):
        if entry["type"] == "hole_dealt":
            has_aces[entry["seat"] + 1] = {card[0] for card in entry["cards"]} == {"A"}
        if entry["type"] == "action_taken":
            bot = entry["seat"] + 1
            action_counts[bot] += 1
            false_counts[bot] += not has_aces[bot]
        if entry["type"] == "thought_shown":
            claim_counts.append((entry["claims"], entry["false_claims"]))
            assert claim_counts[-1] == (action_counts[entry["bot"]], false_counts[entry["bot"]])
    assert max(claim_counts) > (3, 0)


async def run_and_kill_twice(
    bus: Bus, diary_path: Path, run_seconds: tuple[float, float], odds: OddsCalculator | None = None
) -> list[list[tuple[Event, State]]]:
    """Runs and kills a show twice, with one diary (file of what was on air). Returns each run's events and states."""
    clock, runs = ManualClock(), list[list[tuple[Event, State]]]()
    for seconds in run_seconds:
        runs.append([])
        show = ShowOnFakeClock(bus=bus, clock=clock, diary=Diary(diary_path), odds=odds)
        show.air.recorders.add(lambda entry, _, after: runs[-1].append((entry.event, after)))
        async with show.running_task():
            await settle()
            await (odds.wait_until_done() if odds else settle())
            await clock.run(seconds)
    return runs


@pytest.mark.parametrize("kill_seconds", [25.0, 31.0, 40.0])
async def test_studio_that_was_killed_shows_the_same_thoughts_again(kill_seconds: float, tmp_path: Path) -> None:
    """The restarted studio (the show's server) repeats what the killed one put on air, with the same times."""
    bus = Bus(None, lambda: 0.0)
    first, second = hand_with_thoughts(3, "I have pocket aces."), hand_with_thoughts(5, "I have pocket kings.")
    bus.publish(*opening(), *first, *second)
    before, after = await run_and_kill_twice(bus, tmp_path / "aired", (kill_seconds, kill_seconds))
    assert any(isinstance(event, ThoughtShown) for event, _ in before)
    assert after[: len(before)] == before
    thoughts_in_diary = sum(isinstance(line, ThoughtLine) for line in read_diary(tmp_path / "aired"))
    assert sum(isinstance(event, ThoughtShown) for event, _ in after) == thoughts_in_diary


async def test_cue_for_reading_scores_waits_for_the_end_of_the_hand() -> None:
    async with running_show(*opening(), *hand_with_thoughts(3, "I have pocket aces.")) as show:
        await show.set("chat", value=False, bot=2)
        await show.run_until_aired("action_taken")
        await show.cue("reading")  # asks for the scene that tells how often bots' thoughts were true
        await show.run_until_aired("scene_shown")
        hand_end = list_types(show.aired).index("hand_ended")
        assert hand_end < list_types(show.aired).index("scene_shown"), "the scene must wait for the end of the hand"
        rows = show.air.picture.statistics.rows
        assert show.air.picture.scene == "reading"
        assert {row.bot for row in rows if row.reading} == {1, 3, 4, 5, 6}, "a muted bot's thoughts must not count"
        caption = next(entry["text"] for entry in reversed(show.aired[:hand_end]) if entry["type"] == "caption_spoken")
        await show.run_until_aired("scene_shown", times=2)
        assert (show.air.picture.scene, show.air.picture.caption) == ("table", caption)
        scene_times_ms = [entry["at_ms"] for entry in show.aired if entry["type"] == "scene_shown"]
        assert scene_times_ms[1] - scene_times_ms[0] == SCENES["reading"].hold_ms


async def test_other_tasks_run_between_checks_of_notes() -> None:
    """Checking a bot's note takes milliseconds, and a hand may have sixty notes. Other tasks must run in between."""
    bus, turn_counter = Bus(None, lambda: 0.0), count()
    bus.publish(*opening(), *hand_with_thoughts(3))
    notes = [entry for entry in bus.entries if isinstance(entry.event, NoteGiven)]
    hand = [entry for entry in bus.entries if entry not in notes]

    async def wait_and_count() -> None:
        while True:
            next(turn_counter)
            await asyncio.sleep(0)

    async with background_task(wait_and_count()):
        await Thoughts().read_group(hand, notes)
    assert next(turn_counter) >= len(notes) > 10


def test_estimate_is_close_within_ten_points_and_far_off_beyond_twenty() -> None:
    chances = (None, 0.0, 0.34, 0.35, 0.44, 0.45, 0.55, 0.65, 0.66, 0.75, 0.76, 1.0)
    estimates = [Estimate(0, 1, 0.55, chance, compared_chance=chance) for chance in chances]
    assert [estimate.compared_chance for estimate in estimates if estimate.is_close] == [0.45, 0.55, 0.65]
    assert [estimate.compared_chance for estimate in estimates if estimate.is_far_off] == [0.0, 0.34, 0.76, 1.0]
    values_and_ends = ((0.1, 0.0), (0.02, 0.0), (0.95, 1.0))
    assert [Estimate(0, 1, value, end, compared_chance=end).is_close for value, end in values_and_ends] == [
        False,
        True,
        False,
    ]


async def test_estimate_is_compared_with_the_chance_shown_before_the_action() -> None:
    verdicts: list[tuple[bool, bool]] = []
    for seed in range(40):
        chances, chances_at_actions = dict[int, Chance](), list[Chance | None]()
        hand = hand_with_thoughts(seed, "I am 60% to win.")
        for entry in at_table([*opening(), *hand]):
            if isinstance(entry.event, ActionTaken):
                chances_at_actions.append(chances.get(entry.event.seat))
            if situation := situation_after(entry):
                chances = {chance.seat: chance for chance in equities_of(situation).chances}
        for note in await show_entries(hand):
            chance = chances_at_actions[note["action"] - 1] if note["type"] == "thought_checked" else None
            if chance and not chance.tie:
                (mark,), percent = note["checked"], (chance.win + 5) // 10
                shown_chance = "<1%" if 0 < chance.win < 10 else ">99%" if 990 < chance.win < 1000 else f"{percent}%"
                assert mark["truth"] == f"real: {shown_chance}"
                assert mark["right"] == (abs(60 - percent) <= 20)
                assert mark.get("close", False) == (abs(60 - percent) <= 10)
                verdicts.append((mark["right"], mark.get("close", False)))
    assert {*verdicts} == {(True, True), (True, False), (False, False)}


async def test_choice_of_thoughts_does_not_depend_on_later_thoughts() -> None:
    for seed in SEEDS:
        hand = hand_with_thoughts(seed)
        later_notes = [event for event in hand if isinstance(event, NoteGiven) and event.action > 4]
        changed = [replace(event, text="Something else.") if event in later_notes else event for event in hand]
        original_show, changed_show = [await show_entries(events) for events in (hand, changed)]
        actions = [index for index, entry in enumerate(original_show) if entry["type"] == "action_taken"]
        assert original_show[: actions[4]] == changed_show[: actions[4]]


@pytest.mark.parametrize(
    ("thought", "is_bluff"),
    [("I am about 10% to win, so a bluff it is.", True), ("He has nothing. I have two pair, so I bet.", False)],
)
async def test_bot_that_believes_it_is_ahead_is_not_bluffing(thought: str, tmp_path: Path, *, is_bluff: bool) -> None:
    """The operator has switched thoughts off. The studio is killed after the bet, and started again."""
    bus = Bus(None, lambda: 0.0)
    bus.publish(ControlSet("thoughts", False, False, 0, "Ada"))
    bet_with_six_high = play_one_hand("raise:1500 call raise:1900 fold", ("Ah Qd", "6h 2d"), "Ac Kd 9h Ts 3c").entries
    bus.publish(*(entry.event for entry in bet_with_six_high if type(entry.event).__module__.startswith("server.")))
    bus.publish(NoteGiven(2, 3, thought))
    first_run, second_run = await run_and_kill_twice(bus, tmp_path / "aired", (32.5, 500), OddsCalculator())
    assert sum(isinstance(event, ActionTaken) for event, _ in first_run) >= 3
    assert not any(isinstance(event, PotAwarded) for event, _ in first_run)
    assert second_run[: len(first_run)] == first_run
    aired = [event for event, _ in second_run]
    assert ("bluffing" in {event.role for event in aired if isinstance(event, FocusChanged)}) is is_bluff
    assert ("Bluff" in {event.mark for event in aired if isinstance(event, HighlightMarked)}) is is_bluff
