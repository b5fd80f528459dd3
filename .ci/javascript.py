"""Bundles the pages' scripts and style sheets with esbuild, and shortens the scripts with terser. npm installs both.

.venv/bin/python .ci/javascript.py bundle    writes static/bundle, for `broadcast.web.bundle`
.venv/bin/python .ci/javascript.py noble     prints static/js/verify/noble-hashes.js, from the package @noble/hashes
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from broadcast.web.bundle import BUNDLE_FOLDER, DIGEST_FILE, find_bundles, sources_digest
from server.paths import STATIC, TEMPLATES

MODULES = STATIC / "node_modules"
PAGE_FILES = re.compile(r'(?:"module" src|"stylesheet" href)="\{\{ program \}\}static/([^"]+)"')
"""Matches the name of a module or style sheet in the pages' templates."""
LOADED_LATER = ("js/verify/page/worker.js", "js/occasional/scenes.js", "css/overlay/occasional.css")
"""What pages load by script."""
OCCASIONAL = "../occasional/scenes.js"
"""How the bundles of pages import scenes that few shows have."""
EXPORTS = """
export { hmac } from "@noble/hashes/hmac.js";
export { sha256 } from "@noble/hashes/sha2.js";
export { bytesToHex } from "@noble/hashes/utils.js";
"""


def write_bundle() -> None:
    """Bundles each module and style sheet that pages load. Keeps a current bundle, because a show may be using it."""
    if find_bundles(STATIC):
        return
    entries = {name for path in TEMPLATES.rglob("*.html") for name in PAGE_FILES.findall(path.read_text())}
    sources, folder = sources_digest(STATIC), STATIC / BUNDLE_FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    options = ("--bundle", "--minify", "--format=esm", "--target=es2023", "--charset=utf8", "--log-level=warning")
    externals = [f"--external:{name}" for name in ("*.svg", "*.webp", "*.woff2", OCCASIONAL)]
    esbuild(*sorted(entries), *LOADED_LATER, *options, *externals, "--outbase=.", f"--outdir={folder}")
    for script in folder.rglob("*.js"):  # gzipped, they are a twentieth smaller than esbuild alone makes them
        shorten(script)
    (folder / DIGEST_FILE).write_text(sources)


def print_noble_hashes() -> None:
    """Prints the part of the package that the pages use, with its licence."""
    package = MODULES / "@noble" / "hashes"
    version = json.loads((package / "package.json").read_text())["version"]
    licence = (package / "LICENSE").read_text(encoding="utf-8").strip()
    head = f"// @ts-nocheck\n/*! From the npm package @noble/hashes {version}.\n\n{licence}\n*/"
    esbuild("--bundle", "--format=esm", "--minify-whitespace", "--line-limit=120", f"--banner:js={head}", text=EXPORTS)


def shorten(script: Path) -> None:
    """Rewrites a script with the same meaning and fewer characters."""
    node, terser = Path(sys.executable).parent / "node", MODULES / "terser" / "bin" / "terser"
    options = ("--module", "--compress", "passes=3", "--mangle", "--output", script)
    subprocess.run([node, terser, script, *options], check=True)


def esbuild(*arguments: str, text: str | None = None) -> None:
    """Runs esbuild in `static`, with `text` as its input."""
    (program,) = MODULES.glob("@esbuild/*/bin/esbuild")
    subprocess.run([program, *arguments], cwd=STATIC, input=text, text=True, check=True)


if __name__ == "__main__":
    {"bundle": write_bundle, "noble": print_noble_hashes}[sys.argv[1]]()
