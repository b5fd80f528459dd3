"""Each entrant of an event file has the right version."""

from pathlib import Path

from server.app.evening.entries import enter_all
from server.config.event_file import read_event
from server.submissions.folder_scan import digest_of
from tests.support.submission import write_bot

EVENT = """
name = "Friday"
date = 2026-11-21
[[entries]]
player = "Ada"
folder = "ada"
version = "1.2 beta"
[[entries]]
player = "Bob"
folder = "bob"
[[entries]]
player = "Dan"
folder = "dan"
"""


def test_version_comes_from_the_event_file_or_else_from_the_digest_of_a_playable_bot(tmp_path: Path) -> None:
    for name in ("ada", "bob", "dan"):
        write_bot(tmp_path / name, f"Bot of {name}")
    (tmp_path / "dan" / "Dockerfile").unlink()
    (tmp_path / "event.toml").write_text(EVENT)

    digests = set()
    for comment in ("", "# better\n"):
        with (tmp_path / "bob" / "bot.py").open("a") as code:
            code.write(comment)
        digests.add(digest := digest_of(tmp_path / "bob")[:8])
        entrants = enter_all(read_event(tmp_path / "event.toml"), tmp_path / "work").entrants
        assert [each.version or "" for each in entrants] == ["1.2 beta", digest, ""]
    assert len(digests) == 2
