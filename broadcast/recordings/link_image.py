"""Makes the previews that other sites show for links: a title, a description, and a picture of 1200 x 630 pixels.

A link to a hand says who plays whom and with how many chips. It never says how the hand ends. Drawing a picture takes
about 0.05 s of processor time, so draw in a thread.
"""

import zlib
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from broadcast.archive.hand_reader import OneHand
from broadcast.archive.queries import BotRow, RecordingRow
from broadcast.on_air.table_state import TableState
from broadcast.recordings import drawing
from broadcast.recordings.drawing import BOLD, CREAM, GOLD, INK, TEXT, TITLE, Font, Picture, drawable_text, fit_font
from broadcast.web.templates import local_time
from server.game.cards import Card
from server.paths import ASSETS
from server.text.grammar import count_text, hand_label, join_with_and, name_in_sentence

WIDTH, HEIGHT = 1200, 630
_POSTER_SIZE = (318, 494)
_LEFT, _RIGHT = 188, 1012
"""The x coordinates of the posters' centres, in pixels."""
ROYAL_FLUSH: tuple[Card, ...] = ("Ts", "Js", "Qs", "Ks", "As")
"""The cards in a picture that is not about a particular hand."""


class Poster(Struct, frozen=True):
    """A bot's poster. `avatar` is the file name of its picture, or "" for the default.

    `label` says what the number of chips means.
    """

    name: str
    avatar: str = ""
    chips: int = 0
    label: str = ""
    cards: tuple[Card, ...] = ()


class LinkText(Struct, frozen=True):
    """The text of a link's preview, and of the preview's picture. The picture has the `heading` at the top, the
    `subtitle` below it, and the `footer` at the bottom.

    A single poster hangs on the left. Two posters hang left and right. The free space shows `cards` or `places` (the
    names of the first bots in the standings).
    """

    title: str
    description: str
    heading: str
    subtitle: str
    footer: str
    posters: tuple[Poster, ...] = (Poster(""),)
    places: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ROYAL_FLUSH


class Link(Struct, frozen=True):
    """The preview of one page. `address` and `image` are absolute addresses.

    `width` and `height` are the size of the image in pixels.
    """

    title: str
    description: str
    alt: str
    address: str
    image: str
    width: int = WIDTH
    height: int = HEIGHT


def hand_link_text(hand: OneHand, start_time: str) -> LinkText:
    """Returns the text for a link to a hand, with the two bots that put the most into the pot, in seat order.

    `start_time` is the start time of the recording in UTC (ISO 8601), "" if unknown.
    """
    table = TableState()
    for event in (hand.opened, hand.game, *hand.events):
        table = table.after(event)
    dealt_in = [at for at, seat in enumerate(table.seats) if seat.dealt_in]
    rivals = sorted(sorted(dealt_in, key=lambda seat: -table.seats[seat].committed)[:2])
    names = [name_in_sentence(table.bot_name(seat)) for seat in rivals]
    which = hand_label(hand.game.game, table.hand.hand, hand.deal, hand.deal_hands)
    stage_and_hand = f"{hand.stage or hand.opened.title}, {which}"
    stakes = f"big blind {table.hand.big_blind:,}"
    stacks = [f"{name} has {table.seats[seat].starting_stack:,}" for name, seat in zip(names, rivals, strict=True)]
    # A picture with the cards of only one bot would reveal which bot had to show its hand.
    shows_cards = all(table.seats[seat].cards for seat in rivals)
    bots = count_text(len(dealt_in), "bot")
    day = local_time(start_time)[:10]
    return LinkText(
        title=f"{' meets '.join(names)}: {stage_and_hand}",
        description=f"{stage_and_hand} of {hand.opened.title}{day and f', {day}'}. {bots} at the table, {stakes}."
        f" {join_with_and(stacks)}.",
        heading="Who wins?",
        subtitle=f"{bots}, {stakes}",
        footer=stage_and_hand,
        posters=tuple(_make_poster(table, seat, hand, shows_cards=shows_cards) for seat in rivals),
        cards=(),
    )


def result_link_text(row: RecordingRow, entrants: Sequence[BotRow], avatar: str) -> LinkText:
    """Returns the text, with the result, for a link to a recording. `row` and `entrants` come from the index of
    recordings.

    `avatar` is the file name of the winner's picture.
    """
    return replace(
        recording_link_text(row),
        title=f"{name_in_sentence(row.winner)} wins {row.title or row.name}",
        posters=(Poster(row.winner, avatar, row.biggest, "BIGGEST POT"),),
        places=tuple(each.name for each in entrants[:3] if each.place),
        cards=(),
    )


def recording_link_text(row: RecordingRow) -> LinkText:
    """Returns the text, without the result, for a link to a recording. `row` comes from the index of recordings."""
    title = row.title or row.name
    day = local_time(row.begun)[:10]
    return LinkText(
        title=title,
        description=f"{row.played}{f' on {day}' if day else ''}; biggest pot {row.biggest:,}. Watch each hand again.",
        heading=title,
        subtitle=row.played,
        footer=day,
    )


def archive_link_text(count: int) -> LinkText:
    """Returns the text for a link to the list of all `count` recordings."""
    line = f"{count_text(count, 'recording')} to watch again, hand by hand"
    return LinkText(
        title="High Noon: recordings",
        description=f"{line}, to search and to prove.",
        heading="Recordings",
        subtitle=line,
        footer="watch, search, prove",
    )


def _make_poster(table: TableState, seat: int, hand: OneHand, *, shows_cards: bool) -> Poster:
    bot, seated = table.bots[seat], table.seats[seat]
    avatar = next((entrant.avatar for entrant in hand.opened.entrants if entrant.bot == bot), "")
    return Poster(table.bot_name(seat), avatar, seated.starting_stack, "HAS", seated.cards if shows_cards else ())


class LinkImages:
    """Draws link pictures."""

    def __init__(self, media: Path) -> None:
        """Bots' pictures are read from the folder `media`. A bot without a picture gets the default."""
        self._media = media

    def draw(self, text: LinkText, kind: Literal["PNG", "JPEG"] = "PNG") -> bytes:
        """Draws a picture as a PNG or JPEG. Raises OSError if the program's pictures or fonts cannot be read."""
        picture = _table_picture().copy()
        middle, width = (762, 720) if len(text.posters) == 1 else (600, 450)
        _centre(picture, (middle, 146), fit_font(TITLE, drawable_text(text.heading, "High Noon"), 76, width), GOLD)
        _centre(picture, (middle, 196), fit_font(TEXT, drawable_text(text.subtitle, ""), 42, width), CREAM)
        rows = [poster.cards for poster in text.posters if poster.cards] or [text.cards]
        for row_centre, cards in zip(drawing.centres_in_row(len(rows), 214, 20, middle), rows, strict=True):
            for x, face in zip(drawing.centres_in_row(len(cards), 100, 8, row_centre), cards, strict=True):
                drawing.paste_with_shadow(picture, drawing.draw_card(face, 100), (x, 350))
        for place, name in enumerate(text.places, 1):
            Font(TITLE, 54).write(picture, (460, 230 + 86 * place), f"{place}", GOLD)
            font, cut = fit_font(BOLD, drawable_text(name, "a bot"), 54, 560)
            font.write(picture, (530, 230 + 86 * place), cut, CREAM)
        for poster, x, turn in zip(text.posters, (_LEFT, _RIGHT), (3, -3), strict=False):
            drawing.paste_with_shadow(picture, _draw_poster(poster, self._media), (x, 290), turn)
        drawn = ImageDraw.Draw(picture)
        drawn.rectangle((0, 556, WIDTH, HEIGHT), drawing.BAND)
        drawn.line((0, 556, WIDTH, 556), drawing.BAND_LINE, 4)
        Font(TITLE, 44).write(picture, (36, 609), "HIGH NOON", GOLD)
        font, where = fit_font(TEXT, drawable_text(text.footer, ""), 36, 800)
        font.write(picture, (WIDTH - 36 - font.width(where), 607), where, CREAM)
        file = BytesIO()
        # With Z_RLE, a PNG takes half the time and a twelfth more bytes. A JPEG takes a tenth of the time of a PNG.
        picture.save(file, kind, compress_type=zlib.Z_RLE, quality=85)
        return file.getvalue()


@cache
def _table_picture() -> Picture:
    with Image.open(ASSETS / "pictures" / "link-table.webp") as opened:
        return opened.convert("RGB")


def _centre(picture: Picture, at: tuple[int, int], fit: tuple[Font, str], colour: str) -> None:
    font, text = fit
    font.write(picture, at, text, colour, is_centred=True)


def _draw_poster(poster: Poster, media: Path) -> Picture:
    width, height = _POSTER_SIZE
    sheet = drawing.draw_paper(width, height)
    _centre(sheet, (width // 2, 80), fit_font(TITLE, "WANTED" if poster.name else "HIGH NOON", 66, width - 60), INK)
    side = 232
    left, top = (width - side) // 2, 102
    ImageDraw.Draw(sheet).rectangle((left - 5, top - 5, left + side + 4, top + side + 4), INK)
    sheet.paste(drawing.read_square_avatar(_picture_path(poster.avatar, media), side), (left, top))
    if poster.name:
        _write_name(sheet, drawable_text(poster.name, "a bot"))
        ImageDraw.Draw(sheet).line((44, 420, width - 44, 420), drawing.PAPER_EDGE, 3)
    if poster.chips:
        small, amount, chips = Font(TEXT, 34), Font(BOLD, 50), f"{poster.chips:,}"
        x = (width - small.width(f"{poster.label} ") - amount.width(chips)) / 2
        small.write(sheet, (x, 466), f"{poster.label} ", INK)
        amount.write(sheet, (x + small.width(f"{poster.label} "), 468), chips, INK)
    return sheet


def _write_name(sheet: Picture, name: str) -> None:
    """Writes a name below the picture, on two lines if the name would be too small on one line."""
    width = sheet.width - 44
    lines = [line for line in drawing.split_in_two_lines(name, Font(BOLD, 38), width) if line]
    for index, line in enumerate(lines):
        y = 396 if len(lines) == 1 else 376 + 34 * index
        _centre(sheet, (sheet.width // 2, y), fit_font(BOLD, line, 46 if len(lines) == 1 else 36, width), INK)


def _picture_path(avatar: str, media: Path) -> Path:
    """Returns the path of a bot's prepared picture in `media`, or of the default picture. Never returns the path of any
    other file.
    """
    path = media / Path(avatar).name
    return path if avatar and path.suffix == ".webp" and path.is_file() else ASSETS / "avatars" / "default.webp"
