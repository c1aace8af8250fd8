"""What a mail server wrote about a signature: forgeries fail, and honest headers pass."""

from pathlib import Path

import pytest
import yaml

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.desk.inbox.authentication import dkim_passed
from tests.desk.conftest import Desk
from tests.desk.post import Post, hand

HOST = "mx.example.org"
HEADERS = yaml.safe_load(Path(__file__).with_name("authentication.yaml").read_text("utf-8"))
FORGED, HONEST = HEADERS["forged"], HEADERS["honest"]
HOSTS = {"Outlook": "-"}
"""Of servers that do not write their names."""


def fate(post: Post, header: str) -> str:
    """What became of a whole letter with orders that has this header."""
    results = f"Authentication-Results: {header}\n" if header else ""
    head = f"{results}From: Ada <ada@legit.com>\nMessage-ID: <1@legit.com>\n"
    text = f"{head}\n{post.form(f'play: {hand(post)[0]}')}\n"
    return post.take(parse_letter(text.encode())).reason


def strict(post: Post, host: str) -> None:
    """A game whose player's letters must be signed."""
    post.new(settings={"auth": "dkim", "auth_host": host})
    post.address("Ada", "ada@legit.com")


@pytest.mark.parametrize("forgery", FORGED)
def test_forged_results_of_a_mail_server_prove_nothing(desk: Desk, forgery: str) -> None:
    post = Post(desk)
    strict(post, HOST)
    assert fate(post, FORGED[forgery]) == "not authenticated"
    assert post.on_file() == []


@pytest.mark.parametrize("service", HONEST)
def test_honest_results_of_real_mail_servers_are_believed(desk: Desk, service: str) -> None:
    post = Post(desk)
    header = HONEST[service]
    strict(post, HOSTS.get(service) or header.split(";")[0].split()[0])
    assert fate(post, header) == "taken"


def test_a_server_without_a_name_is_believed_only_where_the_settings_say_so() -> None:
    unnamed = ("spf=pass; dkim=pass header.d=legit.com",)
    assert dkim_passed(unnamed, "-", "ada@legit.com")
    assert not dkim_passed((f"{HOST}; dkim=pass header.d=legit.com",), "-", "ada@legit.com")


def test_a_header_as_long_as_a_letter_may_have_is_read_in_no_time() -> None:
    """Whatever it is made of: each sign is looked at a few times at most."""
    for sign in ("(", "()", '"', '\\"', "\\", ";", "=", " a=b", "a.", "(\\", " "):
        assert not dkim_passed((f"{HOST}; dkim=pass {sign * 60_000}",), HOST, "ada@legit.com")
