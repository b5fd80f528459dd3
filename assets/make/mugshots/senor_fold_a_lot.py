"""The mugshot of Señor Fold-a-Lot, a house bot."""

from assets.make.mugshots.anatomy import (
    LONG_FACE,
    TAN,
    Eye,
    backdrop,
    brows,
    ears,
    eyes,
    head,
    moustache,
    mouth,
    nose,
    shoulders,
    smile,
)
from assets.make.pen import Pen, blob, curve, mirrored, oval, star

# fmt: off

def senor_fold_a_lot(pen: Pen) -> None:
    """An elegant charro who would rather fold: silver-stitched sombrero, waxed moustache, heavy lids."""
    backdrop(pen)
    shoulders(pen, "#1f4a3f", "#14362d")
    for side in (1, -1):
        path = curve((204, 404), (176, 440), (168, 520))
        pen.line(path if side == 1 else mirrored(path), 9, "#d9b457")
    pen.shape([(204, 402), (256, 500), (308, 402)], "#f4ecda")
    ears(pen, TAN)
    for side in (0, 1):
        burn = blob((172, 236), (190, 240), (190, 300), (178, 312))
        pen.fill(mirrored(burn) if side else burn, "#241712")
    head(pen, TAN, LONG_FACE, brim_shadow=226, blush=False)
    for side in (0, 1):
        burn = blob((176, 206), (186, 216), (186, 306), (180, 316))
        pen.fill(mirrored(burn) if side else burn, "#241712")
    eyes(pen, TAN, Eye("#7a4a22", (0, 5), 0.46, 23), 266, 40)
    brows(pen, curve((236, 240), (212, 224), (186, 240)), "#241712", 15, 7)
    nose(pen, TAN, 326, 20, 268)
    mouth(pen, smile((236, 366), (258, 370), (280, 362)), 6)
    moustache(pen, blob((256, 336), (232, 332), (206, 346), (176, 344), (158, 322), (148, 318), (146, 338), (166, 362),
                        (206, 370), (240, 358), (256, 350)), "#241712")
    pen.shape(blob((256, 380), (240, 384), (242, 402), (256, 420), (270, 402), (272, 384)), "#241712", 4)
    for wing in (
        blob((256, 436), (206, 412), (194, 440), (204, 470)),
        blob((256, 436), (306, 412), (318, 440), (308, 470)),
    ):
        pen.shape(wing, "#c9312c")
    pen.shape(oval(256, 438, 15), "#e85a43", 5)
    with pen.within(blob((188, 196), (196, 110), (220, 44), (256, 26), (292, 44), (316, 110), (324, 196), (256, 208)),
                    "#2f6a55"):
        pen.fill([(282, 0), (300, 210), (350, 210), (350, 0)], "#204e3e")
        for y in (66, 96, 126):
            pen.line(curve((180, y + 8), (256, y - 8), (332, y + 8)), 5, "#dcb65c")
        pen.fill(curve((170, 160), (256, 176), (342, 160), (342, 204), (256, 214), (170, 204)), "#d9b457")
        for x in range(196, 330, 24):
            pen.fill(star(x, 186, 9, 4, 4), "#204e3e")
    brim_path = blob((18, 164), (34, 128), (78, 166), (160, 196), (256, 204), (352, 196), (434, 166), (478, 128),
                     (494, 164), (440, 226), (352, 248), (256, 254), (160, 248), (72, 226))
    with pen.within(brim_path, "#2f6a55"):
        pen.fill([(330, 100), (330, 260), (520, 260), (520, 100)], "#25584a")
        pen.line(curve((28, 176), (84, 216), (160, 236), (256, 242), (352, 236), (428, 216), (484, 176)), 7, "#dcb65c")
        for x, y in ((70, 182), (120, 206), (186, 220), (256, 225), (326, 220), (392, 206), (442, 182)):
            pen.fill(star(x, y, 11, 5, 4), "#f0d58a")
