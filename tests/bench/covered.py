"""Is any text ever covered or cut off? Looks every half second at shows in which all bots talk all the time.

It shows three contests in three windows and both themes; the goal is 0. Run: `make bench BENCH=covered`;
`ARGS="--moments 40"` looks at 40 moments of each show in each window; with 0, at all moments.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from broadcast.film.film import film_of
from tests.bench.common.scales import options, print_machine
from tests.overlay.support.lively_show import lively_entries
from tests.overlay.support.sampled_show import RATE, WINDOWS, sample

CONTESTS = ("quick-draw", "enova", "arena")
SEEDS = (1871, 1889)
MOMENTS, STRETCHES = 170, 10


def main(wanted: int) -> int:
    """Prints what was covered or cut off; returns the exit status: 1 if anything was, else 0."""
    samples = spoken = bad = 0
    with tempfile.TemporaryDirectory() as media:
        for contest in CONTESTS:
            for at, window in enumerate(WINDOWS):
                film = film_of(lively_entries(contest, SEEDS[at % len(SEEDS)]))
                moments = wanted or film.outline.length_ms * RATE // 1000
                seen = asyncio.run(sample(film, Path(media), window, moments, STRETCHES if wanted else 1))
                samples, spoken, bad = samples + seen.samples, spoken + seen.spoken, bad + len(seen.found)
                print(f"{contest}, {window.width} x {window.height}, {window.theme}: {len(seen.found)} covered or cut")
                print("\n".join(f"    {line}" for line in seen.found[:10]))
    print(f"{bad} things covered or cut in {samples} moments, {spoken} of them with speech: goal 0")
    return 1 if bad else 0


if __name__ == "__main__":
    flags = options(__doc__, moments=MOMENTS)
    print_machine()
    sys.exit(main(flags.moments))
