"""All faults in `Dockerfile`, `bot_config.json` or `bot.json` (used by the contest UPAC) are reported together."""

import json
import tempfile
from pathlib import Path

from server.submissions.command_bots import read_command_bot
from server.submissions.submission import Submission
from tests.submissions.conftest import Reader
from tests.support.archives import zip_of

EXAMPLE_BOT_JSON = {"name": "FOY", "build": "g++ bot.cpp -O2 -o bot", "run": "./bot"}
"""The `bot.json` that the upload page of a UPAC season shows as an example."""


def read_with_config(read: Reader, bot: Path, text: str | bytes) -> Submission:
    (bot / "bot_config.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    (submission,) = read(bot)
    return submission


def read_with_fields(read: Reader, bot: Path, **fields: object) -> Submission:
    """Changes `fields` in the bot's bot_config.json, and reads the bot. The value `...` removes a field."""
    changed = json.loads((bot / "bot_config.json").read_text()) | fields
    return read_with_config(read, bot, json.dumps({key: value for key, value in changed.items() if value is not ...}))


def test_dockerfile_must_have_its_exact_name(read: Reader, bot: Path) -> None:
    for name in ("Dockerfile.txt", "docker/Dockerfile", "Containerfile"):
        (bot / name).parent.mkdir(exist_ok=True)
        (bot / "Dockerfile").rename(bot / name)
        (fault,) = read(bot)[0].faults
        assert fault == f'There is no Dockerfile. There is "{name}": rename or move it to "Dockerfile", exactly.'
        (bot / name).rename(bot / "Dockerfile")


def test_forbidden_instructions_and_windows_line_ends_are_faults(read: Reader, bot: Path) -> None:
    (bot / "Dockerfile").write_text("FROM python:3.11-slim\nADD \\\n  http://127.0.0.1/x /x\n")
    (fault,) = read(bot)[0].faults
    assert fault.startswith("Dockerfile line 2: ADD of an address or a repository is not allowed. Put what it fetches")
    (bot / "Dockerfile").write_text("FROM scratch\nCOPY . .\n")
    (bot / "start.sh").write_bytes(b"#!/bin/sh\r\nexec python bot.py\r\n")
    (submission,) = read(bot)
    assert submission.faults == ()
    assert "no CMD or ENTRYPOINT" in submission.notes[0]  # A bot with notes or warnings may play.
    assert "start.sh has Windows line endings (CRLF)" in submission.warnings[0]


def test_config_json_may_stand_in_for_bot_config_json(read: Reader, bot: Path) -> None:
    (bot / "bot_config.json").rename(bot / "config.json")
    (submission,) = read(bot)
    assert (submission.name, submission.faults) == ("Honest Abe", ())
    (note,) = submission.notes
    assert note.startswith("config.json is accepted, because the rules use both names. Rename it to bot_con")
    (bot / "config.json").rename(bot / "bot_config.json")
    (bot / "config.json").write_text("learning rate: 0.1")
    assert (read(bot)[0].faults, read(bot)[0].notes) == ((), ())


def test_name_and_picture_are_required(read: Reader, bot: Path) -> None:
    for key, value, fault in (
        ("name", ..., 'bot_config.json has no "name", but needs one.'),
        ("avatar_filename", ..., 'bot_config.json has no "avatar_filename", but needs one.'),
        ("name", 5, '"name" must be a text in double quotes, not a number.'),
        ("name", "x" * 31, "Name must be at most 30 characters; it has 31"),
        ("name", "\ud800", "Name must not contain control, format or invisible characters"),
        ("avatar_filename", ["a.png"], '"avatar_filename" must be a text in double quotes, not a list.'),
        ("avatar_filename", "MUGSHOT.PNG", 'there is no such file. Did you mean "mugshot.png"?'),
        ("avatar_filename", "../abe/mugshot.png", "that is not the path of a file in the folder."),
        ("avatar_filename", "img\\mugshot.png", 'Name a file that is in it, written with "/".'),
        ("avatar_filename", "https://example.org/a.png", "that is a web address, and nothing is downloaded."),
        ("avatar_filename", "x" * 5000, "that is not the path of a file in the folder."),
    ):
        submission = read_with_fields(read, bot, **{"name": "Abe", "avatar_filename": "mugshot.png", key: value})
        (reported,) = submission.faults
        assert fault in reported
        assert reported.isprintable()
        assert (submission.name == "", submission.warnings) == (key == "name", ())


def test_default_replaces_a_wrong_particle_or_sound(read: Reader, bot: Path) -> None:
    # A particle is the picture that flies when the bot wins.
    with_wrong_files = read_with_fields(read, bot, particle_filename="../x", sound_effect_filename=7)
    assert with_wrong_files.faults == ()
    assert ["Until you fix this" in warning for warning in with_wrong_files.warnings] == [True, True]
    without_files = read_with_fields(read, bot, particle_filename=None, sound_effect_filename=...)
    assert (without_files.faults, without_files.warnings) == ((), ())


def test_name_of_30_characters_is_accepted_and_spaces_and_unknown_keys_are_reported(read: Reader, bot: Path) -> None:
    assert read_with_fields(read, bot, name="Señor Łukasz 二つ的 Ωmega 12345").faults == ()
    submission = read_with_fields(read, bot, name="Abe ", avatar_filename=..., avatar="mugshot.png", colour="red")
    assert submission.faults == ('bot_config.json has no "avatar_filename", but needs one.',)
    name_note, avatar_note, colour_note = submission.notes
    assert "under exactly this name, with the spaces" in name_note
    assert avatar_note == '"avatar" in bot_config.json is not used. Did you mean "avatar_filename"?'
    assert colour_note == '"colour" in bot_config.json is not used.'


def test_extra_comma_does_not_hide_other_faults(read: Reader, bot: Path) -> None:
    submission = read_with_config(read, bot, '{"name": "", "avatar_filename": "me.png",}')
    assert len(submission.faults) == 3
    assert "the comma before this has nothing after it" in submission.faults[0]
    (bot / "bot_config.json").rename(bot / "bot-config.json")
    assert 'There is "bot-config.json": rename or move it to bot_config.json' in read(bot)[0].faults[0]
    assert len(read(bot)[0].faults) == 4


def test_json_fault_is_located(read: Reader, bot: Path) -> None:
    cases: list[tuple[str | bytes, str]] = [
        ("", "it is empty"),
        ('{"name": "Abe",\n "avatar_filename": "mugshot.png",}', "line 2, column 35: the comma before this"),
        ('{\n  // who\n  "name": "Abe"}', "line 2, column 3: JSON has no comments; take it out"),
        ("{'name': 'Abe'}", "line 1, column 2: texts and keys need plain double quotes"),
        ('{"name": "Abe"', "line 1, column 15: it ends too early"),
        ('{"name": "Abe" "avatar_filename": "a"}', "line 1, column 16: a comma or closing bracket is missing"),
        ('{"name" "Abe"}', "line 1, column 9: a colon is expected here"),
        ('{name: "Abe"}', "line 1, column 2: a key in double quotes is expected here"),
        ('{"name": Abe}', "line 1, column 10: a value is expected here"),
        ('{"name": "Abe\n"}', "line 1, column 14: a text must end on its line"),
        ('{"name": "Abe"} {}', "line 1, column 17: the object"),
        ('{"name": "Abe"}'.encode("utf-16"), 'it is saved as UTF-16; save it as "UTF-8"'),
        ('{"name": "C:\\abe"}', "line 1, column 13: a backslash means something special here"),
        ('["Abe"]', "it must be an object in braces, not a list"),
        ("[" * 50_000, "it contains a number that is too large, or is nested too deeply"),
        ('{\n"name": "Señor"}'.encode("latin-1"), 'line 2, column 12: here it is not UTF-8; save it as "UTF-8"'),
        (b"{" + b" " * 70_000 + b"}", "it is larger than 64 KiB"),
    ]
    for text, fault in cases:
        (reported,) = read_with_config(read, bot, text).faults
        assert reported.startswith(f"bot_config.json can't be read: {fault}")
        assert reported.isprintable()


def test_byte_order_mark_and_repeated_key_are_accepted_with_a_remark(read: Reader, bot: Path) -> None:
    config = b'\xef\xbb\xbf{"name": "Abe", "name": "Cid", "avatar_filename": "mugshot.png"}'
    submission = read_with_config(read, bot, config)
    assert (submission.name, submission.faults) == ("Cid", ())
    assert [note.partition(" ")[2].split()[0] for note in submission.notes] == ["It", '"name"']


def read_zipped(folder: Path, files: dict[str, str | bytes]) -> Submission:
    """Writes an archive of a UPAC bot's files into a new folder within `folder`, and reads the bot."""
    archive = Path(tempfile.mkdtemp(dir=folder), "bot.zip")
    archive.write_bytes(zip_of(files))
    return read_command_bot(archive, archive.parent / "work")


def test_upac_bot_is_read_from_an_archive_or_a_folder(tmp_path: Path) -> None:
    bot = read_zipped(tmp_path, {"bot/bot.json": json.dumps(EXAMPLE_BOT_JSON), "bot/bot.cpp": "int main() {}"})
    assert (bot.name, bot.build, bot.run) == ("FOY", EXAMPLE_BOT_JSON["build"], "./bot")
    assert (bot.faults, bot.notes) == ((), ())
    assert (bot.folder / "bot.cpp").read_text() == "int main() {}"
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps({"name": "FOY", "description": "fast and loose", "run": "./bot"}))
    for path in (folder, tmp_path):
        bot = read_command_bot(path, tmp_path / "other-work")
        assert (bot.folder, bot.build, bot.faults, bot.notes) == (folder, "", (), ())


def test_only_the_folder_of_a_upac_bot_may_have_another_name(tmp_path: Path) -> None:
    for path in ("bot.json", "my-bot/bot.json"):
        bot = read_zipped(tmp_path, {path: json.dumps(EXAMPLE_BOT_JSON), "__MACOSX/bot/bot.json": "junk"})
        assert (bot.name, bot.faults) == ("FOY", ())
        assert bot.notes == ("bot.json is not in a folder called bot; it was read anyway.",)
    (fault,) = read_zipped(tmp_path, {"bot/Bot.json": json.dumps(EXAMPLE_BOT_JSON)}).faults
    assert 'There is no bot/bot.json. There is "bot/Bot.json": rename or move it.' in fault
    (fault,) = read_zipped(tmp_path, {"bot/bot.json": ""}).faults
    assert "it is empty" in fault


def test_all_faults_of_a_upac_bot_are_reported_at_once(tmp_path: Path) -> None:
    faulty_config = {"name": "x" * 31, "build": 7, "runs": "./bot"}
    bot = read_zipped(tmp_path, {"bot/bot.json": json.dumps(faulty_config), "bot/../../evil": "x"})
    faults = " ".join(bot.faults)
    for part in ("outside its folder", "at most 30 characters", '"build" must be a text', 'no "run"'):
        assert part in faults
    assert bot.notes == ('"runs" in bot.json is not used.',)
    assert not list(tmp_path.rglob("evil"))
    for fields, fault in (
        ({"name": "FOY"}, 'bot.json has no "run"'),
        ({"name": "FOY", "run": "x" * 1001}, '"run" has 1001 characters'),
        ({"name": "FOY", "run": "a\u0000b"}, '"run" has characters'),
        ({"name": "\u200b", "run": "./bot"}, '"name" has characters'),
    ):
        (reported,) = read_zipped(tmp_path, {"bot/bot.json": json.dumps(fields)}).faults
        assert reported.startswith(fault)
