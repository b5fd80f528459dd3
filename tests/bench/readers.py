"""Does a PokerStars reader by others read our exported text? The peer: `poker`, in an environment of its own.

It cannot be in the test suite: it needs an older setuptools than we have. Exit status 1 if it refuses a hand.
Run: `make bench BENCH=readers`.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.game.contests import CONTESTS
from server.hand_histories.from_recording import recorded_hands
from server.hand_histories.pokerstars_writer import text_of
from tests.bench.common.scales import options, print_machine
from tests.hand_histories.recordings import BEGUN
from tests.support.contests import play_contest

# What it imports; not what it asks for, of which some are backports that stand in the way of the real ones.
PACKAGES = ("attrs", "cached-property", "click", "lxml", "parsedatetime", "pytz", "requests", "setuptools<81",
            "zope.interface")  # fmt: skip
READ = """
import sys, warnings
warnings.simplefilter("ignore")
from poker.room.pokerstars import PokerStarsHandHistory
for text in sys.stdin.read().split("\\0"):
    hand = PokerStarsHandHistory(text)
    try:
        hand.parse()
        print("read", len(hand.players), "players")
    except Exception as error:
        print("refused", type(error).__name__, error)
"""


def reader(folder: Path) -> Path:
    """A Python that has the reader."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
    subprocess.run([*pip, "--no-deps", "poker==0.30.*"], check=True)
    subprocess.run([*pip, *PACKAGES], check=True)
    return python


def refused(python: Path, contest: str, seed: int) -> tuple[int, int]:
    """How many hands a contest had, and how many of them were refused."""
    bots = {"upac": 2, "enova": 8}.get(contest, 12)
    texts = [text_of(hand, BEGUN).strip() for hand in recorded_hands(play_contest(seed, bots, CONTESTS[contest]))]
    finished = subprocess.run([python, "-c", READ], input="\0".join(texts), check=True, capture_output=True, text=True)
    lines = finished.stdout.splitlines()
    for line in lines:
        if not line.startswith("read"):
            print(f"  {line}")
    assert len(lines) == len(texts)
    return len(texts), sum(not line.startswith("read") for line in lines)


if __name__ == "__main__":
    flags = options(__doc__, contests=3)
    print_machine()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        python = reader(Path(name))
        for contest in CONTESTS:
            counts = [refused(python, contest, seed) for seed in range(flags.contests)]
            wrong += sum(lost for _, lost in counts)
            print(
                f"{contest:10} {sum(hands for hands, _ in counts):,} hands, {sum(lost for _, lost in counts)} refused"
            )
    sys.exit(wrong > 0)
