"""The length of a hand on air is compared with the earlier ones; commentators learn nothing else in advance."""

from broadcast.show.commentators import MIN_EARLIER_HANDS, Tempo


def test_hand_is_long_or_short_compared_with_those_before_it() -> None:
    tempo = Tempo()
    for _ in range(MIN_EARLIER_HANDS):
        tempo.begin(20_000)
        assert not tempo.now, "there are too few hands to compare with"
    for ms, pace in ((20_000, ""), (31_000, "long"), (29_000, ""), (11_000, "short"), (13_000, "")):
        tempo.begin(ms)
        assert tempo.now == pace
