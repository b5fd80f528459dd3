"""For any file, `/verify` and `highnoon verify` say one clear sentence and do not crash."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.verify.file import verdict_on
from tests.support.games.recordings import seal, small_contest, write
from tests.verify.conftest import Prover

HEADER = b'{"journal":"high-noon/1","begun":"2026-11-21T20:00:00.000+00:00"}'
CONNECTED = b'{"seq":%b,"at_ms":0,"type":"bot_connected","bot":%b}'
NOT_AN_ENTRY = "line 2: not an entry"


UNKNOWN = f"does not begin with the opening|{NOT_AN_ENTRY}"
"""The page skips unknown events, and then misses the opening; the command refuses unknown events."""

FILES: Sequence[tuple[str, bytes, str]] = [
    ("an empty file", b"", "this is not a High Noon recording"),
    ("a line without a line ending", HEADER, "has no complete header line"),
    ("an empty line", b"\n", "this is not a High Noon recording"),
    ("a text", b"Dear Sir,\n", "this is not a High Noon recording"),
    ("a picture", bytes(range(256)) * 64, "this is not a High Noon recording"),
    ("a header alone", seal(HEADER), "the recording is empty"),
    ("another format", seal(HEADER.replace(b"/1", b"/9")), "the format is 'high-noon/9'"),
    ("no header", seal(CONNECTED % (b"1", b"1")), "this is not a High Noon recording"),
    ("not JSON", seal(HEADER, b'{"seq":1,,}'), NOT_AN_ENTRY),
    ("invalid UTF-8", seal(HEADER, b'{"seq":1,"at_ms":0,"type":"chat_sent","bot":1,"text":"\xff"}'), "line 2"),
    ("a fraction of a bot", seal(HEADER, CONNECTED % (b"1", b"1.5")), NOT_AN_ENTRY),
    ("a whole number written as a fraction", seal(HEADER, CONNECTED % (b"1", b"1.0")), NOT_AN_ENTRY),
    (
        "a number too large for browsers",
        seal(HEADER, CONNECTED % (b"9" * 400, b"1")),
        f"{NOT_AN_ENTRY}|entry 9+ where 1",
    ),
    ("not a number", seal(HEADER, CONNECTED % (b"1", b"NaN")), NOT_AN_ENTRY),
    ("true for a number", seal(HEADER, CONNECTED % (b"true", b"1")), NOT_AN_ENTRY),
    ("not an object", seal(HEADER, b"}"), NOT_AN_ENTRY),
    ("brackets that do not match", seal(HEADER, b'["seq",1}'), NOT_AN_ENTRY),
    ("a second entry first", seal(HEADER, CONNECTED % (b"2", b"1")), "entry 2 where 1"),
    ("an unknown event", seal(HEADER, b'{"seq":1,"at_ms":0,"type":"cake_eaten"}'), UNKNOWN),
    ("a name that every object has", seal(HEADER, b'{"seq":1,"at_ms":0,"type":"__proto__"}'), UNKNOWN),
    ("an opening without a title", seal(HEADER, b'{"seq":1,"at_ms":0,"type":"season_opened"}'), NOT_AN_ENTRY),
    ("deep nesting", seal(HEADER, b'{"seq":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), NOT_AN_ENTRY),
    ("another event first", seal(HEADER, CONNECTED % (b"1", b"1")), "does not begin with the opening"),
]


@pytest.mark.parametrize(("content", "fault"), [each[1:] for each in FILES], ids=[each[0] for each in FILES])
def test_a_file_that_is_not_a_recording_is_refuted_in_a_sentence(
    content: bytes, fault: str, prover: Prover, tmp_path: Path
) -> None:
    verdict = prover.content(content)
    assert not verdict["holds"]
    assert re.search(fault, verdict["fault"])
    assert len(verdict["fault"]) < 200
    (tmp_path / "file.jsonl").write_bytes(content)
    assert re.search(fault, verdict_on(tmp_path / "file.jsonl").fault)


def test_20_megabytes_of_garbage_are_refuted(prover: Prover) -> None:
    assert "not a High Noon recording" in prover.content(b"x" * 20_000_000)["fault"]
    assert "has no complete header line" in prover.content(HEADER[:12] + b"x" * 20_000_000)["fault"]
    assert "longer than any entry" in prover.content(HEADER[:12] + b"x" * 20_000_000 + b"\n")["fault"]
    assert "no checksum" in prover.content(seal(HEADER) + b"\n" * 20_000_000)["fault"]
    assert "longer than any entry" in prover.content(seal(HEADER, b'{"seq":"' + b"x" * 20_000_000 + b'"}'))["fault"]


@pytest.mark.parametrize("seats", [100, 101, 500_000])
def test_a_table_of_more_than_100_seats_is_refuted_at_once(seats: int, prover: Prover, tmp_path: Path) -> None:
    chips, bots = b"[9,9" + b",0" * (seats - 2) + b"]", b"[1" + b",1" * (seats - 1) + b"]"
    opened = b'"contest":"published","title":"A crowd","rules":{},"starting_stack":1,"entrants":[],"seed_commitment":""'
    hand = b'"hand":1,"button":0,"small_blind":1,"big_blind":2,"ante":0,"deck_commitment":"","stacks":'
    events = [
        b'"type":"tournament_opened",' + opened,
        b'"type":"game_started","game":1,"hands":1,"seats":' + bots + b',"stacks":' + chips,
        b'"type":"hand_started",' + hand + chips,
        b'"type":"hole_dealt","seat":0,"cards":["As","Ah"]',
        b'"type":"hole_dealt","seat":1,"cards":["Ks","Kh"]',
        b'"type":"hand_ended","deck_key":"","stacks":' + chips,
    ]
    content = seal(HEADER, *(b'{"seq":%d,"at_ms":0,%s}' % (seq, event) for seq, event in enumerate(events, 1)))
    (tmp_path / "crowd.jsonl").write_bytes(content)
    for fault in (prover.content(content)["fault"], verdict_on(tmp_path / "crowd.jsonl").fault):
        assert (fault == f"{seats} bots sit at one table") is (seats > 100)


def test_a_file_with_a_changed_byte_is_refuted_by_page_and_command(prover: Prover, tmp_path: Path) -> None:
    dice, recording = random.Random(4), write(tmp_path / "whole.jsonl", small_contest()).read_bytes()
    for _ in range(60):
        at, cut = dice.randrange(len(recording)), dice.randrange(1, 40)
        put = dice.choice([b"", bytes([dice.randrange(256)]), b"\n", recording[at : at + cut] * 2])
        changed = recording[:at] + put + recording[at + dice.randrange(3) :]
        (tmp_path / "changed.jsonl").write_bytes(changed)
        by_page, by_command = prover.content(changed), verdict_on(tmp_path / "changed.jsonl")
        assert (by_page["holds"], by_page["whole"]) == (by_command.holds, by_command.whole)
        assert not by_page["whole"] or changed == recording
