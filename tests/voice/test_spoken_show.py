"""espeak-ng speaks a whole show: each line on time, one at a time, never ahead of the show."""

import zlib
from itertools import pairwise
from pathlib import Path

import pytest
import soundfile
from msgspec.structs import replace

from broadcast.desk.health_lights import Light
from broadcast.film.film import film_of
from broadcast.on_air.diary import read_diary, spoken_of, true_times
from broadcast.on_air.events import CaptionSpoken, LineSpoken
from broadcast.voice.voice import AGAIN_SECONDS
from server.config.event_show import ESPEAK
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import HandEnded, StageEnded, TournamentEnded
from tests.support.espeak import needs_espeak
from tests.support.recordings import aired, entries_of, small_contest
from tests.voice.spoken_show import Heard, play

pytestmark = needs_espeak


_TRIALS, _FINAL = QUICK_DRAW_FORMAT.stages
SHORT = replace(QUICK_DRAW_FORMAT, stages=(replace(_TRIALS, games=1, hands=2), replace(_FINAL, hands=2)))
"""A contest with one game of two hands and a final of two hands."""


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    return play(small_contest(shape=SHORT), tmp_path_factory.mktemp("evening"), ESPEAK)


def test_most_important_captions_are_spoken_to_the_end_of_the_show(heard: Heard) -> None:
    captions = [entry for entry in heard.entries if isinstance(entry.event, CaptionSpoken)]
    assert len(heard.lines) > len(captions) / 3
    assert not heard.log
    assert heard.lights == [Light("voice", "green", f"{len(heard.lines)} captions spoken")]
    spoken_at = {entry.at_ms for entry in heard.lines}
    ends = [entry for entry in heard.entries if isinstance(entry.event, StageEnded | TournamentEnded)]
    assert {entry.at_ms for entry in ends} <= spoken_at | {entry.at_ms for entry in ends[:-1]}


def test_each_line_begins_with_its_caption_and_is_over_before_the_next_line_and_hand(heard: Heard) -> None:
    captions = {entry.at_ms for entry in heard.entries if isinstance(entry.event, CaptionSpoken)}
    assert {entry.at_ms for entry in heard.lines} <= captions
    hands = [entry.at_ms + entry.hold_ms for entry in heard.entries if isinstance(entry.event, HandEnded)]
    for line, after in pairwise(heard.lines):
        assert isinstance(line.event, LineSpoken)
        assert line.at_ms + line.event.ms <= min([after.at_ms, *(end for end in hands if end > line.at_ms)])


def test_sound_has_its_stated_length_and_does_not_exist_before_its_caption_is_on_air(heard: Heard) -> None:
    sounds = [line.sound for line, _ in heard.files]
    assert len({*sounds}) == len(sounds) > 30
    for at, (line, files) in enumerate(heard.files, 1):
        assert soundfile.info(heard.media / line.sound).duration * 1000 == pytest.approx(line.ms, abs=1)
        assert files == {*sounds[:at]}


def test_voice_changes_nothing_else_in_the_show(heard: Heard) -> None:
    without = [(entry.at_ms, entry.hold_ms, entry.event) for entry in heard.entries if entry not in heard.lines]
    assert without == [(entry.at_ms, entry.hold_ms, entry.event) for entry in aired(small_contest(shape=SHORT))]


def test_film_has_the_voice_of_the_show_only_where_captions_are_the_same(heard: Heard) -> None:
    said = [line for line, _ in heard.files]
    lines = read_diary(heard.diary)
    ran = film_of(small_contest(shape=SHORT), spoken=spoken_of(lines), past=true_times(lines)[0])
    again = film_of(small_contest(shape=SHORT), spoken=spoken_of(lines))
    for film in (ran, again):
        sounds = [entry["sound"] for entry in entries_of(film) if entry["type"] == "line_spoken"]
        assert sounds == [line.sound for line in said]
    other = {seq: replace(line, caption=zlib.crc32(b"another")) for seq, line in spoken_of(lines).items()}
    silent = entries_of(film_of(small_contest(shape=SHORT), spoken=other))
    assert "line_spoken" not in [entry["type"] for entry in silent]


def test_restarted_show_speaks_each_line_once(heard: Heard, tmp_path: Path) -> None:
    entries = small_contest(shape=SHORT)[:120]
    ends = [at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded)]
    first = play(entries[: ends[1] - 4], tmp_path, ESPEAK)
    back = play(entries, tmp_path, ESPEAK)
    was = [line for line, _ in first.files]
    assert len(was) > 5
    assert [line for line, _ in back.files][: len(was)] == was
    until = back.entries[-1].at_ms
    assert len(back.lines) == pytest.approx(sum(line.at_ms <= until for line in heard.lines), abs=2)


def test_show_with_a_voice_only_for_the_blind_speaks_only_describing_lines(heard: Heard, tmp_path: Path) -> None:
    assert {line.describe for line, _ in heard.files} == {False, True}
    first = small_contest(shape=SHORT)[:60]
    assert {line.describe for line, _ in play(first, tmp_path, ESPEAK, for_all=False).files} == {True}


def test_show_continues_without_a_voice(tmp_path: Path) -> None:
    heard, why = play(small_contest()[:150], tmp_path, ["false"]), "its output is not a WAV"
    assert [entry.event for entry in heard.entries] == [entry.event for entry in aired(small_contest()[:150])]
    assert heard.log == [why]
    assert heard.lights == [Light("voice", "yellow", f"{why}; captions are not spoken, but the show continues")]
    assert not list(heard.media.iterdir())


def test_failed_program_is_tried_again_after_a_minute(tmp_path: Path) -> None:
    failed = tmp_path / "failed"
    program = f"if [ -e {failed} ]; then exec espeak-ng --stdin --stdout; fi; touch {failed}"
    heard = play(small_contest()[:150], tmp_path, ["sh", "-c", program])
    assert heard.log == ["its output is not a WAV"]
    assert heard.lights[0].colour == "green"
    assert heard.lines[0].at_ms > AGAIN_SECONDS * 1000
