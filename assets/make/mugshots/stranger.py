"""The mugshot of bots without a picture."""

from assets.make.mugshots.anatomy import FACE, backdrop, brim, shoulders
from assets.make.pen import Path, Pen, arc, blob, box, curve, oval

# fmt: off

def stranger(pen: Pen) -> None:
    """A silhouette and a question mark."""
    backdrop(pen, 1.1)
    shoulders(pen, "#4a3524", "#3a281a", 204)
    pen.shape(box(212, 350, 300, 440, 20), "#3a281a")
    with pen.within(FACE, "#4a3524"):
        pen.fill([(296, 120), (322, 230), (312, 320), (276, 410), (400, 420), (400, 120)], "#3a281a")
    with pen.within(blob((166, 184), (170, 112), (186, 72), (222, 54), (256, 70), (290, 54), (326, 72), (342, 112),
        (346, 184),
                         (256, 198)), "#5a412c"):
        pen.fill([(300, 30), (314, 210), (380, 210), (380, 30)], "#463120")
        pen.fill(curve((140, 146), (256, 164), (372, 146), (372, 186), (256, 204), (140, 186)), "#2c1d12")
    brim(pen, blob((70, 180), (104, 178), (170, 192), (256, 186), (342, 192), (408, 178), (442, 180), (420, 212),
        (352, 220),
                   (256, 226), (160, 220), (92, 212)), "#5a412c", "#33231a")
    question: Path = [*arc(256, 282, (36, 34), 190, 400), *curve((282, 304), (258, 324), (256, 346))]
    pen.line(question, 19, "#f0d58a")
    pen.fill(oval(256, 376, 12), "#f0d58a")
