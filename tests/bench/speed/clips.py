"""How long does it take to make a clip of 12 seconds? Run: `make bench BENCH=clips`."""

import asyncio
import tempfile
import time
from pathlib import Path

from broadcast.film.highlights import hands_worth_seeing
from broadcast.video.frames import FRAMES_PER_SECOND, Clip, Cut
from server.app.clips.filming import film_clip, find_tools
from server.app.recordings.films import open_films
from tests.bench.common.scales import options
from tests.support.program import highnoon


async def main(seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, tools = Path(name), find_tools()
        assert highnoon("demo", "--speed", "0", "--port", "0", "--seed", "1871", "--data", name).returncode == 0
        (recording,) = (folder / "recordings").glob("*.jsonl")
        film = (await asyncio.to_thread(open_films, recording, live=False)).film  # `film`: the recording as a show
        best_hand = hands_worth_seeing(film.outline)[0]
        clip = Clip((Cut(round(best_hand.until_ms - seconds * 1000), round(seconds * FRAMES_PER_SECOND)),))
        started_at = time.perf_counter()
        await film_clip(film, clip, folder / "media", tools, folder / "ours.mp4")
        took = time.perf_counter() - started_at
    print(f"a clip of {seconds:g} s: {took:5.1f} s, {clip.frame_count / took:4.1f} frames a second  (goal 25 s for 12)")


if __name__ == "__main__":
    asyncio.run(main(options(__doc__, seconds=12.0).seconds))
