"""A program that fails, hangs or writes nonsense costs the voice and nothing else; the log says it in one line."""

from pathlib import Path

import pytest

from tests.support.recordings import aired, small_contest
from tests.voice.spoken_show import play

FIRST = small_contest()[:150]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (["/no/such/program"], "it cannot be started: No such file or directory"),
        (["false"], "what it writes is no WAV"),
        (["head", "-c", "5000000", "/dev/zero"], "it writes more than 4,000,000 bytes"),
    ],
)
def test_the_show_goes_on_without_a_voice(program: list[str], why: str, tmp_path: Path) -> None:
    heard = play(FIRST, tmp_path, program)
    assert [entry.event for entry in heard.entries] == [entry.event for entry in aired(FIRST)]
    assert heard.log == [why]
    assert not list(heard.media.iterdir())
