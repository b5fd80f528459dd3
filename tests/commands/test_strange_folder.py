"""A stranger's folder with pipes, devices and links does not block any command or expose any other file."""

import os
import signal
from pathlib import Path

import httpx
import pytest

from tests.support.program import SECONDS, highnoon, serving_program
from tests.support.recordings import small_contest, until_listed, write

STRANGE = ("pipe.jsonl", "pipe.ledger", "hands.phh", "good.secrets", "good.diary")
PICTURE = "0123456789abcdef.webp"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one good recording among strange files, and with media from a stranger."""
    top = tmp_path_factory.mktemp("sent")
    recordings, media = top / "data" / "recordings", top / "data" / "media"
    recordings.mkdir(parents=True)
    media.mkdir()
    write(recordings / "good.jsonl", small_contest())
    write(top / "elsewhere.jsonl", small_contest(3))
    for name in STRANGE:
        os.mkfifo(recordings / name)
    (recordings / "folder.jsonl").mkdir()
    for name, target in (("dangling", "nothing"), ("zero", "/dev/zero"), ("out", "../../elsewhere.jsonl")):
        (recordings / f"{name}.jsonl").symlink_to(target)
    (recordings / "practice").symlink_to("../..")
    os.mkfifo(media / f"a{PICTURE}")
    (media / "evil.html").write_text("<script>alert(1)</script>")
    (media / PICTURE).write_text("<script>alert(1)</script>")
    (media / f"b{PICTURE}").symlink_to("../../elsewhere.jsonl")
    return top / "data"


def test_serve_lists_readable_recordings_and_ends_on_sigterm(data: Path) -> None:
    with serving_program("serve", str(data)) as program:
        with httpx.Client(base_url=program.base, timeout=SECONDS) as web:
            until_listed(web, "good")
            listed = web.get("/recordings").text
            assert not [name for name in ("pipe", "zero", "out", "elsewhere", "dangling") if f"/{name}" in listed]
            assert {web.get(f"/recordings/{name}.jsonl").status_code for name in ("pipe", "out", "zero")} == {404}
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(SECONDS) is not None


def test_serve_offers_only_our_own_kinds_of_media_and_never_as_a_page(data: Path) -> None:
    with serving_program("serve", str(data)) as program, httpx.Client(base_url=program.base, timeout=SECONDS) as web:
        refused = ("evil.html", f"a{PICTURE}", f"b{PICTURE}", f"../media/{PICTURE}x", "")
        assert {web.get(f"/media/{name}").status_code for name in refused} == {404}
        shown = web.get(f"/media/{PICTURE}").headers
        assert (shown["content-type"], shown["x-content-type-options"]) == ("image/webp", "nosniff")
        assert "sandbox" in shown["content-security-policy"]


def test_publish_and_luck_skip_strange_files_and_other_commands_refuse_a_pipe(data: Path, tmp_path: Path) -> None:
    published = highnoon("publish", str(data / "recordings"), "--to", str(tmp_path / "site"))
    assert (published.returncode, "1 recording;" in published.stdout) == (0, True), published.stderr
    counted = highnoon("luck", str(data / "recordings"))
    assert counted.returncode == 0, counted.stderr
    for command, pipe in (("verify", "pipe.jsonl"), ("import", "hands.phh"), ("replay", "pipe.jsonl")):
        refused = highnoon(command, str(data / "recordings" / pipe))
        assert (refused.returncode, "Traceback" in refused.stderr) == (1, False), command
        assert "it is not a regular file" in refused.stderr
