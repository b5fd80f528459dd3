"""A recording always puts the same bytes on air. After a deliberate change to shows, update the digests here."""

import gzip
import hashlib

import msgspec

from broadcast.film.film import Film, film_recording
from server.game.events import ChatSent, GameEnded
from server.journal.bus import Bus
from server.journal.journal import read_journal
from tests.support.games.hand_events import hand_events, opening
from tests.support.source_files import ROOT


def digest_film(film: Film) -> str:
    """Returns a digest of a film (a recording that viewers can watch)."""
    parts = [msgspec.json.encode(film.outline), *map(gzip.decompress, film.segments)]
    return hashlib.sha256(b"\n".join(parts)).hexdigest()[:32]


def test_recording_puts_the_same_bytes_on_air_as_always() -> None:
    recording = read_journal(ROOT / "tests/data/arena/one-game.jsonl")
    assert digest_film(film_recording(recording.entries, recording.header.begun)) == "cd22a732c664fa42489d8cb35837435f"


def test_hands_go_on_air_with_the_same_commentary_as_always() -> None:
    bus = Bus(None, lambda: 0.0)
    bus.publish(*opening())
    for seed in range(8):
        hand = hand_events(seed)
        bus.publish(*hand[:9], ChatSent(1 + seed % 6, f"hand {seed}"), *hand[9:])
    bus.publish(GameEnded(1, (5000,) * 6))
    assert digest_film(film_recording(bus.entries)) == "9598cbce8f23ea0b91a6215024f4b891"
