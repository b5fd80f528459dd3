"""The pictures and the sound of a submission: made safe to show, and described for the report.

Whatever is wrong with them costs the bot nothing else: instead of a bad file it gets the default.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from broadcast.media.findings import PictureFindings, SoundFindings
from broadcast.media.library import MediaLibrary
from server.submissions.submission import Submission

_REMEDIES = {
    "avatar": "The house's face is shown until then. Save it anew as PNG, JPEG, GIF or WebP of at most 16 megapixels "
    "(a JPEG: 110) and 10 MB.",
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
    checked = msgspec.structs.replace(
        submission,
        mends=(*submission.mends, *map(_with_remedy, prepared.faults)),
        notes=(*submission.notes, *(f"The {note}." for note in prepared.notes)),
    )
    files = {kind: library.folder / name if (name := getattr(prepared, kind)) else None for kind in _REMEDIES}
    return checked, Media(files["avatar"], files["particle"], files["sound"], picture, sound)


def _with_remedy(fault: str) -> str:
    kind = fault.partition(":")[0]
    return f"The {fault}. {_REMEDIES[kind]}"
