"""How much memory, processor, disk and output a bot may use in its box (sandbox), and how much its build may use."""

from msgspec import Struct

SOCKET_BUFFERS = {"net.ipv4.tcp_rmem": "4096 65536 106496", "net.ipv4.tcp_wmem": "4096 16384 106496"}
"""The sizes of the kernel's buffers for each connection in a box: the minimum, the default and the maximum, in bytes.
The server's ends of these connections have such buffers, too. Without these settings, each buffer may grow to 10 MB.
"""
PIPED_LOG_BYTES = 64 << 10
"""How many bytes of a bot's standard error are kept for each game. The limit is low because a season has thousands of
games.
"""


class Limits(Struct, frozen=True):
    """The limits of a box. The rules say: "Memory limit: 100MB", "CPU limit: 1 core"."""

    memory_bytes: int = 100 << 20
    cpus: float = 1.0
    processes: int = 64
    open_files: int = 256
    scratch_bytes: int = 16 << 20
    """The size of each tmpfs that a bot may write to."""
    scratch_files: int = 4_000
    log_bytes: int = 1 << 20
    """How many bytes of a bot's output are kept."""
    disk_bytes: int = 64 << 20
    """How many bytes a bot may write if its disk is not read-only, and how many a build without Docker may leave."""
    disk_files: int = 20_000
    """How many files a bot may make in a box whose disk is not read-only. A build without Docker may leave as many."""
    build_seconds: float = 600.0
    build_memory_bytes: int = 2 << 30
    build_cpus: float = 2.0
    build_processes: int = 512
    build_disk_bytes: int = 4 << 30
    """How many bytes an image may add to its base image."""
    build_files: int = 500_000
    """How many files a Docker build may make."""
