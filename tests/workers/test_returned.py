"""Deals, checks and films from a worker count only if they were ordered and are within limits."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from msgspec.structs import replace

from broadcast.video.frames import Clip, Cut
from server.app.clips import batch as clips
from server.app.clips.batch import save_checked_clip
from server.app.evening.deals_on_workers import prove_table
from server.app.probe import batch as probes
from server.app.probe.batch import checks_in
from server.app.probe.probing import does_not_come
from server.app.sparring.deals_job import DealsOrder, PlayedDeals, play_deals, prove_deals
from server.app.sparring.sides import Side
from server.workers.orders import GAME_BYTES, ResultRejected, encode
from server.workers.workplace import Workplace
from tests.workers.test_deals_there import ORDER as TABLE_ORDER

ORDER = DealsOrder("quick-draw", (Side("house", "careful", "Ann"), Side("house", "loose", "Bo")), bytes(32), 20, 6, 5)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedDeals:
    """An honest worker's result: deals 6 to 10 of a match of 20 between house styles, which need no boxes."""
    workplace = Workplace(cast(Any, None), tmp_path_factory.mktemp("workplace"))
    return msgspec.msgpack.decode(asyncio.run(play_deals(workplace, encode(ORDER))), type=PlayedDeals)


@pytest.mark.parametrize(("other", "why"), [
    (replace(ORDER, first=1), "the number of the game"),
    (replace(ORDER, seed=bytes(31) + b"1"), "the match"),
    (replace(ORDER, deals=30), "the stage"),
    (replace(ORDER, count=6), "the number of deals"),
    (replace(ORDER, sides=ORDER.sides[::-1]), "the match"),
    (replace(ORDER, contest="arena"), "the match"),
])  # fmt: skip
def test_deals_count_only_if_they_were_ordered(played: PlayedDeals, other: DealsOrder, why: str) -> None:
    proved = prove_deals(encode(played), ORDER)
    assert (len(proved.deals), proved.lost) == (ORDER.count, None)
    with pytest.raises(ResultRejected, match=why):
        prove_deals(encode(played), other)


@pytest.mark.parametrize(("change", "why"), [
    (lambda played: replace(played, tables=played.tables[:1]), "the number of tables"),
    (lambda played: replace(played, tables=(played.tables[0],) * 2), "the match"),
    (lambda played: replace(played, tables=(played.tables[0][:-1], played.tables[1])), "whether it is complete"),
    (lambda played: replace(played, tables=(b"", played.tables[1])), "not a journal"),
    (lambda played: replace(played, lost=3), "the bot that left is not in the match"),
])  # fmt: skip
def test_altered_deals_are_refused(played: PlayedDeals, change: Callable[[PlayedDeals], PlayedDeals], why: str) -> None:
    with pytest.raises(ResultRejected, match=why):
        prove_deals(encode(change(played)), ORDER)


def test_large_or_unreadable_result_is_refused(tmp_path: Path) -> None:
    def keep(result: bytes) -> None:
        asyncio.run(save_checked_clip(result, Clip((Cut(0, 1),)), "ffmpeg", tmp_path / "film.mp4"))

    for most, read in (
        (GAME_BYTES, lambda result: prove_deals(result, ORDER)),
        (GAME_BYTES, lambda result: asyncio.run(prove_table(result, TABLE_ORDER))),
        (probes.MAX_BYTES, lambda result: checks_in(result, "upac")),
        (clips.MAX_BYTES, keep),
    ):
        with pytest.raises(ResultRejected, match="the limit is"):
            read(bytes(most + 1))
        with pytest.raises(ResultRejected):
            read(b"nonsense")
    assert not list(tmp_path.iterdir())


def test_all_checks_of_a_bot_must_be_present() -> None:
    absent = does_not_come("upac", "it is not there")
    assert checks_in(encode(absent), "upac") == absent
    for incomplete in ([replace(absent[0], ok=True)], []):
        with pytest.raises(ResultRejected, match="what was tried"):
            checks_in(encode(incomplete), "upac")
