"""`highnoon clip RECORDING`: makes videos of one hand, of several hands, of the best hands, or of a whole evening."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from broadcast.film.highlights import EVENING_REELS_MS, FADE_IN_MS, FilmPart, champion_part
from broadcast.film.reel_film import make_reel_film
from broadcast.film.reel_sentences import bridge_sentences
from broadcast.film.timeline import timeline_of_reel
from broadcast.video.chromium import BrowserError
from broadcast.video.ffmpeg import FfmpegError
from broadcast.video.frames import FRAMES_PER_SECOND, SIZES, Clip, cuts_of
from broadcast.video.subtitles import subtitles_of, vtt_text
from broadcast.video.youtube import chapter_lines
from server.app.clips.film_clips import Shot, film_locally, film_on_workers
from server.app.clips.filming import find_encoder, find_tools, make_clip_preview
from server.app.recordings.films import RecordingFilms, open_films
from server.commands.highlights import pick_highlights
from server.commands.publish import media_beside
from server.console import ProgressBar, print_to_stderr, say
from server.errors import Refusal
from server.text.grammar import printable_text
from server.workers.connect_to_workers import connect_to_workers


class ClipOptions(Struct, frozen=True):
    """The videos to make: one for each hand in `hands`, or one for each of the best hands, or a highlight reel of
    `reel_ms` milliseconds. `best` is the number of best hands.

    If `evening` is true, the videos are reels of 60, 180 and 600 seconds. Each has a wide and a tall version, captions
    and chapters. Hands are numbered as in the addresses of replays. `shape` is "wide" or "tall". `out` is a file, or a
    folder for several videos. `preview` is the file for a small moving picture of the video's last seconds.
    `scheduler` is "", or the address of a Dask scheduler whose workers make the videos. `certificates` is the folder of
    certificates for this scheduler.
    """

    recording: Path
    hands: tuple[int, ...]
    reel_ms: int | None
    best: int
    shape: str
    theme: str
    out: Path | None
    preview: Path | None
    scheduler: str
    certificates: Path | None
    evening: bool = False

    @property
    def has_several(self) -> bool:
        """Whether `out` is a folder for several videos."""
        return len(self.hands) > 1 or self.best > 0 or self.evening

    def file_name(self, content: str, shape: str = "") -> str:
        """Returns the file name of a video: the recording's name, then `content`, such as "hand-12"."""
        return f"{self.recording.stem}-{content}{'-tall' if (shape or self.shape) == 'tall' else ''}.mp4"

    @property
    def target(self) -> Path:
        """The file of a single video."""
        return self.out or Path(self.file_name(f"hand-{self.hands[0]}" if self.hands else "highlights"))


async def clip(options: ClipOptions) -> int:
    """Makes the videos, and the preview if `options` has one. Returns 0. Writes each file completely or not at all.

    Raises OSError, JournalDamaged, or Refusal if a program is missing, a target exists, or there is no such hand.
    """
    if options.has_several and options.preview:
        raise Refusal("--preview is for a single film: use it with --highlights or one --hand")
    if options.preview:
        _check_target(options.preview, ".webp")
    if not options.has_several:
        _check_target(options.target, ".mp4")
    ffmpeg = find_encoder() if options.scheduler else find_tools().ffmpeg
    films = await asyncio.to_thread(open_films, options.recording, live=False)
    if options.evening or options.reel_ms:
        films = replace(films, film=make_reel_film(films.film))
    videos = _videos_to_make(films, options)
    with TemporaryDirectory(prefix="high-noon-") as folder:
        shots = [
            Shot(Clip(cuts_of(video.spans_ms, video.bridges), video.shape, options.theme), Path(folder) / target.name)
            for target, video in videos.items()
        ]
        try:
            async with _start_filming(options, films, shots, ffmpeg, Path(folder)) as tasks:
                for (target, video), task in zip(videos.items(), tasks, strict=True):
                    shot = await task
                    _copy(shot.path, target)
                    for path, text in video.texts.items():
                        path.write_text(text, encoding="utf-8", newline="\n")
                    size = shot.clip.size
                    say(f"{target}: {shot.clip.frame_count / FRAMES_PER_SECOND:.1f} s, {size[0]}x{size[1]}")
            if options.preview:
                _copy(await make_clip_preview(ffmpeg, shots[0].path, shots[0].clip), options.preview)
                say(f"{options.preview}: {options.preview.stat().st_size // 1000} kB")
        except (BrowserError, FfmpegError) as error:
            raise Refusal(str(error)) from None
    return 0


class _Video(Struct, frozen=True):
    """A video to make. `spans_ms` are the parts of the replay that the video shows, as pairs of times in milliseconds.
    `texts` are the contents of the text files beside the video, keyed by path. `bridges` has a sentence for each part.
    The sentence is on screen when the part starts.
    """

    spans_ms: Sequence[tuple[int, int]]
    shape: str
    texts: Mapping[Path, str] = {}
    bridges: Sequence[str] = ()


@asynccontextmanager
async def _start_filming(
    options: ClipOptions, films: RecordingFilms, shots: Sequence[Shot], ffmpeg: str, work_folder: Path
) -> AsyncIterator[Sequence[asyncio.Task[Shot]]]:
    """Yields a task for each shot, filmed on this machine or on workers. Cancels unfinished tasks at the end."""
    bar = ProgressBar("filming", sum(shot.clip.frame_count for shot in shots))
    (work_folder / "media").mkdir()
    media, tasks = media_beside(options.recording, work_folder / "media"), list[asyncio.Task[Shot]]()
    try:
        if options.scheduler:
            async with connect_to_workers(options.scheduler, options.certificates, print_to_stderr) as dispatcher:
                tasks = await film_on_workers(dispatcher, films.film, shots, media, ffmpeg, bar.step, work_folder)
                yield tasks
        else:
            tasks = film_locally(films.film, shots, media, find_tools(), bar.step)
            yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        bar.close()


def _check_target(target: Path, ending: str) -> None:
    if target.suffix.lower() != ending:
        raise Refusal(f"{target} must end in {ending}")
    if target.exists():
        raise Refusal(f"{target} already exists")
    if not os.access(target.parent, os.W_OK):
        raise Refusal(f"no file can be written to {target.parent}")


def _videos_to_make(films: RecordingFilms, options: ClipOptions) -> dict[Path, _Video]:
    """The videos to make, keyed by file. Raises Refusal, OSError."""
    if not options.has_several:
        if options.hands:
            return {options.target: _Video([_hand_span_ms(films, options.hands[0])], options.shape)}
        parts = pick_highlights(films, options.reel_ms)
        return {
            options.target: _Video(_spans_ms(parts), options.shape, bridges=bridge_sentences(films.film.outline, parts))
        }
    folder = options.out or Path()
    if options.evening:
        videos = _evening_reels(films, options, folder)
    else:
        hands = options.hands or tuple(part.hand for part in pick_highlights(films, None)[: options.best])
        videos = {
            folder / options.file_name(f"hand-{hand}"): _Video([_hand_span_ms(films, hand)], options.shape)
            for hand in hands
        }
    folder.mkdir(parents=True, exist_ok=True)
    for target, video in videos.items():
        _check_target(target, ".mp4")
        if existing_path := next((path for path in video.texts if path.exists()), None):
            raise Refusal(f"{existing_path} already exists")
    return videos


def _evening_reels(films: RecordingFilms, options: ClipOptions, folder: Path) -> dict[Path, _Video]:
    """Returns the evening's reels. All end with the champion. Leaves out a reel that would show the same hands as a
    shorter reel. Raises Refusal.
    """
    champion = champion_part(films.film)
    end = (champion,) if champion else ()
    videos: dict[Path, _Video] = {}
    previous_parts: tuple[FilmPart, ...] = ()
    for length_ms in EVENING_REELS_MS:
        parts = pick_highlights(films, length_ms - sum(part.length_ms for part in end)) + end
        if parts == previous_parts:
            continue
        previous_parts, timeline = parts, timeline_of_reel(films.film, parts)
        captions = vtt_text(subtitles_of(timeline.captions, timeline.length_ms))
        chapters = "\n".join(chapter_lines(timeline.chapter_candidates)) + "\n"
        for shape in SIZES:
            target = folder / options.file_name(f"{length_ms // 1000}s", shape)
            texts = {target.with_suffix(".vtt"): captions, target.with_suffix(".txt"): chapters}
            texts = {path: printable_text(text) for path, text in texts.items()}
            videos[target] = _Video(_spans_ms(parts), shape, texts, bridge_sentences(films.film.outline, parts))
    return videos


def _spans_ms(parts: Sequence[FilmPart]) -> list[tuple[int, int]]:
    return [(part.at_ms, part.until_ms) for part in parts]


def _hand_span_ms(films: RecordingFilms, hand: int) -> tuple[int, int]:
    hands = films.film.outline.hands
    if len(hands) < 2:
        raise Refusal("there is no hand in this recording")
    if not 1 <= hand < len(hands):
        raise Refusal(f"there is no hand {hand} in this recording: its hands are 1 to {len(hands) - 1}")
    return hands[hand].at_ms + FADE_IN_MS, hands[hand].until_ms  # the first FADE_IN_MS still show the previous hand


def _copy(source: Path, target: Path) -> None:
    """Copies a file to `target`, completely or not at all. Raises OSError."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        shutil.copyfile(source, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
