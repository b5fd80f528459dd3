"""Paths are relative to the folder in which the program was started."""

from pathlib import Path

import httpx
import pytest

from tests.end_to_end.evening import Terminal, write_evening
from tests.support.program import ROOT, serving_program
from tests.support.recordings import once_read, small_contest, until_listed, write

DATA = "nights"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose data folder has a recording."""
    folder = tmp_path_factory.mktemp("elsewhere")
    write(folder / DATA / "recordings" / "small.jsonl", small_contest())
    return folder


def recording_in(folder: Path) -> Path:
    (found,) = (folder / DATA / "recordings").glob("*.jsonl")
    return found


def test_recordings_of_a_relative_data_folder_are_listed_and_replayed(elsewhere: Path) -> None:
    name = recording_in(elsewhere).stem
    with (
        serving_program("practice", "--data", DATA, cwd=elsewhere) as program,
        httpx.Client(base_url=program.base, timeout=60.0) as web,
    ):
        until_listed(web, name)
        assert web.get(f"/replay/{name}").status_code == 200
        assert web.get(f"/films/{name}/index.json").status_code == 200


def test_recording_at_a_relative_path_is_replayed(elsewhere: Path) -> None:
    path = recording_in(elsewhere).relative_to(elsewhere)
    with serving_program("replay", str(path), "--data", DATA, cwd=elsewhere) as program:
        again = f"{program.base}/replay/{path.stem}"
        program.hears(again)
        with httpx.Client(base_url=program.base, timeout=60.0) as web:
            assert once_read(web, f"/films/{path.stem}/index.json").status_code == 200


def test_event_file_at_a_relative_path_has_its_folders_beside_it(tmp_path: Path) -> None:
    folder = write_evening(tmp_path / "saloon", {"Ada": "a-secret-of-its-own-Ada"}, lines='start = "desk"')
    with Terminal("tournament", "saloon/event.toml", cwd=tmp_path) as terminal:
        terminal.hears("ready; the tournament begins when START is pressed")
        assert httpx.get(f"{folder.base}/recordings", timeout=60.0).status_code == 200
    assert folder.journal.exists()
    assert (folder.data / "recordings" / "archive.sqlite").exists()


def test_nothing_is_left_in_the_programs_own_folder(elsewhere: Path) -> None:
    assert recording_in(elsewhere).with_name("archive.sqlite").exists()
    assert not (ROOT / DATA).exists()
    assert not list(ROOT.glob("*.sqlite"))
