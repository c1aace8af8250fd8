"""Letters as bytes: headers that hold, text that fits, nothing that a player could slip in."""

import re
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

import adjudicator
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.png import Album
from adjudicator.adapters.render.printer import Picture, Printer
from adjudicator.core.document import decode, encode
from adjudicator.desk.model.people import House
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.notices import word_document
from adjudicator.desk.outbox.send import Heading
from tests.adapters.pages.documents import REPORT

AT = datetime(2026, 11, 18, 12, tzinfo=UTC)
HOUSE = House(address="games@example.org", title="Games, by mail")


def letter(**given: Any) -> OutgoingLetter:
    return OutgoingLetter(
        **{
            "game": "ember",
            "step": 12,
            "seat": "red",
            "kind": "answer",
            "number": 3,
            "document": b"{}",
            "template": "word/1",
            "message_id": "<ember.12-jump.red.answer.3@example.org>",
            "made": AT,
            "seating": 1,
            **given,
        }
    )


def heading(**given: Any) -> Heading:
    base = Heading(
        house=HOUSE,
        to=("ada@example.org", "ada@example.net"),
        kind="jump-wars",
        thread="<ember.red.1@example.org>",
        answers="<abc@example.net>",
        date=AT,
    )
    return msgspec.structs.replace(base, **given)


@pytest.fixture(scope="module")
def writer() -> MimeWriter:
    return MimeWriter(Printer([find_data_folder("templates")]), FolderLibrary())


def content(
    writer: MimeWriter,
    headline: str = "Yes",
    lines: tuple[str, ...] = ("Done.",),
    own: OutgoingLetter | None = None,
    **given: Any,
) -> bytes:
    return writer.write_letter(own or letter(), word_document(headline, lines), heading(**given))


def read(content: bytes) -> EmailMessage:
    found = message_from_bytes(content, policy=default)
    assert isinstance(found, EmailMessage)
    assert not found.defects
    return found


LASTING = "<ember.12-jump.red.answer.3@ref.example.org>"
"""What a provider that replaces Message-IDs leaves alone."""


def test_the_headers_of_an_answer(writer: MimeWriter) -> None:
    found = read(content(writer))
    assert {name: str(value) for name, value in found.items()} == {
        "From": '"Games, by mail" <games@example.org>',
        "Reply-To": "games@example.org",
        "To": "ada@example.org, ada@example.net",
        "Subject": "[ember] Yes",
        "Date": "Wed, 18 Nov 2026 12:00:00 +0000",
        "Message-ID": "<ember.12-jump.red.answer.3@example.org>",
        "In-Reply-To": "<abc@example.net>",
        "References": "<ember.red.1@example.org> <abc@example.net> " + LASTING,
        "Auto-Submitted": "auto-replied",
        "X-Auto-Response-Suppress": "All",
        "List-Id": "<ember.example.org>",
        "Content-Type": f'multipart/alternative; boundary="{found.get_boundary()}"',
        "MIME-Version": "1.0",
    }
    text, page = found.iter_parts()
    assert {name: str(value) for name, value in text.items()} == {
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "7bit",
    }
    assert {name: str(value) for name, value in page.items()} == {
        "Content-Type": 'text/html; charset="utf-8"',
        "Content-Transfer-Encoding": "quoted-printable",
        "MIME-Version": "1.0",
    }


def test_answers_go_to_the_games_own_address_where_that_is_wanted(writer: MimeWriter) -> None:
    house = msgspec.structs.replace(HOUSE, tagged=True)
    found = read(content(writer, house=house))
    assert (found["From"].addresses[0].addr_spec, str(found["Reply-To"])) == (
        "games@example.org",
        "games+ember@example.org",
    )
    about_none = read(content(writer, own=letter(game=""), house=house, kind=None))
    assert about_none["Reply-To"] == "games@example.org"


def test_what_answers_no_letter_hangs_in_the_thread_of_its_reader(writer: MimeWriter) -> None:
    found = read(content(writer, own=letter(kind="notice"), answers=None))
    assert found["In-Reply-To"] == "<ember.red.1@example.org>"
    assert found["References"] == "<ember.red.1@example.org> " + LASTING
    assert found["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize(
    "headline",
    [
        "Won\r\nBcc: x@example.com",
        "Won\nX: y",
        "Won\rX: y",
        "Won\u2028X: y",
        "Won\x0b\x0cX: y\x00",
        "Grüße\r\n\r\nbody",
    ],
)
def test_a_headline_stays_one_line(writer: MimeWriter, headline: str) -> None:
    found = read(content(writer, headline))
    assert set(found.keys()) == set(read(content(writer)).keys())
    assert found["Subject"].startswith("[ember] ")
    assert not {"\r", "\n"} & set(found["Subject"])


@pytest.mark.parametrize(
    "answers", ["<a@b>\r\nBcc: x@example.com", "a@b", "<a b@c>", "<" + "a" * 300 + "@b>", "<é@b>"]
)
def test_a_message_id_that_is_none_is_not_repeated(writer: MimeWriter, answers: str) -> None:
    found = read(content(writer, answers=answers))
    assert found["References"] == "<ember.red.1@example.org> " + LASTING


def test_long_names_stay_message_ids(writer: MimeWriter) -> None:
    """The standard library would write them as encoded words, and no thread would hold."""
    long = f"<{'e' * 32}.123-homeworlds.{'r' * 32}.1@{'m' * 30}.example.org>"
    made = content(writer, own=letter(message_id=long), thread=long, answers=None)
    for name in (b"Message-ID", b"In-Reply-To", b"References"):
        assert name + b": " + long.encode() + b"\r\n" in made


def test_lines_end_as_mail_wants_and_fit(writer: MimeWriter) -> None:
    made = content(writer, "Grüße " * 30, lines=("Ein Satz über Öl und Äpfel. " * 20,))
    assert b"\n" not in made.replace(b"\r\n", b"")
    assert max(len(line) for line in made.split(b"\r\n")) <= 78
    body = read(made).get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert "über Öl" in text
    assert max(len(line) for line in text.splitlines()) <= 78
    assert body["Content-Transfer-Encoding"] == "quoted-printable"
    made.decode("ascii")


def test_a_long_headline_is_cut(writer: MimeWriter) -> None:
    assert len(read(content(writer, "x" * 5000))["Subject"]) <= 78


def test_letters_of_the_house_name_no_game(writer: MimeWriter) -> None:
    found = read(content(writer, own=letter(game="", seat="nobody"), kind=None))
    assert found["Subject"] == "Yes"
    assert found["List-Id"] == "<house.example.org>"


def test_the_same_letter_is_the_same_bytes(writer: MimeWriter) -> None:
    assert content(writer, "Grüße") == content(writer, "Grüße")


def test_text_comes_first_and_its_page_says_the_same(writer: MimeWriter) -> None:
    found = read(content(writer, lines=("Grüße an alle.",)))
    assert [part.get_content_type() for part in found.iter_parts()] == ["text/plain", "text/html"]
    for part in found.iter_parts():
        assert "Grüße an alle." in part.get_content()


def test_who_wants_no_page_gets_none(writer: MimeWriter) -> None:
    assert read(content(writer, page=False)).get_content_type() == "text/plain"


def test_a_page_that_gmail_would_cut_off_is_left_to_the_text(writer: MimeWriter) -> None:
    """Whoever writes thousands of short lines takes nobody's form away."""
    own = letter(kind="report", template="report/1")
    for lines, shape in ((100, "multipart/alternative"), (5_000, "text/plain")):
        press = {"from": "blue", "to": "all", "text": "a\n" * lines}
        found = read(writer.write_letter(own, {**REPORT, "press": [press]}, heading()))
        assert found.get_content_type() == shape
        for part in found.walk():
            assert len(part.get_payload(decode=True) or b"") <= 100 * 1024
        text = found.get_body(("plain",))
        assert text is not None
        assert text.get_content().count(": a") == lines
        assert text.get_content().rstrip().endswith("# end of orders")


def test_nobody_can_write_a_boundary(writer: MimeWriter) -> None:
    """It can be foreseen, since it depends on the letter's name; then another one is taken."""
    usual = read(content(writer)).get_boundary()
    assert usual is not None
    found = read(content(writer, lines=(f"--{usual}--", usual)))
    assert found.get_boundary() != usual
    text, page = found.iter_parts()
    assert f"--{usual}--" in text.get_content()
    assert usual in page.get_content()


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 30"><title>%s</title></svg>'


def test_pictures_lie_beside_the_page_and_are_named_by_it() -> None:
    def draw(document: Any, game: str) -> Album:
        pictures = (
            Picture(name=what, content=(SVG % what).encode(), alt=what, width=600)
            for what in ("map", "chart")
            if (document["headline"], game) == ("Yes", "jump_wars")
        )
        return Album(pictures=tuple(pictures))

    drawing = MimeWriter(Printer([find_data_folder("templates")]), FolderLibrary(), draw)
    report = letter(kind="report", template="report/1", number=9)
    made = drawing.write_letter(report, REPORT | {"headline": "Yes"}, heading())
    assert made == drawing.write_letter(report, REPORT | {"headline": "Yes"}, heading())
    text, related = read(made).iter_parts()
    assert (text.get_content_type(), related.get_content_type()) == (
        "text/plain",
        "multipart/related",
    )
    page, *pictures = related.iter_parts()
    names = re.findall(r'<img [^>]*src="cid:([^"]+)"', page.get_content())
    assert names == ["map.png@3", "chart.png@3"]  # after the end of the Message-ID, its token
    assert [f"<{name}>" for name in names] == [one["Content-ID"] for one in pictures]
    assert [one.get_filename() for one in pictures] == ["map.png", "chart.png"]
    assert [one.get_content()[:4] for one in pictures] == [b"\x89PNG", b"\x89PNG"]
    assert [one.get_content_disposition() for one in pictures] == ["inline", "inline"]
    nothing = read(drawing.write_letter(report, REPORT, heading()))
    assert [part.get_content_type() for part in nothing.iter_parts()] == ["text/plain", "text/html"]


def test_who_replies_by_the_link_writes_to_the_house_about_this_letter(writer: MimeWriter) -> None:
    made = read(writer.write_letter(letter(template="report/1"), REPORT, heading()))
    page = made.get_body(("html",))
    assert page is not None
    (link,) = re.findall(r'href="([^"]+)"', page.get_content())
    parts = urlsplit(unescape(link))
    assert parts.path == "games@example.org"
    told = parse_qs(parts.query)
    assert told["subject"] == [f"Re: {made['Subject']}"]
    assert "key: 7f3k-q2mx" in told["body"][0]


def test_the_report_as_data_stands_beside_both_forms(writer: MimeWriter) -> None:
    made = read(writer.write_letter(letter(template="report/1"), REPORT, heading(data=True)))
    both, data = made.iter_parts()
    assert both.get_content_type() == "multipart/alternative"
    assert data.get_filename() == "report-9.json"
    assert b"7f3k" not in data.get_content()


@pytest.mark.parametrize("kind", ["jump-wars", "jump-gate", "jump-gate-2010", "jump-drive"])
def test_with_a_site_the_button_leads_to_the_page_on_which_orders_are_chosen(kind: str) -> None:
    site = "https://games.example.org"
    game = adjudicator.load(kind).new(seed=1)
    document = decode(encode(game.report(next(iter(game.due))).document))
    document["form"]["envelope"]["key"] = "7f3k-q2mx"
    writer = MimeWriter(Printer([find_data_folder("templates")]), FolderLibrary(), site=site)
    own = letter(kind="report", template="report/1", seat=document["seat"])
    page = read(writer.write_letter(own, document, heading(kind=kind))).get_body(("html",))
    assert page is not None
    assert f'href="{site}/orders/{kind}.html#' in page.get_content()
