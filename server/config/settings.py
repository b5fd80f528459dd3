"""Settings from flags, checked. Every default is safe: this machine only, an unguessable seed, real pace."""

from pathlib import Path

from msgspec import Struct

from server.shuffle import fresh_seed, parse_seed

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


def make_settings(
    *,
    host: str,
    port: int,
    data: Path,
    speed: float,
    seed: str | None,
    obs: str = "",
    publish_to: str = "",
    practice_kept: int = PRACTICE_KEPT,
) -> Settings:
    """The settings as given. Raises ValueError that says which one is wrong and what is expected."""
    if not host:
        raise ValueError("--host must be an address of this machine, such as 127.0.0.1; it is empty")
    if not 0 <= port <= 65535:
        raise ValueError(f"--port must be 0 to 65535, not {port}")
    if not 0 <= speed <= 1000:
        raise ValueError(f"--speed must be 0 (as fast as it goes) to 1000, not {speed}")
    if practice_kept < 1:
        raise ValueError(f"--keep must be at least 1 recording, not {practice_kept}")
    try:
        secret = parse_seed(seed) if seed is not None else fresh_seed()
    except ValueError as error:
        raise ValueError(f"--seed: {error}") from None
    return Settings(host, port, data, speed, secret, practice_kept, obs, publish_to)
