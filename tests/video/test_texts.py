"""A video's subtitles can be read, and its chapters and description follow YouTube's rules."""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import webvtt

from broadcast.film.film import film_recording  # A film is a recording that can be watched.
from broadcast.film.timeline import GAME_WEIGHT, OUT_WEIGHT, STAGE_WEIGHT, Chapter, TimedCaption, Timeline, timeline_of
from broadcast.video import subtitles, youtube
from server.text.grammar import text_width
from tests.support.games.recordings import small_contest


@pytest.fixture(scope="module")
def film_subtitles() -> list[subtitles.Subtitle]:
    timeline = timeline_of(film_recording(small_contest()))
    return subtitles.subtitles_of(timeline.captions, timeline.length_ms)


def subs_of(*captions: tuple[int, int, str], length_ms: int = 60_000) -> list[tuple[int, int, str]]:
    """Returns each subtitle's start, end and text. Each caption has a start, a length and a text. Times are in ms."""
    items = subtitles.subtitles_of([TimedCaption(*item) for item in captions], length_ms)
    return [(item.at_ms, item.until_ms, " ".join(item.lines)) for item in items]


def test_subtitles_can_be_read(film_subtitles: Sequence[subtitles.Subtitle]) -> None:
    assert len(film_subtitles) > 50
    for item, next_item in pairwise(film_subtitles):
        assert item.at_ms < item.until_ms <= next_item.at_ms
    times = [item.until_ms - item.at_ms for item in film_subtitles]
    assert subtitles.MIN_SUBTITLE_MS <= min(times) <= max(times) <= subtitles.MAX_SUBTITLE_MS
    are_fast = [sum(map(len, item.lines)) > 30 * (item.until_ms - item.at_ms) / 1000 for item in film_subtitles]
    assert sum(are_fast) < len(film_subtitles) / 10
    assert {len(item.lines) for item in film_subtitles} == {1, 2}
    assert max(text_width(line) for item in film_subtitles for line in item.lines) <= subtitles.MAX_LINE_WIDTH


def test_other_programs_read_vtt_and_srt_alike(film_subtitles: Sequence[subtitles.Subtitle], tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text(subtitles.vtt_text(film_subtitles))
    (tmp_path / "a.srt").write_text(subtitles.srt_text(film_subtitles))
    expected = [(each.at_ms, each.until_ms, "\n".join(each.lines)) for each in film_subtitles]
    for read in (webvtt.read(str(tmp_path / "a.vtt")), webvtt.from_srt(str(tmp_path / "a.srt"))):
        times = [(each.start_time.in_milliseconds(), each.end_time.in_milliseconds()) for each in read.captions]
        assert [(*span, each.text) for span, each in zip(times, read.captions, strict=True)] == expected


def test_name_that_looks_like_markup_is_text() -> None:
    hostile_subtitles = subtitles.subtitles_of([TimedCaption(1000, 3000, "<b>A & B</b> --> 00:00 folds.")], 9000)
    assert "&lt;b&gt;A &amp; B&lt;/b&gt; --&gt; 00:00 folds." in subtitles.vtt_text(hostile_subtitles)
    body = subtitles.srt_text(hostile_subtitles).split("\n", 2)[2]
    assert not {"<", ">"} & {*body}


def test_captions_are_joined_delayed_split_or_omitted_to_be_readable() -> None:
    all_in, river = "Doc moves all in for 4,350 with a flush draw", "The river is the ace of clubs."
    assert subs_of((0, 500, all_in), (30_000, 3000, river)) == [(0, 45 * len(all_in), all_in), (30_000, 33_000, river)]
    assert subs_of((0, 600, "Doc folds."), (600, 600, "Tess folds.")) == [(0, 1200, "Doc folds. Tess folds.")]

    items = subs_of((0, 1500, "Wyatt raises to 400 with ace-king suited."), (1500, 3000, "Tess calls 400 with tens."))
    assert items[1][0] == items[0][1] == 45 * 41
    assert items[1][0] - 1500 < subtitles.MAX_DELAY_MS

    long_text = f"{all_in} and is 71% to win against Tess"
    items = subs_of((0, 1100, long_text), (1100, 560, "Wyatt lets it go."), (8000, 3000, river))
    assert [text for _, _, text in items] == [long_text, river]

    flop = "The flop brings eight, six and ten."
    items = subs_of((0, 1100, flop), (100, 560, "Wyatt lets it go."), (200, 3000, river), (210, 3000, all_in))
    assert flop in [text for _, _, text in items], "a caption must not be cut within a list of cards"

    text = "The flop brings seven, three and four of hearts; Señor Fold-a-Lot de Río Grande leads with an overpair."
    first, second = subs_of((0, 6000, text))
    assert first[2] == "The flop brings seven, three and four of hearts;"
    assert (first[2] + " " + second[2], first[1]) == (text, second[0])


@pytest.mark.parametrize("text", ["W" * 100, "天" * 60, "a " * 49, "", "\u2068ש\u2069 " * 20])
def test_no_line_of_a_subtitle_is_too_wide_whatever_its_text(text: str) -> None:
    lines = subtitles.wrap_lines(text)
    assert all(0 < text_width(line) <= subtitles.MAX_LINE_WIDTH for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


STAGE, GAME, OUT = STAGE_WEIGHT, GAME_WEIGHT, OUT_WEIGHT


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        # Of two chapters close together, the more important one stays. No chapter begins in the last ten seconds.
        ([(0, "Line-up", STAGE), (100, "Break", GAME), (108, "High Noon", STAGE), (200, "Game 4", GAME),
          (5991, "The champion", STAGE)],
         ["0:00 Line-up", "1:48 High Noon", "3:20 Game 4"]),
        # A game's chapter also names a bot that is out soon after the game's start.
        ([(0, "Line-up", STAGE), (100, "Game 3", GAME), (103, "Out: Doc", OUT), (200, "Game 4", GAME)],
         ["0:00 Line-up", "1:40 Game 3 \u00b7 Out: Doc", "3:20 Game 4"]),
        ([(200, "Line-up", STAGE), (300, "Game 1", GAME)],
         [f"0:00 {youtube.FIRST_CHAPTER}", "3:20 Line-up", "5:00 Game 1"]),
        # A negative time is before the video. The chapter that is under way when the video begins comes first.
        ([(-300, "Line-up", STAGE), (-100, "Game 1", GAME), (60, "Game 2", GAME), (3600, "Game 3", GAME)],
         ["0:00 Game 1", "1:00 Game 2", "1:00:00 Game 3"]),
        # Chapters are left out if there are fewer than three.
        ([(0, "Line-up", STAGE), (100, "Game 1", GAME)], []),
        ([(0, "<b>" + "W" * 200, STAGE), (100, "Game\n1", GAME), (200, "A\u20280:00 B", GAME)],
         ["0:00 \u2039b\u203a" + "W" * (youtube.MAX_TITLE_CHARACTERS - 4) + "\u2026", "1:40 Game 1", "3:20 A 0:00 B"]),
        # A title that is too long is cut after a phrase if at least 20 characters remain, and otherwise after a word.
        ([(0, "Out: Señor Fold-a-Lot: Doc takes 9,000 with " + "two pair, " * 9, STAGE),
          (100, "Out: " + "Señor Fold-a-Lot and Two-Pair Tess, " * 3, GAME),
          (200, "Bad " * 40, GAME)],
         ["0:00 Out: Señor Fold-a-Lot: Doc takes 9,000",
          f"1:40 Out: {'Señor Fold-a-Lot and Two-Pair Tess, ' * 2}Señor Fold-a-Lot and\u2026",
          f"3:20 {'Bad ' * 24}Bad\u2026"]),
    ],
)  # fmt: skip
def test_chapters_follow_youtubes_rules(moments: list[tuple[int, str, int]], expected: list[str]) -> None:
    timeline = Timeline(tuple(Chapter(at * 1000, title, weight) for at, title, weight in moments), (), 6_000_000)
    assert youtube.chapter_lines(youtube.chapters_of(timeline)) == expected


def describe_video(bots: int, chapters: int, name: str = "Doc") -> str:
    table = [f"{place}. {name}" for place in range(1, bots + 1)]
    lines = [f"{at}:00 Game" for at in range(chapters)]
    return youtube.video_description("High Noon", "Some bots.", table, lines, "highnoon verify X")


def test_description_has_title_table_chapters_proof_and_licence() -> None:
    title, _, table, chapters, proof, licence = describe_video(3, 4).split("\n\n")[:6]
    assert (title, proof) == ("High Noon", "highnoon verify X")
    assert table == "The final results\n1. Doc\n2. Doc\n3. Doc"
    assert chapters == "Chapters\n0:00 Game\n1:00 Game\n2:00 Game\n3:00 Game"
    assert "MIT licence" in licence
    assert "SIL Open Font License" in licence
    assert not {"<", ">"} & {*describe_video(2, 0, "<script>")}


@pytest.mark.parametrize(("bots", "chapters"), [(12, 30), (1000, 30), (3, 2000), (1000, 2000)])
def test_description_is_never_longer_than_youtube_allows(bots: int, chapters: int) -> None:
    text = describe_video(bots, chapters, "天" * 30)
    assert len(text.encode()) <= youtube.MAX_BYTES
    assert re.search(r"^highnoon verify X$", text, re.MULTILINE)
