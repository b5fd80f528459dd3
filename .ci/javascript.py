"""Has esbuild, as npm installed it, print the one file that the pages have of the npm package @noble/hashes:

.venv/bin/python .ci/javascript.py > static/js/verify/noble-hashes.js
"""

import json
import subprocess
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "static"
MODULES = STATIC / "node_modules"
USED = """
export { hmac } from "@noble/hashes/hmac.js";
export { sha256 } from "@noble/hashes/sha2.js";
export { bytesToHex } from "@noble/hashes/utils.js";
"""


def print_noble_hashes() -> None:
    """Prints the module with its licence."""
    package = MODULES / "@noble" / "hashes"
    version = json.loads((package / "package.json").read_text())["version"]
    licence = (package / "LICENSE").read_text(encoding="utf-8").strip()
    head = f"// @ts-nocheck\n/*! From the npm package @noble/hashes {version}.\n\n{licence}\n*/"
    esbuild("--bundle", "--format=esm", "--minify-whitespace", "--line-limit=120", f"--banner:js={head}", text=USED)


def esbuild(*arguments: str, text: str | None = None) -> None:
    """Runs esbuild in `static`, with `text` as its input."""
    (program,) = MODULES.glob("@esbuild/*/bin/esbuild")
    subprocess.run([program, *arguments], cwd=STATIC, input=text, text=True, check=True)


if __name__ == "__main__":
    print_noble_hashes()
