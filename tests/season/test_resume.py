"""A season that is interrupted, in the middle of a game or after any event of its ledger, ends as if it were not."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.game.events import Event
from server.season.events import BotActivated, GamePaired, GameRated
from server.season.files import Store
from server.season.ledger import read_ledger
from server.verify.season import prove
from tests.season.season_server import SECONDS, enter_nobody, season_pages
from tests.season.test_uploads import enter_player

GAMES = 3


async def hold(folder: Path, players: Sequence[str] = ()) -> None:
    """Enters `players`, and plays the season in `folder` to its end."""
    async with season_pages(folder, games=GAMES, at_once=1) as pages, asyncio.timeout(SECONDS):
        building = asyncio.create_task(pages.season.builds.run())
        for player in players:
            await enter_player(pages, player)
        building.cancel()
        await pages.season.hold(enter_nobody)


def facts_of(ledger: Path) -> list[Event]:
    return [entry.event for entry in read_ledger(ledger).entries]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted season of three bots."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    asyncio.run(hold(folder, ("Ada", "Bob", "Cleo")))
    return folder


def cut_after(folder: Path, fact: int) -> None:
    """Leaves what a crash would leave after entry number `fact` of the ledger: half of the next entry, and a game.

    The game's journal is empty, cut in half, or whole, as if only the ledger lacked the game's result.
    """
    ledger = folder / "season.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    facts = facts_of(ledger)
    half = lines[fact + 1 :][:1]
    ledger.write_bytes(b"".join(lines[: fact + 1]) + b"".join(line[: len(line) // 2] for line in half))
    started = sum(isinstance(each, GamePaired) for each in facts[:fact])
    ended = sum(isinstance(each, GameRated) for each in facts[:fact])
    store = Store(ledger)
    for game in range(started + 1, GAMES + 1):
        store.game(game).journal.unlink()
    if started > ended:
        journal = store.game(started).journal
        content = journal.read_bytes()
        journal.write_bytes(content[: len(content) * (fact % 3) // 2])


def test_interrupted_season_ends_with_the_same_ledger(uninterrupted: Path, tmp_path: Path) -> None:
    facts = facts_of(uninterrupted / "season.jsonl")
    first = max(number for number, fact in enumerate(facts, 1) if isinstance(fact, BotActivated))
    assert len(facts) - first > 2 * GAMES
    for fact in range(first, len(facts)):
        folder = tmp_path / str(fact)
        shutil.copytree(uninterrupted, folder)
        cut_after(folder, fact)
        asyncio.run(hold(folder))
        assert facts_of(folder / "season.jsonl") == facts
        assert not prove(folder / "season.jsonl", Store(folder / "season.jsonl")).open
