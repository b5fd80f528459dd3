"""The pictures and the sound of a submission: made safe to show, and described for the report.

A bot cannot take part with a bad avatar; instead of a bad particle or sound it gets the default.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.media.findings import PictureFindings, SoundFindings
from broadcast.media.library import MediaLibrary
from server.submissions.submission import Submission

_REMEDIES = {
    "avatar": "Save it anew as PNG, JPEG, GIF or WebP of at most 16 megapixels and 10 MB.",
    "particle": "The house's particles are shown until then. Take a PNG, JPEG, GIF or WebP of at most 16 megapixels.",
    "sound": "The house's sound is played until then. Take a WAV or MP3 of at most 5 seconds that can be heard.",
}


class Media(Struct, frozen=True):
    """The files as they are shown, None where the default is, and what was found in the files that were handed in."""

    avatar: Path | None = None
    particle: Path | None = None
    sound: Path | None = None
    picture_findings: PictureFindings | None = None
    sound_findings: SoundFindings | None = None


def prepare_media(submission: Submission, library: MediaLibrary) -> tuple[Submission, Media]:
    """The submission with the faults of its media added, and the media as they will be shown. Takes seconds."""
    prepared, picture, sound = library.examine(submission.avatar, submission.particle, submission.sound)
    sentences = {kind: _with_remedy(fault) for fault in prepared.faults for kind in [fault.partition(":")[0]]}
    checked = msgspec.structs.replace(
        submission,
        faults=(*submission.faults, *_of(sentences, "avatar")),
        mends=(*submission.mends, *_of(sentences, "particle", "sound")),
    )
    files = {kind: library.folder / name if (name := getattr(prepared, kind)) else None for kind in _REMEDIES}
    return checked, Media(files["avatar"], files["particle"], files["sound"], picture, sound)


def _with_remedy(fault: str) -> str:
    kind = fault.partition(":")[0]
    return f"The {fault}. {_REMEDIES[kind]}"


def _of(sentences: Mapping[str, str], *kinds: str) -> list[str]:
    return [sentences[kind] for kind in kinds if kind in sentences]
