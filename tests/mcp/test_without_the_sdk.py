"""The program without the MCP SDK, which is an extra: everything else works, and each message says what to install."""

import subprocess
import sys
from pathlib import Path

from tests.end_to_end.evening import write_evening
from tests.support.program import ROOT, serving_program

WITHOUT = "import sys; sys.modules['mcp'] = None; from server.__main__ import main; sys.exit(main())"
COMMAND = (sys.executable, "-c", WITHOUT)
INSTALL = "agents need the MCP SDK, which is not installed: pip install 'highnoon[mcp]'"


def test_program_without_the_sdk_says_what_to_install_and_practice_goes_on(tmp_path: Path) -> None:
    with serving_program("practice", "--data", str(tmp_path), command=COMMAND) as program:
        assert INSTALL in program.output
    folder = write_evening(tmp_path, {"Ada": "a-secret-of-its-own-Ada"})
    folder.file.write_text(folder.file.read_text().replace("remote = true", "mcp = true"))
    for words in (("mcp", "localhost:5000"), ("tournament", str(folder.file))):
        run = subprocess.run([*COMMAND, *words], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (run.returncode, INSTALL in run.stderr) == (1, True), run.stderr
