"""The mugshot of the Bluffin' Bandit, a house bot."""

from assets.make.mugshots.anatomy import FACE, TAN, Eye, backdrop, brim, ears, eyes, head, shoulders
from assets.make.pen import Pen, blob, box, curve, mirrored, oval, star

# fmt: off

def bluffin_bandit(pen: Pen) -> None:
    """Nothing but eyes between a black hat and a red bandana."""
    backdrop(pen, 1.1)
    shoulders(pen, "#3d3a33", "#2a2823", 212)
    for i, tone in enumerate(("#b8452f", "#d9a441", "#2f6f73")):
        stripe = curve((30, 520 - i * 2), (74, 462 + i * 18), (150, 440 + i * 26), (200, 460 + i * 26))
        pen.line(stripe, 11, tone)
        pen.line(mirrored(stripe), 11, tone)
    ears(pen, TAN)
    head(pen, TAN, FACE, brim_shadow=224, blush=False)
    eyes(pen, TAN, Eye("#2a7f4f", (-7, 0), 0.34, 25), 262, 44)
    pen.line(curve((238, 238), (214, 232), (182, 244)), 17, "#2a1a10", end=8)
    pen.line(curve((276, 232), (304, 208), (336, 222)), 17, "#2a1a10", end=8)
    pen.line(curve((246, 270), (242, 284), (240, 296)), 5, TAN.shade)
    cloth = blob((158, 290), (206, 300), (256, 288), (306, 300), (354, 290), (346, 350), (322, 404), (290, 448),
                 (256, 500), (222, 448), (190, 404), (166, 350))
    with pen.within(cloth, "#cf2f28"):
        pen.fill([(300, 270), (316, 360), (268, 510), (400, 510), (400, 270)], "#a31f1d")
        pen.line(curve((160, 304), (206, 316), (256, 304), (306, 316), (352, 304)), 5, "#f7e4c6")
        for x, y in ((196, 338), (316, 338), (226, 372), (286, 372), (200, 396), (256, 338), (312, 396), (256, 404),
                     (232, 434), (280, 434), (256, 464)):
            pen.fill(star(x, y, 12, 5, 4), "#f7e4c6")
            pen.fill(oval(x, y, 3), "#cf2f28")
        for path in (curve((172, 330), (186, 366), (214, 400)), curve((340, 330), (326, 366), (298, 400))):
            pen.line(path, 5, "#7d1515", end=2)
    for knot in (
        blob((352, 296), (392, 280), (410, 296), (384, 312)),
        blob((352, 300), (384, 312), (396, 342), (364, 330)),
    ):
        pen.shape(knot, "#a31f1d", 5)
    with pen.within(blob((160, 186), (166, 112), (182, 72), (214, 50), (256, 66), (298, 50), (330, 72), (346, 112),
                         (352, 186), (256, 202)), "#2b2725"):
        pen.fill([(300, 30), (314, 210), (380, 210), (380, 30)], "#1b1817")
        pen.line(curve((256, 64), (250, 92), (256, 116)), 6, "#4b4541")
        pen.line(curve((200, 78), (192, 104), (190, 134)), 11, "#4b4541")
        pen.fill(curve((140, 148), (256, 166), (372, 148), (372, 188), (256, 206), (140, 188)), "#6a1d1a")
    pen.shape(box(238, 158, 274, 196, 6), "#cfd3d2", 5)
    pen.fill(box(248, 168, 264, 186, 3), "#6a1d1a")
    brim(pen, blob((60, 226), (96, 196), (170, 190), (256, 198), (342, 190), (416, 196), (452, 226), (432, 240),
                   (352, 226), (256, 234), (160, 226), (80, 240)), "#2b2725", "#12100f")
