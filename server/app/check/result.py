"""What a bot's practice game showed: what it used, did wrong and printed; and the lines in which a check prints it."""

from statistics import median

from msgspec import Struct, field

from server.bots.sandbox.runner import Limits, Usage
from server.console import plain


class Trial(Struct):
    """What the game showed. With `faults` the bot cannot play; `mends` cost it hands; `notes` cost it nothing."""

    box: str = ""
    registered: str = ""
    """The name it registered under; "" for none."""
    arrived_seconds: float = 0.0
    usage: Usage = Usage()
    answers_ms: list[int] = field(default_factory=list)
    hands: int = 0
    printed: str = ""
    faults: list[str] = field(default_factory=list)
    mends: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def lines_of(trial: Trial, limits: Limits) -> tuple[tuple[str, str], ...]:
    """Pairs of what was measured and how much, in words, for the terminal and the report."""
    answers = trial.answers_ms
    lines = (
        ("Box", trial.box),
        ("Registered as", trial.registered),
        ("There after", f"{trial.arrived_seconds:.1f} s" if trial.arrived_seconds else ""),
        ("Hands played", str(trial.hands) if trial.hands else ""),
        (
            "Answers",
            f"{len(answers)}; half within {median(answers):.0f} ms, slowest {max(answers)} ms" if answers else "",
        ),
        *used_lines(trial.usage, limits),
    )
    return tuple((what, much) for what, much in lines if much)


def used_lines(used: Usage, limits: Limits) -> tuple[tuple[str, str], ...]:
    """As `lines_of`: memory and processor time; "" where they are not known."""
    peak = f"{used.peak_memory_bytes / (1 << 20):.0f} of {limits.memory_bytes >> 20} MB"
    return (
        ("Memory at most", peak if used.peak_memory_bytes else ""),
        ("Processor", f"{used.cpu_seconds:.1f} s" if used.cpu_seconds else ""),
    )


def tail_of(text: str) -> str:
    """The last four lines of a text as one, made harmless, at most 600 characters: for build logs."""
    lines = [plain(line.strip()) for line in text.strip().splitlines() if line.strip()]
    return " / ".join(lines[-4:])[-600:].rstrip(".").replace("log: / ", "log: ") + "."
