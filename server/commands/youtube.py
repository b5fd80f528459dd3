"""`highnoon youtube RECORDING`: writes chapters, captions and a description for a video of the contest."""

import hashlib
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from broadcast.film.reel_film import make_reel_film
from broadcast.film.timeline import Timeline, timeline_of, timeline_of_reel
from broadcast.video.subtitles import srt_text, subtitles_of, vtt_text
from broadcast.video.youtube import chapter_lines, chapters_of, time_text, video_description
from server.app.recordings.films import RecordingFilms, open_films
from server.app.results.results import Results, compute_results
from server.commands.highlights import pick_highlights
from server.console import dollars_and_cents, say
from server.errors import Refusal
from server.text.grammar import count_text, printable_text

MAX_STREAM_MS = 12 * 3600 * 1000
"""The length of the longest live stream that YouTube keeps as a video, in milliseconds."""


class YoutubeOptions(Struct, frozen=True):
    """Describes the video for which texts are written. By default, the video shows the live show. If `film` is true, it
    shows a replay. If `reel_ms` is set, it shows a highlight reel of this many milliseconds.

    `path` is the recording. `out` is the folder for the texts. If `out` is None, the folder is named after the
    recording. Either `offset_ms` says when the show starts in the video, or `began_ms` says when the stream started, in
    milliseconds since 1970. If `results` is False, only the captions reveal which bots are eliminated and which bot
    wins.
    """

    path: Path
    out: Path | None = None
    film: bool = False
    reel_ms: int | None = None
    offset_ms: int = 0
    began_ms: int | None = None
    results: bool = True


def youtube(video: YoutubeOptions) -> int:
    """Writes the texts of a video. Returns 0.

    Raises OSError, JournalDamaged, or Refusal if the texts cannot be made or a file already exists.
    """
    films = open_films(video.path, live=not (video.film or video.reel_ms))
    show_timeline, source = _make_timeline(films, video)
    offset_ms = _offset_ms(films, video)
    timeline = _shift_into_video(show_timeline, offset_ms)
    folder = video.out or Path(f"{video.path.stem}-youtube")
    chapters = chapter_lines(chapters_of(timeline))
    subtitles = subtitles_of(timeline.captions, timeline.length_ms)
    texts = {
        "chapters.txt": "\n".join(chapters) + "\n" if chapters else "",
        "captions.vtt": vtt_text(subtitles),
        "captions.srt": srt_text(subtitles),
        "description.txt": _description_text(films, chapters, video),
    }
    _write(folder, {name: printable_text(text) for name, text in texts.items() if text})
    say(
        f"{folder}: {len(chapters)} chapters, {len(subtitles)} captions of {source}, "
        f"{time_text(show_timeline.length_ms)} long"
    )
    if not chapters:
        say("  note: too short for chapters: YouTube requires at least three, of ten seconds each")
    if missed := len(show_timeline.captions) - len(timeline.captions):
        say(f"  note: the video begins {time_text(-offset_ms)} into the show: {missed} earlier captions are left out")
    return 0


def _make_timeline(films: RecordingFilms, video: YoutubeOptions) -> tuple[Timeline, str]:
    if video.reel_ms:
        films = replace(films, film=make_reel_film(films.film))
        parts = pick_highlights(films, video.reel_ms)
        return timeline_of_reel(films.film, parts, with_results=video.results), "a reel of the best hands"
    if films.live:
        return timeline_of(films.live, with_results=video.results), "the show as it ran"
    return timeline_of(films.film, with_results=video.results), "the film"


def _offset_ms(films: RecordingFilms, video: YoutubeOptions) -> int:
    """Returns when the show starts in the video, in milliseconds. The result is negative if the show started before the
    video. Raises Refusal.
    """
    if video.began_ms is None:
        return video.offset_ms
    if films.live is None:
        raise Refusal("there is no diary (.air) of a live show beside this recording: use --offset instead")
    if not films.began_ms:
        raise Refusal("the diary of this show does not say when it began: use --offset instead")
    return films.began_ms - video.began_ms


def _shift_into_video(show_timeline: Timeline, offset_ms: int) -> Timeline:
    if offset_ms > MAX_STREAM_MS:
        raise Refusal(f"the show would begin {time_text(offset_ms)} into the video: no stream is longer than 12 hours")
    if show_timeline.length_ms + offset_ms <= 0:
        raise Refusal(
            f"the video would begin {time_text(-offset_ms)} into a show of {time_text(show_timeline.length_ms)}, "
            "after its end"
        )
    return show_timeline.shifted(offset_ms)


def _description_text(films: RecordingFilms, chapters: list[str], video: YoutubeOptions) -> str:
    outline, result = films.film.outline, compute_results(films.recording.entries)
    hands, games = len(outline.hands) - 1, outline.hands[-1].game
    title = f"{outline.title or video.path.stem}" + (": the best hands" if video.reel_ms else "")
    day = f" on {outline.begun[:10]}" if outline.begun[:1].isdigit() else ""
    summary = f"{len(outline.bots)} poker bots, {count_text(games, 'game')}, {count_text(hands, 'hand')}{day}."
    return video_description(
        title, summary, _results_lines(result) if video.results else (), chapters, _proof_text(video.path, result)
    )


def _results_lines(result: Results) -> list[str]:
    rows = []
    for row in result.rows if result.finished else ():
        player = f" ({row.player})" if row.player and row.player != row.name else ""
        prize = f", {dollars_and_cents(row.prize_cents)}" if row.prize_cents else ""
        rows.append(f"{row.place}. {row.name}{player}{prize}")
    return rows


def _proof_text(path: Path, result: Results) -> str:
    if not result.seed_commitment:
        return ""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    lines = [
        "Every deal can be verified: each deck was committed to before it was dealt. Download the recording and run",
        f"highnoon verify {path.name}",
        f"SHA-256 of the recording: {digest}",
        f"SHA-256 of the seed, committed to at the opening: {result.seed_commitment}",
    ]
    return "\n".join(lines)


def _write(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if existing := [name for name in texts if (folder / name).exists()]:
        raise Refusal(f"{folder / existing[0]} already exists: name another folder with --out")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
