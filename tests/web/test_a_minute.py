"""A budget for what all visitors together may do in a minute."""

from broadcast.web.a_minute import AMinute


def test_within_any_minute_it_is_allowed_so_often() -> None:
    now = [1000.0]
    budget = AMinute(3, lambda: now[0])
    allowed = []
    for at in (0, 10, 20, 30, 59.9, 60, 69, 70, 200, 201, 202, 203):
        now[0] = 1000 + at
        allowed.append(budget.take())
    assert allowed == [True, True, True, False, False, True, False, True, True, True, True, False]


def test_a_clock_that_is_put_back_does_not_close_it_for_long() -> None:
    now = [1000.0]
    budget = AMinute(1, lambda: now[0])
    assert budget.take()
    now[0] = 500.0
    assert budget.take()
