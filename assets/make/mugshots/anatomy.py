"""Parts that all mugshots share: the lined backdrop, shoulders, heads, eyes, brows, noses."""

from dataclasses import dataclass

from assets.make.pen import INK, Path, Pen, Point, blob, box, curve, mirrored, moved, oval, star

# fmt: off
MIDDLE = 256.0


@dataclass(frozen=True)
class Skin:
    """The colours of a skin: in the light, in the shade, and on the cheeks."""

    light: str
    shade: str
    cheek: str


FAIR = Skin("#f2c79d", "#d99f72", "#e88f6f")
PALE = Skin("#f3d6b3", "#d8b087", "#e59c80")
TAN = Skin("#dd9f67", "#bd7a45", "#cf6f45")
BROWN = Skin("#a9683c", "#864c28", "#b4532f")
UMBER = Skin("#7d4a2c", "#5f341d", "#9a4a2c")

FACE: Path = blob(
    (170, 216), (172, 292), (192, 350), (228, 390), (256, 398), (284, 390), (320, 350), (340, 292), (342, 216),
    (310, 150), (256, 134), (202, 150),
)
WIDE_FACE: Path = blob(
    (166, 206), (152, 292), (168, 358), (216, 398), (256, 404), (296, 398), (344, 358), (360, 292), (346, 206),
    (310, 146), (256, 134), (202, 146),
)
LONG_FACE: Path = blob(
    (178, 216), (182, 300), (204, 364), (236, 404), (256, 410), (276, 404), (308, 364), (330, 300), (334, 216),
    (304, 150), (256, 134), (208, 150),
)


def backdrop(pen: Pen, zoom: float = 1) -> None:
    """The lined wall behind every mugshot. All later parts are drawn `zoom` times larger than designed."""
    pen.fill(box(0, 0, 512, 512), "#dcc391")
    for y in range(14, 512, 26):
        pen.fill(box(0, y, 512, y + 8), "#c7a873")
    pen.zoom_in(zoom)


def shoulders(pen: Pen, coat: str, shade: str, width: float = 208) -> None:
    """A bust in one colour, with its right side in shade."""
    path = curve(
        (MIDDLE - width - 4, 530), (MIDDLE - width + 16, 468), (MIDDLE - width + 84, 428), (MIDDLE - 56, 400),
        (MIDDLE + 56, 400), (MIDDLE + width - 84, 428), (MIDDLE + width - 16, 468), (MIDDLE + width + 4, 530),
    )
    with pen.within(path, coat):
        pen.fill([(330, 390), (372, 460), (392, 530), (520, 530), (520, 390)], shade)


def neck(pen: Pen, skin: Skin) -> None:
    """The neck, in the chin's shadow."""
    pen.shape(box(212, 350, 300, 440, 20), skin.shade)


def ears(pen: Pen, skin: Skin, offset: float = 0) -> None:
    """Both ears. `offset` moves them away from the head."""
    for side in (oval(168 - offset, 268, 20, 32), oval(344 + offset, 268, 20, 32)):
        pen.shape(side, skin.shade)


def head(pen: Pen, skin: Skin, face: Path = FACE, *, brim_shadow: float = 0, blush: bool = True) -> None:
    """A face, lit from the left. The shadow of a hat reaches down to `brim_shadow`."""
    with pen.within(face, skin.light):
        pen.fill([(296, 120), (322, 230), (312, 320), (276, 410), (400, 420), (400, 120)], skin.shade)
        if blush:
            pen.glaze(oval(200, 312, 25, 17), skin.cheek + "99")
            pen.glaze(oval(312, 312, 25, 17), skin.cheek + "99")
        if brim_shadow:
            pen.glaze(curve((130, 100), (150, brim_shadow), (256, brim_shadow + 16), (370, brim_shadow), (380, 100)),
                      "#3a1c0e70")


@dataclass(frozen=True)
class Eye:
    """An eye: the colour of its iris, the direction of its gaze, how far its lid is closed (0 to 1), and its size."""

    iris: str = "#4a2f1c"
    gaze: Point = (0, 2)
    lid: float = 0.25
    size: float = 22


def eye(pen: Pen, centre: Point, kind: Eye, skin: Skin) -> None:
    x, y = centre
    ball = oval(x, y, kind.size, kind.size * 0.86)
    with pen.within(ball, "#fff8ea", 5):
        pupil_x, pupil_y = x + kind.gaze[0], y + kind.gaze[1]
        pen.fill(oval(pupil_x, pupil_y, kind.size * 0.56), kind.iris)
        pen.fill(oval(pupil_x, pupil_y, kind.size * 0.32), "#170d08")
        pen.fill(oval(pupil_x - 4, pupil_y - 5, kind.size * 0.17), "#ffffff")
        edge = y - kind.size * 0.9 + kind.size * 1.8 * kind.lid
        if kind.lid:
            pen.fill(box(x - 60, y - 60, x + 60, edge), skin.shade)
            pen.line([(x - 60, edge), (x + 60, edge)], 6)


def eyes(pen: Pen, skin: Skin, kind: Eye, y: float = 256, apart: float = 42) -> None:
    for x in (MIDDLE - apart, MIDDLE + apart):
        eye(pen, (x, y), kind, skin)


def brows(pen: Pen, path: Path, colour: str, width: float = 14, end: float = 6) -> None:
    """A left brow, drawn from its inner end outwards, and its mirror image."""
    pen.line(path, width, colour, end=end)
    pen.line(mirrored(path), width, colour, end=end)


def nose(pen: Pen, skin: Skin, tip: float = 318, width: float = 20, top: float = 262) -> None:
    """A nose seen from the front, with its shadow to the right."""
    pen.fill(blob((258, top), (MIDDLE + width, tip - 10), (MIDDLE + width - 4, tip + 4), (256, tip + 6)), skin.shade)
    pen.line(curve((252, top + 8), (MIDDLE - width * 0.8, tip - 14), (MIDDLE - width, tip), (MIDDLE, tip + 8),
                   (MIDDLE + width, tip), (MIDDLE + width - 2, tip - 8)), 5.5)


def mouth(pen: Pen, path: Path, width: float = 7) -> None:
    """A mouth that is a single line."""
    pen.line(path, width, INK, end=width * 0.7)


def moustache(pen: Pen, left: Path, colour: str) -> None:
    """A moustache: its left half as a closed shape, and the mirror image."""
    pen.shape(mirrored(left), colour, 5)
    pen.shape(left, colour, 5)


def kerchief(pen: Pen, colour: str, shade: str) -> None:
    """A knotted neckerchief."""
    with pen.within(blob((186, 396), (256, 424), (326, 396), (340, 424), (300, 448), (256, 500), (212, 448),
                         (172, 424)), colour):
        pen.fill([(280, 380), (268, 520), (360, 520), (360, 380)], shade)
        pen.line(curve((178, 416), (256, 446), (334, 416)), 5)


def brim(pen: Pen, path: Path, colour: str, under: str) -> None:
    """A hat's brim, with its darker underside along the lower edge."""
    with pen.within(path, colour):
        pen.line(moved([point for point in path if point[1] > _middle(path)], 0, 4), 14, under)


def _middle(path: Path) -> float:
    heights = [y for _, y in path]
    return (min(heights) + max(heights)) / 2


def smile(left: Point, low: Point, right: Point) -> Path:
    """A line through three points."""
    return curve(left, low, right)


def stubble(pen: Pen, colour: str, top: float = 330) -> None:
    """Short strokes on jaw and lip. They are the same on every run."""
    for row, y in enumerate(range(int(top), 396, 13)):
        half = 66 - (y - top) * 0.8
        count = int(half // 8)
        for i in range(-count, count + 1):
            x = MIDDLE + i * 15 + (7 if row % 2 else 0)
            if abs(x - MIDDLE) < half:
                pen.line([(x, y), (x + 2, y + 5)], 4, colour)


def sheriffs_star(pen: Pen, centre: Point, radius: float, gold: str = "#f0b93a", shade: str = "#c98a1c") -> None:
    """A five-pointed badge with balls on its tips."""
    x, y = centre
    tips = star(x, y, radius, radius * 0.46)
    for tip in tips[::2]:
        pen.shape(oval(*tip, radius * 0.15), gold, radius * 0.1)
    with pen.within(tips, gold, radius * 0.11):
        for i in range(0, 10, 2):
            pen.fill([(x, y), tips[i], tips[i + 1]], shade)
