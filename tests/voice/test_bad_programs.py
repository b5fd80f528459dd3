"""A program that fails, hangs or writes nonsense costs only the voice; the log has one line about it."""

from pathlib import Path

from broadcast.desk.health_lights import Light
from broadcast.voice.voice import AGAIN_SECONDS
from tests.support.espeak import needs_espeak
from tests.support.recordings import aired, small_contest
from tests.voice.spoken_show import play

FIRST = small_contest()[:150]


def test_show_goes_on_without_a_voice(tmp_path: Path) -> None:
    heard, why = play(FIRST, tmp_path, ["false"]), "what it writes is no WAV"
    assert [entry.event for entry in heard.entries] == [entry.event for entry in aired(FIRST)]
    assert heard.log == [why]
    assert heard.lights == [Light("voice", "yellow", f"{why}; captions are not spoken, the show goes on")]
    assert not list(heard.media.iterdir())


@needs_espeak
def test_failed_program_is_tried_again_after_a_minute(tmp_path: Path) -> None:
    failed = tmp_path / "failed"
    program = f"if [ -e {failed} ]; then exec espeak-ng --stdin --stdout; fi; touch {failed}"
    heard = play(FIRST, tmp_path, ["sh", "-c", program])
    assert heard.log == ["what it writes is no WAV"]
    assert heard.lights[0].colour == "green"
    assert heard.lines[0].at_ms > AGAIN_SECONDS * 1000
