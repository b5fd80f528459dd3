"""The program espeak-ng speaks a whole show: captions and bots' thoughts, one at a time, and never ahead of the show.

Lines that describe the picture to blind viewers are played only on pages with `?voice=describe`.
"""

import time
import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from msgspec.structs import replace
from playwright.sync_api import Browser, Request, expect

from broadcast.app import Studio
from broadcast.desk.health_lights import Light
from broadcast.film.film import Film, film_recording  # A film is a recording prepared for replay.
from broadcast.media.loudness_meter import Samples, integrated_lufs
from broadcast.on_air.diary import read_diary, real_times, select_spoken
from broadcast.on_air.events import CaptionSpoken, LineSpoken, OnAirEntry, ThoughtShown
from broadcast.on_air.picture_speech import thought_ms
from broadcast.video.chromium import open_tab
from broadcast.video.frames import FRAMES_PER_SECOND, SOUND_RATE, Clip, Cut, capture_sound
from broadcast.voice.bot_voices import PITCHES, VARIANTS, can_be_spoken, command_with_bot_voice
from broadcast.voice.speaker import Speaker, prepare_text, run_speech_program
from broadcast.voice.speech_encoding import TARGET_LUFS, THOUGHT_LUFS
from broadcast.voice.spoken_captions import CARD_EVENTS, MAX_CARD_TURN_MS, weight_of
from broadcast.voice.voice import INTERRUPTING_WEIGHT, MAX_THOUGHT_WAIT_MS, RETRY_SECONDS
from broadcast.web.serve import serving
from server.config.event_show import ESPEAK_COMMAND
from server.contests.quick_draw.rules import QUICK_DRAW_FORMAT
from server.game.events import ControlSet, HandEnded, JournalEvent, PotAwarded, StageEnded, TournamentEnded
from server.journal.journal import Entry
from tests.commentary.claims.test_thoughts import with_notes
from tests.overlay.support.screen import Screen
from tests.overlay.support.show_server import ShowServer
from tests.support.background import run_in_thread
from tests.support.games.recordings import aired, entries_of, small_contest
from tests.support.programs.browsers import allow_sound, chromium_or_skip
from tests.support.programs.espeak import needs_espeak
from tests.voice.spoken_show import SpokenShow, air_with_voice

pytestmark = needs_espeak
_TRIALS, _FINAL = QUICK_DRAW_FORMAT.stages
SHORT_CONTEST = small_contest(
    shape=replace(QUICK_DRAW_FORMAT, stages=(replace(_TRIALS, games=1, hands=2), replace(_FINAL, hands=2)))
)
"""A contest with one game of two hands and a final of two hands."""
THOUGHTFUL_CONTEST = [*with_notes(small_contest()[:130], every=1)]
"""Some hands in which bots send a thought with each action."""


@pytest.fixture(scope="module")
def show(tmp_path_factory: pytest.TempPathFactory) -> SpokenShow:
    return air_with_voice(SHORT_CONTEST, tmp_path_factory.mktemp("evening"), ESPEAK_COMMAND)


@pytest.fixture(scope="module")
def thoughtful_show(tmp_path_factory: pytest.TempPathFactory) -> SpokenShow:
    return air_with_voice(THOUGHTFUL_CONTEST, tmp_path_factory.mktemp("thoughts"), ESPEAK_COMMAND, thoughts=True)


def test_lines_begin_with_captions_and_end_before_the_next_line(show: SpokenShow) -> None:
    captions = [entry.at_ms for entry in show.entries if isinstance(entry.event, CaptionSpoken)]
    line_starts = {line.at_ms for line in show.lines}
    assert line_starts <= {*captions}
    assert len(show.lines) > len(captions) / 3
    assert not show.log
    assert show.lights == [Light("voice", "green", f"{len(show.lines)} captions spoken")]
    ends = [entry.at_ms for entry in show.entries if isinstance(entry.event, StageEnded | TournamentEnded)]
    assert ends[-1] in line_starts, "the show must be spoken to its end"
    hand_ends = [entry.at_ms + entry.hold_ms for entry in show.entries if isinstance(entry.event, HandEnded)]
    for line, next_line in pairwise(show.lines):
        assert isinstance(line.event, LineSpoken)
        assert line.at_ms + line.event.ms <= min([next_line.at_ms, *(end for end in hand_ends if end > line.at_ms)])


def test_sound_does_not_exist_before_its_caption_is_on_air(show: SpokenShow) -> None:
    sounds = [line.sound for line, _ in show.files]
    assert len({*sounds}) == len(sounds) > 30
    for count, (line, files) in enumerate(show.files, 1):
        assert soundfile.info(show.media / line.sound).duration * 1000 == pytest.approx(line.ms, abs=1)
        assert files == {*sounds[:count]}


def test_voice_changes_nothing_else_in_the_show(show: SpokenShow) -> None:
    other_entries = [(entry.at_ms, entry.hold_ms, entry.event) for entry in show.entries if entry not in show.lines]
    assert other_entries == [(entry.at_ms, entry.hold_ms, entry.event) for entry in aired(SHORT_CONTEST)]


def test_film_has_the_voice_of_the_show_only_where_captions_are_the_same(show: SpokenShow) -> None:
    lines = read_diary(show.diary)
    spoken = select_spoken(lines)
    for past_lines in (real_times(lines)[0], ()):
        film = film_recording(SHORT_CONTEST, spoken=spoken, past_lines=past_lines)
        sounds = [entry["sound"] for entry in entries_of(film) if entry["type"] == "line_spoken"]
        assert sounds == [line.sound for line, _ in show.files]
    other_captions = {seq: replace(line, caption=zlib.crc32(b"another")) for seq, line in spoken.items()}
    silent_entries = entries_of(film_recording(SHORT_CONTEST, spoken=other_captions))
    assert "line_spoken" not in [entry["type"] for entry in silent_entries]


def test_restarted_show_speaks_each_line_once(show: SpokenShow, tmp_path: Path) -> None:
    entries = SHORT_CONTEST[:120]
    ends = [index for index, entry in enumerate(entries) if isinstance(entry.event, HandEnded)]
    interrupted_show = air_with_voice(entries[: ends[1] - 4], tmp_path, ESPEAK_COMMAND)
    restarted_show = air_with_voice(entries, tmp_path, ESPEAK_COMMAND)
    lines = [line for line, _ in interrupted_show.files]
    assert len(lines) > 5
    assert [line for line, _ in restarted_show.files][: len(lines)] == lines
    end_ms = restarted_show.entries[-1].at_ms
    assert len(restarted_show.lines) == pytest.approx(sum(line.at_ms <= end_ms for line in show.lines), abs=2)


def test_voice_only_for_the_blind_speaks_only_describing_lines(show: SpokenShow, tmp_path: Path) -> None:
    assert {line.describe for line, _ in show.files} == {False, True}
    show_for_the_blind = air_with_voice(SHORT_CONTEST[:60], tmp_path, ESPEAK_COMMAND, for_all=False)
    assert {line.describe for line, _ in show_for_the_blind.files} == {True}


def test_failed_voice_program_is_tried_again_after_a_minute(tmp_path: Path) -> None:
    entries, reason = small_contest()[:150], "its output is not a WAV"
    show = air_with_voice(entries, tmp_path, ["false"])
    assert [entry.event for entry in show.entries] == [entry.event for entry in aired(entries)]
    assert show.log == [reason]
    assert show.lights == [Light("voice", "yellow", f"{reason}; captions are not spoken, but the show continues")]
    assert not list(show.media.iterdir())
    failure_marker, folder = tmp_path / "failed", tmp_path / "second"
    folder.mkdir()
    program = f"if [ -e {failure_marker} ]; then exec espeak-ng --stdin --stdout; fi; touch {failure_marker}"
    show = air_with_voice(entries, folder, ["sh", "-c", program])
    assert show.log == [reason]
    assert show.lights[0].colour == "green"
    assert show.lines[0].at_ms > RETRY_SECONDS * 1000


def thoughts_in(show: SpokenShow) -> list[OnAirEntry]:
    return [entry for entry in show.lines if isinstance(entry.event, LineSpoken) and entry.event.bot]


def test_thought_is_spoken_right_after_it_appears_and_while_it_is_on_screen(thoughtful_show: SpokenShow) -> None:
    assert len(thoughts_in(thoughtful_show)) > 2
    for entry in thoughts_in(thoughtful_show):
        before = thoughtful_show.entries[thoughtful_show.entries.index(entry) - 1]
        assert isinstance(entry.event, LineSpoken)
        assert isinstance(before.event, ThoughtShown)
        assert (before.at_ms, before.event.bot) == (entry.at_ms, entry.event.bot)
        assert entry.event.ms <= thought_ms(before.event.text)
    assert not thoughtful_show.log


def test_captions_come_first_and_only_important_ones_interrupt_a_thought(thoughtful_show: SpokenShow) -> None:
    caption_end_ms = thought_end_ms = 0.0
    for entry in thoughtful_show.entries:
        if isinstance(entry.event, JournalEvent):
            cause = entry.event
        if isinstance(entry.event, CaptionSpoken):
            caption = entry.event.text
        if not isinstance(entry.event, LineSpoken):
            continue
        if entry.event.bot:
            assert caption_end_ms - entry.at_ms <= MAX_THOUGHT_WAIT_MS
            thought_end_ms = max(entry.at_ms, caption_end_ms) + entry.event.ms
        else:
            assert entry.at_ms >= thought_end_ms - 1 or weight_of(cause, caption) >= INTERRUPTING_WEIGHT
            caption_end_ms, thought_end_ms = entry.at_ms + entry.event.ms, 0


def test_thoughts_are_quieter_than_captions(thoughtful_show: SpokenShow) -> None:
    for line, _ in thoughtful_show.files:
        samples, rate = soundfile.read(thoughtful_show.media / line.sound, always_2d=True)
        if line.ms > 1000:
            assert integrated_lufs(samples, rate) == pytest.approx(THOUGHT_LUFS if line.bot else TARGET_LUFS, abs=1)


def test_thoughts_are_spoken_only_if_wanted_and_shown(tmp_path: Path) -> None:
    opened, *rest = THOUGHTFUL_CONTEST
    hide_thoughts = Entry(2, 0, ControlSet("thoughts", value=False, was=True))
    hidden_thoughts = [opened, hide_thoughts, *(Entry(entry.seq + 1, entry.at_ms, entry.event) for entry in rest)]
    for entries, thoughts in ((THOUGHTFUL_CONTEST, False), (hidden_thoughts, True)):
        folder = tmp_path / str(thoughts)
        folder.mkdir()
        show = air_with_voice(entries, folder, ESPEAK_COMMAND, thoughts=thoughts)
        assert show.lines
        assert not thoughts_in(show)


def test_each_bot_has_a_voice_of_its_own_that_stays_the_same() -> None:
    commands = [command_with_bot_voice(ESPEAK_COMMAND, bot) for bot in range(1, len(VARIANTS) * len(PITCHES) + 1)]
    assert len({*commands}) == len(commands)
    wavs = [run_speech_program(command, "I have the nuts.") for command in commands[: len(VARIANTS) + 1]]
    assert len({*wavs}) == len(wavs)
    assert run_speech_program(commands[0], "I have the nuts.") == wavs[0]
    german = command_with_bot_voice(("espeak-ng", "--stdin", "--stdout", "-v", "de"), 1)
    assert german[-4:] == ("-v", "de+m1", "-p", "50")


def test_markup_and_commands_in_a_thought_are_only_words() -> None:
    assert prepare_text('I <break time="9s"/> call [[h@l', {}) == 'I break time="9s"/ call h@l'
    speaker = Speaker(command_with_bot_voice(ESPEAK_COMMAND, 1), {}, quiet=True)
    assert speaker.speak_within("I call -f /etc/passwd.", 9000)
    assert speaker.speak_within("I call <audio src='/etc/passwd'/>.", 9000)
    assert can_be_spoken("Ich habe ein Paar Könige, çüñ.")
    assert not any(map(can_be_spoken, ("我有一对国王。", "لدي زوج من الملوك", "Это пара королей")))


async def render_clip_sound(media: Path, film: Film, clip: Clip) -> Samples:
    """Returns the sound of `clip`, a part of `film`, as the clip's page renders it."""
    studio = Studio(media, time.monotonic)
    studio.add_clip(film)
    async with (
        serving(studio.app, "127.0.0.1", 0) as address,
        open_tab(chromium_or_skip(), f"{address}/clip?{clip.query_and_fragment}", (320, 180)) as tab,
    ):
        raw = b"".join([piece async for piece in capture_sound(tab, clip.frame_count)])
    return np.frombuffer(raw, "<i2").reshape(-1, 2) / 32768


def test_clip_speaks_each_line_at_its_moment_one_at_a_time(show: SpokenShow) -> None:
    spoken = select_spoken(read_diary(show.diary))
    won_ms = next(entry.at_ms for entry in show.entries if isinstance(entry.event, PotAwarded))
    lines = [(entry.at_ms, entry.event) for entry in show.lines if entry.at_ms <= won_ms][-6:]
    from_ms = lines[0][0] - 500
    lost_lines = {seq: replace(line, number=line.number ^ 1) for seq, line in spoken.items()}  # without sound files
    films = [film_recording(SHORT_CONTEST, spoken=film_lines) for film_lines in (lost_lines, spoken)]
    clip = Clip((Cut(from_ms, (won_ms + 2000 - from_ms) * FRAMES_PER_SECOND // 1000),))
    without_voice, with_voice = (run_in_thread(render_clip_sound(show.media, film, clip)) for film in films)
    audible = [(at_ms - from_ms, line) for at_ms, line in lines if isinstance(line, LineSpoken) and not line.describe]
    voice, won_ms = with_voice - without_voice, won_ms - from_ms

    def between(begin_ms: float, end_ms: float) -> Samples:
        begin, end = (max(0, round(ms * SOUND_RATE / 1000)) for ms in (begin_ms, end_ms))
        return voice[begin:end]

    silent_from = 0.0
    deal_times = [entry.at_ms - from_ms for entry in show.entries if isinstance(entry.event, CARD_EVENTS)]
    for at_ms, line in audible:
        turned_ms = at_ms + (MAX_CARD_TURN_MS if at_ms in deal_times else 0)
        assert np.abs(between(silent_from, at_ms - 20)).max(initial=0) < 0.02
        assert np.abs(between(at_ms, turned_ms + 300)).max() > 0.05, "the line must begin with its caption"
        silent_from = turned_ms + line.ms + 20
    assert len(audible) > 4
    assert integrated_lufs(between(0, won_ms), SOUND_RATE) == pytest.approx(TARGET_LUFS, abs=1)


@pytest.fixture(scope="module")
def server(show: SpokenShow) -> Iterator[ShowServer]:
    with ShowServer(show.media) as show_server:
        yield show_server


@pytest.mark.parametrize(("query", "count"), [("", 1), ("&voice=describe", 2)])
def test_describing_lines_are_heard_only_on_demand(
    query: str, count: int, show: SpokenShow, server: ShowServer, browser: Browser
) -> None:
    screen = Screen(server, browser, f"{count} lines", f"audio=1{query}", width=640, height=360)
    allow_sound(screen.page)
    screen.page.wait_for_load_state("networkidle")
    screen.stop_clock()
    requests: list[Request] = []
    screen.page.on("request", lambda request: requests.extend([request]))
    first, second = (line for line, _ in show.files[:2])
    with screen.page.expect_request(f"**/{first.sound}") if count == 2 else nullcontext():
        screen.put([OnAirEntry(0, 0, first.ms, replace(first, describe=True))])
    with screen.page.expect_request(f"**/{second.sound}"):
        screen.put([OnAirEntry(0, 100, second.ms, replace(second, describe=False))])
    screen.wait("() => window.highnoon.level() > 0.02")
    sounds = [Path(request.url).name for request in requests if request.url.endswith(".ogg")]
    assert sounds == [first.sound, second.sound][-count:]
    assert not screen.complaints
    screen.close()


def test_screen_reader_is_silent_while_the_voice_speaks(show: SpokenShow, server: ShowServer, browser: Browser) -> None:
    server.channel("read", [entry for entry in show.entries if entry.at_ms < show.lines[0].at_ms])
    page = browser.new_page()
    page.goto(f"{server.address}/watch?channel=read&voice=describe")
    description_log, sound = page.get_by_label("What is seen"), page.get_by_role("button", name="Sound")
    expect(description_log).to_have_attribute("aria-live", "polite")
    sound.click()
    server.put(server.studio.channels["read"], [show.lines[0]])
    expect(description_log).to_have_attribute("aria-live", "off")
    sound.click()
    expect(description_log).to_have_attribute("aria-live", "polite")
    page.close()
