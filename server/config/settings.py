"""Settings from the command line. Every default is safe: only this machine, at normal speed."""

from pathlib import Path

from msgspec import Struct

PRACTICE_KEPT = 1000
"""How many practice recordings are kept by default: some 30 MB."""


class Settings(Struct, frozen=True):
    """The settings that commands share. `speed` multiplies the show's pace; 0 is as fast as possible.

    `data` is absolute, because parts of the program run as processes in other folders. `obs` is an address and
    `publish_to` a folder or bucket, "" for none. Bots connect to one of `game_ports`, or any free port if it is empty.
    """

    host: str = "127.0.0.1"
    port: int = 5000
    data: Path = Path("data")
    speed: float = 1.0
    seed: bytes = b""
    practice_kept: int = PRACTICE_KEPT
    obs: str = ""
    publish_to: str = ""
    game_ports: range = range(0)

    @property
    def recordings(self) -> Path:
        return self.data / "recordings"

    @property
    def media(self) -> Path:
        """The folder of the prepared pictures and sounds."""
        return self.data / "media"
