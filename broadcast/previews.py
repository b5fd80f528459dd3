"""The picture of a link, 1200 x 630: a hand with its board, its winner and whom it beat, or a contest with its winner.

Takes a tenth of a second of a processor, so it is drawn in a thread. Knows Pillow.
"""

from functools import cached_property
from io import BytesIO
from pathlib import Path

from PIL import ImageDraw

from broadcast.placards import Placard
from broadcast.preview_brush import (
    BAND,
    BAND_LINE,
    BOLD,
    CREAM,
    GOLD,
    INK,
    PAPER_EDGE,
    TEXT,
    TITLE,
    Letters,
    Picture,
    card,
    felt,
    fitted,
    halves,
    laid,
    paper,
    photograph,
    places_of,
    readable,
    stamp,
    wood,
)
from server.paths import ASSETS

WIDTH, HEIGHT = 1200, 630
DEFAULT = ASSETS / "avatars" / "default.webp"
_FELT = (340, 24, 1176, 532)
_MIDDLE = 762
_POSTER = (318, 494)


class Painter:
    """Paints pictures, one at a time: table and wood behind them are painted once."""

    def __init__(self, media: Path) -> None:
        """Bots' pictures are taken from `media`, the default where they are not there."""
        self._media = media

    def paint(self, placard: Placard) -> bytes:
        """The picture as a PNG."""
        picture = self._backdrop.copy()
        _write_head(picture, placard)
        if placard.board or placard.winner.cards:
            _lay_cards(picture, placard)
        else:
            _write_places(picture, placard)
        laid(picture, _poster(placard, self._media), (188, 290), 3)
        if placard.mark:
            mark = stamp(placard.mark.upper(), 36)
            laid(picture, mark, (_FELT[2] - mark.width // 2 - 4, 48), -4)
        _write_band(picture, placard)
        file = BytesIO()
        picture.save(file, "PNG")
        return file.getvalue()

    @cached_property
    def _backdrop(self) -> Picture:
        picture = wood(WIDTH, HEIGHT)
        left, top, right, bottom = _FELT
        laid(picture, felt(right - left, bottom - top), ((left + right) // 2, (top + bottom) // 2))
        return picture


def _write_head(picture: Picture, placard: Placard) -> None:
    letters, text = fitted(TITLE, readable(placard.head, "High Noon"), 76, 690)
    letters.write(picture, (_MIDDLE, 146), text, GOLD, middle=True)
    letters, text = fitted(TEXT, readable(placard.line, ""), 42, 720)
    letters.write(picture, (_MIDDLE, 196), text, CREAM, middle=True)


def _does(placard: Placard, *, won: bool) -> str:
    if won:
        return "shares" if placard.shared else "wins"
    return "is beaten"


def _lay_cards(picture: Picture, placard: Placard) -> None:
    """The board in the middle, below it the cards of the winner and of whom it beat."""
    best = placard.best
    if not placard.board:
        for x, face in zip(places_of(len(placard.winner.cards), 180, 24, _MIDDLE), placard.winner.cards, strict=True):
            laid(picture, card(face, 180), (x, 362))
        return
    for x, face in zip(places_of(len(placard.board), 116, 14, _MIDDLE), placard.board, strict=True):
        laid(picture, card(face, 116, lit=not best or face in best), (x, 304))
    hands = [rival for rival in (placard.winner, placard.loser) if rival and rival.cards]
    for middle, rival in zip(places_of(len(hands), 330, 40, _MIDDLE), hands, strict=True):
        won = rival is placard.winner
        for x, face in zip(places_of(len(rival.cards), 82, 8, middle - 82), rival.cards, strict=True):
            laid(picture, card(face, 82, lit=won and (not best or face in best)), (x, 455))
        _write_name(picture, readable(rival.name, "a bot"), (middle + 20, 444), GOLD if won else CREAM)
        Letters(TEXT, 28).write(picture, (middle + 20, 506), _does(placard, won=won), CREAM)


def _write_name(picture: Picture, name: str, at: tuple[int, int], colour: str) -> None:
    """A name in one line or two."""
    first, rest = halves(name, Letters(BOLD, 32), 178)
    for line, text in enumerate((first, rest) if rest else ("", first)):
        letters, cut = fitted(BOLD, text, 32, 178, least=26)
        letters.write(picture, (at[0], at[1] + 32 * line), cut, colour)


def _write_places(picture: Picture, placard: Placard) -> None:
    """The first of a contest, where no hand is shown."""
    for place, name in enumerate(placard.places, 1):
        y = 230 + 86 * place
        letters, text = fitted(BOLD, readable(name, "a bot"), 54, 560)
        Letters(TITLE, 54).write(picture, (460, y), f"{place}", GOLD)
        letters.write(picture, (530, y), text, CREAM)


def _poster(placard: Placard, media: Path) -> Picture:
    """The winner's, wanted for what it won."""
    width, height = _POSTER
    sheet = paper(width, height)
    letters, word = fitted(TITLE, "WANTED" if placard.winner.name else "HIGH NOON", 66, width - 60)
    letters.write(sheet, (width / 2, 80), word, INK, middle=True)
    side = 232
    corner = ((width - side) // 2, 102)
    frame = (corner[0] - 5, corner[1] - 5, corner[0] + side + 4, corner[1] + side + 4)
    ImageDraw.Draw(sheet).rectangle(frame, INK)
    sheet.paste(photograph(_picture_of(placard.winner.avatar, media), side), corner)
    _write_wanted(sheet, readable(placard.winner.name, "the winner" if placard.winner.name else ""))
    if placard.amount:
        small, amount = Letters(TEXT, 34), Letters(BOLD, 50)
        told = f"{placard.amount:,}"
        word = "BIGGEST POT " if not placard.winner.cards else "POT " if placard.shared else "WINS "
        x = (width - small.width(word) - amount.width(told)) / 2
        small.write(sheet, (x, 466), word, INK)
        amount.write(sheet, (x + small.width(word), 468), told, INK)
    return sheet


def _write_wanted(sheet: Picture, name: str) -> None:
    """A name below its photograph, in two lines where one would be too small."""
    width = sheet.width - 44
    lines = [name] if Letters(BOLD, 38).width(name) <= width else halves(name, Letters(BOLD, 38), width)
    for line, text in enumerate(filter(None, lines)):
        letters, cut = fitted(BOLD, text, 46 if len(lines) == 1 else 36, width)
        letters.write(sheet, (sheet.width / 2, (396 if len(lines) == 1 else 376) + 34 * line), cut, INK, middle=True)
    if name:
        ImageDraw.Draw(sheet).line((44, 420, sheet.width - 44, 420), PAPER_EDGE, 3)


def _picture_of(avatar: str, media: Path) -> Path:
    """A prepared file of `media` and of no other folder."""
    path = media / Path(avatar).name
    return path if avatar and path.suffix == ".webp" and path.is_file() else DEFAULT


def _write_band(picture: Picture, placard: Placard) -> None:
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 556, WIDTH, HEIGHT), BAND)
    draw.line((0, 556, WIDTH, 556), BAND_LINE, 4)
    Letters(TITLE, 44).write(picture, (36, 609), "HIGH NOON", GOLD)
    letters, text = fitted(TEXT, readable(placard.where, ""), 36, 800)
    letters.write(picture, (WIDTH - 36 - letters.width(text), 607), text, CREAM)
