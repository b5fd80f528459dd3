"""espeak-ng turns sentences into sounds at -16 LUFS; a program that misbehaves is killed."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import soundfile

from broadcast.media.loudness_meter import integrated_lufs, true_peak_db
from broadcast.voice.levels import LUFS, PEAK_DB, trimmed, vorbis
from broadcast.voice.speaker import MAX_CHARACTERS, NoSpeech, shorter_forms, speakable, wav_of
from server.app.studio.beside import sayings
from server.config.event_show import ESPEAK
from server.journal.link import BotReport
from server.text.grammar import short_name
from tests.support.espeak import needs_espeak

SENTENCES = ("Doc folds.", "Billy the Kid raises to 1,250 with ace-king suited and is 62 percent to win.")


@needs_espeak
@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("pace", [1.0, 1.5])
def test_spoken_sentence_has_minus_16_lufs_and_no_peak_that_clips(text: str, pace: float) -> None:
    sound = vorbis(*trimmed(wav_of(ESPEAK, text, pace=pace)))
    samples, rate = soundfile.read(BytesIO(sound), dtype="float64", always_2d=True)
    assert abs(integrated_lufs(samples, rate) - LUFS) < 1
    assert true_peak_db(samples) <= PEAK_DB


@needs_espeak
def test_faster_pace_makes_the_same_sentence_shorter() -> None:
    slow, fast = (len(trimmed(wav_of(ESPEAK, SENTENCES[1], pace=pace))[0]) for pace in (1.0, 1.5))
    assert fast < 0.8 * slow


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (["no-such-program"], "it cannot be started: No such file or directory"),
        (["sleep", "600"], "it takes more than 0.5 seconds"),
        (["head", "-c", "100000000", "/dev/zero"], "it writes more than 4,000,000 bytes"),
        (["cat"], "its output is not a WAV"),
        (["true"], "its output is not a WAV"),
    ],
)
def test_misbehaving_program_is_killed_and_reported(program: list[str], why: str) -> None:
    with pytest.raises(NoSpeech) as refused:
        trimmed(wav_of(program, "Doc folds.", seconds=0.5 if "seconds" in why else 60.0))
    assert str(refused.value) == why


def test_sound_with_invalid_samples_is_levelled_and_silence_is_not_speech(tmp_path: Path) -> None:
    tone = np.sin(np.arange(22_050) / 20)
    tone[[50, 60, 70]] = np.inf, -np.inf, np.nan
    soundfile.write(tmp_path / "wild.wav", tone, 22_050, subtype="FLOAT")
    samples, rate = soundfile.read(BytesIO(vorbis(*trimmed(wav_of(["cat", str(tmp_path / "wild.wav")], "Doc folds.")))))
    assert integrated_lufs(samples, rate) == pytest.approx(LUFS, abs=1)
    soundfile.write(tmp_path / "silence.wav", np.zeros(22_050), 22_050)
    with pytest.raises(NoSpeech, match="it says nothing"):
        trimmed(wav_of(["cat", str(tmp_path / "silence.wav")], "Doc folds."))


def test_signs_are_spoken_as_words_and_names_as_the_event_file_says() -> None:
    given = {"Doc": "Dock", "Doc Holobyte": "Dock Hollow bite"}
    assert speakable("Doc Holobyte posts the SB vs Doc, 62% with K♠.", given) == (
        "Dock Hollow bite posts the small blind versus Dock, 62 percent with K spades ."
    )
    long = "The Extraordinarily Long Name of a Bot That Is Called over HTTP"
    said = sayings([BotReport("Wyatt Burp", say="WHY-ut burp"), BotReport(long, say="Longy"), BotReport("Doc")])
    spoken = speakable(f"Wyatt Burp calls, {short_name(long)} and Doc fold.", said)
    assert spoken == "why-ut burp calls, longy and Doc fold."
    commands = speakable("[[h'oU]] <break/> a\x00b\n" + "c" * 999, {})
    assert commands == ("h'oU break/ a b " + "c" * 999)[:MAX_CHARACTERS]


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        (
            "The flop comes king-ten-four, and Tess is ahead, 97% to win.",
            ["The flop comes king-ten-four, and Tess is ahead.", "The flop comes king-ten-four."],
        ),
        ("Hand 3 of 6. Tess has the button.", ["Hand 3 of 6."]),
        ("Tess wins with a pair of fours, ace and ten kicker.", ["Tess wins with a pair of fours."]),
        ("Tess takes 1,250 with an ace-high flush.", ["Tess takes 1,250."]),
        (
            "Tess takes 1,250 with a queen-high flush, jack next.",
            ["Tess takes 1,250 with a queen-high flush.", "Tess takes 1,250."],
        ),
        ("Tess and Doc split 1,250: both have three aces.", ["Tess and Doc split 1,250."]),
        ("Tess calls all in for 90, drawing dead against Doc.", ["Tess calls all in for 90."]),
        ("Tess calls all in for 90, but Doc has the best hand.", ["Tess calls all in for 90."]),
        ("Tess has never won 3 of 4 with aces.", []),
        ("Game 2: Tess, Doc and 2 others.", []),
    ],
)
def test_shortened_sentence_is_still_true(text: str, shorter: list[str]) -> None:
    assert list(shorter_forms(text)) == [text, *shorter]
