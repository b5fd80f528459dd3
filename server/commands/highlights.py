"""`highnoon highlights RECORDING`: lists the best hands with their times, as a table or as JSON."""

from pathlib import Path
from typing import Any

from broadcast.film.highlights import FilmPart, choose_reel, hands_worth_seeing
from broadcast.video.youtube import time_text
from server.app.recordings.films import RecordingFilms, hand_path, open_films
from server.console import print_json, say
from server.errors import Refusal
from server.text.characters import printable
from server.text.grammar import count_text

MAX_LISTED_OMITTED = 3
"""At most this many of the highlights that did not fit are listed."""


def highlights(path: Path, length_ms: int | None, *, as_json: bool) -> int:
    """Prints all highlights, best first. If `length_ms` is given, prints only highlights that together fit into this
    time, in the order of the show. Returns 0.

    Raises OSError, JournalDamaged, or Refusal if there are no highlights.
    """
    films = open_films(path)
    parts = pick_highlights(films, length_ms)
    if as_json:
        print_json([_as_json(films, part) for part in parts])
        return 0
    for line in _table_lines(films, parts):
        say(line)
    total = sum(part.length_ms for part in parts)
    for line in _omitted_lines(films, parts):
        say(printable(line))
    limit = f" of {time_text(length_ms)}" if length_ms else ""
    say(f"{count_text(len(parts), 'highlight')}, {time_text(total)}{limit} in total")
    return 0


def pick_highlights(films: RecordingFilms, length_ms: int | None) -> tuple[FilmPart, ...]:
    """Returns all highlights, best first. With `length_ms`, returns only highlights that together fit into this time,
    in the order of the show.

    To make a highlight fit, its beginning may be cut off. Raises Refusal if there are no highlights or all are too
    long.
    """
    best = hands_worth_seeing(films.film.outline)
    if not best:
        raise Refusal("no hand in this recording has earned a mark")
    chosen = best if length_ms is None else choose_reel(films.film.outline, length_ms)
    if not chosen:
        shortest = min(_shortest_ms(films, part) for part in best)
        raise Refusal(f"no highlight is short enough: the shortest takes {-(-shortest // 1000)} s")
    return chosen


def _shortest_ms(films: RecordingFilms, part: FilmPart) -> int:
    """The shortest length to which a highlight can be cut, in milliseconds."""
    hand = films.film.outline.hands[part.hand]
    starts = [*hand.streets, *([hand.decisive] if hand.decisive else [])]
    return part.until_ms - max((start.at_ms for start in starts), default=part.at_ms)


def _omitted_lines(films: RecordingFilms, parts: tuple[FilmPart, ...]) -> list[str]:
    shown_hands = {part.hand for part in parts}
    missing = [part for part in hands_worth_seeing(films.film.outline) if part.hand not in shown_hands]
    if not missing:
        return []
    lines = [f"  {part.caption} ({round(part.length_ms / 1000)} s)" for part in missing[:MAX_LISTED_OMITTED]]
    return [f"{count_text(len(missing), 'highlight')} did not fit; the best of them:", *lines]


def _table_lines(films: RecordingFilms, parts: tuple[FilmPart, ...]) -> list[str]:
    hands = films.film.outline.hands
    live = f"  {'live':>8}" if films.live else ""
    rows = [f"{'film':>8}{live}  {'takes':>5}  {'hand':<40}  what"]
    for part in parts:
        live_ms = _live_ms(films, part)
        hand = hands[part.hand]
        hand_text = f"{hand.stage}, {hand.which}"
        live_column = f"  {time_text(live_ms) if live_ms is not None else '':>8}" if films.live else ""
        row = f"{time_text(part.at_ms):>8}{live_column}  {round(part.length_ms / 1000):>3} s  {hand_text:<40}  "
        rows.append(printable(row + part.caption))
        other_marks = f"also: {', '.join(part.marks[1:])}; " if part.marks[1:] else ""
        street = "betting before the flop" if part.street == "preflop" else part.street
        details = f"from the {street} on; {other_marks}" if part.street else other_marks
        rows.append(printable(f"{'':{len(row)}}{details}{hand_path(films.name, part.hand)}"))
    return rows


def _live_ms(films: RecordingFilms, part: FilmPart) -> int | None:
    """How many milliseconds into the live show the hand started, or None if there was no live show."""
    hands = films.live.outline.hands if films.live else []
    return hands[part.hand].at_ms if part.hand < len(hands) else None


def _as_json(films: RecordingFilms, part: FilmPart) -> dict[str, Any]:
    outline = films.film.outline
    names, hand = {star.bot: star.name for star in outline.bots}, outline.hands[part.hand]
    return {
        "number": part.hand,
        "stage": hand.stage,
        "game": hand.game,
        "hand": hand.hand,
        "at_ms": part.at_ms,
        "until_ms": part.until_ms,
        "live_at_ms": _live_ms(films, part),
        "marks": part.marks,
        "score": part.score,
        "from": part.street,
        "pot": hand.pot,
        "won": [{"bot": names[bot], "amount": amount, "with": ranking} for bot, amount, ranking in hand.won],
        "why": part.caption,
        "address": hand_path(films.name, part.hand),
    }
