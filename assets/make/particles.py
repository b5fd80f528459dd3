"""The particles of the house bots, of 128 by 128 pixels. Each function draws a particle on a transparent background."""

# fmt: off
from assets.make.pen import Path, Pen, arc, blob, box, curve, moved, oval, star, turned

CENTRE = (64.0, 64.0)


def gold_star(pen: Pen) -> None:
    """A sheriff's badge, the default for bots without a particle."""
    tips = star(64, 68, 50, 28)
    for tip in tips[::2]:
        pen.shape(oval(*tip, 8), "#f4bd3c", 5)
    with pen.within(tips, "#f7c948", 5):
        for i in range(0, 10, 2):
            pen.fill([(64, 68), tips[i], tips[i + 1]], "#d6961f")
    pen.shape(oval(64, 68, 16), "#ffe39a", 4)


def tumbleweed(pen: Pen) -> None:
    """A ball of twigs."""
    pen.shape(oval(64, 64, 52), "#8a5e2b", 5)
    pen.fill(oval(60, 60, 44), "#a9773a")
    twigs = [oval(64, 64, 50, rx, turn) for rx, turn in ((18, 20), (18, 80), (18, 140), (34, 50), (34, 110), (34, 170))]
    for twig in twigs:
        pen.line(twig, 5.5, "#5d3b16", closed=True)
    for twig in twigs:
        pen.line(moved(twig, -1.5, -1.5), 3, "#e6bd72", closed=True)


def cog(pen: Pen) -> None:
    """A brass gear around a blue light."""
    wheel: Path = []
    for i in range(8):
        for turn, radius in ((-15, 40), (-10, 54), (10, 54), (15, 40)):
            wheel += turned([(64, 64 - radius)], i * 45 + turn, CENTRE)
    with pen.within(wheel, "#d9a235", 5):
        pen.fill([(64, 0), (128, 0), (128, 128), (30, 128)], "#b57f22")
    pen.shape(oval(64, 64, 25), "#0d3b4a", 5)
    pen.fill(oval(64, 64, 18), "#17a7bd")
    pen.fill(oval(61, 61, 10), "#8df7f8")


def dynamite(pen: Pen) -> None:
    """Three sticks and a lit fuse."""
    for x, tone in ((22, "#d8352b"), (76, "#a8221e"), (49, "#c92c25")):
        pen.shape(box(x, 44, x + 29, 120, 5), tone, 5)
        pen.fill(box(x + 5, 50, x + 9, 114, 2), "#f4796b")
    pen.shape(box(17, 72, 110, 90, 3), "#2f2520", 4)
    pen.fill(box(20, 77, 107, 82), "#f0d9a6")
    pen.line(curve((64, 44), (62, 26), (76, 22), (90, 26)), 7)
    pen.line(curve((64, 44), (62, 26), (76, 22), (90, 26)), 3, "#e9dcc0")
    pen.shape(star(98, 24, 23, 11, 8), "#ffb52e", 4)
    pen.fill(star(98, 24, 13, 6, 8), "#fff2b0")


def ace(pen: Pen) -> None:
    """A playing card, an ace."""
    pen.shape(turned(box(30, 12, 98, 116, 9), -10, CENTRE), "#fffaf0", 5)
    spade = blob((64, 30), (78, 50), (90, 66), (84, 80), (68, 78), (60, 78), (44, 80), (38, 66), (50, 50))
    pen.fill(turned(spade, -10, CENTRE), "#1c1a22")
    pen.fill(turned([(64, 70), (75, 98), (53, 98)], -10, CENTRE), "#1c1a22")
    for at in ((41, 32), (94, 104)):
        pen.fill(oval(*at, 6), "#c0272d")


def cactus(pen: Pen) -> None:
    """A saguaro with its arms up, in flower."""
    for path in (curve((64, 84), (32, 82), (26, 70), (26, 48)), curve((64, 70), (94, 70), (100, 58), (100, 34)),
                 curve((64, 104), (64, 28))):
        pen.line(path, 31)
    for path, tone in ((curve((64, 84), (32, 82), (26, 70), (26, 48)), "#3f9a4d"),
                       (curve((64, 70), (94, 70), (100, 58), (100, 34)), "#2c7a3b"),
                       (curve((64, 104), (64, 28)), "#3f9a4d")):
        pen.line(path, 21, tone)
    pen.line([(70, 106), (70, 30)], 8, "#2c7a3b")
    for x, y in ((60, 40), (60, 62), (60, 84), (60, 102), (25, 56), (98, 46)):
        pen.line([(x - 4, y), (x + 3, y + 4)], 3.5, "#d9f0b4")
    for at in ((64, 13), (26, 35), (100, 21)):
        pen.shape(star(*at, 12, 7, 6), "#ef5f9a", 3.5)
        pen.fill(oval(*at, 3.5), "#ffe27a")


def plume(pen: Pen) -> None:
    """A pink feather."""
    vane = blob((20, 112), (26, 74), (48, 38), (84, 16), (114, 12), (112, 40), (92, 74), (58, 98))
    with pen.within(vane, "#ec5fae", 5):
        pen.fill([(10, 124), (114, 12), (124, 60), (60, 124)], "#c23d8c")
        for x, y in ((44, 86), (60, 70), (76, 53), (92, 37)):
            pen.line([(x, y), (x - 7, y - 22)], 3, "#a32c74")
            pen.line([(x, y), (x + 22, y + 5)], 3, "#8a2462")
    pen.line(curve((10, 120), (40, 90), (108, 18)), 8)
    pen.line(curve((10, 120), (40, 90), (108, 18)), 3.5, "#fff0f8")


def trout(pen: Pen) -> None:
    pen.shape(blob((88, 66), (112, 38), (122, 40), (114, 66), (122, 92), (110, 94)), "#3e86b3", 5)
    pen.shape(blob((46, 44), (66, 22), (82, 30), (78, 48)), "#3e86b3", 5)
    with pen.within(blob((6, 68), (24, 46), (56, 38), (98, 62), (98, 70), (56, 94), (24, 90)), "#8fc3dc", 5):
        pen.fill(curve((0, 78), (40, 84), (110, 66), (110, 110), (0, 110)), "#e8f3f5")
        pen.fill([(0, 30), (110, 30), (100, 60), (60, 52), (0, 60)], "#5ea3c9")
        for x, y in ((52, 54), (64, 60), (76, 58), (58, 68), (70, 70)):
            pen.fill(oval(x, y, 3.5), "#d65a4a")
    pen.line(curve((36, 48), (42, 66), (36, 86)), 4)
    pen.shape(blob((48, 74), (66, 80), (58, 92)), "#3e86b3", 4)
    pen.shape(oval(23, 61, 8), "#fffaf0", 4)
    pen.fill(oval(22, 61, 4), "#1c1a22")


def horseshoe(pen: Pen) -> None:
    """An iron horseshoe with nails, open end down."""
    outer = [*arc(64, 58, (50, 50), 155, 385), (102, 118), (80, 118)]
    inner = [*arc(64, 58, (27, 28), 385, 155), (48, 118), (26, 118)]
    with pen.within([*outer, *inner], "#9aa7b1", 5):
        pen.fill([(70, 0), (128, 0), (128, 128), (70, 128)], "#71808c")
        pen.line(arc(64, 58, (39, 39), 150, 390), 5, "#c9d3da")
    for angle in (165, 205, 245, 295, 335, 375):
        pen.fill(oval(*arc(64, 58, (39, 39), angle, angle)[0], 4.5), "#2b2f33")
    for x in (37, 91):
        pen.fill(oval(x, 107, 4), "#2b2f33")


def bullet(pen: Pen) -> None:
    """A flying bullet of brass and lead."""
    def slanted(path: Path) -> Path:
        return turned(path, 35, CENTRE)

    with pen.within(slanted(blob((64, 4), (80, 24), (84, 50), (64, 54), (44, 50), (48, 24))), "#b56a3c", 5):
        pen.fill(slanted([(66, 0), (110, 0), (110, 60), (66, 60)]), "#8d4c28")
    with pen.within(slanted(box(42, 46, 86, 112, 3)), "#f0c24a", 5):
        pen.fill(slanted(box(66, 40, 100, 120)), "#c9941f")
        pen.fill(slanted(box(49, 40, 55, 120)), "#fff0b8")
        pen.line(slanted([(36, 58), (92, 58)]), 3.5, "#7a5410")
    pen.shape(slanted(box(37, 108, 91, 121, 4)), "#d8a530", 5)


def mug(pen: Pen) -> None:
    """A mug of root beer."""
    for width, colour in ((17.0, "#24150d"), (8.0, "#cfe3ea")):
        pen.line(curve((88, 54), (116, 54), (116, 94), (88, 96)), width, colour)
    with pen.within(box(22, 38, 92, 120, 9), "#b5651d", 5):
        pen.fill(box(64, 30, 100, 124), "#94501a")
        for x in (34, 54, 74):
            pen.fill(box(x, 60, x + 7, 112, 3), "#e59a44")
    for x, y, radius in ((30, 36, 16), (52, 26, 20), (76, 32, 18), (88, 42, 11), (24, 48, 9)):
        pen.shape(oval(x, y, radius), "#fffaf0", 5)
    for x, y, radius in ((32, 37, 13), (52, 28, 17), (74, 34, 15), (56, 42, 13), (40, 44, 12), (72, 44, 11)):
        pen.fill(oval(x, y, radius), "#fffaf0")
    pen.line(curve((36, 46), (38, 64), (34, 66)), 11, "#fffaf0")


def sun(pen: Pen) -> None:
    """A sun with glasses."""
    pen.shape(star(64, 64, 60, 43, 12), "#f59b23", 5)
    pen.shape(oval(64, 64, 38), "#ffd23d", 5)
    for x in (49, 79):
        pen.fill(oval(x, 58, 13), "#24150d")
        pen.line([(x - 5, 60), (x + 2, 52)], 3.5, "#ffffff")
    pen.line([(52, 55), (76, 55)], 5)
    pen.line(curve((46, 78), (64, 89), (82, 78)), 5)


def gavel(pen: Pen) -> None:
    """A judge's gavel."""
    def slanted(path: Path) -> Path:
        return turned(moved(path, -3, 5), -38, (64, 56))

    pen.shape(slanted(box(57, 60, 71, 131, 6)), "#b8763a", 5)
    with pen.within(slanted(box(26, 28, 102, 70, 6)), "#9a5a27", 5):
        pen.fill(slanted(box(20, 54, 110, 80)), "#74401a")
        pen.fill(slanted(box(20, 34, 110, 39)), "#c98a4f")
    for left in (17, 93):
        pen.shape(slanted(box(left, 22, left + 18, 76, 5)), "#e3b13f", 5)
    pen.shape(box(5, 109, 60, 123, 5), "#74401a", 5)
