"""Submissions for UPAC are zip archives or folders with `bot/bot.json`, and all their faults are reported at once."""

import json
import zipfile
from pathlib import Path

import pytest

from server.submissions.commands import read_commands
from server.submissions.submission import Submission

FOY = {"name": "FOY", "build": "g++ bot.cpp -O2 -o bot", "run": "./bot"}
"""The example in the contest's document."""


def read_zipped(folder: Path, files: dict[str, str | bytes]) -> Submission:
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / "sent.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return read_commands(archive, folder / "work")


def test_documents_example_is_read_from_an_archive_or_folder_even_without_a_build(tmp_path: Path) -> None:
    bot = read_zipped(tmp_path, {"bot/bot.json": json.dumps(FOY), "bot/bot.cpp": "int main() {}"})
    assert (bot.name, bot.build, bot.run) == ("FOY", FOY["build"], "./bot")
    assert not bot.faults
    assert not bot.notes
    assert (bot.folder / "bot.cpp").read_text() == "int main() {}"
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps({"name": "FOY", "description": "fast and loose", "run": "./bot"}))
    for path in (folder, tmp_path):
        bot = read_commands(path, tmp_path / "other-work")
        assert (bot.folder, bot.build, bot.faults, bot.notes) == (folder, "", (), ())


def test_bot_in_a_folder_of_another_name_is_read_with_a_remark_and_a_misnamed_file_is_named(tmp_path: Path) -> None:
    for path in ("bot.json", "my-bot/bot.json"):
        bot = read_zipped(tmp_path / path, {path: json.dumps(FOY), "__MACOSX/bot/bot.json": "junk"})
        assert (bot.name, bot.faults) == ("FOY", ())
        assert bot.notes == ("bot.json is not in a folder called bot; it was read anyway.",)
    (fault,) = read_zipped(tmp_path, {"bot/Bot.json": json.dumps(FOY)}).faults
    assert 'There is no bot/bot.json. There is "bot/Bot.json": rename or move it.' in fault
    (fault,) = read_zipped(tmp_path / "empty", {"bot/bot.json": ""}).faults
    assert "it is empty" in fault


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    fields = {"name": "x" * 31, "build": 7, "runs": "./bot"}
    bot = read_zipped(tmp_path, {"bot/bot.json": json.dumps(fields), "bot/../../evil": "x"})
    faults = " ".join(bot.faults)
    for part in ("outside its folder", "at most 30 characters", '"build" must be a text', 'no "run"'):
        assert part in faults
    assert bot.notes == ('"runs" in bot.json is not used.',)
    assert not (tmp_path.parent / "evil").exists()


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": "FOY"}, 'bot.json has no "run"'),
        ({"name": "FOY", "run": "x" * 1001}, '"run" has 1001 characters'),
        ({"name": "FOY", "run": "a\u0000b"}, '"run" has characters'),
        ({"name": "\u200b", "run": "./bot"}, '"name" has characters'),
    ],
)
def test_each_fault_is_named(tmp_path: Path, fields: dict[str, object], fault: str) -> None:
    (fault_found,) = read_zipped(tmp_path, {"bot/bot.json": json.dumps(fields)}).faults
    assert fault_found.startswith(fault)
