"""espeak-ng speaks the right captions, all with a loudness of -16 LUFS. A speech program that misbehaves is killed."""

import random
import re
from collections.abc import Sequence
from io import BytesIO
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import soundfile
from msgspec.structs import replace

from broadcast.media.loudness_meter import integrated_lufs, true_peak_db
from broadcast.on_air.events import LineSpoken, OnAirEntry
from broadcast.voice.speaker import MAX_CHARACTERS, NoSpeech, prepare_text, run_speech_program, shorter_forms
from broadcast.voice.speech_encoding import PEAK_DB, TARGET_LUFS, encode_vorbis, trim_silence
from broadcast.voice.spoken_captions import LINGER_MS, UpcomingEntry, captions_of, weight_of
from server.app.studio.show_outputs import pronunciations
from server.config.event_show import ESPEAK_COMMAND
from server.game.events import ActionTaken, Event, HandShown, HandStarted, HoleDealt, StreetDealt, TurnStarted
from server.journal.journal import Entry
from server.journal.studio_link import BotReport
from server.text.grammar import short_name
from tests.publish.published_pairs import random_pair
from tests.support.programs.espeak import needs_espeak
from tests.voice.spoken_show import air_with_voice


@needs_espeak
def test_spoken_sentence_has_minus_16_lufs_and_never_clips() -> None:
    sentences = ("Doc folds.", "Billy the Kid raises to 1,250 with ace-king suited and is 62 percent to win.")
    lengths = list[int]()
    for text, pace in product(sentences, (1.0, 1.5)):
        samples, rate = soundfile.read(
            BytesIO(encode_vorbis(*trim_silence(run_speech_program(ESPEAK_COMMAND, text, pace=pace)))), always_2d=True
        )
        assert abs(integrated_lufs(samples, rate) - TARGET_LUFS) < 1
        assert true_peak_db(samples) <= PEAK_DB
        lengths.append(len(samples))
    assert lengths[3] < 0.8 * lengths[2]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (["no-such-program"], "it cannot be started: No such file or directory"),
        (["sleep", "600"], "it takes more than 0.5 seconds"),
        (["head", "-c", "100000000", "/dev/zero"], "it writes more than 4,000,000 bytes"),
        (["cat"], "its output is not a WAV"),
        (["true"], "its output is not a WAV"),
    ],
)
def test_misbehaving_program_is_killed_and_reported(program: list[str], reason: str) -> None:
    with pytest.raises(NoSpeech, match=f"^{re.escape(reason)}$"):
        trim_silence(run_speech_program(program, "Doc folds.", seconds=0.5 if "seconds" in reason else 60.0))


def test_sound_with_invalid_samples_is_levelled_and_silence_is_not_speech(tmp_path: Path) -> None:
    tone = np.sin(np.arange(22_050) / 20)
    tone[[50, 60, 70]] = np.inf, -np.inf, np.nan
    soundfile.write(tmp_path / "wild.wav", tone, 22_050, subtype="FLOAT")
    samples, rate = soundfile.read(
        BytesIO(encode_vorbis(*trim_silence(run_speech_program(["cat", str(tmp_path / "wild.wav")], "Doc folds."))))
    )
    assert integrated_lufs(samples, rate) == pytest.approx(TARGET_LUFS, abs=1)
    soundfile.write(tmp_path / "silence.wav", np.zeros(22_050), 22_050)
    with pytest.raises(NoSpeech, match="it says nothing"):
        trim_silence(run_speech_program(["cat", str(tmp_path / "silence.wav")], "Doc folds."))


def test_signs_are_spoken_as_words_and_names_as_the_event_file_says() -> None:
    pronunciation = {"Doc": "Dock", "Doc Holobyte": "Dock Hollow bite"}
    assert prepare_text("Doc Holobyte posts the SB vs Doc, 62% with K♠.", pronunciation) == (
        "Dock Hollow bite posts the small blind versus Dock, 62 percent with K spades ."
    )
    long_name = "The Extraordinarily Long Name of a Bot That Is Called over HTTP"
    reports = [BotReport("Wyatt Burp", say="WHY-ut burp"), BotReport(long_name, say="Longy"), BotReport("Doc")]
    text = prepare_text(f"Wyatt Burp calls, {short_name(long_name)} and Doc fold.", pronunciations(reports))
    assert text == "why-ut burp calls, longy and Doc fold."
    commands = prepare_text("[[h'oU]] <break/> a\x00b\n" + "c" * 999, {})
    assert commands == ("h'oU break/ a b " + "c" * 999)[:MAX_CHARACTERS]


FLOP_COMES = "The flop comes king-ten-four"


@pytest.mark.parametrize(
    ("text", "shorter_texts"),
    [
        (f"{FLOP_COMES}, and Tess is ahead, 97% to win.", [f"{FLOP_COMES}, and Tess is ahead.", f"{FLOP_COMES}."]),
        ("Hand 3 of 6. Tess has the button.", ["Hand 3 of 6."]),
        ("Tess wins with a pair of fours, ace and ten kicker.", ["Tess wins with a pair of fours."]),
        ("Tess takes 9 with a king-high flush, ten next.", ["Tess takes 9 with a king-high flush.", "Tess takes 9."]),
        ("Tess and Doc split 1,250: both have three aces.", ["Tess and Doc split 1,250."]),
        ("Tess calls all in for 90, drawing dead against Doc.", ["Tess calls all in for 90."]),
        ("Tess has never won 3 of 4 with aces.", []),
    ],
)
def test_shortened_sentence_is_still_true(text: str, shorter_texts: list[str]) -> None:
    assert list(shorter_forms(text)) == [text, *shorter_texts]


FOLD = ActionTaken(1, "fold", 0, 0, all_in=False, think_ms=9)
RAISE = ActionTaken(2, "raise", 300, 300, all_in=False, think_ms=9)
FLOP = StreetDealt("flop", ())


def time_for_captions(*events: Event, hold_ms: int = 1000) -> dict[int, int]:
    """Returns how many milliseconds each spoken caption may take, keyed by the index of its event."""
    show = [UpcomingEntry(seq, event, f"caption {seq}", hold_ms) for seq, event in enumerate(events)]
    return {caption.seq: caption.room_ms for caption in captions_of(show)}


def test_line_ends_before_the_next_card_or_equally_important_caption() -> None:
    assert time_for_captions(FOLD, FOLD, RAISE, FLOP) == {0: 1000, 1: 1000, 2: 1000}
    assert time_for_captions(RAISE, FOLD, FOLD)[0] == 1000 + LINGER_MS
    assert time_for_captions(RAISE, TurnStarted(1, 100, 200, 900, 9), FOLD)[0] == 2000 + LINGER_MS
    assert time_for_captions(RAISE, FOLD, hold_ms=600) == {0: 1200}


def test_line_about_cards_starts_only_when_they_lie_face_up() -> None:
    assert time_for_captions(FLOP, FOLD, FOLD, hold_ms=3000) == {0: 3000 - 1060 + LINGER_MS, 1: 3000, 2: 3000}
    assert time_for_captions(FLOP, FOLD, FOLD)[0] == 300 + LINGER_MS
    assert time_for_captions(HoleDealt(1, ()), TurnStarted(1, 100, 200, 900, 9), FOLD, FOLD)[0] == 1000 + LINGER_MS


def test_only_the_last_of_simultaneous_captions_is_spoken() -> None:
    show = [UpcomingEntry(seq, HandShown(0, ()), "caption", hold) for seq, hold in enumerate((0, 0, 4000))]
    assert [(caption.seq, caption.room_ms) for caption in captions_of(show)] == [(2, 4000)]


def test_only_storylines_are_spoken_to_all_at_the_beginning_of_a_hand() -> None:
    """Captions with a weight (importance) of at least 30 are spoken to all, and others only to blind viewers."""
    start = HandStarted(1, 0, 50, 100, 0, (), "")
    assert weight_of(start, "Hand 1 of 6. Doc has the button.") < 30 <= weight_of(start, "Doc has won five in a row.")


def play_until(deal: int, events: Sequence[Event], folder: Path) -> list[OnAirEntry]:
    """Returns the entries on air before deal `deal` of cards (counted from 0). Removes the random names of sounds."""
    folder.mkdir()
    numbered_events = [Entry(number, 0, event) for number, event in enumerate(events, 1)]
    entries = air_with_voice(numbered_events, folder, ESPEAK_COMMAND).entries
    deals = [index for index, entry in enumerate(entries) if isinstance(entry.event, HoleDealt | StreetDealt)]
    return [
        replace(entry, event=replace(entry.event, sound="")) if isinstance(entry.event, LineSpoken) else entry
        for entry in entries[: deals[deal]]
    ]


@needs_espeak
def test_no_line_gives_a_hidden_card_away(tmp_path: Path) -> None:
    dice, compared_pairs, line_count = random.Random(21), 0, 0
    while compared_pairs < 2:
        pair = random_pair(dice)
        shows = (pair.one, pair.other)
        one, other = (play_until(pair.deals, events, tmp_path / str(dice.random())) for events in shows)
        # A hidden card may change a hand's drama, and so the show's pace. Only shows of the same pace are compared.
        one_times, other_times = (
            [entry.at_ms for entry in entries if not isinstance(entry.event, LineSpoken)] for entries in (one, other)
        )
        if one_times == other_times:
            assert one == other
            compared_pairs += 1
            line_count += sum(isinstance(entry.event, LineSpoken) for entry in one)
    assert line_count > 6
