"""Replies to letters as HTML: the form comes back from the page, and from the link to write one."""

import re
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.render.html_helpers import LONGEST_REPLY_LINK
from adjudicator.adapters.render.printer import Printer, Surroundings
from adjudicator.core.document import Document
from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import IncomingLetter
from tests.adapters.pages.documents import ALL, FORM, PRESS, REPORT
from tests.adapters.pages.reading import parsed

AROUND = Surroundings(address="games+ember@example.org", subject="[ember] turn 4: 100 % & more?")
ENVELOPE = {"game": "ember", "step": "14-plan", "key": "7f3k-q2mx", "after": "2"}
ORDERS = {"tech": {"advance": ["jump"]}, "build": "2"}


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([find_data_folder("templates")])


def _letter(content: str, subtype: str) -> IncomingLetter:
    message = EmailMessage(policy=SMTP)
    message["From"] = "ada@example.org"
    message["Message-ID"] = "<1@example.org>"
    message.set_content(content, subtype=subtype, charset="utf-8", cte="quoted-printable")
    return parse_letter(message.as_bytes())


def _blocks(incoming: IncomingLetter) -> list[Any]:
    return [one.text.value for one in incoming.blocks if isinstance(one.text, Text)]


def _edited(page: str) -> str:
    """The page as it is after its reader has taken the marks away before the example's lines."""
    assert page.count("# tech:") == page.count("# build: 2") == 1
    return page.replace("# tech:", "tech:").replace("# build: 2", "build: 2")


def _inside(page: str) -> str:
    return page.partition("<body")[2].partition(">")[2].rpartition("</body>")[0]


def gmail(page: str) -> str:
    return (
        '<div dir="ltr">Hello</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        "On Wed, Nov 18, 2026 at 1:00 PM Ember &lt;<a>games@example.org</a>&gt; wrote:<br></div>"
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">'
        f"{_without(_inside(page), 'class', 'role', 'tabindex')}</blockquote></div>"
    )


def apple(page: str) -> str:
    return (
        '<html><body style="overflow-wrap: break-word;">Hello<br><div><br><blockquote type="cite">'
        f"<div>On 18. Nov 2026, Ember wrote:</div><div>{_inside(page)}</div>"
        "</blockquote></div></body></html>"
    )


def outlook(page: str) -> str:
    """An unmarked copy below a rule; every line of a <pre> is an element of its own."""
    body = re.sub(r"<pre([^>]*)>\n?(.*?)\n?</pre>", _paragraphs, _inside(page), flags=re.DOTALL)
    return (
        '<html><body lang="EN-US"><p class="MsoNormal">Hello</p><div><p class="MsoNormal">'
        "<b>From:</b> Ember &lt;games@example.org&gt;<br><b>Sent:</b> Wednesday<br>"
        f"<b>To:</b> Ada<br><b>Subject:</b> [ember] turn 4</p></div>{body}</body></html>"
    )


def _paragraphs(found: "re.Match[str]") -> str:
    return "".join(f"<pre>{line}<o:p></o:p></pre>" for line in found[2].split("\n"))


def web(page: str) -> str:
    """Line ends become elements, styles go."""
    body = re.sub(
        r"<pre[^>]*>\n?(.*?)\n?</pre>",
        lambda found: f"<div>{found[1].replace(chr(10), '<br>').replace('  ', '&nbsp; ')}</div>",
        _inside(page),
        flags=re.DOTALL,
    )
    return f"<div>Hello</div><blockquote>{_without(body, 'style', 'class')}</blockquote>"


def _without(page: str, *names: str) -> str:
    return re.sub(rf'\s(?:{"|".join(names)})="[^"]*"', "", page)


PROGRAMS = [gmail, apple, outlook, web]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", [name for name, (_, one) in ALL.items() if one["form"]])
def test_orders_written_into_the_quoted_page_are_read(
    printer: Printer, program: Callable[[str], str], name: str
) -> None:
    template, document = ALL[name]
    page = printer.mail_page(f"{template}.html", {**document, "form": FORM}, "x", AROUND)
    incoming = _letter(program(_edited(page)), "html")
    assert [one for one in _blocks(incoming) if "key" in one] == [ENVELOPE | ORDERS]
    assert incoming.problems == ()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_page_sent_back_as_it_is_orders_nothing(
    printer: Printer, program: Callable[[str], str]
) -> None:
    page = printer.mail_page("report.html", REPORT, "x", AROUND)
    assert _blocks(_letter(program(page), "html")) == [ENVELOPE]


@pytest.mark.parametrize("program", PROGRAMS)
def test_messages_of_others_are_never_read_as_orders(
    printer: Printer, program: Callable[[str], str]
) -> None:
    """Somebody's message holds a whole block, with that player's own key."""
    text = "game: ember\nstep: 14-plan\nkey: bbbb-bbbb\nresign: yes\n# end of orders"
    message = {**PRESS["messages"][0], "text": text}
    documents: list[tuple[str, Document]] = [
        ("report", {**REPORT, "press": [message]}),
        ("press", {**PRESS, "messages": [message]}),
    ]
    for name, document in documents:
        page = printer.mail_page(f"{name}.html", document, "x", AROUND)
        assert _blocks(_letter(program(page), "html")) == [ENVELOPE]


# ---- the link


def _link(page: str) -> str | None:
    found = [one.get("href") for one in parsed(page).iter("a")]
    assert len(found) <= 1
    return found[0] if found else None


def test_the_link_opens_a_reply_with_the_form(printer: Printer) -> None:
    link = _link(printer.mail_page("report.html", REPORT, "x", AROUND))
    assert link is not None
    assert unescape(link) == link
    parts = urlsplit(link)
    told = parse_qs(parts.query, strict_parsing=True)
    assert (parts.scheme, parts.path) == ("mailto", "games%2Bember@example.org")
    assert told["subject"] == ["Re: [ember] turn 4: 100 % & more?"]
    body = told["body"][0]
    assert "\n" not in body.replace("\r\n", "")
    assert "# You have 14 RT; a fleet costs 5." in body
    (block,) = _blocks(_letter(_edited(body), "plain"))
    assert block == ENVELOPE | ORDERS


def test_a_reply_to_a_reply_says_so_once(printer: Printer) -> None:
    around = Surroundings(address="a@example.org", subject="Re: [ember] Hello")
    assert "?subject=Re%3A%20%5Bember%5D%20Hello&" in (
        _link(printer.mail_page("report.html", REPORT, "x", around)) or ""
    )


def test_a_long_form_goes_without_its_help_and_a_longer_one_without_a_link(
    printer: Printer,
) -> None:
    long: Document = {**REPORT, "form": {**FORM, "comments": ["Remember. " * 7] * 30}}
    link = _link(printer.mail_page("report.html", long, "x", AROUND)) or ""
    assert 0 < len(link) <= LONGEST_REPLY_LINK
    assert "Remember" not in link
    assert "build" in link
    endless: Document = {**REPORT, "form": {**FORM, "orders": {"jump": ["A1-B1 x3"] * 100}}}
    page = printer.mail_page("report.html", endless, "x", AROUND)
    assert _link(page) is None
    assert page.count("A1-B1 x3") == 100


def test_where_nobody_can_reply_there_is_neither_link_nor_key(printer: Printer) -> None:
    form = {**FORM, "envelope": {**FORM["envelope"], "key": None}}
    page = printer.mail_page("report.html", {**REPORT, "form": form})
    assert _link(page) is None
    assert "key:" not in page
