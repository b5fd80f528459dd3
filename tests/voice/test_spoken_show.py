"""espeak-ng speaks a whole show: each line on time, one at a time, never ahead of the show.

It also speaks the thoughts that are on screen: each bot in its own voice, after captions and more quietly.
"""

import zlib
from itertools import pairwise
from pathlib import Path

import pytest
import soundfile
from msgspec.structs import replace

from broadcast.desk.health_lights import Light
from broadcast.film.film import film_recording
from broadcast.media.loudness_meter import integrated_lufs
from broadcast.on_air.diary import read_diary, real_times, select_spoken
from broadcast.on_air.events import CaptionSpoken, LineSpoken, OnAirEntry, ThoughtShown
from broadcast.on_air.picture_speech import thought_ms
from broadcast.voice.bot_voices import PITCHES, VARIANTS, bot_command, can_be_spoken
from broadcast.voice.speaker import Speaker, prepare_text, run_speech_program
from broadcast.voice.speech_encoding import TARGET_LUFS, THOUGHT_LUFS
from broadcast.voice.spoken_captions import weight_of
from broadcast.voice.voice import INTERRUPTING_WEIGHT, MAX_THOUGHT_WAIT_MS, RETRY_SECONDS
from server.config.event_show import ESPEAK_COMMAND
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ControlSet, HandEnded, JournalEvent, StageEnded, TournamentEnded
from server.journal.journal import Entry
from tests.commentary.claims.test_reading_scores import with_notes
from tests.support.games.recordings import aired, entries_of, small_contest
from tests.support.programs.espeak import needs_espeak
from tests.voice.spoken_show import Heard, play

pytestmark = needs_espeak
_TRIALS, _FINAL = QUICK_DRAW_FORMAT.stages
SHORT = small_contest(
    shape=replace(QUICK_DRAW_FORMAT, stages=(replace(_TRIALS, games=1, hands=2), replace(_FINAL, hands=2)))
)
"""A contest with one game of two hands and a final of two hands."""
THOUGHTFUL = [*with_notes(small_contest()[:130], every=1)]
"""Some hands in which bots give a thought on each action."""


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    return play(SHORT, tmp_path_factory.mktemp("evening"), ESPEAK_COMMAND)


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    return play(THOUGHTFUL, tmp_path_factory.mktemp("thoughts"), ESPEAK_COMMAND, thoughts=True)


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
    assert without == [(entry.at_ms, entry.hold_ms, entry.event) for entry in aired(SHORT)]


def test_film_has_the_voice_of_the_show_only_where_captions_are_the_same(heard: Heard) -> None:
    said = [line for line, _ in heard.files]
    lines = read_diary(heard.diary)
    ran = film_recording(SHORT, spoken=select_spoken(lines), past=real_times(lines)[0])
    again = film_recording(SHORT, spoken=select_spoken(lines))
    for film in (ran, again):
        sounds = [entry["sound"] for entry in entries_of(film) if entry["type"] == "line_spoken"]
        assert sounds == [line.sound for line in said]
    other = {seq: replace(line, caption=zlib.crc32(b"another")) for seq, line in select_spoken(lines).items()}
    silent = entries_of(film_recording(SHORT, spoken=other))
    assert "line_spoken" not in [entry["type"] for entry in silent]


def test_restarted_show_speaks_each_line_once(heard: Heard, tmp_path: Path) -> None:
    entries = SHORT[:120]
    ends = [at for at, entry in enumerate(entries) if isinstance(entry.event, HandEnded)]
    first = play(entries[: ends[1] - 4], tmp_path, ESPEAK_COMMAND)
    back = play(entries, tmp_path, ESPEAK_COMMAND)
    was = [line for line, _ in first.files]
    assert len(was) > 5
    assert [line for line, _ in back.files][: len(was)] == was
    until = back.entries[-1].at_ms
    assert len(back.lines) == pytest.approx(sum(line.at_ms <= until for line in heard.lines), abs=2)


def test_show_with_a_voice_only_for_the_blind_speaks_only_describing_lines(heard: Heard, tmp_path: Path) -> None:
    assert {line.describe for line, _ in heard.files} == {False, True}
    first = SHORT[:60]
    assert {line.describe for line, _ in play(first, tmp_path, ESPEAK_COMMAND, for_all=False).files} == {True}


def test_show_continues_without_a_voice_and_tries_a_failed_program_again_after_a_minute(tmp_path: Path) -> None:
    first, why = small_contest()[:150], "its output is not a WAV"
    heard = play(first, tmp_path, ["false"])
    assert [entry.event for entry in heard.entries] == [entry.event for entry in aired(first)]
    assert heard.log == [why]
    assert heard.lights == [Light("voice", "yellow", f"{why}; captions are not spoken, but the show continues")]
    assert not list(heard.media.iterdir())
    failed, again = tmp_path / "failed", tmp_path / "again"
    again.mkdir()
    program = f"if [ -e {failed} ]; then exec espeak-ng --stdin --stdout; fi; touch {failed}"
    heard = play(first, again, ["sh", "-c", program])
    assert heard.log == [why]
    assert heard.lights[0].colour == "green"
    assert heard.lines[0].at_ms > RETRY_SECONDS * 1000


def thoughts_in(heard: Heard) -> list[OnAirEntry]:
    return [entry for entry in heard.lines if isinstance(entry.event, LineSpoken) and entry.event.bot]


def test_only_thoughts_on_screen_are_spoken_each_right_after_it_appears_and_within_its_time(thinking: Heard) -> None:
    assert len(thoughts_in(thinking)) > 2
    for entry in thoughts_in(thinking):
        before = thinking.entries[thinking.entries.index(entry) - 1]
        assert isinstance(entry.event, LineSpoken)
        assert isinstance(before.event, ThoughtShown)
        assert (before.at_ms, before.event.bot) == (entry.at_ms, entry.event.bot)
        assert entry.event.ms <= thought_ms(before.event.text)
    assert not thinking.log


def test_commentator_comes_first_and_only_what_is_important_ends_a_thought(thinking: Heard) -> None:
    free_ms = thought_ends_ms = 0.0
    for entry in thinking.entries:
        if isinstance(entry.event, JournalEvent):
            first = entry.event
        if isinstance(entry.event, CaptionSpoken):
            caption = entry.event.text
        if not isinstance(entry.event, LineSpoken):
            continue
        if entry.event.bot:
            assert free_ms - entry.at_ms <= MAX_THOUGHT_WAIT_MS
            thought_ends_ms = max(entry.at_ms, free_ms) + entry.event.ms
        else:
            assert entry.at_ms >= thought_ends_ms - 1 or weight_of(first, caption) >= INTERRUPTING_WEIGHT
            free_ms, thought_ends_ms = entry.at_ms + entry.event.ms, 0


def test_thoughts_are_quieter_than_captions(thinking: Heard) -> None:
    for line, _ in thinking.files:
        samples, rate = soundfile.read(thinking.media / line.sound, always_2d=True)
        if line.ms > 1000:
            assert integrated_lufs(samples, rate) == pytest.approx(THOUGHT_LUFS if line.bot else TARGET_LUFS, abs=1)


def test_thoughts_are_silent_unless_the_event_file_wants_them_and_while_the_desk_hides_them(tmp_path: Path) -> None:
    opened, *rest = THOUGHTFUL
    off = Entry(2, 0, ControlSet("thoughts", value=False, was=True))
    hidden = [opened, off, *(Entry(entry.seq + 1, entry.at_ms, entry.event) for entry in rest)]
    for each, thoughts in ((THOUGHTFUL, False), (hidden, True)):
        folder = tmp_path / str(thoughts)
        folder.mkdir()
        played = play(each, folder, ESPEAK_COMMAND, thoughts=thoughts)
        assert played.lines
        assert not thoughts_in(played)


def test_each_bot_has_a_voice_of_its_own_that_stays_the_same() -> None:
    commands = [bot_command(ESPEAK_COMMAND, bot) for bot in range(1, len(VARIANTS) * len(PITCHES) + 1)]
    assert len({*commands}) == len(commands)
    wavs = [run_speech_program(command, "I have the nuts.") for command in commands[: len(VARIANTS) + 1]]
    assert len({*wavs}) == len(wavs)
    assert run_speech_program(commands[0], "I have the nuts.") == wavs[0]
    german = bot_command(("espeak-ng", "--stdin", "--stdout", "-v", "de"), 1)
    assert german[-4:] == ("-v", "de+m1", "-p", "50")


def test_markup_and_commands_in_a_thought_are_only_words_and_scripts_that_would_be_spelled_out_stay_silent() -> None:
    assert prepare_text('I <break time="9s"/> call [[h@l', {}) == 'I break time="9s"/ call h@l'
    speaker = Speaker(bot_command(ESPEAK_COMMAND, 1), {}, quiet=True)
    assert speaker.speak_within("I call -f /etc/passwd.", 9000)
    assert speaker.speak_within("I call <audio src='/etc/passwd'/>.", 9000)
    assert can_be_spoken("Ich habe ein Paar Könige, çüñ.")
    assert not any(map(can_be_spoken, ("我有一对国王。", "لدي زوج من الملوك", "Это пара королей")))
