"""Commentators always have enough true storylines (remarks on the contest). A show repeats none within ten minutes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from broadcast.archive.archive import INDEX_FILE
from broadcast.archive.database import open_connection, open_index
from broadcast.archive.indexing import find_changed, index_recordings
from broadcast.commentary.commentary import STORYLINE_EVENTS, Commentary
from broadcast.commentary.storylines import earlier_facts, storyline
from broadcast.commentary.storylines.bot_facts import Extreme, HandNumber
from broadcast.commentary.storylines.earlier_facts import EarlierFacts, EarlierHand, OverallRecord, earlier_facts_of
from broadcast.commentary.storylines.earlier_lines import earlier_lines
from broadcast.commentary.storylines.evening_facts import EveningFacts
from broadcast.commentary.storylines.storylines import Storylines
from broadcast.on_air.events import CaptionSpoken
from broadcast.on_air.table_state import with_tables
from server.app.studio.earlier_contests import read_earlier_contests
from server.contests.acpc.rules import ACPC_FORMAT
from server.contests.arena.rules import ARENA_FORMAT
from server.contests.enova.rules import ENOVA_FORMAT
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import HAND_EVENTS, BotEliminated, Entrant, HandEnded, HandStarted, TournamentOpened
from server.game.formats import Format, as_series
from server.journal.journal import Entry, Journal, read_journal
from tests.commentary.storyteller.evening import Evening, Hand
from tests.commentary.storyteller.sentences import is_true
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.games.contests import play_contest
from tests.support.games.house_contests import play_house_contest
from tests.support.games.recordings import KEPT_FOLDER, KEPT_RECORDINGS, of_kind, small_contest

FORMATS: dict[str, tuple[Format, int]] = {
    "quick draw": (QUICK_DRAW_FORMAT, 8),
    "arena": (replace(ARENA_FORMAT, starting_stack=5000), 4),
    "series": (as_series(replace(ARENA_FORMAT, starting_stack=300), 4), 4),
    "series of two": (as_series(replace(ARENA_FORMAT, starting_stack=300), 9), 2),
    "enova": (ENOVA_FORMAT, 12),
    "acpc": (replace(ACPC_FORMAT, stages=(replace(ACPC_FORMAT.stages[0], hands=12),)), 6),
}


def find_storylines(entries: Iterable[Entry]) -> list[storyline.Storyline]:
    """Returns the storylines offered after each event that may change them. Fails if one is not true."""
    commentary, evening = Commentary(), Evening()
    lines, untrue = list[storyline.Storyline](), list[str]()
    for entry in with_tables(entries):
        commentary.events_after(entry)
        evening.add(entry.event)
        if isinstance(entry.event, STORYLINE_EVENTS):
            lines += commentary.talking_points.lines
            untrue += [line.text for line in commentary.talking_points.lines if not is_true(evening, line.text)]
    assert untrue == []
    return lines


@pytest.mark.parametrize("name", [*FORMATS, *KEPT_RECORDINGS])
def test_journal_confirms_every_storyline(name: str) -> None:
    contest, bots = FORMATS.get(name, (None, 0))
    entries = play_contest(4, bots, contest) if contest else read_journal(KEPT_FOLDER / name).entries
    assert len({line.kind for line in find_storylines(entries)}) > (5 if contest else 0)


HANDS_IN_THREE_MINUTES = 5
"""The fewest hands that a show at speed 1 plays in three minutes."""
KINDS_ABOUT_THE_PRESENT = {
    "gap", "short stack", "share of chips", "close at the top", "title odds", "hands left", "games left", "two bots",
    "hands to go", "level", "the line", "next blinds", "last two", "one more out",
}  # fmt: skip
"""Kinds of storylines about the present state of the contest, not about an event."""


@pytest.mark.parametrize(
    ("contest", "seed", "bots"),
    [("quick-draw", 5, 12), ("enova", 5, 12), ("upac", 5, 2), ("upac", 6, 2), ("arena", 5, 8), ("acpc", 5, 6)],
)
def test_after_ten_minutes_there_are_always_eight_storylines(contest: str, seed: int, bots: int) -> None:
    commentary, hands, all_topics = Commentary(), 0, set[str]()
    for entry in with_tables(play_house_contest(contest, seed, bots)):
        commentary.events_after(entry)
        hands += isinstance(entry.event, HandEnded)
        may_change = isinstance(entry.event, HandStarted | HandEnded | BotEliminated)
        if hands < storyline.HANDS_IN_TEN_MINUTES or not may_change:
            continue
        talk = commentary.talking_points
        assert len(talk.lines) >= 8
        topics = {line.topic for line in talk.lines}
        assert len(topics) >= 5
        all_topics |= topics
        ages = [line.hands_ago for line in talk.lines if line.kind not in KINDS_ABOUT_THE_PRESENT]
        assert sum(age is not None and age <= HANDS_IN_THREE_MINUTES for age in ages) >= 2
        assert len({line.key for line in talk.lines}) == len(talk.lines)
        ranks = [storyline.IMPORTANCES.index(line.importance) for line in talk.lines]
        assert ranks == sorted(ranks)
        assert talk.hands == talk.statistics.hands == hands
    assert hands
    assert contest != "quick-draw" or all_topics == {*get_args(storyline.Topic)} - {"earlier contests", "the series"}


def test_storylines_are_only_about_hands_that_are_over() -> None:
    entries, lines_at_starts = play_house_contest("arena", 5, 8), list[Sequence[storyline.Storyline]]()
    full_commentary, cut_commentary = Commentary(), Commentary()
    for entry in with_tables(entries):
        full_commentary.events_after(entry)
        if isinstance(entry.event, HandStarted):
            lines_at_starts.append(full_commentary.talking_points.lines)
            last_hand = full_commentary.talking_points.last_hand
        elif isinstance(entry.event, HAND_EVENTS) and not isinstance(entry.event, HandEnded):
            assert full_commentary.talking_points.lines == lines_at_starts[-1], "no storyline may change during a hand"
            assert full_commentary.talking_points.last_hand == last_hand
    starts = [index for index, entry in enumerate(entries) if isinstance(entry.event, HandStarted)]
    for entry in with_tables(entries[: starts[30] + 1]):
        cut_commentary.events_after(entry)
    assert cut_commentary.talking_points.lines == lines_at_starts[30], "storylines must not depend on later hands"


def test_rarity_of_a_storyline_counts_tonight_and_earlier_contests() -> None:
    storylines, begun_counts, running_keys, hands = Storylines(), Counter[str](), set[str](), 0
    commentary = Commentary()
    for entry in with_tables(play_house_contest("arena", 1, 8)):
        commentary.events_after(entry)
        storylines.apply(entry.event, entry.table)
        if not isinstance(entry.event, HandEnded):
            continue
        hands += 1
        kinds = ("double-up", "comeback", "elimination")
        lines = [line for line in commentary.talking_points.lines if line.kind in kinds]
        begun_counts.update(line.kind for line in lines if line.key not in running_keys)
        running_keys = {line.key for line in lines}
        for line in lines:
            rarity = hands // begun_counts[line.kind]
            is_rare = hands >= storyline.MIN_HANDS_FOR_RARITY and rarity >= storyline.MIN_HANDS_PER_RARE
            assert line.hands_per_storyline == (rarity if is_rare else 0)
    assert hands > storyline.MIN_HANDS_FOR_RARITY
    assert begun_counts.keys() >= {"double-up", "elimination"}
    storylines.earlier_facts = EarlierFacts(hands=9000, begun_counts={"double-up": 10})
    assert storylines.hands_per_storyline("double-up") == (9000 + hands) // (10 + begun_counts["double-up"])


def test_unlikely_droughts_and_streaks_are_storylines_and_captions() -> None:
    script = Script(NAMES[:4]).connect().stage("High Noon", games=1, advance=0).game((1, 2, 3, 4))
    for _ in range(13):
        script.hand("raise:5000 fold fold fold", button=0)
    events = [entry.event for entry in script.entries]
    lines = find_storylines(Entry(1, 0, event) for event in events if type(event).__module__.startswith("server."))
    droughts = {line.text.rpartition(" in ")[2] for line in lines if line.kind == "drought"}
    assert droughts == {"11 hands.", "12 hands.", "13 hands."}, (
        "with four bots, a drought's chance is below 0.05 from 11 hands on: 0.75 ** 11 is 0.042, 0.75 ** 10 is 0.056"
    )
    streaks = {(line.text.split()[-5], line.importance) for line in lines if line.kind == "streak"}
    assert streaks >= {("three", "background"), ("four", "worth telling"), ("five", "just now")}
    additions = [event for before, event in pairwise(events) if isinstance(before, HandStarted)]
    captions = [event.text for event in additions if isinstance(event, CaptionSpoken)]
    assert "has won three pots in a row." in captions[3]
    assert captions[4] == "Hand 5 of 6. Billy the Kid has the button."


def texts_of(entries: Iterable[Entry]) -> dict[str, set[str]]:
    texts = defaultdict[str, set[str]](set)
    for line in find_storylines(entries):
        texts[line.kind].add(line.text)
    return texts


def with_entrants(entries: Sequence[Entry], change: Callable[[Entrant], Entrant]) -> list[Entry]:
    (opened,) = of_kind(entries, TournamentOpened)
    return [replace(entries[0], event=replace(opened, entrants=tuple(map(change, opened.entrants)))), *entries[1:]]


def test_prizes_are_mentioned_unless_a_player_has_several_bots_in_the_last_stage() -> None:
    entries = play_house_contest("arena", 3, 8)
    texts = texts_of(entries)
    assert texts["prizes"] == {"The top five are paid: $15 for 1st, down to $5 for 5th."}
    nothing = "The next bot out gets nothing, and everybody else is guaranteed at least $5."
    assert texts["next out"] >= {nothing, "The next bot out gets $5."}
    one_player = with_entrants(entries, lambda bot: replace(bot, player="Ada"))
    assert not {"prizes", "next out", "last in the money", "worth of the lead"} & texts_of(one_player).keys()


def test_storylines_of_a_rated_duel_have_score_and_points_at_stake() -> None:
    entries = play_house_contest("upac", 5, 2, rating=1000_00)
    worst, best = (bot.name for bot in of_kind(entries, TournamentOpened)[0].entrants)
    texts = texts_of(with_entrants(entries, lambda bot: replace(bot, rating=960_00 if bot.bot == 1 else 1040_00)))
    assert texts["rating at stake"] == {f"{best} can gain 4.6 rating points in this game, or lose 7.4."}, (
        "a bot rated 80 points higher must gain 12 / (1 + 10 ** (80 / 400)) = 4.6 points, or lose 12 - 4.6 = 7.4"
    )
    assert f"{best} is rated 80 points above {worst}." in texts["rating"]
    assert texts.keys() >= {"score in pots", "pots lately", "rating now", "underdog"}
    assert "first meeting" not in texts
    assert not texts_of(play_house_contest("upac", 5, 2)).keys() & {"rating", "rating now", "rating at stake"}


def line(kind: str, *bots: int, importance: storyline.Importance = "background") -> storyline.Storyline:
    return storyline.Storyline("streaks", kind, bots, f"{kind} {bots}", importance, (HandNumber(1, 1),), 5)


def test_storyline_is_not_repeated_within_ten_minutes() -> None:
    history, lines = storyline.StorylineHistory(), [line("drought", 1), line("streak", 2), line("nemesis", 2, 1)]
    announced = defaultdict[str, list[int]](list)
    for hand in range(200):
        if chosen := history.choose(lines, hand, (1, 2)):
            announced[chosen.text].append(hand)
    for hands in announced.values():
        assert len(hands) > 5
        assert all(later - earlier > storyline.HANDS_IN_TEN_MINUTES for earlier, later in pairwise(hands))
    history = storyline.StorylineHistory()
    assert history.choose([line("head to head", 1, 2)], 0, (1, 2))
    assert history.choose([line("head to head", 2, 1)], 9, (1, 2)) is None, "the order of the two bots must not matter"
    history, past = storyline.StorylineHistory(), replace(line("contests won", 1), earlier=(EarlierHand("evening"),))
    assert [hand for hand in range(200) if history.choose([past], hand, (1, 2))] == [0]


def test_important_storylines_come_first_then_the_least_mentioned_bot() -> None:
    history = storyline.StorylineHistory()
    assert history.choose([line("drought", 7)], 0, (1, 2)) is None, "bot 7 is at another table"
    minor, major = line("a", 1, importance="for a pause"), line("b", 2, importance="worth telling")
    assert history.choose([minor, major], 0, (1, 2)) == major
    assert history.choose([line("c", 2), line("d", 1)], storyline.MIN_HANDS_BETWEEN - 1, (1, 2)) is None, (
        "a storyline must not follow too soon after the previous one"
    )
    assert history.choose([line("c", 2), line("d", 1)], storyline.MIN_HANDS_BETWEEN, (1, 2)) == line("d", 1)
    assert history.choose([line("e", 2, importance="just now")], storyline.MIN_HANDS_BETWEEN + 1, (1, 2))


EARLIER_CONTESTS = ("one", "two", "three")
DOC, TESS = 1, 2
LATEST_HAND = HandNumber(1, 40)


def test_only_complete_contests_of_the_same_kind_before_tonight_are_earlier_contests(tmp_path: Path) -> None:
    first, second = small_contest(), small_contest(3)
    (opened,) = of_kind(first, TournamentOpened)
    other = [replace(first[0], event=replace(opened, contest="enova")), *first[1:]]
    for day, name, entries in (
        (1, "one", first), (2, "two", second), (3, "three", first), (25, "later", first), (10, "cut-short", first[:60]),
        (11, "practice/game", first), (12, "other", other), (13, "altered", first),
    ):  # fmt: skip
        journal = Journal(tmp_path / f"{name}.jsonl", f"2026-11-{day:02}T19:00:00.000+00:00")
        journal.append(entries)
        journal.close()
    altered_path = tmp_path / "altered.jsonl"
    altered_path.write_text(altered_path.read_text().replace("Bot 3", "Bot 9", 1))
    open_index(tmp_path / INDEX_FILE)
    index_recordings(tmp_path / INDEX_FILE, tmp_path, find_changed(tmp_path / INDEX_FILE, tmp_path))
    with open_connection(tmp_path / INDEX_FILE) as index:
        earlier = earlier_facts_of(read_earlier_contests(index, "tonight", "2026-11-20T19:00:00.000+00:00"), opened)
    assert {*earlier.played.values()} == {EARLIER_CONTESTS}
    contests = [Evening(entries).hands for entries in (first, second)]
    runs = [run for hands in contests for bot in range(1, 9) for run in runs_of(hands, bot)]
    assert {kind: (record.amount, record.contests) for kind, record in earlier.records.items()} == {
        "won": (max(won for hands in contests for hand in hands for won in hand.won.values()), 3),
        "streak": (max(length for is_won, length in runs if is_won), 3),
        "drought": (max(length for is_won, length in runs if not is_won), 3),
    }
    assert earlier.hands == sum(map(len, contests)) + len(contests[0])
    assert earlier.begun_counts["first out"] == 3, "in each of the three contests, one bot was the first to be out"


def runs_of(hands: Sequence[Hand], bot: int) -> list[tuple[bool, int]]:
    """Returns a bot's runs as (won, length). In a run, the bot won chips in every hand (True) or in none (False)."""
    results = (bool(hand.won.get(bot)) for hand in hands if bot in hand.began)
    return [(is_won, len([*run])) for is_won, run in groupby(results)]


def contest(number: int, places: dict[str, int], *, stack: int = 5000, won: int = 100) -> earlier_facts.EarlierContest:
    finalists = frozenset(name for name, place in places.items() if place <= 2)
    return earlier_facts.EarlierContest(
        f"evening-{number}", "quick-draw", stack, places, finalists, {"won": earlier_facts.ContestRecord(won, 7)}
    )


def opening_with(*names: str) -> TournamentOpened:
    entrants = tuple(Entrant(bot, name, "") for bot, name in enumerate(names, start=1))
    return replace(of_kind(small_contest(), TournamentOpened)[0], entrants=entrants, starting_stack=5000)


def test_only_the_same_name_is_the_same_bot() -> None:
    past = [contest(number, {"Doc": 1, "doc": 2}) for number in range(3)]
    earlier = earlier_facts_of(past, opening_with("Doc", "DOC", "doc"))
    assert {bot: len(won) for bot, won in earlier.won.items()} == {1: 3, 2: 0, 3: 0}
    assert earlier.played[2] == ()
    assert [*earlier.always_ahead] == [(1, 3)]
    past = [contest(number, {"Doc": place}) for number, place in enumerate((1, 5, 2, 1))]
    assert earlier_facts_of(past, opening_with("Doc")).finals_in_a_row[1] == ("evening-2", "evening-3")


def test_chips_are_compared_only_between_contests_with_equal_starting_stacks() -> None:
    past = [contest(number, {"Doc": 1}, won=number) for number in range(3)]
    past.append(contest(3, {"Doc": 1}, stack=100_000, won=90_000))
    record = earlier_facts_of(past, opening_with("Doc")).records["won"]
    assert (record.amount, record.contests, record.where.recording) == (2, 3, "evening-2")
    assert earlier_facts_of(past[2:], opening_with("Doc")).records == {}, "two contests must be too few for a record"


def test_only_games_between_two_bots_alone_are_duels() -> None:
    past = [
        contest(0, {"Doc": 1, "Tess": 2}), contest(1, {"Doc": 2, "Tess": 1}), contest(2, {"Doc": 1, "Wyatt": 2}),
        contest(3, {"Doc": 1, "Tess": 2, "Wyatt": 3}), contest(4, {"Doc": 1, "Tess": 2}),
    ]  # fmt: skip
    earlier = earlier_facts_of(past, opening_with("Doc", "Tess"))
    assert earlier.duels == ("evening-0", "evening-1", "evening-4")
    assert earlier.duels_won == {DOC: ("evening-0", "evening-4"), TESS: ("evening-1",)}
    assert earlier_facts_of(past, opening_with("Doc", "Tess", "Wyatt")).duels == ()


def records(kind: str, amount: int) -> Mapping[str, OverallRecord]:
    return {kind: OverallRecord(amount, 3, EarlierHand("one", 7))}


def evening(won: int = 0, lost: int = 0, longest: int = 0, in_final: bool = False, bot_out: int = 0) -> EveningFacts:
    """In these facts, Doc won the last `won` hands, or none of the last `lost`. Tess's longest run is `longest`."""
    facts = EveningFacts((DOC, TESS), 5000)
    for bot, bot_facts in facts.bots.items():
        bot_facts.stack = 0 if bot == bot_out else 5000
    facts.bots[DOC].winning_streak, facts.bots[DOC].drought = [LATEST_HAND] * won, [LATEST_HAND] * lost
    facts.bots[TESS].longest_streak = facts.bots[TESS].longest_drought = longest
    facts.last_hand, facts.records.biggest_pot = LATEST_HAND, Extreme(9000, DOC, LATEST_HAND)
    facts.finalists, facts.just_out = (DOC,) if in_final else (), {bot_out} - {0}
    return facts


@pytest.mark.parametrize(
    ("facts", "earlier", "text"),
    [
        (evening(), EarlierFacts(records("won", 8999)),
            "Doc has just won 9,000 in one hand, the most in all 4 contests here."),
        (evening(), EarlierFacts(records("won", 9000)), ""),
        (evening(won=5, longest=4), EarlierFacts(records("streak", 4)),
            "Doc has won five pots in a row, the most in all 4 contests here."),
        (evening(won=5), EarlierFacts(records("streak", 5)), ""),
        (evening(won=5, longest=5), EarlierFacts(records("streak", 4)), ""),
        (evening(lost=20, longest=19), EarlierFacts(records("drought", 19)),
            "Doc hasn't won a pot in 20 hands, the longest drought in all 4 contests here."),
        (evening(lost=19), EarlierFacts(records("drought", 3)), ""),
        (evening(in_final=True), EarlierFacts(finals_in_a_row={DOC: ("one",)}),
            "Doc is in the final for the 2nd time in a row."),
        (evening(in_final=True), EarlierFacts(), ""),
        (evening(bot_out=TESS), EarlierFacts(always_ahead={(TESS, DOC): EARLIER_CONTESTS}),
            "Doc is ahead of Tess for the first time in 4 contests."),
        (evening(), EarlierFacts(always_ahead={(TESS, DOC): EARLIER_CONTESTS}),
            "Tess has finished ahead of Doc in all 3 contests that both played."),
        (evening(), EarlierFacts(played={DOC: EARLIER_CONTESTS}, won={DOC: ("one",)}),
            "Doc has won 1 of its 3 earlier contests here."),
        (evening(), EarlierFacts(played={DOC: EARLIER_CONTESTS}), "Doc has won none of its 3 earlier contests here."),
        (evening(), EarlierFacts(played={DOC: EARLIER_CONTESTS[:2]}), ""),
        (evening(), EarlierFacts(duels=EARLIER_CONTESTS, duels_won={DOC: ("two",), TESS: ("one", "three")}),
            "Tess has won 2 of 3 earlier games against Doc."),
        (evening(), EarlierFacts(duels=EARLIER_CONTESTS, duels_won={DOC: ("two",), TESS: ("one",)}),
            "Doc and Tess have each won 1 of their 3 earlier games."),
        (evening(), EarlierFacts(duels=EARLIER_CONTESTS[:2], duels_won={DOC: EARLIER_CONTESTS[:2], TESS: ()}), ""),
    ],
)  # fmt: skip
def test_earlier_contests_are_mentioned_if_they_are_news(facts: EveningFacts, earlier: EarlierFacts, text: str) -> None:
    lines = [*earlier_lines(facts, earlier, {DOC: "Doc", TESS: "Tess"}.__getitem__)]
    assert [line.text for line in lines] == ([text] if text else [])
    assert all(line.earlier for line in lines)
