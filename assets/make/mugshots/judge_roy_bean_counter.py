"""The mugshot of Judge Roy Bean Counter, a house bot."""

from assets.make.mugshots.anatomy import FAIR, LONG_FACE, Eye, backdrop, brows, eyes, mouth, neck, nose, shoulders
from assets.make.pen import Pen, arc, blob, curve, oval

# fmt: off

def judge_roy_bean_counter(pen: Pen) -> None:
    """A full-bottomed wig under a bookkeeper's green eyeshade, half-moon spectacles."""
    backdrop(pen, 1.15)
    shoulders(pen, "#231d24", "#151116", 216)
    pen.fill([(196, 404), (150, 520), (186, 520), (228, 420)], "#9e1f2b")
    pen.fill([(316, 404), (362, 520), (326, 520), (284, 420)], "#7f1722")
    with pen.within(blob((256, 108), (184, 118), (142, 170), (124, 250), (116, 350), (124, 440), (186, 452), (256, 430),
                         (326, 452), (388, 440), (396, 350), (388, 250), (370, 170), (328, 118)), "#efe9dc"):
        pen.fill([(340, 90), (352, 260), (344, 470), (420, 470), (420, 90)], "#cfc6b4")
    for i, y in enumerate((232, 282, 332, 382, 430)):
        for x, tone in ((146 - i * 4, "#f8f3e8"), (366 + i * 4, "#ddd4c3")):
            pen.shape(oval(x, y, 34, 26), tone, 5)
            pen.line(arc(x, y + 2, (17, 11), 20, 300), 4, "#a3977f")
    neck(pen, FAIR)
    with pen.within(LONG_FACE, FAIR.light):
        pen.fill([(296, 120), (322, 230), (304, 330), (270, 420), (400, 420), (400, 120)], FAIR.shade)
        pen.glaze(curve((130, 100), (150, 236), (256, 256), (370, 236), (380, 100)), "#1f6b3a77")
        pen.glaze(oval(206, 330, 22, 16), "#e07a5f88")
        pen.glaze(oval(306, 330, 22, 16), "#e07a5f88")
    eyes(pen, FAIR, Eye("#4d6b3a", (0, 6), 0.42, 21), 264, 40)
    brows(pen, curve((240, 244), (218, 226), (186, 232)), "#f4eee0", 20, 10)
    nose(pen, FAIR, 330, 24, 270)
    for x in (214, 298):
        pen.glaze([*arc(x, 288, (34, 30), 0, 180)], "#d9f0ff66")
        pen.line(arc(x, 288, (34, 30), 0, 180), 6, "#c79a2e", closed=True)
    pen.line(curve((248, 290), (256, 284), (264, 290)), 6, "#c79a2e")
    mouth(pen, curve((214, 376), (236, 364), (256, 362), (276, 364), (298, 376)), 8)
    pen.line(curve((242, 386), (256, 382), (270, 386)), 5, "#b9794f")
    for path in (curve((214, 340), (204, 354), (204, 366)), curve((298, 340), (308, 354), (308, 366))):
        pen.line(path, 5, "#b9794f")
    for i, (y, half) in enumerate(((428, 38), (460, 46), (494, 54))):
        pen.shape(blob((256 - half, y + 20), (256 - half * 0.6, y - 12), (256, y - 18), (256 + half * 0.6, y - 12),
                       (256 + half, y + 20), (256 + half * 0.4, y + 26), (256, y + 20), (256 - half * 0.4, y + 26)),
                  "#fbf7ee" if i % 2 else "#e9e2d3", 5)
    for x, y in ((182, 140), (218, 114), (256, 104), (294, 114), (330, 140)):
        pen.shape(oval(x, y, 30, 26), "#f8f3e8" if x < 290 else "#ddd4c3", 5)
    with pen.within(blob((140, 206), (162, 164), (256, 146), (350, 164), (372, 206), (256, 184)), "#8a5a2a"):
        pen.fill([(300, 140), (310, 220), (400, 220), (400, 140)], "#6b431d")
    with pen.within(blob((134, 204), (170, 184), (256, 172), (342, 184), (378, 204), (350, 238), (256, 222), (162,
        238)),
                    "#2f9a52"):
        pen.fill([(296, 160), (306, 250), (400, 250), (400, 160)], "#1f7a3e")
        pen.line(curve((156, 206), (206, 192), (250, 190)), 7, "#8fdba5")
