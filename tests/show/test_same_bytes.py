"""What viewers get and what the diary contains stays the same, byte for byte, when the code changes.

There are digests of three shows: a recording in the repository, a contest with everybody's chances, and an evening
with an operator at the desk. A change that is meant to alter the show has to replace its digest.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from broadcast.film.film import Film, film_of
from broadcast.on_air.diary import Diary
from server.game.events import ChatSent, Event, GameEnded
from server.journal.bus import Bus
from server.journal.journal import read_journal
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock
from tests.support.hand_events import hand_events, opening
from tests.support.source_files import ROOT

RECORDING = ROOT / "tests/data/arena/one-game.jsonl"
DIGEST_OF_RECORDING = "028d541834c47fc84293432ee6c945c8"
DIGEST_OF_HANDS = "343b6603a10253c0a6ead209ffcbb23b"
DIGEST_OF_EVENING = "153bca035aa9e932f2d1f492e6255028"
DIGEST_OF_DIARY = "1d958abbd8c403ab08dbb06ef55419fd"
DIGEST_OF_RECALLED = "e96598d485a207f7044c99c9292c4f95"


def digest(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(parts)).hexdigest()[:32]


def of_film(film: Film) -> str:
    return digest([msgspec.json.encode(film.outline), *map(gzip.decompress, film.segments)])


def test_recording_puts_on_air_what_it_always_did() -> None:
    recording = read_journal(RECORDING)
    assert of_film(film_of(recording.entries, recording.header.begun)) == DIGEST_OF_RECORDING


def test_hands_go_on_air_with_the_same_commentary_as_always() -> None:
    bus = Bus(None, lambda: 0.0)
    bus.publish(*game())
    assert of_film(film_of(bus.entries)) == DIGEST_OF_HANDS


def test_evening_with_an_operator_is_sent_recorded_and_recalled_as_always(tmp_path: Path) -> None:
    sent, diary, recalled = asyncio.run(show_with_operator(tmp_path / "air"))
    assert (digest(sent), digest([diary]), digest(recalled)) == (DIGEST_OF_EVENING, DIGEST_OF_DIARY, DIGEST_OF_RECALLED)


def game() -> list[Event]:
    """Returns a game of eight hands; a bot chats in each."""
    hands = [hand_events(seed) for seed in range(8)]
    talk = [[*hand[:9], ChatSent(1 + seed % 6, f"hand {seed}"), *hand[9:]] for seed, hand in enumerate(hands)]
    return [*opening(), *(event for hand in talk for event in hand), GameEnded(1, (5000,) * 6)]


async def show_with_operator(path: Path) -> tuple[list[bytes], bytes, list[bytes]]:
    """Returns what a show with an operator sent, its diary, and what a restarted studio recalls."""
    sent, clock = list[bytes](), ManualClock()
    show = ShowOnFakeClock(clock=clock, diary=Diary(path, lambda: 0.0), fills=True)
    show.air.listeners.add(sent.append)
    with show.begun():
        show.bus.publish(*game())
        await show.until("hand_ended", 1, step=1)
        await show.set("chat", False, bot=2)
        await show.set("speed", 2.0)
        await show.cue("replay")
        await show.until("hand_ended", 4, step=1)
        await show.set("card", "break")
        await clock.run(30)
        await show.set("card", "")
        await show.cue("best")
        await show.until("game_ended", step=1)
        await clock.run(60)
    diary = await asyncio.to_thread(path.read_bytes)
    back = ShowOnFakeClock(bus=show.bus, clock=clock, diary=Diary(path, lambda: 0.0))
    with back.begun():
        await back.runner.recalled.wait()
        return sent, diary, list(back.air.catch_up(1, back.air.epoch))
