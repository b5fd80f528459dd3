"""What a report shows of a stranger's picture or sound, as `broadcast.media.worker` finds it. Values only."""

from msgspec import Struct


class PictureFindings(Struct, frozen=True):
    """A picture as it came: its size in pixels, its format, and the whole of it, smaller and written anew (WebP).

    `note` says what was left out of it.
    """

    width: int
    height: int
    format: str
    picture: bytes
    note: str = ""


class SoundFindings(Struct, frozen=True):
    """A sound as it came and as it will be played. Loudness is in LUFS, peaks in dB below full scale.

    `wave` is the height of its peaks over its length, 0 to 100, as it came; `note` says what was left out of it.
    """

    format: str
    seconds: float
    rate: int
    channels: int
    came_lufs: float
    came_peak_db: float
    played_lufs: float
    played_peak_db: float
    wave: tuple[int, ...]
    note: str = ""


class Examined(Struct, frozen=True):
    """A file as it is shown or played, and what is found in the one that came: nothing in one of particles."""

    content: bytes
    picture: PictureFindings | None = None
    sound: SoundFindings | None = None
