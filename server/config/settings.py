"""Defines the command-line settings that several commands share. By default, only this machine can reach the server,
and shows run at their normal pace.
"""

from pathlib import Path

from msgspec import Struct

PRACTICE_KEPT = 1000
"""How many practice recordings are kept by default. Together they take about 30 MB."""


class Settings(Struct, frozen=True):
    """The settings that commands share."""

    host: str = "127.0.0.1"
    port: int = 5000
    data: Path = Path("data")
    """The data folder. Commands make its path absolute, because child processes run in another working folder."""
    speed: float = 1.0
    """A factor for the show's pace. 0 means as fast as possible."""
    seed: bytes = b""
    practice_kept: int = PRACTICE_KEPT
    obs: str = ""
    """The address of OBS, or "" for none."""
    publish_to: str = ""
    """The folder or bucket to publish to, or "" for none."""
    metrics: bool = False
    """Whether `/metrics` is served."""
    game_ports: range = range(0)
    """The ports at which bots connect. If empty, bots get any free ports."""

    @property
    def recordings(self) -> Path:
        return self.data / "recordings"

    @property
    def media(self) -> Path:
        """The folder with the prepared pictures and sounds."""
        return self.data / "media"
