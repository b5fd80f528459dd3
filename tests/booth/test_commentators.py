"""Commentators' notes are kept, their storylines stay on air long enough, and long and short hands are recognised."""

import asyncio
from pathlib import Path

import pytest

from broadcast.booth.notebook import LONGEST_NOTE, MAX_NOTES, Notebook, Pages
from broadcast.show import commentators
from broadcast.show.commentators import MIN_EARLIER_HANDS, SECONDS_A_CHARACTER, StorylineOnAir, Tempo


def test_notes_and_ticks_survive_a_restart(tmp_path: Path) -> None:
    first = Notebook(tmp_path / "show.booth")
    first.write("Ask about the feathers.", "Ann", 1_000)
    first.write("Thank the sponsors.", "Bob", 1_060)
    first.tick(2, done=True)
    first.erase(1)
    again = Notebook(tmp_path / "show.booth").pages
    assert [(note.number, note.at, note.by, note.text) for note in again.notes] == [
        (2, 1_060, "Bob", "Thank the sponsors.")
    ]
    assert again.done == {2}


def test_note_is_one_short_line_and_the_oldest_is_dropped_first() -> None:
    notebook = Notebook(None)
    notebook.write(f"  two\nlines\x00 {'x' * 500}", "Ann", 0)
    assert notebook.pages.notes[0].text == f"two lines {'x' * 500}"[:LONGEST_NOTE]
    for number in range(MAX_NOTES):
        notebook.write(f"note {number}", "Ann", 0)
    assert [notebook.pages.notes[0].text, len(notebook.pages.notes)] == ["note 0", MAX_NOTES]
    with pytest.raises(ValueError, match="empty"):
        notebook.write(" \n ", "Ann", 0)
    with pytest.raises(ValueError, match="already been erased"):
        notebook.erase(1)


@pytest.mark.parametrize("content", [b"", b"{", b'{"notes": 7}', b"\xff\xfe", b"[" * 100_000])
def test_damaged_file_gives_an_empty_notebook(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "show.booth").write_bytes(content)
    assert Notebook(tmp_path / "show.booth").pages == Pages()


def test_notebook_works_on_a_failing_disk_until_a_restart(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "file-in-the-way" / "show.booth")
    (tmp_path / "file-in-the-way").write_bytes(b"")
    notebook.tick(0, done=True)
    assert notebook.pages.done == {0}


SECONDS = 1.0
"""How long a storyline stays on air in these tests, not counting the time for its characters."""


async def test_storyline_stays_for_its_whole_time_even_if_it_replaces_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commentators, "SECONDS", SECONDS)
    loop = asyncio.get_running_loop()
    on_air: list[tuple[float, str]] = []
    over = asyncio.Event()

    def put(text: str) -> None:
        on_air.append((loop.time(), text))
        if not text:
            over.set()

    storyline = StorylineOnAir(put)
    storyline.show("one", pinned=False)
    await asyncio.sleep(SECONDS / 2)
    storyline.show("two", pinned=False)
    await over.wait()
    (_, first), (began, second), (ended, last) = on_air
    assert (first, second, last) == ("one", "two", "")
    assert ended - began >= SECONDS + SECONDS_A_CHARACTER * len(second)


def test_hand_is_long_or_short_compared_with_earlier_hands() -> None:
    tempo = Tempo()
    for _ in range(MIN_EARLIER_HANDS):
        tempo.begin(20_000)
        assert not tempo.now, "so far, there are too few hands to compare with"
    for ms, pace in ((20_000, ""), (31_000, "long"), (29_000, ""), (11_000, "short"), (13_000, "")):
        tempo.begin(ms)
        assert tempo.now == pace
