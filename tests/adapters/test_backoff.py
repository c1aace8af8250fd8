"""How long a server that did not answer is left alone."""

from adjudicator.adapters.mail.troubles import Backoff


def test_pauses_double_up_to_the_longest() -> None:
    backoff, now, pauses = Backoff(first=1, most=10), 50.0, []
    for _ in range(6):
        backoff.failed(now)
        pauses.append(backoff.count_seconds(now))
        now += pauses[-1]
        assert backoff.count_seconds(now) == 0
    assert pauses == [1, 2, 4, 8, 10, 10]


def test_a_success_begins_anew() -> None:
    backoff = Backoff(first=1, most=10)
    backoff.failed(0)
    backoff.failed(0)
    backoff.worked()
    assert backoff.count_seconds(0) == 0
    backoff.failed(0)
    assert backoff.count_seconds(0) == 1


def test_where_trying_does_harm_the_first_pause_is_long() -> None:
    backoff = Backoff(first=1, most=10, slow=100)
    backoff.failed(0, slowly=True)
    assert (backoff.count_seconds(0), backoff.count_seconds(4)) == (100, 96)
