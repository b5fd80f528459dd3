"""Real workers make clips with Chromium and FFmpeg. A result that is not a valid video is refused."""

import asyncio
import gzip
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadcast.film.film import Film, film_recording
from broadcast.video.ffmpeg import FfmpegError, probe_video
from broadcast.video.frames import Clip, Cut
from server.app.clips.film_clips import FILM_FILE, MEDIA_FOLDER, Shot, copy_film_files, film_locally, film_on_workers
from server.app.clips.filming import find_tools
from server.workers.connect_to_workers import connect_to_workers
from tests.support.bots.boxes import NEEDS_BUBBLEWRAP
from tests.support.games.recordings import entries_of, small_contest
from tests.support.programs.browsers import film_tools, find_browser
from tests.support.programs.cluster import Cluster, cluster
from tests.workers.bad_worker import HALF

pytestmark = NEEDS_BUBBLEWRAP
BEFORE_MS = 30
"""How many milliseconds before the flop the clip starts."""
FRAMES = 4


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), {"CHROMIUM": find_browser() or ""}) as running_cluster:
        yield running_cluster


@pytest.fixture(scope="module")
def film() -> Film:
    return film_recording(small_contest())


@pytest.fixture(scope="module")
def local_shot(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Shot:
    """A short clip in which the flop is dealt, filmed on this machine."""
    tools = film_tools()
    folder, frame_counts = tmp_path_factory.mktemp("local"), list[int]()
    flop = next(entry for entry in entries_of(film) if entry["type"] == "street_dealt")
    shot = Shot(Clip((Cut(flop["at_ms"] - BEFORE_MS, FRAMES),)), folder / "clip.mp4")

    async def film_shot() -> None:
        await asyncio.gather(*film_locally(film, [shot], folder, tools, frame_counts.append))

    asyncio.run(film_shot())
    assert sum(frame_counts) == FRAMES
    return shot


async def film_remotely(workers: Cluster, film: Film, shot: Shot, messages: list[str]) -> int:
    """Lets workers film `shot`; returns the number of frames. Once the liar is shut out, an honest worker joins."""
    frame_counts, work = list[int](), shot.path.parent

    def add_message(line: str) -> None:
        messages.append(line)
        if "is shut out" in line:
            workers.start_worker("honest")

    async with connect_to_workers(workers.address, workers.certificates, add_message) as dispatcher:
        tasks = await film_on_workers(dispatcher, film, [shot], work, find_tools().ffmpeg, frame_counts.append, work)
        await asyncio.gather(*tasks)
    return sum(frame_counts)


def test_clip_from_a_worker_is_the_same_as_from_this_machine(
    workers: Cluster, film: Film, local_shot: Shot, tmp_path: Path
) -> None:
    whole = local_shot.path.read_bytes()
    (workers.folder / HALF).write_bytes(whole[: len(whole) // 2])
    workers.start_worker("liar", "tests.workers.bad_worker")
    remote_shot, messages = Shot(local_shot.clip, tmp_path / "clip.mp4"), list[str]()
    assert asyncio.run(film_remotely(workers, film, remote_shot, messages)) == FRAMES
    assert remote_shot.path.read_bytes() == whole, "the clip must have the same bytes as on this machine"
    (lie,) = (line for line in messages if "is shut out" in line)
    assert "its film clip.mp4 is not valid (ffmpeg failed: " in lie


def test_damaged_or_too_large_clip_is_refused(local_shot: Shot, tmp_path: Path) -> None:
    ffmpeg = find_tools().ffmpeg
    assert asyncio.run(probe_video(ffmpeg, local_shot.path)) == (FRAMES, (1920, 1080))
    large, silent = tmp_path / "large.mp4", tmp_path / "silent.mp4"
    for size, path in (("4096x2160", large), ("320x180", silent)):
        options = ["-f", "lavfi", "-i", f"color=size={size}", "-frames:v", "1", "-pix_fmt", "yuv420p", str(path)]
        subprocess.run([ffmpeg, "-v", "error", *options], check=True)
    (text := tmp_path / "text.mp4").write_text("no film")
    for path in (large, silent, text):
        with pytest.raises(FfmpegError, match="ffmpeg failed"):
            asyncio.run(probe_video(ffmpeg, path))


def test_worker_gets_only_the_pictures_and_sounds_of_the_film(film: Film, tmp_path: Path) -> None:
    (media := tmp_path / "media").mkdir()
    for name in ("shown.webp", "voice-1.ogg", "other.webp"):
        (media / name).write_bytes(b"1")
    segment = gzip.compress(b'{"avatar":"shown.webp","sound":"voice-1.ogg","missing":"gone.webp"}')
    copy_film_files(Film(film.outline, (*film.segments, segment)), media, tmp_path / "sent")
    assert {path.name for path in (tmp_path / "sent").iterdir()} == {FILM_FILE, MEDIA_FOLDER}
    assert {path.name for path in (tmp_path / "sent" / MEDIA_FOLDER).iterdir()} == {"shown.webp", "voice-1.ogg"}
