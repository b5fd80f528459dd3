"""Settings from flags. Every default is safe: this machine only, real pace."""

from pathlib import Path

from msgspec import Struct

PRACTICE_KEPT = 1000
"""Of practice recordings, unless it is said otherwise: some 30 MB."""


class Settings(Struct, frozen=True):
    """What all commands share. `speed` multiplies the show's pace; 0 is as fast as it goes.

    `data` is absolute: parts of the program run as processes of their own, in another folder.
    """

    host: str = "127.0.0.1"
    port: int = 5000
    data: Path = Path("data")
    speed: float = 1.0
    seed: bytes = b""
    practice_kept: int = PRACTICE_KEPT
    """How many practice recordings are kept: the latest ones."""
    obs: str = ""
    """The address of OBS ("127.0.0.1:4455"); "": OBS is not controlled."""
    publish_to: str = ""
    """Where the show is published while it is on: a folder or a bucket; "": nowhere."""
    game_ports: range = range(0)
    """The ports at which bots play that connect; empty: any that is free."""

    @property
    def recordings(self) -> Path:
        """The folder of all recordings."""
        return self.data / "recordings"

    @property
    def media(self) -> Path:
        """The folder of the prepared pictures and sounds."""
        return self.data / "media"
