"""Settings from the command line. Every default is safe: this machine only, real pace."""

from pathlib import Path

from msgspec import Struct

PRACTICE_KEPT = 1000
"""How many practice recordings are kept by default: some 30 MB."""


class Settings(Struct, frozen=True):
    """What commands share. `speed` multiplies the show's pace; 0 is as fast as possible.

    `data` is absolute, because parts of the program run as processes in other folders.
    """

    host: str = "127.0.0.1"
    port: int = 5000
    data: Path = Path("data")
    speed: float = 1.0
    seed: bytes = b""
    practice_kept: int = PRACTICE_KEPT
    """How many practice recordings are kept, the latest ones."""
    obs: str = ""
    """The address of OBS, such as "127.0.0.1:4455"; if "", OBS is not controlled."""
    publish_to: str = ""
    """Where the show is published while it is on, if anywhere: a folder or a bucket."""
    game_ports: range = range(0)
    """The ports for bots that connect; if empty, any free port."""

    @property
    def recordings(self) -> Path:
        """The folder of all recordings."""
        return self.data / "recordings"

    @property
    def media(self) -> Path:
        """The folder of the prepared pictures and sounds."""
        return self.data / "media"
