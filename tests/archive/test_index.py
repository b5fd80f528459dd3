"""The index of recordings has the right facts, can be rebuilt, and finds what visitors search for."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from broadcast.archive import queries
from broadcast.archive.database import IndexedRecording, open_connection, open_index, store_recording
from broadcast.archive.indexing import find_changed, index_recordings, summarise_recording
from broadcast.archive.queries import PER_PAGE, Search
from broadcast.archive.summary import HandSummary, HandWinnings, Summary, summarise
from broadcast.film.film import Film, film_recording  # a film is a recording prepared for replay
from server.app.recordings.archive import rebuild_index
from server.config.settings import Settings
from server.game.events import Event, HandEnded, NoteGiven, PotAwarded, TournamentEnded
from server.journal.journal import Entry
from tests.commentary.test_drama import journal_of, play_one_hand
from tests.overlay.support.scripted_show import NAMES, Script
from tests.support.games.recordings import of_kind, small_contest, with_names, write


@pytest.fixture
def index(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    open_index(tmp_path / "index.sqlite")
    with open_connection(tmp_path / "index.sqlite") as connection:
        yield connection


def add_games(index: sqlite3.Connection, count: int, hands_each: int = 2) -> None:
    """Adds recordings. In each hand of recording n, bot 1 wins 1,000 * n with a flush, and bot 2 wins 5 with a pair."""
    for number in range(count):
        pot = 1000 * number
        won = (HandWinnings(1, pot, "flush, ace high"), HandWinnings(2, 5, "a pair of twos"))
        hands = [HandSummary(at, 1, at, "Trials", 100, pot, 10, won, ("Big pot",)) for at in range(1, hands_each + 1)]
        summary = Summary("quick-draw", "Game", True, 1, {1: f"Bot {number % 7}", 2: "Other"}, {1: 1, 2: 2}, hands)
        moment = f"2026-11-21T10:{number // 60:02}:{number % 60:02}+00:00"
        store_recording(index, IndexedRecording(f"game-{number:05}", "1-1", "shown", moment, "", summary))


def read_tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    tables = ("recordings", "entrants", "hands", "players", "marks")
    with open_connection(path) as index:
        return {table: sorted(index.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}  # noqa: S608


def summary_of_script(script: Script, *more: Event) -> tuple[Summary, Film]:
    """Returns the summary and the film of a recording that has the script's events, followed by those in `more`."""
    events = (*(entry.event for entry in journal_of(script)), *more)
    entries = [Entry(seq, 0, event) for seq, event in enumerate(events, 1)]
    return summarise(entries), film_recording(entries)


@pytest.mark.parametrize("thought", ["I bluff.", "I have two pair."])
def test_summary_marks_a_hand_as_a_bluff_only_if_the_bot_meant_to_bluff(thought: str) -> None:
    script = play_one_hand("raise:1500 call raise:1900 fold", ("Ah Qd", "6h 2d"), "Ac Kd 9h Ts 3c")
    summary, film = summary_of_script(script, NoteGiven(2, 3, thought))
    (hand,) = summary.hands
    assert ("Bluff" in hand.marks) == (thought == "I bluff.")
    assert [hand.marks] == [tuple(each.marks) for each in film.outline.hands[1:]]


def test_summary_of_a_recording_agrees_with_the_show() -> None:
    entries = small_contest()
    summary, film = summarise(entries), film_recording(entries)
    for hand, filmed in zip(summary.hands, film.outline.hands[1:], strict=True):
        assert (hand.pot, [*hand.marks], hand.stage, hand.game) == (filmed.pot, filmed.marks, filmed.stage, filmed.game)
    assert sum(hand.pot for hand in summary.hands) == sum(pot.amount for pot in of_kind(entries, PotAwarded))
    assert len(summary.hands) == len(of_kind(entries, HandEnded))
    (ended,) = of_kind(entries, TournamentEnded)
    assert summary.places == {placing.bot: placing.place for placing in ended.placings}


def test_summary_of_a_hand_with_side_pots_is_about_its_biggest_winner() -> None:
    script = Script(NAMES[:3]).connect().stage(games=1, advance=0).game((1, 2, 3), (3000, 4000, 4000))
    script.hand("raise:3000 raise:4000 call", holes={0: "Ah 2h", 1: "Ks Kd", 2: "Qs Qd"}, board="3h 9h Jh 5c 6d")
    (hand,) = summary_of_script(script)[0].hands
    assert [(won.bot, won.amount) for won in hand.won] == [(1, 9000), (2, 2000), (3, 0)]
    assert hand.made == "flush"


def test_page_of_hands_reads_no_other_hands_of_a_long_recording(index: sqlite3.Connection) -> None:
    add_games(index, 1, hands_each=1000)
    row = queries.find_recording(index, "game-00000")[2]
    assert row is not None
    statements: list[str] = []
    index.set_trace_callback(statements.append)
    assert [hand.number for hand in queries.hands_of(index, row, skip=400, limit=200)] == [*range(401, 601)]
    assert len(statements) <= 1 + 3 * 200


def test_rebuilt_index_equals_an_index_that_was_kept_up_to_date(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "recordings"
    index = folder / "archive.sqlite"
    write(folder / "one.jsonl", small_contest())
    open_index(index)
    index_recordings(index, folder, find_changed(index, folder))
    write(folder / "practice" / "two.jsonl", with_names(small_contest(), "Señor Tilt"))
    write(folder / "deleted.jsonl", small_contest()[:30])
    index_recordings(index, folder, find_changed(index, folder))
    (folder / "deleted.jsonl").unlink()
    (folder / "one.jsonl").write_bytes((folder / "one.jsonl").read_bytes() + b'{"torn')
    assert find_changed(index, folder) == ["one"]
    index_recordings(index, folder, ["one"])
    assert find_changed(index, folder) == []
    updated = read_tables(index)
    assert rebuild_index(Settings(data=tmp_path / "data")) == 0
    rebuilt = read_tables(index)
    assert [len(rebuilt["recordings"]), len(rebuilt["entrants"])] == [2, 16]
    for tables in (updated, rebuilt):  # names' ids depend on the order of insertion, so they are left out
        tables["entrants"] = [(row[0], row[1], row[3]) for row in tables["entrants"]]
    assert rebuilt == updated


def test_unreadable_index_is_rebuilt(tmp_path: Path) -> None:
    index = tmp_path / "archive.sqlite"
    index.write_bytes(b"not an index" * 100)
    open_index(index)
    with open_connection(index) as opened:
        assert queries.count_recordings(opened) == 0


def test_pages_of_results_have_no_gaps_repeats_or_empty_last_page(index: sqlite3.Connection) -> None:
    add_games(index, PER_PAGE // 2)
    hands, has_next = queries.hands(index, Search(), 1)
    assert (len(hands), has_next) == (PER_PAGE, False), "the page must hold both hands of each game"
    add_games(index, PER_PAGE + 10)
    first, first_has_next = queries.recordings(index, Search(), 1)
    second, second_has_next = queries.recordings(index, Search(), 2)
    assert (len(first), first_has_next, len(second), second_has_next) == (PER_PAGE, True, 10, False)
    names = [recording.name for recording in [*first, *second]]
    assert names == sorted(set(names), reverse=True)


def test_hands_are_found_by_a_bot_a_rank_a_mark_and_a_pot(index: sqlite3.Connection) -> None:
    add_games(index, 20)
    hands, _ = queries.hands(index, Search(bot="BOT 3", made="flush", mark="Big pot", pot=10_000), 1)
    assert [(hand.recording, hand.pot) for hand in hands] == [("game-00017", 17_000)] * 2 + [("game-00010", 10_000)] * 2
    assert hands[0].winners == ("Bot 3", "Other"), "the bot that won most must come first"
    assert queries.hands(index, Search(bot="nobody", pot=1), 1) == ([], False)
    assert queries.hands(index, Search(made="straight"), 1) == ([], False)
    assert [hand.pot for hand in queries.hands(index, Search(pot=1), 1)[0]][:3] == [19_000, 19_000, 18_000]
    assert queries.recordings(index, Search(bot="%"), 1) == ([], False)


def test_bad_file_is_explained_in_one_sentence(tmp_path: Path) -> None:
    text = write(tmp_path / "good.jsonl", small_contest()[:50]).read_bytes()
    without_games = [entry for entry in small_contest() if not type(entry.event).__name__.startswith("Game")]
    numbered = [replace(entry, seq=number) for number, entry in enumerate(without_games, 1)]
    for damaged_content, reason in (
        (text.replace(b"Bot 3", b"Bad 3", 1), "altered"),
        (b"", "not a journal"),
        (write(tmp_path / "odd.jsonl", numbered).read_bytes(), "contradicts itself"),
    ):
        (tmp_path / "bad.jsonl").write_bytes(damaged_content)
        indexed = summarise_recording(tmp_path / "bad.jsonl", "bad")
        assert indexed is not None
        assert (indexed.state, reason in indexed.fault) == ("damaged", True), indexed.fault
        assert "\n" not in indexed.fault


def test_contest_is_listed_after_its_first_hand(tmp_path: Path) -> None:
    write(tmp_path / "half.jsonl", small_contest()[:-1])
    write(tmp_path / "opened.jsonl", small_contest()[:3])
    open_index(tmp_path / "index.sqlite")
    index_recordings(tmp_path / "index.sqlite", tmp_path, ["half", "opened"])
    with open_connection(tmp_path / "index.sqlite") as index:
        (half_recording,), _ = queries.recordings(index, queries.Search(), 1)
        assert half_recording.how_far == f"cut short after hand {half_recording.hands}"
        assert queries.unshowable_files(index) == []
