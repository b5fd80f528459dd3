"""Subtitles of a video as WebVTT and SubRip come one at a time, with readable lines and times."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import webvtt

from broadcast.film.film import film_of
from broadcast.film.timeline import Spoken, timeline_of
from broadcast.video.subtitles import (
    LATE_MS,
    LONGEST_MS,
    SHORTEST_MS,
    WIDEST,
    Subtitle,
    srt,
    subtitles_of,
    vtt,
    wrapped,
)
from server.text.grammar import breadth
from tests.support.recordings import small_contest


@pytest.fixture(scope="module")
def subtitles() -> list[Subtitle]:
    timeline = timeline_of(film_of(small_contest()))
    return subtitles_of(timeline.spoken, timeline.length_ms)


def shown_as(*captions: tuple[int, int, str], until: int = 60_000) -> list[tuple[int, int, str]]:
    """The subtitles of a video with these captions: start, end, and text."""
    found = subtitles_of([Spoken(*each) for each in captions], until)
    return [(each.at_ms, each.until_ms, " ".join(each.lines)) for each in found]


def test_subtitles_follow_one_another_in_two_short_lines_and_can_be_read(subtitles: Sequence[Subtitle]) -> None:
    assert len(subtitles) > 50
    for each, after in pairwise(subtitles):
        assert each.at_ms < each.until_ms <= after.at_ms
    times = [each.until_ms - each.at_ms for each in subtitles]
    assert SHORTEST_MS <= min(times) <= max(times) <= LONGEST_MS
    quick = [each for each in subtitles if sum(map(len, each.lines)) > 30 * (each.until_ms - each.at_ms) / 1000]
    assert len(quick) < len(subtitles) / 10
    assert {len(each.lines) for each in subtitles} == {1, 2}
    assert max(breadth(line) for each in subtitles for line in each.lines) <= WIDEST


def test_other_programs_read_both_formats_alike(subtitles: Sequence[Subtitle], tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text(vtt(subtitles))
    (tmp_path / "a.srt").write_text(srt(subtitles))
    shown = [(each.at_ms, each.until_ms, "\n".join(each.lines)) for each in subtitles]
    for read in (webvtt.read(str(tmp_path / "a.vtt")), webvtt.from_srt(str(tmp_path / "a.srt"))):
        assert [(_ms(each.start), _ms(each.end), each.text) for each in read.captions] == shown


def _ms(stamp: str) -> int:
    hours, minutes, seconds = stamp.split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000 + round(float(seconds) * 1000)


def test_name_that_looks_like_markup_is_text() -> None:
    hostile = subtitles_of([Spoken(1000, 3000, "<b>A & B</b> --> 00:00 folds.")], 9000)
    assert "&lt;b&gt;A &amp; B&lt;/b&gt; --&gt; 00:00 folds." in vtt(hostile)
    body = srt(hostile).split("\n", 2)[2]
    assert not {"<", ">"} & {*body}


def test_captions_are_joined_delayed_split_or_left_out_so_that_each_can_be_read() -> None:
    all_in, river = "Doc moves all in for 4,350 with a flush draw", "The river is the ace of clubs."
    assert shown_as((0, 500, all_in), (30_000, 3000, river)) == [(0, 45 * len(all_in), all_in), (30_000, 33_000, river)]
    assert shown_as((0, 600, "Doc folds."), (600, 600, "Tess folds.")) == [(0, 1200, "Doc folds. Tess folds.")]

    shown = shown_as((0, 1500, "Wyatt raises to 400 with ace-king suited."), (1500, 3000, "Tess calls 400 with tens."))
    assert shown[1][0] == shown[0][1] == 45 * 41
    assert shown[1][0] - 1500 < LATE_MS

    long = f"{all_in} and is 71% to win against Tess"
    shown = shown_as((0, 1100, long), (1100, 560, "Wyatt lets it go."), (8000, 3000, river))
    assert [text for _, _, text in shown] == [long, river]

    text = "The flop brings seven, three and four of hearts; Señor Fold-a-Lot de Río Grande leads with an overpair."
    first, second = shown_as((0, 6000, text))
    assert first[2] == "The flop brings seven, three and four of hearts;"
    assert (first[2] + " " + second[2], first[1]) == (text, second[0])


@pytest.mark.parametrize("text", ["W" * 100, "天" * 60, "a " * 49, "", "\u2068ש\u2069 " * 20])
def test_no_line_is_too_wide_whatever_the_name(text: str) -> None:
    lines = wrapped(text)
    assert all(0 < breadth(line) <= WIDEST for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
