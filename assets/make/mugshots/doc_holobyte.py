"""The mugshot of Doc Holobyte, a house bot."""

from assets.make.mugshots.anatomy import backdrop, moustache, shoulders
from assets.make.pen import Pen, blob, box, curve, oval

# fmt: off

def doc_holobyte(pen: Pen) -> None:
    """A steel gentleman: silk hat, one glowing monocle, riveted moustache."""
    backdrop(pen)
    shoulders(pen, "#33283f", "#231a2d")
    pen.shape([(196, 404), (256, 512), (316, 404)], "#efe6d2")
    pen.shape(box(222, 372, 290, 424, 8), "#5f7079")
    for y in (386, 402):
        pen.line([(226, y), (286, y)], 5)
    for wing in (
        blob((256, 440), (204, 414), (196, 452), (206, 478)),
        blob((256, 440), (308, 414), (316, 452), (306, 478)),
    ):
        pen.shape(wing, "#8d1f3c")
    pen.shape(oval(256, 446, 17), "#c43358")
    for side in (box(146, 232, 184, 306, 10), box(328, 232, 366, 306, 10)):
        pen.shape(side, "#b9862f")
    with pen.within(box(166, 150, 346, 388, 34), "#a9bcc2"):
        pen.fill(box(304, 100, 400, 420), "#7f949c")
        pen.fill(box(160, 330, 360, 400), "#8fa4ab")
        pen.fill(box(304, 330, 400, 400), "#6d828a")
        pen.line([(160, 330), (360, 330)], 5)
        pen.fill(box(150, 140, 360, 206), "#5f737b")
    for x, y in ((184, 226), (328, 226), (184, 312), (328, 312), (186, 370), (326, 370)):
        pen.shape(oval(x, y, 6), "#d8e2e4", 3)
    with pen.within(box(186, 242, 240, 276, 8), "#1d2b33", 6):
        pen.fill(box(196, 250, 232, 268, 4), "#ffb938")
        pen.fill(box(196, 250, 214, 268, 4), "#ffe08a")
    pen.line([(182, 226), (244, 238)], 12)
    pen.line(curve((326, 286), (352, 330), (346, 400), (330, 450)), 5, "#e3b13f")
    pen.shape(oval(298, 258, 42), "#e3b13f")
    with pen.within(oval(298, 258, 31), "#0d3b4a", 5):
        pen.fill(oval(298, 258, 24), "#17a7bd")
        pen.fill(oval(298, 258, 14), "#7df3f5")
        pen.fill(oval(298, 258, 6), "#ffffff")
        pen.line([(270, 280), (318, 232)], 7, "#ffffff66")
    pen.shape([(246, 284), (266, 284), (272, 318), (240, 318)], "#c8d5d8", 5)
    moustache(pen, blob((256, 322), (222, 318), (190, 336), (162, 326), (152, 304), (142, 322), (156, 350), (196, 362),
                        (236, 352), (256, 340)), "#3b4850")
    for x in range(226, 290, 20):
        pen.shape(box(x - 8, 362, x + 10, 376), "#20160f", 3)
    with pen.within(blob((186, 24), (256, 18), (326, 24), (332, 100), (338, 180), (256, 192), (174, 180), (180, 100)),
                    "#2c2333"):
        pen.fill([(292, 0), (304, 200), (360, 200), (360, 0)], "#1b1421")
        pen.fill([(204, 0), (200, 200), (214, 200), (220, 0)], "#4a3d55")
        pen.fill(curve((160, 128), (256, 142), (352, 128), (352, 174), (256, 188), (160, 174)), "#b02a49")
    with pen.within(blob((118, 176), (160, 188), (256, 198), (352, 188), (394, 176), (404, 192), (352, 214), (256, 222),
                         (160, 214), (108, 192)), "#2c2333"):
        pen.fill(box(300, 170, 410, 230), "#1b1421")
