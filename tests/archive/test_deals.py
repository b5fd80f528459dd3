"""Pages of a recording of deals count the deals, and show the hands of each deal's main table."""

import asyncio
import re
from pathlib import Path

import pytest

from broadcast.archive.archive import INDEX_FILE, Archive
from broadcast.archive.hand_reader import one_hand
from broadcast.archive.showable_recording import BeingMade
from broadcast.film.film import film_of, keep_film
from broadcast.publish.outcome import outcome_of
from server.__main__ import main
from server.app.recordings.open import open_recording
from tests.archive.conftest import serving_archive
from tests.archive.test_previews import tags
from tests.support.games.deals import play_deals
from tests.support.games.recordings import write

KEPT = Path(__file__).parents[1] / "data" / "contests" / "same-cards.jsonl"


def test_pages_of_a_recording_count_its_deals(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    write(folder / "single.jsonl", play_deals(3, 4, main=1, others=2))
    (folder / "several.jsonl").write_bytes(KEPT.read_bytes())
    with serving_archive(folder, tmp_path / "media", "single", "several") as (_, web):
        single, several = web.get("/recordings/single").text, web.get("/recordings/several").text
        listed, link = web.get("/recordings").text, tags(web.get("/replay/several?hand=6"))
        found = web.get("/recordings?pot=100").text
    assert "3 bots, 4 deals</p>" in single
    assert re.findall(r">(Deal \d|Hand \d)</a>", single) == ["Deal 1", "Deal 2", "Deal 3", "Deal 4"]
    assert "3 bots, 4 deals, 7 hands</p>" in several
    assert re.findall(r"<b>(.*)</b> <small>(\d hands?)<", several) == [
        ("The Final, deal 1", "2 hands"), ("The Final, deal 2", "2 hands"),
        ("The Final, deal 3", "1 hand"), ("The Final, deal 4", "2 hands"),
    ]  # fmt: skip
    assert "4 deals" in listed
    assert "The Final, deal 3, hand 1" in found
    assert not re.search(r"\bgames?\b \d|\d games", single + several + found)
    assert link["og:title"].endswith(": The Final, deal 4, hand 1")


def test_links_and_export_number_the_hands_of_deals_like_the_replay(capsys: pytest.CaptureFixture[str]) -> None:
    content, hands = KEPT.read_bytes(), film_of(open_recording(KEPT).entries).outline.hands[1:]
    for number, hand in enumerate(hands, 1):
        found = one_hand(content, number)
        assert found
        assert (found.game.game, found.deal, found.events[0].hand) == (hand.game, hand.deal, hand.hand)  # type: ignore[attr-defined]
        assert main(["export", str(KEPT), "--text", "--hand", str(number)]) == 0
        assert f"game {hand.game}" in capsys.readouterr().out
    assert one_hand(content, len(hands) + 1) is None
    assert main(["export", str(KEPT), "--text", "--hand", str(len(hands) + 1)]) == 1
    assert f"its hands are 1 to {len(hands)}" in capsys.readouterr().err


def test_published_outcome_says_if_it_is_too_early_to_know_the_best_bot() -> None:
    outcome = outcome_of(film_of(play_deals(3, 6, main=9, others=29)))
    assert outcome
    assert outcome.how == (
        "With the same cards as all others, Bot 2 won +1,599 chips per deal, 106 more than Bot 3."
        " It is too early to be sure that this is the best bot."
    )


def test_films_keep_to_their_budget_on_disk_and_those_unused_for_longest_are_deleted_first(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_bytes(KEPT.read_bytes())
    keep_film(film_of(open_recording(KEPT).entries), "", tmp_path / "size")
    size = (tmp_path / "size").stat().st_size

    def films() -> str:
        return " ".join(sorted(path.name for path in tmp_path.glob("*.film*")))

    async def ask() -> None:
        archive = Archive(tmp_path, tmp_path / INDEX_FILE, rescan_seconds=0, films_bytes=round(3.5 * size))
        await archive.look(patiently=True)
        for name, table, kept in (
            ("one", 1, "one.film"),
            ("one", 2, "one.film one.film-2"),
            ("one", 3, "one.film one.film-2 one.film-3"),
            ("one", 1, "one.film one.film-2 one.film-3"),
            ("two", 1, "one.film one.film-3 two.film"),
            ("two", 2, "one.film two.film two.film-2"),
            ("one", 2, "one.film-2 two.film two.film-2"),
        ):
            film = await archive.film(name, table)
            assert len(film.film().segments) == film.segments
            assert films() == kept
        with pytest.raises(BeingMade):
            await archive.film("two", 3, patience_seconds=0)
        await archive.film("two", 3)
        assert films() == "one.film-2 two.film-2 two.film-3"

    asyncio.run(ask())
