"""A show knows the earlier contests in its folder; damaged recordings are left out and named."""

from pathlib import Path

import pytest

from broadcast.archive.archive import INDEX_FILE, Archive
from server.app.studio.earlier_contests import EarlierContestsTeller
from server.journal.journal import Journal
from tests.show.show_on_fake_clock import ShowOnFakeClock
from tests.support.games.recordings import small_contest

EARLIER = 3
"""How many undamaged recordings of earlier contests are in the folder."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with recordings of tonight and of four earlier evenings, all of the same contest.

    The recording of the first evening is damaged.
    """
    names = [*(f"evening-{number}" for number in range(EARLIER + 1)), "tonight"]
    for day, name in enumerate(names, start=1):
        journal = Journal(tmp_path / f"{name}.jsonl", f"2026-11-0{day}T19:00:00.000+00:00")
        journal.append(small_contest())
        journal.close()
    damaged = tmp_path / "evening-0.jsonl"
    damaged.write_text(damaged.read_text().replace("Bot 3", "Bot 9", 1))
    return tmp_path


class Show:
    """Tonight's show without waits: its captions, and what it knows of the earlier contests in its folder."""

    def __init__(self, folder: Path) -> None:
        self._show = ShowOnFakeClock(0)
        self.bus = self._show.bus
        self.bus.load([*small_contest()])
        tonight = folder / "tonight.jsonl"
        archive = Archive(folder, folder / INDEX_FILE, is_over=lambda path: False if path == tonight else None)
        self.looking_back = EarlierContestsTeller(self._show.runner, archive, tonight)

    async def run(self) -> None:
        self.bus.close()
        with self._show.begun() as running:
            await running

    @property
    def captions(self) -> list[str]:
        return [entry["text"] for entry in self._show.seen if entry["type"] == "caption_spoken"]


async def test_show_knows_the_earlier_contests_in_its_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, resumed = Show(folder), Show(folder)
    await first.looking_back.run(first.bus)
    await first.run()
    await resumed.looking_back.inform_resumed_show(resumed.bus.entries)
    await resumed.run()
    assert any(f"{EARLIER} earlier contests here" in text for text in first.captions)
    assert first.captions == resumed.captions, "a resumed show knows the earlier contests from its start"
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "left out" in line]
    assert "evening-0: " in line


async def test_show_without_an_index_starts_and_knows_only_tonight(folder: Path) -> None:
    show = Show(folder)
    (folder / INDEX_FILE).mkdir()  # in the place of the index, so no index can be written
    await show.looking_back.inform_resumed_show(show.bus.entries)
    await show.looking_back.run(show.bus)
    await show.run()
    assert show.captions
    assert not any("earlier contests" in text for text in show.captions)
