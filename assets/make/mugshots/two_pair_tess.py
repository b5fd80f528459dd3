"""The mugshot of Two-Pair Tess, a house bot."""

from assets.make.mugshots.anatomy import BROWN, FACE, Eye, backdrop, brows, eyes, head, neck, nose, shoulders
from assets.make.pen import INK, Pen, blob, curve, oval

# fmt: off

def two_pair_tess(pen: Pen) -> None:
    """The saloon's sharpest: raven curls, a plume, and two pairs of spectacles."""
    backdrop(pen, 1.02)
    back = blob((256, 70), (176, 84), (128, 150), (122, 236), (106, 300), (124, 372), (176, 400), (336, 400), (388,
        372),
                (406, 300), (390, 236), (384, 150), (336, 84))
    with pen.within(back, "#2d1f3a"):
        pen.fill([(330, 60), (346, 240), (330, 420), (430, 420), (430, 60)], "#1f152a")
        for x in (140, 160, 352, 372):
            pen.line(curve((x, 220), (x - 12, 280), (x + 6, 330), (x - 6, 380)), 6, "#50406a", end=3)
    shoulders(pen, BROWN.light, BROWN.shade, 176)
    dress = blob(
        (60, 540), (96, 476), (160, 470), (206, 488), (256, 508), (306, 488), (352, 470), (416, 476), (452, 540)
    )
    with pen.within(dress, "#8a2f7e"):
        pen.fill([(320, 440), (330, 560), (470, 560), (470, 440)], "#6a2160")
    for x, y in ((90, 482), (126, 470), (162, 472), (198, 486), (234, 502), (278, 502), (314, 486), (350, 472), (386,
        470),
                 (422, 482)):
        pen.shape(oval(x, y, 18, 13), "#d58ac9" if x < 300 else "#b56ba9", 4)
    neck(pen, BROWN)
    pen.line(curve((210, 414), (256, 434), (302, 414)), 16)
    pen.line(curve((210, 414), (256, 434), (302, 414)), 7, "#f0d58a")
    pen.shape([(256, 428), (270, 446), (256, 464), (242, 446)], "#d7263d", 5)
    head(pen, BROWN, FACE)
    for x, way in ((214, -1), (298, 1)):
        for dx, dy in ((16, -22), (25, -14)):
            pen.line([(x + way * (dx - 4), 272 + dy + 8), (x + way * (dx + 8), 272 + dy - 4)], 5)
    eyes(pen, BROWN, Eye("#5b3a1c", (3, 1), 0.3, 23), 272, 42)
    brows(pen, curve((240, 232), (216, 218), (184, 226)), "#1f152a", 11, 5)
    nose(pen, BROWN, 324, 17, 284)
    pen.shape(blob((220, 358), (244, 344), (256, 350), (268, 344), (292, 358), (274, 376), (256, 380), (238, 376)),
              "#d7263d", 5)
    pen.line(curve((216, 356), (240, 362), (272, 362), (298, 352)), 5)
    pen.fill(oval(306, 338, 5), INK)
    _spectacles(pen, 272, "#e3b13f", "#dff4ff1c")
    curls = blob((172, 250), (158, 200), (170, 146), (214, 116), (256, 112), (300, 116), (344, 146), (354, 200), (340,
        250),
                 (330, 206), (300, 190), (268, 166), (244, 190), (206, 194), (184, 212))
    with pen.within(curls, "#3a2a4a"):
        pen.fill([(310, 100), (316, 260), (380, 260), (380, 100)], "#281c36")
        pen.line(curve((256, 122), (226, 150), (192, 166), (176, 196)), 7, "#6a5688", end=4)
        pen.line(curve((270, 124), (292, 152), (318, 164), (334, 190)), 6, "#50406a", end=4)
    for x in (164, 348):
        pen.line([(x, 292), (x, 316)], 5, "#e3b13f")
    pen.shape(
        blob((164, 318), (150, 330), (146, 344), (158, 346), (164, 358), (170, 346), (182, 344), (178, 330)),
        "#20304f",
        4,
    )
    pen.shape(blob((348, 354), (332, 336), (334, 322), (348, 328), (362, 322), (364, 336)), "#d7263d", 4)
    bun = blob((256, 118), (204, 104), (196, 60), (226, 28), (270, 24), (308, 50), (314, 96))
    with pen.within(bun, "#3a2a4a"):
        pen.fill([(286, 10), (296, 130), (330, 130), (330, 10)], "#281c36")
        pen.line(curve((214, 86), (236, 58), (276, 50), (296, 66)), 7, "#6a5688", end=3)
        pen.line(curve((226, 106), (256, 82), (290, 90)), 6, "#6a5688", end=3)
    for path, tone in (
        (blob((310, 110), (344, 60), (392, 26), (446, 20), (430, 56), (388, 96), (330, 126)), "#e45aa8"),
        (blob((318, 122), (366, 96), (420, 90), (458, 108), (426, 128), (372, 134), (326, 134)), "#c13f8c"),
    ):
        pen.shape(path, tone, 5)
    pen.line(curve((312, 116), (362, 70), (432, 30)), 4)
    pen.line(curve((322, 126), (380, 112), (440, 108)), 4)
    pen.shape(oval(316, 118, 17), "#f0b93a", 5)
    _spectacles(pen, 158, "#d9dee2", "#dff4ff55")


def _spectacles(pen: Pen, y: float, rim: str, glass: str) -> None:
    for x in (212, 300):
        pen.glaze(oval(x, y, 37, 34), glass)
        pen.line(oval(x, y, 38, 35), 13, INK, closed=True)
        pen.line(oval(x, y, 38, 35), 6, rim, closed=True)
        pen.line([(x - 25, y - 6), (x - 15, y - 21)], 6, "#ffffff")
    for width, colour in ((12.0, INK), (6.0, rim)):
        pen.line(curve((248, y - 4), (256, y - 11), (264, y - 4)), width, colour)
