"""A season that stops after any event of its ledger, or in the middle of any game, resumes to the same result."""

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.game.events import Event
from server.season.events import BotActivated, GamePaired, GameRated
from server.season.files import Store
from server.season.ledger import read_ledger
from server.verify.season import check_ledger, prove
from tests.season.season_server import Pages, bot, season_pages
from tests.season.test_uploads import play, settled

SECONDS = 180.0
GAMES = 3


async def nobody() -> None:
    """Enters nobody."""


async def hold(folder: Path, players: Sequence[str] = ()) -> None:
    """The season in that folder to its end; `players` come in first."""
    async with season_pages(folder, games=GAMES, at_once=1) as pages, asyncio.timeout(SECONDS):
        building = asyncio.create_task(pages.season.builds.run())
        for player in players:
            await enter(pages, player)
        building.cancel()
        await pages.season.hold(nobody)


async def enter(pages: Pages, player: str) -> None:
    pages.web.cookies.clear()
    await pages.upload(bot(f"Bot of {player}"), player=player)
    await settled(pages)
    assert await play(pages, len(pages.season.ledger.standings.uploads)) == 303


def facts_of(ledger: Path) -> list[Event]:
    return [entry.event for entry in read_ledger(ledger).entries]


@pytest.fixture(scope="module")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a season of three bots, which nothing happened to."""
    folder = tmp_path_factory.mktemp("unharmed")
    asyncio.run(hold(folder, ("Ada", "Bob", "Cleo")))
    return folder


def cut_after(folder: Path, fact: int) -> None:
    """What is there when the program ends after a fact: half of the next one, and a part of the game that is on."""
    ledger = folder / "season.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    facts = facts_of(ledger)
    half = lines[fact + 1 :][:1]
    ledger.write_bytes(b"".join(lines[: fact + 1]) + b"".join(line[: len(line) // 2] for line in half))
    begun = sum(isinstance(each, GamePaired) for each in facts[:fact])
    ended = sum(isinstance(each, GameRated) for each in facts[:fact])
    store = Store(ledger)
    for game in range(begun + 1, GAMES + 1):
        store.game(game).journal.unlink()
    if begun > ended:
        cut_journal(store, begun, fact)


def cut_journal(store: Store, game: int, fact: int) -> None:
    """A game's journal as far as it had come: not at all, half, or to its end while the ledger did not know."""
    journal = store.game(game).journal
    written = journal.read_bytes()
    journal.write_bytes(written[: len(written) * (fact % 3) // 2])


def test_a_season_that_was_recorded_before_newcomers_were_asked_in_is_still_proved() -> None:
    ledger = Path(__file__).parent.parent / "data" / "season" / "spring.ledger"
    verdict = prove(ledger, Store(ledger))
    assert verdict.holds
    assert not verdict.open
    standings = check_ledger(read_ledger(ledger).entries, b"")
    assert [player.name for player in standings.members()] == ["Ada", "Bob", "Cleo"]


def test_whenever_it_breaks_off_it_comes_to_the_same_end(unharmed: Path, tmp_path: Path) -> None:
    facts = facts_of(unharmed / "season.jsonl")
    first = max(number for number, fact in enumerate(facts, 1) if isinstance(fact, BotActivated))
    assert len(facts) - first > 2 * GAMES
    for fact in range(first, len(facts)):
        folder = tmp_path / str(fact)
        shutil.copytree(unharmed, folder)
        cut_after(folder, fact)
        asyncio.run(hold(folder))
        assert facts_of(folder / "season.jsonl") == facts
        assert not prove(folder / "season.jsonl", Store(folder / "season.jsonl")).open
