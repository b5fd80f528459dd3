"""The known state of OBS, and a sentence about it for the operator. No I/O."""

from collections.abc import Iterator

from msgspec import Struct

from broadcast.obs.scene_collection import SCENES

MAX_SKIPPED = 0.01
"""The fraction of frames that OBS may skip before the operator is warned."""


class ObsState(Struct, frozen=True):
    """What OBS reports."""

    connected: bool = False
    why_disconnected: str = "OBS has not been reached yet"
    """Why there is no connection, or "" while there is one."""
    version: str = ""
    supported_requests: frozenset[str] = frozenset()
    """The requests that this OBS supports."""
    missing: tuple[str, ...] = ()
    """The scenes of this program that OBS lacks."""
    has_browser_sources: bool = True
    """Whether this OBS has browser sources. Not every build of OBS has them."""
    sounding: tuple[str, ...] = ()
    """The names of the browser sources that play the show's sound."""
    sounding_on_desktop: tuple[str, ...] = ()
    """The sources in `sounding` that send sound to the desktop instead of the mixer of OBS."""
    had_to_transliterate: bool = False
    """Whether captions had to be transliterated into western characters."""
    scene: str = ""
    streaming: bool = False
    recording: bool = False
    buffering: bool = False
    """Whether the replay buffer runs. OBS can save highlights only while the buffer runs."""
    fps: float = 0.0
    frames: int = 0
    skipped: int = 0
    refused: str = ""
    """The last request that OBS refused, and the reason."""

    @property
    def is_well(self) -> bool:
        """Whether the operator has nothing to do: OBS is connected, has browser sources and all scenes, has refused
        nothing, and skips few frames.
        """
        return (
            self.connected
            and self.has_browser_sources
            and not self.refused
            and not self.missing
            and self.skipped <= MAX_SKIPPED * self.frames
        )


NO_BROWSER = (
    "this OBS has no browser source: install the one from obsproject.com or Flathub, as Debian's is built without it"
)


def describe_state(state: ObsState) -> str:
    """Describes the state for the operator, such as "OBS 29.0.2 shows Table, 60 frames a second"."""
    return ", ".join(_state_phrases(state)) if state.connected else state.why_disconnected


def _state_phrases(state: ObsState) -> Iterator[str]:
    yield f"OBS {state.version} shows {state.scene}"
    if not state.has_browser_sources:
        yield NO_BROWSER
    if state.missing:
        yield f"has no scene {', '.join(state.missing)}: build or import the scenes on /setup"
    elif state.scene not in SCENES:
        yield "switch to one of the show's scenes so that it follows the show again"
    if state.had_to_transliterate:
        yield "stream captions in western characters: players support no others"
    if state.fps:
        yield f"{state.fps:.0f} frames a second"
    if state.frames and state.skipped > MAX_SKIPPED * state.frames:
        yield f"{100 * state.skipped / state.frames:.0f} % of the frames skipped"
