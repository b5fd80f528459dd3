"""A recording's pictures and sounds come from its data folder, wherever in that folder it is."""

from pathlib import Path

import pytest

from server.commands.publish import media_beside
from server.season.files import ENDING, Store

RECORDINGS = Path("data", "recordings")
FILES = {
    "contest": RECORDINGS / "evening.jsonl",
    "practice": RECORDINGS / "practice" / "game.jsonl",
    "season": Store(RECORDINGS / f"season{ENDING}").game(1234).journal,
}


@pytest.mark.parametrize("kind", FILES)
def test_media_of_a_recording_are_found_beside_it(kind: str, tmp_path: Path) -> None:
    (tmp_path / "data" / "media").mkdir(parents=True)
    assert media_beside(tmp_path / FILES[kind], tmp_path) == tmp_path / "data" / "media"


def test_recording_may_have_no_media(tmp_path: Path) -> None:
    assert media_beside(tmp_path / FILES["season"], tmp_path / "empty") == tmp_path / "empty"
