"""espeak-ng speaks the thoughts that are on screen: each bot in its own voice, after captions and more quietly."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import soundfile

from broadcast.media.loudness_meter import integrated_lufs
from broadcast.on_air.events import CaptionSpoken, LineSpoken, OnAirEntry, ThoughtShown
from broadcast.on_air.picture_speech import thought_ms
from broadcast.voice.bot_voices import PITCHES, VARIANTS, bot_command, can_be_spoken
from broadcast.voice.choice import weight_of
from broadcast.voice.levels import LUFS, THOUGHT_LUFS
from broadcast.voice.speaker import Speaker, speakable, wav_of
from broadcast.voice.voice import IMPORTANT, THOUGHT_WAITS_MS
from server.config.event_show import ESPEAK
from server.game.events import ControlSet, HouseEvent
from server.journal.journal import Entry
from tests.commentary.claims.test_reading_scores import with_notes
from tests.support.espeak import needs_espeak
from tests.support.recordings import small_contest
from tests.voice.spoken_show import Heard, play

pytestmark = needs_espeak


def thoughtful() -> list[Entry]:
    """Some hands in which bots give a thought on each action."""
    return [*with_notes(small_contest()[:130], every=1)]


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    return play(thoughtful(), tmp_path_factory.mktemp("evening"), ESPEAK, thoughts=True)


def thought_lines(heard: Heard) -> list[OnAirEntry]:
    return [entry for entry in heard.lines if isinstance(entry.event, LineSpoken) and entry.event.bot]


def test_only_thoughts_on_screen_are_spoken_each_right_after_it_appears_and_within_its_time(heard: Heard) -> None:
    spoken = thought_lines(heard)
    assert len(spoken) > 2
    for entry in spoken:
        before = heard.entries[heard.entries.index(entry) - 1]
        assert isinstance(entry.event, LineSpoken)
        assert isinstance(before.event, ThoughtShown)
        assert (before.at_ms, before.event.bot) == (entry.at_ms, entry.event.bot)
        assert entry.event.ms <= thought_ms(before.event.text)
    assert not heard.log


def test_commentator_comes_first_and_only_what_is_important_ends_a_thought(heard: Heard) -> None:
    free_ms = thought_ends_ms = 0.0
    first: Sequence[OnAirEntry] = ()
    for entry in heard.entries:
        if isinstance(entry.event, HouseEvent):
            first = (entry,)
        if isinstance(entry.event, CaptionSpoken):
            caption = entry.event.text
        if not isinstance(entry.event, LineSpoken):
            continue
        if entry.event.bot:
            assert free_ms - entry.at_ms <= THOUGHT_WAITS_MS
            thought_ends_ms = max(entry.at_ms, free_ms) + entry.event.ms
        else:
            assert entry.at_ms >= thought_ends_ms - 1 or weight_of(first[0].event, caption) >= IMPORTANT
            free_ms, thought_ends_ms = entry.at_ms + entry.event.ms, 0


def test_thoughts_are_quieter_than_captions(heard: Heard) -> None:
    for line, _ in heard.files:
        samples, rate = soundfile.read(heard.media / line.sound, always_2d=True)
        if line.ms > 1000:
            assert integrated_lufs(samples, rate) == pytest.approx(THOUGHT_LUFS if line.bot else LUFS, abs=1)


def test_thoughts_are_silent_unless_the_event_file_wants_them_and_while_the_desk_hides_them(tmp_path: Path) -> None:
    entries = thoughtful()
    off = Entry(2, 0, ControlSet("thoughts", value=False, was=True))
    hidden = [entries[0], off, *(Entry(entry.seq + 1, entry.at_ms, entry.event) for entry in entries[1:])]
    for each, thoughts in ((entries, False), (hidden, True)):
        folder = tmp_path / str(thoughts)
        folder.mkdir()
        played = play(each, folder, ESPEAK, thoughts=thoughts)
        assert played.lines
        assert not thought_lines(played)


def test_each_bot_has_a_voice_of_its_own_that_stays_the_same() -> None:
    commands = [bot_command(ESPEAK, bot) for bot in range(1, len(VARIANTS) * len(PITCHES) + 1)]
    assert len({*commands}) == len(commands)
    wavs = [wav_of(command, "I have the nuts.") for command in commands[: len(VARIANTS) + 1]]
    assert len({*wavs}) == len(wavs)
    assert wav_of(commands[0], "I have the nuts.") == wavs[0]
    german = bot_command(("espeak-ng", "--stdin", "--stdout", "-v", "de"), 1)
    assert german[-4:] == ("-v", "de+m1", "-p", "50")


def test_markup_and_commands_of_the_speech_program_are_only_words() -> None:
    said = 'I <break time="9s"/> call [[h@l'
    assert speakable(said, {}) == 'I break time="9s"/ call h@l'
    speaker = Speaker(bot_command(ESPEAK, 1), {}, quiet=True)
    plain = speaker.fitting("I call -f /etc/passwd.", 9000)
    assert plain
    assert speaker.fitting("I call <audio src='/etc/passwd'/>.", 9000)


def test_thought_in_a_script_that_the_program_would_spell_out_is_not_spoken() -> None:
    assert can_be_spoken("Ich habe ein Paar Könige, çüñ.")
    assert not any(map(can_be_spoken, ("我有一对国王。", "لدي زوج من الملوك", "Это пара королей")))
