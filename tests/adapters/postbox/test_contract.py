"""What every postbox does, whichever it is."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest

from adjudicator.adapters.mail import imap_session, maildir
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.model.mail import MAX_HEADER_BYTES, MAX_LETTER_BYTES, Parcel
from adjudicator.desk.model.ports import Look, Postbox
from tests.adapters.postbox.conftest import NEVER, Site


def letter(number: int, body: str = "An order.") -> bytes:
    text = (
        f"From: ada@players.test\r\nMessage-ID: <{number}@x>\r\nSubject: {number}\r\n\r\n{body}\r\n"
    )
    return text.encode()


def numbers(parcels: Sequence[Parcel]) -> list[int]:
    """The subjects; mail servers add headers of their own on top."""
    lines = [line for p in parcels for line in (p.content or b"").splitlines()]
    return [int(line.split()[1]) for line in lines if line.startswith(b"Subject:")]


def test_nothing_there(box: Postbox) -> None:
    assert tuple(box.fetch()) == ()
    box.file_away([])
    assert not box.wait(0.05)


def test_letters_come_in_order_with_size_and_arrival(site: Site, box: Postbox) -> None:
    before = datetime.now(UTC) - timedelta(seconds=2)
    for number in (1, 2, 3):
        site.deliver(letter(number))
    parcels = box.fetch()
    assert numbers(parcels) == [1, 2, 3]
    assert len({parcel.id for parcel in parcels}) == 3
    for parcel in parcels:
        assert parcel.content is not None
        assert parcel.size >= len(letter(1))
        assert before <= parcel.arrived <= datetime.now(UTC) + timedelta(seconds=1)
        assert parcel.arrived.utcoffset() is not None


def test_whoever_reads_may_choose_which_letters_go_first(site: Site, box: Postbox) -> None:
    for number in (1, 2, 3, 4):
        site.deliver(letter(number))
    looked: list[bytes] = []

    def choose(waiting: Sequence[str], look: Look) -> Sequence[str]:
        looked.extend(beginning for _, beginning in look(waiting[2:]))
        return [*waiting[2:], *waiting[:2]]

    assert numbers(box.fetch(4, choose)) == [1, 2, 3, 4]  # nothing is left, nothing to choose
    assert looked == []
    assert numbers(box.fetch(3, choose)) == [3, 4, 1]
    assert [b"Subject: 3" in one or b"Subject: 4" in one for one in looked] == [True, True]
    box.file_away([parcel.id for parcel in box.fetch(2, choose)])
    assert numbers(box.fetch()) == [1, 2]


def test_a_letter_arrived_when_the_mail_server_took_it(site: Site, box: Postbox) -> None:
    at = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=2)))
    site.put(letter(1), at)
    assert [parcel.arrived for parcel in box.fetch()] == [at]


def test_what_was_handed_out_comes_again_until_it_is_done_with(site: Site, box: Postbox) -> None:
    site.deliver(letter(1))
    site.deliver(letter(2))
    first, second = box.fetch()
    assert numbers(box.fetch()) == [1, 2]
    box.file_away([first.id])
    assert [parcel.id for parcel in box.fetch()] == [second.id]
    box.file_away([second.id])
    assert tuple(box.fetch()) == ()
    assert site.filed() == 2


def test_a_crash_between_fetch_and_done_loses_nothing_and_renames_nothing(site: Site) -> None:
    site.deliver(letter(1))
    crashed = site.open()
    [before] = crashed.fetch()
    again = site.open()
    [after] = again.fetch()
    assert after == before
    crashed.close()
    again.file_away([after.id])
    again.close()


def test_done_may_be_said_twice_and_by_two(site: Site, box: Postbox) -> None:
    for number in (1, 2):
        site.deliver(letter(number))
    ids = [parcel.id for parcel in box.fetch()]
    other = site.open()
    other.file_away(ids[:1])
    box.file_away(ids)
    box.file_away(ids)
    other.close()
    assert tuple(box.fetch()) == ()
    assert site.filed() == 2


def test_at_most_so_many_at_a_time_the_oldest_first(site: Site, box: Postbox) -> None:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    for number in range(1, 8):
        site.put(letter(number), start + timedelta(minutes=number))
    seen = []
    while parcels := box.fetch(3):
        assert len(parcels) <= 3
        seen += numbers(parcels)
        box.file_away([parcel.id for parcel in parcels])
    assert seen == [1, 2, 3, 4, 5, 6, 7]


def test_what_a_fetch_left_over_is_worth_no_waiting(site: Site, box: Postbox) -> None:
    for number in (1, 2):
        site.deliver(letter(number))
    box.file_away([parcel.id for parcel in box.fetch(1)])
    assert box.wait(NEVER)


LINE = "x" * 70 + "\r\n"


def test_of_big_letters_only_the_header_is_read(site: Site, box: Postbox) -> None:
    site.put(letter(1, LINE), datetime(2026, 11, 1, tzinfo=UTC))
    site.put(letter(2, LINE * (MAX_LETTER_BYTES // 72 + 2)), datetime(2026, 11, 2, tzinfo=UTC))
    small, big = box.fetch()
    assert (small.content is not None, small.head) == (True, b"")
    assert (big.content, big.size > MAX_LETTER_BYTES) == (None, True)
    assert len(big.head) <= MAX_HEADER_BYTES
    seen = parse_letter(big.head, big.size)
    assert (seen.sender, seen.message_id) == ("ada@players.test", "<2@x>")
    assert (seen.too_big, seen.automatic) == (big.size, None)
    box.file_away([big.id])
    assert [parcel.id for parcel in box.fetch()] == [small.id]


def test_of_a_big_letter_of_a_program_it_is_seen_that_nobody_wants_an_answer(
    site: Site, box: Postbox
) -> None:
    content = b"Auto-Submitted: auto-replied\r\n" + letter(1, LINE * (MAX_LETTER_BYTES // 72 + 2))
    site.put(content, datetime(2026, 11, 1, tzinfo=UTC))
    [big] = box.fetch()
    assert parse_letter(big.head, big.size).automatic


def test_a_header_that_never_ends_is_not_read_and_fills_no_memory(site: Site, box: Postbox) -> None:
    flood = "".join(f"X-{number}: {'y' * 900}\r\n" for number in range(MAX_LETTER_BYTES // 900 + 9))
    site.put(flood.encode() + letter(1), datetime(2026, 11, 1, tzinfo=UTC))
    [big] = box.fetch()
    assert len(big.head) <= MAX_HEADER_BYTES
    seen = parse_letter(big.head, big.size)
    assert (seen.sender, seen.too_big) == (None, big.size)


def test_letters_of_any_bytes_come_through(site: Site, box: Postbox) -> None:
    odd = b"Subject: \xff\xfe \x80\r\n\r\n" + bytes(range(1, 256)).replace(b"\r", b"") + b"\r\n"
    site.put(odd, datetime(2026, 11, 1, tzinfo=UTC))
    [parcel] = box.fetch()
    assert parcel.content is not None
    assert odd.replace(b"\r\n", b"\n") in parcel.content.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("pause", [0.0, 0.4])
def test_waiting_ends_when_a_letter_comes(site: Site, box: Postbox, pause: float) -> None:
    """Dovecot tells in IDLE after half a second, whatever is asked of it."""
    assert tuple(box.fetch()) == ()
    delivery = threading.Timer(pause, site.deliver, [letter(1)])
    delivery.start()
    try:
        assert box.wait(NEVER)
    finally:
        delivery.join()
    assert numbers(box.fetch()) == [1]


def test_a_letter_that_came_between_fetch_and_wait_is_not_slept_over(
    site: Site, box: Postbox
) -> None:
    assert tuple(box.fetch()) == ()
    site.deliver(letter(1))
    assert box.wait(NEVER)


def test_letters_that_are_known_and_not_done_with_are_no_news(site: Site, box: Postbox) -> None:
    site.deliver(letter(1))
    box.fetch()
    assert not box.wait(0.2)
    assert not box.wait(0.2)
    site.deliver(letter(2))
    assert any(box.wait(1) for _ in range(120))
    assert numbers(box.fetch()) == [1, 2]


def test_after_close_it_opens_again(site: Site, box: Postbox) -> None:
    site.deliver(letter(1))
    box.fetch()
    box.close()
    assert numbers(box.fetch()) == [1]


def test_many_long_letters_do_not_fill_the_memory(
    site: Site, box: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (maildir, imap_session):
        monkeypatch.setattr(module, "TOGETHER", 40_000)
    monkeypatch.setattr(imap_session, "_ANSWER", 15_000)
    for number in range(1, 13):
        at = datetime(2026, 11, number, tzinfo=UTC)
        site.put(letter(number, ("x" * 70 + "\r\n") * 140), at)
    seen = []
    while parcels := box.fetch():
        assert sum(len(parcel.content or b"") for parcel in parcels) < 60_000
        seen += numbers(parcels)
        box.file_away([parcel.id for parcel in parcels])
        if len(seen) < 12:
            assert box.wait(0)
    assert seen == list(range(1, 13))
