"""Reads the published files of a show as a page does. A segment has one hand's entries. A block lists ended hands."""

import gzip
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def published_json(path: Path) -> Json:
    return dict(json.loads(gzip.decompress(path.read_bytes())))


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def published_index(folder: Path) -> Json:
    return published_json(folder / "live/main/index.json")


def published_hands(folder: Path) -> tuple[list[Json], list[str]]:
    """Returns all hands, and the checksum of each finished hand's segment."""
    index = published_json(folder / "live/main/all.json")
    show = folder / "live/main" / index["epoch"]
    blocks = [published_json(show / f"{number}.hands") for number in range(index.get("blocks", 0))]
    hands = [hand for block in (*blocks, index["outline"]) for hand in block["hands"]]
    assert len(hands) - len(index["outline"]["hands"]) == index["since"]  # `since`: the number of hands in blocks
    return hands, [checksum for block in (*blocks, index) for checksum in block["sums"]]


def published_entries(folder: Path) -> list[Json]:
    """Returns all entries in the files that the index lists. Fails if a file is missing, altered or inconsistent."""
    index = published_index(folder)
    show = folder / "live/main" / index["epoch"]
    _, checksums = published_hands(folder)
    all_sums = checksums[: index["since"]] + index["sums"]
    closed = []  # `closed`: all segments except the last, which is open
    for number in range(index["first"], index["open"]):
        text = gzip.decompress((show / f"{number}.seg").read_bytes())
        assert sha256(text).hexdigest() == all_sums[number]
        closed.append(json.loads(text))
        assert closed[-1]["n"] == number
    parts = _read_parts(show, index["open"], index["parts"])  # `parts`: the pieces of the open segment
    if index["ended_parts"]:  # `ended_parts`: the number of pieces of the last closed segment
        assert _entries_of(_read_parts(show, index["open"] - 1, index["ended_parts"])) == _entries_of(closed[-1:])
    segments = [*closed, parts[0] | {"entries": [entry for part in parts for entry in part["entries"]]}]
    for segment in segments:
        assert segment["opening"]["seq"] + 1 == segment["first_seq"]
        assert index["outline"]["hands"][-1]["seq"] == segments[-1]["first_seq"]
    entries = _entries_of(segments)
    fresh_entries = _entries_of(index["fresh"])  # `fresh`: what the previous index lacked
    assert fresh_entries == entries[len(entries) - len(fresh_entries) :]
    assert not any("opening" in piece for piece in index["fresh"])
    first_seq = segments[0]["first_seq"]
    assert [entry["seq"] for entry in entries] == list(range(first_seq, index["last"] + 1))
    return entries


def _read_parts(folder: Path, number: int, count: int) -> list[Json]:
    return [published_json(folder / f"{number}-{part}.part") for part in range(count)]


def _entries_of(segments: list[Json]) -> list[Json]:
    """Returns the entries of `segments`. The time of each entry counts from the start of the show."""
    entries = [(segment["at_ms"], entry) for segment in segments for entry in segment["entries"]]
    return [{**entry, "offset_ms": at_ms + entry["offset_ms"]} for at_ms, entry in entries]
