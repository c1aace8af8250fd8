"""Letters that programs wrote: never answered, and known by many signs."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK, HEADER, ORDERS, blocks, letter, quoted

HEADS = [
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated; type=x",
    "Auto-submitted: AUTO-NOTIFIED (vacation)",
    "Auto-Submitted: (by vacation) auto-replied",
    "Return-Path: <>",
    "Return-Path:",
    "Precedence: junk",
    "Precedence: auto_reply",
    "X-Autoreply: yes",
    "X-Autorespond: vacation",
    "X-Auto-Response-Suppress: All",
    "Delivered-To: Autoresponder",
    "X-Failed-Recipients: bo@example.org",
]


@pytest.mark.parametrize("head", HEADS)
def test_headers_of_programs(head: str) -> None:
    seen = parse_letter(letter(BLOCK, more=f"{head}\n"))
    assert seen.automatic
    assert not seen.bulk


@pytest.mark.parametrize("word", ["list", "bulk", "LIST"])
def test_a_list_is_all_that_speaks_against_it(word: str) -> None:
    seen = parse_letter(letter(BLOCK, more=f"Precedence: {word}\n"))
    assert (bool(seen.automatic), seen.bulk) == (True, True)
    assert blocks(seen) == [ORDERS]
    both = parse_letter(letter(BLOCK, more=f"Precedence: {word}\nAuto-Submitted: auto-replied\n"))
    assert (bool(both.automatic), both.bulk) == (True, False)


PEOPLE = [
    "",
    "Auto-Submitted: no\n",
    "Auto-Submitted: No (a person)\n",
    "Return-Path: <ada@example.org>\n",
    "Precedence: first-class\n",
    "List-Id: <players.example.org>\nList-Unsubscribe: <mailto:x@y>\n",
    "X-Mailer: Outlook\n",
    "X-Auto-Response-Suppress: DR, OOF, AutoReply\n",
    "X-Auto-Response-Suppress: None\n",
]


@pytest.mark.parametrize("head", PEOPLE)
def test_headers_of_people(head: str) -> None:
    assert parse_letter(letter(BLOCK, more=head)).automatic is None


def about(subject: str, body: str, sender: str = "Ada <ada@example.org>") -> bytes:
    head = f"From: {sender}\nTo: ember@games.example\nSubject: {subject}\n"
    return f"{head}Content-Type: text/plain; charset=utf-8\n\n{body}".encode()


SUBJECTS = [
    "Automatic reply: [ember] Turn 4",
    "AutoReply: turn",
    "Out of Office: [ember] Turn 4",
    "Automatische Antwort: [ember] Turn 4",
    "Abwesenheitsnotiz",
    "R\u00e9ponse automatique : Turn 4",
    "Respuesta autom\u00e1tica: Turn 4",
    "Resposta autom\u00e1tica: Turn 4",
    "Risposta automatica: Turn 4",
    "Automatisch antwoord: Turn 4",
    "Autosvar: Turn 4",
    "Automaattinen vastaus: Turn 4",
    "Odpowied\u017a automatyczna: Turn 4",
    "Automatick\u00e1 odpov\u011b\u010f: Turn 4",
    "Automatikus v\u00e1lasz: Turn 4",
    "\u0410\u0432\u0442\u043e\u043e\u0442\u0432\u0435\u0442: Turn 4",
    "\u81ea\u52d5\u8fd4\u4fe1: Turn 4",
    "\u81ea\u52a8\u56de\u590d: Turn 4",
    "\uc790\ub3d9 \ud68c\uc2e0: Turn 4",
    "Re: [ember] Turn 4 (Out of Office)",
]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_subjects_of_out_of_office(subject: str) -> None:
    assert parse_letter(about(subject, "I am not here.\n")).automatic


TEXTS = [
    "Hello,\nI am out of the office until Monday.\n",
    "This is an automated response.\n",
    "I\u2019m currently away from my office with limited access to email.\n",
    "Vielen Dank. Ich bin bis zum 12.11. nicht im B\u00fcro.\n",
    "Guten Tag, ich bin zurzeit im Urlaub. Ihre Mail wird nicht weitergeleitet.\n",
    "Bonjour, je suis absent du bureau jusqu'au 12.\n",
    "Estoy fuera de la oficina hasta el lunes.\n",
    "Estou de f\u00e9rias at\u00e9 segunda.\n",
    "Sono in ferie fino a luned\u00ec.\n",
    "Ik ben momenteel afwezig.\n",
    "Jestem nieobecna do poniedzia\u0142ku.\n",
    "Jag \u00e4r p\u00e5 semester.\n",
    "Jeg er ikke p\u00e5 kontoret.\n",
    "Olen lomalla maanantaihin.\n",
    "\u042f \u0432 \u043e\u0442\u043f\u0443\u0441\u043a\u0435 \u0434\u043e 12.11.\n",
    "\u672c\u65e5\u306f\u4e0d\u5728\u306b\u3057\u3066\u304a\u308a\u307e\u3059\u3002\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_wordings_of_out_of_office(text: str) -> None:
    subject = "Re: [ember] Turn 4"
    assert parse_letter(about(subject, text)).automatic
    # a quotation below does not make it somebody's orders
    assert parse_letter(about(subject, f"{text}\nEmber wrote:\n{quoted(BLOCK)}")).automatic


def test_a_person_may_write_about_being_away_and_send_orders() -> None:
    text = f"I am out of the office until Monday, so here they are:\n\n{BLOCK}"
    assert parse_letter(about("Re: Turn 4 (out of office)", text)).automatic is None
    assert (
        parse_letter(about("Re: Turn 4", "Sorry, I do not understand this form.\n")).automatic
        is None
    )


def test_what_somebody_quotes_is_not_their_wording() -> None:
    text = f"What did Bo mean?\n\nBo wrote:\n{quoted(TEXTS[0])}"
    assert parse_letter(about("Re: Turn 4", text)).automatic is None


@pytest.mark.parametrize("sender", ["MAILER-DAEMON@x.org", "no-reply@x.org", "autoreply@x.org"])
def test_addresses_of_programs(sender: str) -> None:
    assert parse_letter(about("Turn 4", BLOCK, sender)).automatic


def test_a_letter_that_was_not_read_says_nothing_about_its_writer() -> None:
    assert parse_letter(HEADER.encode() + b"\n" + b"x" * (1 << 20)).automatic is None


@pytest.mark.parametrize(
    ("before", "is_automatic"),
    [
        ("Hello,", True),
        ("Thank you for your message.", True),
        ("I advance assimilation and discard the rest.\nPlease build three new fleets.", False),
    ],
)
def test_people_who_write_of_other_things_first_may_be_away(
    before: str, is_automatic: bool
) -> None:
    text = f"{before}\nI am away from 27 to 29 November.\n\n{quoted(BLOCK)}"
    assert bool(parse_letter(letter(text)).automatic) is is_automatic


def test_what_only_programs_write_counts_below_other_sentences_too() -> None:
    said = "We have got your letter.\nIt matters to us very much.\n\u81ea\u52d5\u8fd4\u4fe1"
    assert parse_letter(letter(f"{said}\n\n{quoted(BLOCK)}")).automatic
