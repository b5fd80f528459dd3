"""How a hand on air compares with those before it, the only thing that is known of it ahead."""

from broadcast.show.commentators import FEWEST, Tempo


def test_hand_is_long_or_short_compared_with_those_before_it() -> None:
    tempo = Tempo()
    for _ in range(FEWEST):
        tempo.begin(20_000)
        assert not tempo.now, "too few are known"
    for ms, pace in ((20_000, ""), (31_000, "long"), (29_000, ""), (11_000, "short"), (13_000, "")):
        tempo.begin(ms)
        assert tempo.now == pace
