"""A return path for each letter: what comes back to it proves itself, whatever it encloses."""

import pytest
from msgspec.structs import replace

from adjudicator.desk.model.people import House
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.tokens import make_return_path
from tests.desk.mailing import Mail
from tests.desk.post import HOUSE, Post, letter

ADA, BO = "ada@example.org", "bo@example.org"
OWN = replace(HOUSE, bounces="bounces+{token}@example.org")


@pytest.fixture
def mail(post: Post) -> Mail:
    return Mail(post)


def path_of(mail: Mail, reader: str, house: House = OWN) -> str:
    return make_return_path(house, str(mail.last(reader)["Message-ID"]).strip())


def report(post: Post, path: str, *failed: str, house: House = OWN) -> Arrival:
    """A report that encloses nothing of the letter."""
    return post.take(
        letter(sender="daemon@example.net", recipients=(path,), bounced=failed), house=house
    )


def returned(post: Post, address: str) -> int:
    return len(post.desk.see(lambda books: books.returned(address)))


def test_a_report_to_the_return_path_of_a_letter_counts(post: Post, mail: Mail) -> None:
    path = path_of(mail, ADA)
    assert path.startswith("bounces+tiny.")
    assert path.endswith("@example.org")
    report(post, path, ADA)
    assert returned(post, ADA) == 1
    report(post, "games@example.org", ADA)
    assert returned(post, ADA) == 1


def test_a_letter_that_was_forwarded_and_failed_there_came_back_from_its_reader(
    post: Post, mail: Mail
) -> None:
    report(post, path_of(mail, ADA), "ada@elsewhere.example")
    assert (returned(post, ADA), returned(post, "ada@elsewhere.example")) == (1, 0)


def test_of_several_readers_only_who_is_named_failed(post: Post, mail: Mail) -> None:
    post.address("Ada", ADA, "ada@example.net")
    path = path_of(mail, ADA)
    report(post, path, "ada@elsewhere.example")
    assert (returned(post, ADA), returned(post, "ada@example.net")) == (0, 0)
    report(post, path, "ada@example.net")
    assert (returned(post, ADA), returned(post, "ada@example.net")) == (0, 1)


def test_nobody_can_make_one_up(post: Post, mail: Mail) -> None:
    path = path_of(mail, ADA)
    name, _, host = path.rpartition("@")
    last = "b" if name[-1] == "a" else "a"
    for forged in (f"{name[:-1]}{last}@{host}", path.replace(".red.", ".blue."), f"x{path}"):
        report(post, forged, ADA, BO)
    assert (returned(post, ADA), returned(post, BO)) == (0, 0)


def test_an_address_that_would_be_too_long_is_left_out(post: Post, mail: Mail) -> None:
    long = replace(HOUSE, bounces=f"{'x' * 30}+{{token}}@example.org")
    assert path_of(mail, ADA, long) == HOUSE.address
    assert path_of(mail, ADA, HOUSE) == HOUSE.address
