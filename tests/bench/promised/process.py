"""Resources of a process, as the kernel reports them."""

import os
import re
from pathlib import Path


def resident(pid: int) -> int:
    """Returns the resident memory of a process, in bytes."""
    found = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found, f"process {pid} has ended"
    return int(found[1]) * 1024


def open_files(pid: int) -> int:
    """Returns how many files and sockets a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))
