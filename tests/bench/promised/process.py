"""Resources of a process, as the kernel reports them."""

import os
import re
from pathlib import Path


def resident(pid: int) -> int:
    """Its memory in bytes."""
    found = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found, f"process {pid} has ended"
    return int(found[1]) * 1024


def open_files(pid: int) -> int:
    """How many files and sockets it has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))
