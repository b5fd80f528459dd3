"""Presents what a check of a bot found: in the terminal, as JSON and in reports. Makes bots' texts printable."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct, field

from broadcast.media.file_kinds import PictureFindings, SoundFindings
from broadcast.report import BotSheet, BotVerdict, Finding, Trial
from server.bots.sandbox.box_limits import Limits
from server.bots.sandbox.runner import Usage
from server.submissions.submission import Submission, size_text
from server.text.characters import printable
from server.text.grammar import count_text

TERMINAL_COLUMNS = 110
TRIAL_POSTPONED = "It was not built and did not play: fix the faults, then check again."


class Media(Struct, frozen=True):
    """A bot's pictures and sound as viewers get them, and findings about the submitted files. If a path is None,
    viewers get the default file instead.
    """

    avatar: Path | None = None
    particle: Path | None = None
    sound: Path | None = None
    picture_findings: PictureFindings | None = None
    sound_findings: SoundFindings | None = None


class Checked(Struct, frozen=True):
    """A checked submission with all findings, including those of the trial game if the bot has played one."""

    submission: Submission
    media: Media = Media()
    trial: Trial | None = None
    faults: tuple[str, ...] = ()
    """The faults that made the trial game fail."""
    warnings: tuple[str, ...] = ()
    """The mistakes in the trial game that the author should fix."""
    notes: tuple[str, ...] = ()
    """Other remarks on the trial game."""
    has_media: bool = True
    """Whether bots of this contest have pictures and a sound."""

    @property
    def findings(self) -> list[Finding]:
        """All findings, the worst first."""
        bot = self.submission
        return [
            *(Finding("fault", text) for text in (*bot.faults, *self.faults)),
            *(Finding("mend", text) for text in (*bot.warnings, *self.warnings)),
            *(Finding("note", text) for text in (*bot.notes, *self.notes)),
        ]

    @property
    def verdict(self) -> BotVerdict:
        """ "unfit" if the bot has faults, "mend" if something should be fixed, otherwise "well"."""
        if self.submission.faults or self.faults:
            return "unfit"
        return "mend" if self.submission.warnings or self.warnings else "well"


def terminal_text(checked: Checked) -> str:
    """The result of a check for the terminal: verdict, name, contents and findings."""
    bot, media = checked.submission, checked.media
    verdict = {"well": "OK", "mend": "TO FIX", "unfit": "UNFIT"}[checked.verdict]
    lines = [f"{verdict:<8} {printable(bot.label)}: {printable(bot.name) or 'a bot without a name'}"]
    media_lines = (
        ("picture", _describe_picture(media.picture_findings) if media.picture_findings else ""),
        ("particle", "its own" if media.particle else "the house's" if bot.name else ""),
        ("sound", _describe_sound(media.sound_findings) if media.sound_findings else "the house's" if bot.name else ""),
    )
    contents = [
        ("size", bot_size_text(bot)),
        *(media_lines if checked.has_media else ()),
        *(checked.trial.lines if checked.trial else ()),
    ]
    lines += [f"           {name.lower():<15} {printable(value)}" for name, value in contents if value]
    labels = {"fault": "FAULT", "mend": "FIX", "note": "note"}
    lines += [_wrap(f"    {labels[finding.kind]:<6} {printable(finding.text)}") for finding in checked.findings]
    if checked.trial and checked.faults:
        lines += ["           last output:" if checked.trial.printed else "           its log is empty"]
        lines += [f"           | {printable(line)}" for line in checked.trial.printed.splitlines()[-8:]]
    return "\n".join(lines)


def as_json(checked: Checked) -> dict[str, Any]:
    """The result of a check, for JSON. `game` has the measurements of the trial game, or None if no game was played."""
    bot, trial = checked.submission, checked.trial
    return {
        "bot": bot.name,
        "player": bot.player,
        "label": bot.label,
        "verdict": checked.verdict,
        "findings": [{"kind": finding.kind, "text": finding.text} for finding in checked.findings],
        "game": trial
        and {
            "peak_memory_bytes": trial.peak_memory_bytes,
            "memory_limit_bytes": Limits().memory_bytes,
            "cpu_seconds": round(trial.cpu_seconds, 3),
            "answers_ms": list(trial.answers_ms),
            "printed": trial.printed,
        },
    }


def summary(all_checked: Sequence[Checked]) -> str:
    """Returns the last line of the output: how many bots and players there are, and how many bots got each verdict."""
    verdicts = [checked.verdict for checked in all_checked]
    players = len({checked.submission.player for checked in all_checked})
    counts = (
        (verdicts.count("well"), "OK"),
        (verdicts.count("mend"), "to fix"),
        (verdicts.count("unfit"), "unfit"),
    )
    by_verdict = ", ".join(f"{count} {verdict}" for count, verdict in counts if count)
    return f"{count_text(len(verdicts), 'bot')} of {count_text(players, 'player')}: {by_verdict}"


def make_bot_report(checked: Checked, default_avatar: Path, default_particle: Path) -> BotSheet:
    """The bot's section of the report. If the bot has no pictures of its own, uses the default pictures at the given
    paths. Raises OSError.
    """
    bot, media = checked.submission, checked.media
    return BotSheet(
        bot.name,
        bot.player,
        bot.label,
        checked.verdict,
        tuple(checked.findings),
        (media.avatar or default_avatar).read_bytes(),
        (media.particle or default_particle).read_bytes(),
        size=bot_size_text(bot),
        own_particle=media.particle is not None,
        sound=media.sound.read_bytes() if media.sound else b"",
        picture_findings=media.picture_findings,
        sound_findings=media.sound_findings,
        trial=checked.trial,
    )


def bot_size_text(bot: Submission) -> str:
    """Returns a bot's size as text, such as "1.2 MB and 20.0 MB of weights", or "" if its files could not be read."""
    if not bot.own_bytes:
        return ""
    weights = f" and {size_text(bot.weights_bytes)} of weights" if bot.weights_bytes else ""
    return f"{size_text(bot.own_bytes)}{weights}"


def _wrap(text: str) -> str:
    return textwrap.fill(
        text, TERMINAL_COLUMNS, subsequent_indent=" " * 11, break_on_hyphens=False, drop_whitespace=True
    )


def _describe_picture(picture: PictureFindings) -> str:
    side = min(picture.width, picture.height)
    crop_text = "" if picture.width == picture.height else f"; cropped to the middle {side} x {side}"
    return f"{picture.format}, {picture.width} x {picture.height} pixels{crop_text}"


def _describe_sound(sound: SoundFindings) -> str:
    loudness = f"{sound.came_lufs:.1f} LUFS, played at {sound.played_lufs:.1f}"
    return f"{sound.format}, {sound.seconds:.1f} s, {loudness}"


class TrialRemarks(Struct):
    """The results of a trial game. A bot with `faults` cannot play. `warnings` are mistakes that the author should fix.
    `notes` are other remarks.
    """

    box: str = ""
    """The kind of box (sandbox) in which the bot ran."""
    registered: str = ""
    """The name under which the bot registered, or "" if it did not register."""
    rounds: str = ""
    """How many rounds were played, as text, or "" if the contest does not count rounds."""
    arrived_seconds: float = 0.0
    """How many seconds the bot took to connect."""
    usage: Usage = Usage()
    answers_ms: list[int] = field(default_factory=list)
    hands: int = 0
    printed: str = ""
    faults: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_trial(self) -> Trial:
        """Returns the measurements, also as lines for the terminal and the report."""
        answers, used = self.answers_ms, self.usage
        half = f"half within {median(answers):.0f} ms, slowest {max(answers)} ms" if answers else ""
        peak = f"{used.peak_memory_bytes / (1 << 20):.0f} of {Limits().memory_bytes >> 20} MB"
        lines = (
            ("Box", self.box),
            ("Registered as", self.registered),
            ("Connected after", f"{self.arrived_seconds:.1f} s" if self.arrived_seconds else ""),
            ("Hands played", str(self.hands) if self.hands else ""),
            ("Rounds played", self.rounds),
            ("Answers", f"{len(answers)}; {half}" if answers else ""),
            ("Peak memory", peak if used.peak_memory_bytes else ""),
            ("Processor", f"{used.cpu_seconds:.1f} s" if used.cpu_seconds else ""),
        )
        known_lines = tuple((name, value) for name, value in lines if value)
        return Trial(known_lines, tuple(answers), self.printed, used.peak_memory_bytes, used.cpu_seconds)


def build_log_end(text: str) -> str:
    """The last four lines of a build log as one line of at most 600 characters, safe to print."""
    lines = [printable(line.strip()) for line in text.strip().splitlines() if line.strip()]
    return " / ".join(lines[-4:])[-600:].rstrip(".").replace("log: / ", "log: ") + "."
