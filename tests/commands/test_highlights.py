"""The command `highlights` lists a recording's best hands, `clip` films hands, `youtube` writes texts for a video."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import Struct
from msgspec.structs import replace

from broadcast.archive.database import stamp_of
from broadcast.film.film import film_recording, write_film
from broadcast.film.highlights import choose_reel, replays_of  # A reel shows the best hands, one after another.
from broadcast.film.reel_film import make_reel_film
from broadcast.on_air.diary import Diary
from broadcast.show.hold_times import REPLAY_START_MS
from server.__main__ import main
from server.app.recordings.films import hand_path, open_films
from server.command_line import values
from server.game.events import HandShown, TournamentOpened
from server.journal.bus import Bus
from tests.commands.in_process import Capture, error_of, output_of
from tests.show.show_on_fake_clock import ManualClock, ShowOnFakeClock, list_types, without_times
from tests.support.games.recordings import small_contest, with_names, write
from tests.support.idle_loop import run_on_idle_loop
from tests.support.program import ROOT, SECONDS
from tests.support.programs.browsers import film_tools_or_skip

SHOW_START = datetime(2026, 11, 21, 20, 0, tzinfo=UTC).timestamp()
"""When the show begins, in seconds since 1970."""


class Evening(Struct, frozen=True):
    """A finished evening (contest and show): its recording, and when each hand went on air, in ms after SHOW_START."""

    recording: Path
    hand_starts_ms: Sequence[int]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording without a diary (the `.air` file with the times of a live show)."""
    return _write_film(write(tmp_path_factory.mktemp("recordings") / "evening.jsonl", small_contest()))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening with a break. Its show also stood still for 30 seconds, because no studio (the show's process) ran."""
    evening = run_on_idle_loop(_hold_evening(tmp_path_factory.mktemp("finished") / "evening.jsonl"))
    _write_film(evening.recording)
    return evening


def _write_film(recording: Path) -> Path:
    """Writes a recording's film (its computed show) beside the recording, so that no command has to compute it."""
    write_film(open_films(recording, live=False).film, stamp_of(recording), recording.with_suffix(".film"))
    return recording


async def _hold_evening(path: Path) -> Evening:
    clock, bus = ManualClock(), Bus(None, lambda: 0.0)
    bus.publish(*(entry.event for entry in small_contest()))
    hand_starts_ms: list[int] = []
    for down_seconds, until in ((0.0, 150.0), (30.0, 2000.0)):  # `down_seconds`: the time without a studio

        def time_of_day(down_seconds: float = down_seconds) -> float:
            return SHOW_START + down_seconds + clock.now

        def record_start(text: bytes, down_seconds: float = down_seconds) -> None:
            if b'"hand_started"' in text:
                hand_starts_ms.append(round((down_seconds + clock.now) * 1000))

        studio = ShowOnFakeClock(bus=bus, clock=clock, diary=Diary(path.with_suffix(".air"), time_of_day))
        studio.air.listeners.add(record_start)
        async with studio.running_task():
            if not down_seconds:
                await clock.run(40)
                await studio.set("card", "break")
                await clock.run(100)
                await studio.set("card", "")
            await clock.run(until - clock.now)
    return Evening(write(path, bus.entries), hand_starts_ms)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "texts"


def test_highlights_are_listed_best_first_with_their_addresses(recording: Path, capsys: Capture) -> None:
    highlights = json.loads(output_of(capsys, "highlights", recording, "--json"))
    assert len(highlights) == 3
    outline = film_recording(small_contest()).outline
    for highlight in highlights:
        hand = outline.hands[highlight["number"]]
        assert (highlight["at_ms"], highlight["until_ms"], highlight["live_at_ms"]) == (hand.at_ms, hand.until_ms, None)
        assert highlight["address"] == f"/replay/evening?hand={highlight['number']}"
        assert sum(won["amount"] for won in highlight["won"]) == highlight["pot"] == hand.pot
        assert highlight["marks"] == hand.marks or highlight["number"] == len(outline.hands) - 1
    table = output_of(capsys, "highlights", recording)
    assert all(highlight["why"] in table and highlight["address"] in table for highlight in highlights)
    assert "3 highlights" in table


def test_highlights_of_a_given_length_keep_the_order_of_the_show(recording: Path, capsys: Capture) -> None:
    highlights = json.loads(output_of(capsys, "highlights", recording, "--json", "--length", "2m"))
    numbers = [highlight["number"] for highlight in highlights]
    assert numbers == [part.hand for part in choose_reel(film_recording(small_contest()).outline, 120_000)]
    table = output_of(capsys, "highlights", recording, "--length", "60s")
    assert re.search(r"[12] highlights? did not fit; the best of them:\n  \S.+ \(\d+ s\)\n", table)
    assert re.search(r"from the (flop|turn|river) on; ", table)
    error = error_of(capsys, "highlights", recording, "--length", "1s")
    assert re.search(r"no highlight is short enough: the shortest takes \d+ s", error)
    assert "replaying" in output_of(capsys, "replay", recording, "--highlights", "3m", "--speed", 0, "--port", 0)
    with pytest.raises(SystemExit):
        main(["replay", str(recording), "--highlights", "3m", "--as-live"])


def test_highlights_have_their_times_in_the_live_show(evening: Evening, capsys: Capture) -> None:
    for highlight in json.loads(output_of(capsys, "highlights", evening.recording, "--json")):
        assert abs(highlight["live_at_ms"] - evening.hand_starts_ms[highlight["number"] - 1]) <= 1
    assert "live" in output_of(capsys, "highlights", evening.recording).splitlines()[0]


def test_address_of_a_hand_depends_on_the_folder_of_its_recording(tmp_path: Path) -> None:
    for folder, name in (("recordings", "7"), ("recordings/practice", "practice/7"), ("upac/games/0000", "season/7")):
        path = write(tmp_path / folder / "7.jsonl", small_contest())
        assert hand_path(open_films(path).name, 3) == f"/replay/{name}?hand=3"


def test_youtube_writes_four_texts_and_overwrites_none(recording: Path, out: Path, capsys: Capture) -> None:
    printed = output_of(capsys, "youtube", recording, "--out", out)
    assert re.search(r"\d+ chapters, \d+ captions of the film, \d+:\d\d long", printed)
    texts = {path.name: path.read_text() for path in out.iterdir()}
    assert sorted(texts) == ["captions.srt", "captions.vtt", "chapters.txt", "description.txt"]
    assert texts["chapters.txt"].startswith("0:00 Line-up\n0:13 The Trials, game 1 of 2")
    assert texts["chapters.txt"] in texts["description.txt"]
    assert "highnoon verify evening.jsonl" in texts["description.txt"]
    assert "1. Bot 5" in texts["description.txt"]
    assert len(texts["description.txt"]) < 5000
    assert "already exists: name another folder with --out" in error_of(capsys, "youtube", recording, "--out", out)
    hidden_folder = out.with_name("hidden")
    output_of(capsys, "youtube", recording, "--no-results", "--out", hidden_folder)
    text = (hidden_folder / "chapters.txt").read_text() + (hidden_folder / "description.txt").read_text()
    assert ("An elimination" in text, "The champion\n" in text, "Bot " in text) == (True, True, False)


def test_chapters_count_from_the_start_of_the_stream(evening: Evening, out: Path, capsys: Capture) -> None:
    output_of(capsys, "youtube", evening.recording, "--stream-began", "2026-11-21T19:58:20Z", "--out", out)
    chapters = (out / "chapters.txt").read_text().splitlines()
    assert chapters[:3] == ["0:00 Before the show", "1:40 Line-up", "1:53 The Trials, game 1 of 2"]
    assert "2:20 Break" in chapters
    same_folder = out.with_name("same")
    output_of(capsys, "youtube", evening.recording, "--offset", "0:01:40", "--out", same_folder)
    for name in ("chapters.txt", "captions.vtt"):
        assert (same_folder / name).read_text() == (out / name).read_text(), "both options must mean the same offset"
    late_folder = out.with_name("late")
    printed = output_of(capsys, "youtube", evening.recording, "--offset=-0:03:00", "--out", late_folder)
    assert re.search(r"note: the video begins 3:00 into the show: \d+ earlier captions", printed)
    assert "Line-up" not in (late_folder / "chapters.txt").read_text()


def test_texts_of_a_film_ignore_the_diary(evening: Evening, recording: Path, out: Path, capsys: Capture) -> None:
    output_of(capsys, "youtube", evening.recording, "--film", "--out", out / "a")
    output_of(capsys, "youtube", recording, "--out", out / "b")
    assert (out / "a/captions.vtt").read_text() == (out / "b/captions.vtt").read_text()
    output_of(capsys, "youtube", recording, "--highlights", "5m", "--out", out)
    parts = choose_reel(make_reel_film(film_recording(small_contest())).outline, 300_000)
    chapters = (out / "chapters.txt").read_text().splitlines()
    assert len(chapters) == len(parts)
    assert chapters[0].startswith("0:00 ")
    assert "the best hands" in (out / "description.txt").read_text().splitlines()[0]


def test_impossible_start_of_a_video_is_refused(recording: Path, evening: Evening, out: Path, capsys: Capture) -> None:
    undated_recording = out.with_name("evening.jsonl")
    undated_recording.write_bytes(evening.recording.read_bytes())
    lines = evening.recording.with_suffix(".air").read_text().splitlines()
    undated_recording.with_suffix(".air").write_text("\n".join(line for line in lines if not line.startswith("dated")))
    for path, option, reason in (
        (recording, "--offset=12:00:01", "no stream is longer than 12 hours"),
        (recording, "--offset=-1h", "after its end"),
        (recording, "--stream-began=2026-11-21T20:00:00Z", "there is no diary (.air) of a live show beside this"),
        (undated_recording, "--stream-began=2026-11-21T20:00:00Z", "does not say when it began: use --offset instead"),
    ):
        assert reason in error_of(capsys, "youtube", path, "--out", out, option)
    assert not out.exists()


def test_usual_notations_of_durations_and_moments_are_read() -> None:
    for text, seconds in (("3m", 180), ("90s", 90), ("90", 90), ("1h5m", 3900), ("0:03:20", 200), ("3:20", 200)):
        assert values.read_duration_ms(text) == seconds * 1000
    assert values.read_duration_ms("1.5s") == 1500
    assert values.read_signed_ms("-0:02:00") == -120_000
    assert values.read_stream_start_ms("2026-11-21T21:00:00+01:00") == SHOW_START * 1000
    for read, text, why in (
        *((values.read_duration_ms, text, "write it like 3m") for text in ("", "3x", "-3m")),
        (values.read_duration_ms, "25h", "longer than a day"),
        (values.read_length_ms, "0s", "write it like 3m"),
        (values.read_numbers, "1;3", "such as 12,15,31"),
        *((values.read_stream_start_ms, text, "a time with a time zone") for text in ("soon", "2026-11-21T20:00:00")),
    ):
        with pytest.raises(ValueError, match=why):
            read(text)


def test_replay_of_highlights_shows_the_same_entries_as_the_film() -> None:
    film = film_recording(small_contest())
    parts = choose_reel(film.outline, 60_000)
    assert any(part.street for part in parts), "the replay of at least one hand must begin after the hand's start"

    async def play() -> ShowOnFakeClock:
        studio = ShowOnFakeClock()
        show = asyncio.create_task(studio.runner.show_replays(list(replays_of(film, parts))))
        await studio.clock.run(1000)
        await show
        return studio

    aired = run_on_idle_loop(play()).aired
    assert list_types(aired).count("replay_ended") == 1
    assert len([entry for entry in without_times(aired) if entry["type"] == "replay_started"]) == len(parts)
    entries = [entry for entry in aired if not entry["type"].startswith("replay_")]
    assert len(entries) == sum(part.last_seq - part.seq + 1 for part in parts)
    total = sum(part.length_ms + REPLAY_START_MS for part in parts)
    assert aired[-1]["at_ms"] == pytest.approx(total, abs=50 * len(parts))


def test_control_characters_in_a_recording_are_never_printed(tmp_path: Path, capsys: Capture) -> None:
    evil_name = "Evil \x1b[2J \x1b]0;owned\x07 \x9b5m \u202e"
    entries = list(small_contest())
    for index, entry in enumerate(entries):
        match entry.event:
            case TournamentOpened(entrants=entrants) as opened:
                bots = tuple(replace(bot, name=f"{evil_name}{bot.bot}", player=evil_name) for bot in entrants)
                entries[index] = replace(entry, event=replace(opened, title=evil_name, entrants=bots))
            case HandShown(ranking=ranking) as shown if ranking:
                entries[index] = replace(entry, event=replace(shown, ranking=evil_name))
    path = write(tmp_path / "forged.jsonl", entries)
    for line in ("highlights", "highlights --json", "export --text", "export --phhs", "luck", "verify"):
        command, *options = line.split()
        main([command, str(path), *options])
        out, err = capsys.readouterr()
        assert "Evil" in out or line in ("highlights --json", "verify")
        assert not [character for character in out + err if not character.isprintable() and character != "\n"], line
    output_of(capsys, "youtube", path, "--out", tmp_path / "texts")
    texts = [file.read_text() for file in (tmp_path / "texts").iterdir()]
    assert len(texts) == 4
    assert "".join(texts).replace("\n", "").isprintable()
    path = write(tmp_path / "renamed.jsonl", with_names(small_contest(), "\u05d1\u05d5\u05d8"))
    output_of(capsys, "youtube", path, "--out", tmp_path / "right-to-left")
    assert "\u2068\u05d1\u05d5\u05d8\u2069" in (tmp_path / "right-to-left" / "captions.vtt").read_text()


@pytest.mark.parametrize(("words", "error"), [
    (("--hand=0", "--out", "{folder}/x.mp4"), "there is no hand 0 in this recording: its hands are 1 to 7"),
    (("--hand=8", "--out", "{folder}/x.mp4"), "there is no hand 8 in this recording: its hands are 1 to 7"),
    (("--highlights", "2s", "--out", "{folder}/x.mp4"), "no highlight is short enough"),
    (("--hand", "1", "--out", "{folder}/theirs.mp4"), "highnoon: {folder}/theirs.mp4 already exists"),
    (("--hand", "1,3", "--out", "{folder}"), "highnoon: {folder}/evening-hand-3.mp4 already exists"),
    (("--evening", "--out", "{folder}"), "highnoon: {folder}/evening-60s-tall.txt already exists"),
    (("--hand", "1", "--out", "{folder}/x.avi"), "must end in .mp4"),
    (("--hand", "1", "--out", "{folder}/x.mp4", "--preview", "{folder}/x.gif"), "must end in .webp"),
    (("--hand", "1", "--out", "{folder}/nowhere/x.mp4"), "no file can be written to"),
    (("--best", "3", "--preview", "{folder}/x.webp"), "--preview is for a single film: use it"),
])  # fmt: skip
def test_impossible_clip_is_refused_and_nothing_is_made(
    words: Sequence[str], error: str, recording: Path, tmp_path: Path, capsys: Capture
) -> None:
    existing_files = {tmp_path / "theirs.mp4", tmp_path / "evening-hand-3.mp4", tmp_path / "evening-60s-tall.txt"}
    for path in existing_files:
        path.write_bytes(b"somebody's")
    printed = error_of(capsys, "clip", recording, *(word.format(folder=tmp_path) for word in words))
    assert (printed.count("\n"), error.format(folder=tmp_path) in printed) == (1, True), printed
    assert set(tmp_path.iterdir()) == existing_files
    assert {path.read_bytes() for path in existing_files} == {b"somebody's"}


def test_error_says_how_to_install_a_missing_program(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    words = ("clip", recording, "--hand", 1, "--out", tmp_path / "x.mp4")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    no_chromium = "highnoon: a clip needs Chromium: apt-get install chromium, or set CHROMIUM=/its/path\n"
    assert error_of(capsys, *words) == no_chromium
    monkeypatch.setenv("CHROMIUM", "/bin/true")
    assert error_of(capsys, *words) == "highnoon: a clip needs FFmpeg: apt-get install ffmpeg\n"


def test_interrupted_clip_leaves_nothing_behind(recording: Path, tmp_path: Path) -> None:
    film_tools_or_skip()  # This skips the test if a program is missing.
    words = ["clip", str(recording), "--hand", "1", "--out", str(tmp_path / "x.mp4")]
    with TemporaryDirectory() as work:  # A path in `tmp_path` may be too long for the browser's sockets.
        command = subprocess.Popen(
            [sys.executable, "-m", "server", *words], cwd=ROOT, env={**os.environ, "TMPDIR": work}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with command:
            assert command.stderr
            assert command.stderr.readline().startswith("filming: 0 of ")
            command.send_signal(signal.SIGINT)
            output, errors = command.communicate(timeout=SECONDS)
        assert (command.returncode, output, errors) == (0, "\nstopped\n", "")
        assert not list(tmp_path.iterdir())
        assert not list(Path(work).glob("high-noon-*"))
