"""The timeline of a film or of a reel of its best hands: the moments that become chapters, and the captions. No I/O."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from broadcast.film.film import Film
from broadcast.film.highlights import FADE_IN_MS, FilmPart, hands_worth_seeing, highlight_mark
from broadcast.film.outline import Outline
from broadcast.film.reel_sentences import bridge_ms, bridge_sentences
from broadcast.film.segments import read_segment
from server.text.grammar import join_with_and, ordinal, out_of

CHAMPION_WEIGHT, STAGE_WEIGHT, GAME_WEIGHT, OUT_WEIGHT, MARKED_WEIGHT = 5, 4, 3, 2, 1
"""The weights of moments that may become chapters, such as eliminations (OUT) and best hands (MARKED). If two moments
are too close, only the one with the larger weight becomes a chapter.
"""
_CARD_TITLES = {"break": "Break", "technical": "A technical break"}
_MIN_CARD_MS = 10_000
"""A sign that announces a break gets no chapter if it is on screen for fewer milliseconds than this."""


class Chapter(Struct, frozen=True):
    """A moment at which something starts, in milliseconds of the video. If two moments are too close, only the one with
    the larger `weight` becomes a chapter.
    """

    at_ms: int
    title: str
    weight: int


class TimedCaption(Struct, frozen=True):
    """A caption: when it appeared, how long its event was on screen, and its text."""

    at_ms: int
    hold_ms: int
    text: str


class Timeline(Struct, frozen=True):
    """The moments and captions of a video. Times are in milliseconds of the video."""

    chapter_candidates: tuple[Chapter, ...]
    captions: tuple[TimedCaption, ...]
    length_ms: int

    def shifted(self, ms: int) -> "Timeline":
        """Returns the timeline with everything `ms` later, or earlier if `ms` is negative.

        Leaves out captions that would be before the start of the video.
        """
        moments = tuple(replace(each, at_ms=each.at_ms + ms) for each in self.chapter_candidates)
        spoken = tuple(replace(each, at_ms=each.at_ms + ms) for each in self.captions if each.at_ms + ms >= 0)
        return Timeline(moments, spoken, self.length_ms + ms)


def timeline_of(film: Film, *, with_results: bool = True) -> Timeline:
    """Returns the timeline of a whole film. Without `with_results`, no chapter's title says who lost or won."""
    entries = list(_entries(film))
    moments = [
        *(
            Chapter(each["at_ms"], "Line-up", CHAMPION_WEIGHT)
            for each in entries
            if each["type"] == "tournament_opened"
        ),
        *_game_chapters(entries),
        *_break_chapters(entries),
        *_elimination_chapters(film.outline, entries, with_results),
        *_champion_chapters(film.outline, entries, with_results),
    ]
    best = hands_worth_seeing(film.outline)[:10]
    moments += [
        Chapter(part.at_ms, _title_of(film.outline, part, with_results=with_results), MARKED_WEIGHT) for part in best
    ]
    spoken = tuple(_timed_caption(entry) for entry in entries if entry["type"] == "caption_spoken")
    return Timeline(tuple(sorted(moments, key=lambda each: each.at_ms)), spoken, film.outline.length_ms)


def timeline_of_reel(film: Film, parts: Sequence[FilmPart], *, with_results: bool = True) -> Timeline:
    """Returns the timeline of a reel, which shows `parts` one after the other. Each part begins with a fade-in and a
    sentence (the bridge), during which the show's own captions are left out.

    Without `with_results`, no chapter's title says who won or lost a hand.
    """
    moments, spoken, now_ms = list[Chapter](), list[TimedCaption](), 0
    captions = [entry for entry in _entries(film) if entry["type"] == "caption_spoken"]
    for part, bridge in zip(parts, bridge_sentences(film.outline, parts), strict=True):
        moments.append(Chapter(now_ms, _title_of(film.outline, part, with_results=with_results), STAGE_WEIGHT))
        start_ms = max(0, part.at_ms - FADE_IN_MS)
        end_ms = start_ms + part.length_ms
        bridge_end_ms = start_ms + min(bridge_ms(bridge), part.length_ms)
        if bridge:
            spoken.append(TimedCaption(now_ms, bridge_end_ms - start_ms, bridge))
        for each in captions:
            begins_ms, ends_ms = max(each["at_ms"], bridge_end_ms), min(each["at_ms"] + each["hold_ms"], end_ms)
            if each["seq"] >= part.seq and begins_ms < ends_ms:
                spoken.append(TimedCaption(begins_ms - start_ms + now_ms, ends_ms - begins_ms, each["text"]))
        now_ms += part.length_ms
    return Timeline(tuple(moments), tuple(spoken), now_ms)


def _entries(film: Film) -> Iterator[dict[str, Any]]:
    for segment in film.segments:
        yield from read_segment(segment).entries


def _timed_caption(entry: dict[str, Any]) -> TimedCaption:
    return TimedCaption(entry["at_ms"], entry["hold_ms"], entry["text"])


def _title_of(outline: Outline, part: FilmPart, *, with_results: bool) -> str:
    """Returns a chapter's title: how a hand ends or, without `with_results`, which hand this is, and why to see it."""
    if with_results:
        return part.headline
    hand = outline.hands[part.hand]
    return f"{highlight_mark(outline, hand)}: {hand.stage}, {hand.which}"


def _game_chapters(entries: Iterable[dict[str, Any]]) -> Iterator[Chapter]:
    """Yields a moment for each game. If a stage has a single game, the moment is named after the stage."""
    stage: dict[str, Any] = {}
    count = 0
    for entry in entries:
        match entry["type"]:
            case "stage_started":
                stage, count = entry, 0
                if stage["games"] == 1:
                    yield Chapter(entry["at_ms"], stage["title"], STAGE_WEIGHT)
            case "game_started" if stage.get("games") != 1:
                count += 1
                which, games = ("deal", stage["deals"]) if stage.get("deals") else ("game", stage.get("games", 0))
                title = f"{stage.get('title', '')}, {which} {out_of(count, games)}"
                yield Chapter(entry["at_ms"], title, GAME_WEIGHT)


def _break_chapters(entries: Sequence[dict[str, Any]]) -> Iterator[Chapter]:
    """Yields a moment for each sign that announced a break and was on screen long enough, and for the end of each
    break.
    """
    games = list(_game_chapters(entries))
    cards = [entry for entry in entries if entry["type"] == "control_set" and entry["control"] == "card"]
    card_ends_ms = [entry["at_ms"] for entry in cards[1:]] + [math.inf]
    shown = ""
    for card, end_ms in zip(cards, card_ends_ms, strict=False):
        at_ms, name = card["at_ms"], card["value"].partition(" until ")[0]
        if (name and end_ms - at_ms < _MIN_CARD_MS) or name == shown:
            continue
        title = next((game.title for game in reversed(games) if game.at_ms <= at_ms), "")
        shown = name
        if heading := _CARD_TITLES.get(name, f"{title} continues" if title else ""):
            yield Chapter(at_ms, heading, GAME_WEIGHT)


def _elimination_chapters(outline: Outline, entries: Iterable[dict[str, Any]], with_results: bool) -> Iterator[Chapter]:
    """Yields a moment at the start of each hand that eliminated a bot."""
    names = {bot.bot: bot.name for bot in outline.bots}
    places = {entry["bot"]: entry["place"] for entry in entries if entry["type"] == "bot_eliminated"}
    for hand in outline.hands[1:]:
        if hand.out:
            losers = join_with_and(f"{names.get(bot, '')} ({ordinal(places[bot])})" for bot, _ in hand.out)
            yield Chapter(hand.at_ms, f"Out: {losers}" if with_results else "An elimination", OUT_WEIGHT)


def _champion_chapters(outline: Outline, entries: Iterable[dict[str, Any]], with_results: bool) -> Iterator[Chapter]:
    """Yields a moment for the champion."""
    names = {bot.bot: bot.name for bot in outline.bots}
    for entry in entries:
        if entry["type"] == "tournament_ended" and entry["placings"]:
            champion = names.get(entry["placings"][0]["bot"], "")
            yield Chapter(
                entry["at_ms"], f"The champion: {champion}" if with_results else "The champion", CHAMPION_WEIGHT
            )
