"""Every mail of a whole game: how it is built, how long its lines are, what its two forms say."""

import re
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter as read_letter
from adjudicator.adapters.render.html_helpers import LONGEST_REPLY_LINK
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.document import decode
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import IncomingLetter
from tests.adapters.mails.checked import BLOCK, faults, page_of, read, text_of
from tests.adapters.mails.facts import unlike
from tests.adapters.mails.played import EVE, GM, OPTIONS, ZOE, Sent, played
from tests.adapters.pages.reading import parsed
from tests.desk.mailing import quoted
from tests.desk.twins import NAMES, address

ADA, DAN = address("Ada"), address("Dan")


class Seen(NamedTuple):
    """A mail, and everything about it that takes long to find out."""

    to: str
    mail: EmailMessage
    text: str
    faults: list[str]
    unlike: list[str]
    links: list[str]

    @property
    def name(self) -> str:
        """For who looks for the fault."""
        return f"to {self.to}: {self.mail['Subject']}"

    @property
    def kind(self) -> str:
        """As the Message-ID says it: game, step, seat, kind, number, token."""
        return str(self.mail["Message-ID"]).partition("@")[0].split(".")[-3]


def _seen(one: Sent) -> Seen:
    mail = read(one.content)
    text, page = text_of(mail), page_of(mail)
    assert page is not None
    return Seen(
        to=one.to,
        mail=mail,
        text=text,
        faults=faults(one.content, one.width),
        unlike=unlike(text, page, f"{mail['Subject']} {parsed(page).findtext('.//title')}"),
        links=[link.get("href", "") for link in parsed(page).iter("a")],
    )


IN_SOAK = pytest.param("jump-gate", marks=pytest.mark.soak)
"""The same templates as those of its other edition, which has more rules."""
DAILY = [kind for kind in OPTIONS if kind != "jump-gate"]


@pytest.fixture(params=[*DAILY, IN_SOAK], scope="module")
def mails(request: pytest.FixtureRequest) -> list[Seen]:
    tale = played(request.param)
    assert tale.over
    assert tale.steps > 4
    return [_seen(one) for one in tale.mails]


def test_a_whole_game_has_mails_of_every_kind(mails: list[Seen]) -> None:
    assert {one.to for one in mails} == {*map(address, NAMES.values()), EVE, GM, ZOE} - {DAN}
    kinds = ["answer", "notice", "press", "receipt", "reminder", "report"]
    assert sorted({one.kind for one in mails}) == kinds
    assert len(mails) > 80
    assert len({one.mail["Message-ID"] for one in mails}) == len(mails)


def test_every_mail_is_built_as_mails_are(mails: list[Seen]) -> None:
    assert {one.name: one.faults for one in mails if one.faults} == {}


def test_text_and_page_say_the_same_facts(mails: list[Seen]) -> None:
    assert {one.name: one.unlike for one in mails if one.unlike} == {}


def test_reports_have_pictures_and_their_data_where_it_is_wanted(mails: list[Seen]) -> None:
    for one in mails:
        parts = [part.get_content_type() for part in one.mail.walk()]
        report = re.search(r"Report \d+ to (\w+)$", one.text, re.MULTILINE)
        assert ("image/png" in parts) == bool(report), one.name
        if "application/json" in parts:
            assert one.to == ADA
            assert report


def test_the_data_is_the_report_that_the_text_tells(mails: list[Seen]) -> None:
    told = 0
    for one in mails:
        for part in one.mail.walk():
            if part.get_content_type() == "application/json":
                document = decode(part.get_content())
                assert f"Report {document['number']} to red" in one.text
                assert document["headline"] in " ".join(one.text.split())
                told += 1
    assert told > 3


def test_just_reply_and_the_button_bring_the_same_form(mails: list[Seen]) -> None:
    """Where a form would be too long for a link there is no button, and the reply is left."""
    for one in mails:
        assert one.mail["Reply-To"].addresses[0].addr_spec == "games@example.org"
        assert len(one.links) <= 1
        for link in one.links:
            assert link.startswith("mailto:games@example.org?subject=Re%3A%20")
            assert len(link) <= LONGEST_REPLY_LINK
            for line in re.findall(r"^(?:game|join|step|key): \S+$", one.text, re.MULTILINE):
                assert f"{quote(line)}%0D%0A" in link
        if "\n# end of orders" in one.text:
            assert one.text.endswith("# end of orders\n")
    assert sum(bool(one.links) for one in mails) > 40


def test_the_form_comes_back_from_a_quotation(mails: list[Seen]) -> None:
    """Whoever takes the marks away before the example, deep in the quotation, has ordered it."""
    ordered = 0
    for one in mails:
        block = BLOCK.search(one.text)
        if block is None:
            continue
        edited = EXAMPLE.sub(_unmarked, block[0])
        ordered += edited != block[0]
        reply = EmailMessage(policy=SMTP)
        reply["From"], reply["Message-ID"] = one.to, "<1@example.org>"
        reply.set_content(quoted(one.text.replace(block[0], edited)), cte="quoted-printable")
        came = read_letter(reply.as_bytes())
        assert _counting(came) == parse_yaml(edited).value, one.name
        told = {fault.message for fault in came.problems}
        assert told <= {"there are too many blocks in this letter; the last were not read"}
    assert ordered > 4


EXAMPLE = re.compile(r"(?:^# (?:[a-z_]+:( .*)?|- .*| .*)\n)+(?=# end of orders)", re.MULTILINE)


def _unmarked(lines: re.Match[str]) -> str:
    return re.sub(r"^# ", "", lines[0], flags=re.MULTILINE)


def _counting(came: IncomingLetter) -> Any:
    """The block that counts: the first with a key, else the first that joins."""
    values = [one.text.value for one in came.blocks if isinstance(one.text, Text)]
    (found,) = [one for one in values if "key" in one] or values[:1]
    return found
