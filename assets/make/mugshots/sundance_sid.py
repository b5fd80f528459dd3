"""The mugshot of Sundance Sid, a house bot."""

from assets.make.mugshots.anatomy import FACE, TAN, backdrop, brim, brows, head, neck, nose, shoulders, stubble
from assets.make.pen import Pen, blob, curve, mirrored, oval, star

# fmt: off

def sundance_sid(pen: Pen) -> None:
    """Bleached hair, white hat, yellow round lenses, the sun behind him."""
    backdrop(pen, 1.05)
    pen.fill(star(256, 236, 250, 190, 18), "#f2a93b")
    pen.fill(oval(256, 236, 186), "#f8c75a")
    shoulders(pen, "#b5562a", "#8f3f1c")
    pen.line(curve((120, 452), (130, 480), (130, 520)), 6)
    pen.line(curve((392, 452), (382, 480), (382, 520)), 6)
    pen.shape([(190, 402), (256, 478), (322, 402), (344, 424), (262, 520), (250, 520), (168, 424)], "#d97a3f")
    for side in (0, 1):
        lock = blob((190, 180), (150, 232), (156, 286), (132, 330), (140, 384), (112, 420), (152, 436), (196, 410),
                    (192, 300))
        pen.shape(mirrored(lock) if side else lock, "#f3dc86" if not side else "#d9b95c")
    neck(pen, TAN)
    head(pen, TAN, FACE, brim_shadow=206)
    stubble(pen, "#a8683a", 338)
    nose(pen, TAN, 322, 20, 274)
    brows(pen, curve((240, 226), (216, 214), (184, 222)), "#c79a3f", 14, 8)
    for x in (210, 302):
        with pen.within(oval(x, 264, 41), "#ffd23d", 8):
            pen.fill([(x - 50, 290), (x + 14, 210), (x + 50, 210), (x + 50, 320), (x - 50, 320)], "#f5a51f")
            pen.line([(x - 24, 268), (x - 2, 240)], 9, "#fff3bd")
            pen.line([(x - 10, 274), (x + 2, 258)], 6, "#fff3bd")
    pen.line(curve((246, 258), (256, 252), (266, 258)), 7)
    with pen.within(blob((216, 348), (256, 352), (304, 336), (296, 366), (262, 378), (228, 368)), "#fffaf0", 6):
        for x in range(228, 300, 15):
            pen.line([(x, 330), (x, 390)], 3, "#c9bda4")
    pen.fill(star(284, 352, 11, 3, 4), "#ffffff")
    with pen.within(blob((170, 176), (176, 110), (196, 66), (230, 48), (256, 70), (282, 48), (316, 66), (336, 110),
                         (342, 176), (256, 192)), "#f7f0e2"):
        pen.fill([(296, 30), (310, 200), (380, 200), (380, 30)], "#d8ccb6")
        pen.line(curve((256, 66), (252, 96), (258, 120)), 6, "#b7a88c")
        pen.fill(curve((150, 140), (256, 158), (362, 140), (362, 176), (256, 194), (150, 176)), "#7a4526")
        pen.fill(oval(214, 168, 9), "#3fb5b0")
        pen.fill(oval(256, 172, 9), "#3fb5b0")
        pen.fill(oval(298, 168, 9), "#3fb5b0")
    brim(pen, blob((66, 138), (92, 170), (160, 190), (256, 184), (352, 190), (420, 170), (446, 138), (440, 180),
                   (372, 214), (256, 220), (140, 214), (72, 180)), "#f7f0e2", "#c9bb9f")
