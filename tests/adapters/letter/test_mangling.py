"""What mail programs do to text: whatever they did, the orders are read as they were meant."""

import base64
import binascii
import codecs
import encodings
import pkgutil
import quopri

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK, ORDERS, blocks, letter, quoted

SIGNED = f"Hi,\n\n{BLOCK}# end of orders\n\nBest, Ada\n"


def _encoded(text: str | bytes, way: str) -> bytes:
    raw = text if isinstance(text, bytes) else text.encode()
    body = quopri.encodestring(raw) if way == "quoted-printable" else base64.encodebytes(raw)
    return letter(body, more=f"Content-Transfer-Encoding: {way}\n")


SIGNS = {
    "CRLF": SIGNED.replace("\n", "\r\n"),
    "bare CR": SIGNED.replace("\n", "\r"),
    "mixed line ends": SIGNED.replace("\n", "\r\n", 4),
    "line separators": SIGNED.replace("\n", "\u2028"),
    "a byte order mark": "\ufeff" + BLOCK,
    "a byte order mark in the middle": SIGNED.replace("game", "\ufeffgame"),
    "no-break spaces": SIGNED.replace(": ", ":\u00a0").replace("- ", "-\u00a0"),
    "narrow and wide spaces": SIGNED.replace(": ", ":\u202f").replace("- ", "-\u3000"),
    "zero-width spaces": SIGNED.replace("-D5", "\u200b-D5").replace("ember", "\u200bember"),
    "soft hyphens": SIGNED.replace("ember", "em\u00adber"),
    "marks of direction": SIGNED.replace("ember", "\u200eember\u202c"),
    "control signs": SIGNED.replace("ember", "\x00em\x1bber\x07"),
    "en dashes": SIGNED.replace("C4-D5", "C4\u2013D5").replace("- C4", "\u2013 C4"),
    "em dashes": SIGNED.replace("C4-D5", "C4\u2014D5").replace("- C4", "\u2014 C4"),
    "minus signs": SIGNED.replace("-", "\u2212"),
    "no-break hyphens": SIGNED.replace("-", "\u2011"),
    "tabs in indentation": SIGNED.replace("- C4", "\t- C4"),
    "tabs behind colons and dashes": SIGNED.replace(": ", ":\t").replace("- ", "-\t"),
    "leading spaces": "".join(f"   {line}\n" for line in BLOCK.splitlines()),
    "a first line further right": SIGNED.replace("game", "  game"),
    "other lines further right": SIGNED.replace("step", " step").replace("key", " key"),
    "trailing spaces": SIGNED.replace("\n", "   \n"),
    "capitals in keys": SIGNED.replace("game", "Game").replace("jump:", "JUMP:"),
    "full-width colons": SIGNED.replace(": ", "\uff1a").replace("jump:", "jump\uff1a"),
    "full-width letters": SIGNED.replace("C4", "\uff23\uff14"),
    "no space behind the colon": SIGNED.replace(": ", ":"),
    "no space behind the dash": SIGNED.replace("- C4", "-C4"),
    "a space before the colon": SIGNED.replace(":", " :"),
    "bullets": SIGNED.replace("- C4", "\u2022 C4"),
    "stars for bullets": SIGNED.replace("- C4", "  *   C4"),
    "bold keys": SIGNED.replace("game:", "*game:*").replace("jump:", "*jump*:"),
    "empty lines between all lines": SIGNED.replace("\n", "\n\n"),
    "no line end at the end": BLOCK.rstrip(),
    "quoted keys": SIGNED.replace("game:", '"game":').replace("jump:", '"jump":'),
    "smart quotes": SIGNED.replace("ember", "\u201cember\u201d").replace(
        "12-jump", "\u201e12-jump\u201c"
    ),
    "single smart quotes": SIGNED.replace("ember", "\u2018ember\u2019"),
    "guillemets": SIGNED.replace("ember", "\u00ab\u00a0ember\u00a0\u00bb"),
}


@pytest.mark.parametrize("name", SIGNS)
def test_signs(name: str) -> None:
    seen = parse_letter(letter(SIGNS[name], kind="text/plain; charset=utf-8"))
    assert blocks(seen) == [ORDERS]


ENDS = {
    "the end mark": "# end of orders\nand more",
    "a mangled end mark": "#\u00a0End of orders\nand more",
    "the end mark without its sign": "end of orders\nand more",
    "a signature": "-- \nAda\nPhone: 123\n",
    "a signature without its space": "--\nAda\nPhone: 123\n",
    "a signature that became a dash": "\u2014\nAda\nPhone: 123\n",
    "a line of underscores": "_______________________________________________\nlist: footer\n",
    "a telephone's own line": "Sent from my iPhone\n",
    "a telephone's German line": "Von meinem iPhone gesendet\n",
    "prose": "See you, and good luck!\n",
    "prose with a colon": "By the way, did you see this: it works!\n",
    "an end of document": "...\nAnything goes: here\n",
    "a quotation": "> something\n> else\n",
    "an introduced quotation": "On Tue, 3 Nov 2026 at 14:22, Ember <e@x.example> wrote:\n> so\n",
    "a copied letter": "-----Original Message-----\nFrom: Ember\nSubject: so\n",
    "a copied letter of Outlook": (
        "From: Ember <e@games.example>\nSent: Tuesday\nTo: Ada\nSubject: so\n\nDear Ada\n"
    ),
    "a copied letter of a German Outlook": (
        "Von: Ember <e@games.example>\nGesendet: Dienstag\nAn: Ada\nBetreff: so\n\nHallo\n"
    ),
    "nothing": "",
}


@pytest.mark.parametrize("name", ENDS)
def test_ends(name: str) -> None:
    seen = parse_letter(letter(BLOCK + ENDS[name]))
    assert blocks(seen) == [ORDERS]
    assert seen.problems == ()


MARKS = ["> ", ">", ">> ", "> > ", "> > > ", " > ", "| ", "AB> ", "\uff1e ", "\u203a "]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_of_quotation(mark: str) -> None:
    seen = parse_letter(letter(f"See below.\n\nEmber wrote:\n{quoted(SIGNED, mark)}"))
    assert [block.origin for block in seen.blocks] == ["quoted"]
    assert blocks(seen) == [ORDERS]


def test_press_is_no_block() -> None:
    """Press is printed behind ": ", so that nobody can imitate a block in it."""
    assert parse_letter(letter(quoted(BLOCK, ": "))).blocks == ()


def test_orders_written_between_the_lines_of_the_quoted_form() -> None:
    form = BLOCK.replace("- C4-D5 x3\n", "")
    body = f"Ember wrote:\n{quoted(form)}- C4-D5 x3\n{quoted('# end of orders')}"
    assert blocks(parse_letter(letter(body))) == [ORDERS]


def test_a_key_written_between_the_lines_above_a_quoted_list() -> None:
    form = quoted(BLOCK).replace("> jump:", "jump:")
    assert blocks(parse_letter(letter(f"Ember wrote:\n{form}{quoted('# end of orders')}"))) == [
        ORDERS
    ]


def test_an_answer_below_the_quoted_form_comes_first() -> None:
    body = f"Ember wrote:\n{quoted(BLOCK.replace('x3', 'x1'))}{quoted('# end of orders')}\n{BLOCK}"
    first, second = blocks(parse_letter(letter(body)))
    assert first == ORDERS
    assert second["jump"] == ["C4-D5 x1"]


NO_CHARSETS = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")
"""Ways to write names and programs, not text."""


def _all_charsets() -> list[str]:
    """Every codec of Python that can hold a block."""
    found = []
    for module in pkgutil.iter_modules(encodings.__path__):
        try:
            codec = codecs.lookup(module.name)
            whole = codec._is_text_encoding and codec.decode(codec.encode(BLOCK)[0])[0] == BLOCK
        except (LookupError, UnicodeError, AttributeError, TypeError):
            continue
        if whole and codec.name not in NO_CHARSETS:
            found.append(codec.name)
    return sorted(set(found))


@pytest.mark.parametrize("name", _all_charsets())
def test_every_charset_that_python_knows(name: str) -> None:
    body = base64.encodebytes(BLOCK.encode(name))
    kind = f"text/plain; charset={name}"
    seen = parse_letter(letter(body, kind=kind, more="Content-Transfer-Encoding: base64\n"))
    assert blocks(seen) == [ORDERS]


PRESS = BLOCK + 'press: [{to: all, text: "%s"}]\n'


@pytest.mark.parametrize(
    ("codec", "label", "word"),
    [
        ("utf-8", "iso-8859-1", "Gr\u00fc\u00dfe"),
        ("utf-8", "us-ascii", "Gr\u00fc\u00dfe"),
        ("utf-8", "windows-1252", "\u00e9t\u00e9"),
        ("cp1252", "utf-8", "Gr\u00fc\u00dfe"),
        ("cp1252", "iso-8859-1", "20 \u20ac"),
        ("cp1252", "us-ascii", "\u00e9t\u00e9"),
        ("cp1252", "x-unknown", "\u00e9t\u00e9"),
        ("cp1252", "", "\u00e9t\u00e9"),
        ("utf-8", "", "\u00e9t\u00e9"),
        ("utf-8", "x-unknown", "\u65e5\u672c"),
        ("utf-8", "utf-16", "\u65e5\u672c"),
        ("utf-8", "rot13", "\u00e9t\u00e9"),
        ("utf-16", "utf-8", "\u00e9t\u00e9"),
        ("gbk", "gb2312", "\u7ecf\u97e9\u7199"),
        ("cp932", "shift_jis", "\u65e5\u672c\u2460"),
        ("iso2022_jp", "", "\u65e5\u672c"),
        ("koi8-r", "koi8-r", "\u043f\u0440\u0438\u0432\u0435\u0442"),
        ("cp1251", '"windows-1251"', "\u043f\u0440\u0438\u0432\u0435\u0442"),
    ],
)
def test_labels_are_believed_unless_they_cannot_be_true(codec: str, label: str, word: str) -> None:
    kind = f"text/plain; charset={label}" if label else "text/plain"
    (block,) = blocks(parse_letter(letter((PRESS % word).encode(codec), kind=kind)))
    assert block["press"] == [{"to": "all", "text": word}]


@pytest.mark.parametrize("way", ["quoted-printable", "base64", "Base64", "QUOTED-PRINTABLE"])
def test_transfer_encodings(way: str) -> None:
    seen = parse_letter(_encoded(SIGNED, way.lower()).replace(way.lower().encode(), way.encode()))
    assert blocks(seen) == [ORDERS]


ENCODED = {
    "a list's footer below base64": (
        base64.encodebytes(SIGNED.encode()) + b"______\nA list: mail to list@x\n",
        "base64",
    ),
    "base64 without its end": (base64.encodebytes(SIGNED.encode()).rstrip(b"=\n"), "base64"),
    "base64 that is none": (SIGNED.encode(), "base64"),
    "base64 on one line": (binascii.b2a_base64(SIGNED.encode()), "base64"),
    "quoted-printable that is none": (SIGNED.encode(), "quoted-printable"),
    "quoted-printable with spaces at line ends": (
        quopri.encodestring(SIGNED.encode()).replace(b"\n", b"  \n"),
        "quoted-printable",
    ),
    "quoted-printable wrapped anywhere": (
        SIGNED.replace("12-jump", "12-=\nju=\nmp").encode(),
        "quoted-printable",
    ),
    "an unknown encoding": (SIGNED.encode(), "x-own"),
}


@pytest.mark.parametrize("name", ENCODED)
def test_spoilt_transfer_encodings(name: str) -> None:
    body, way = ENCODED[name]
    assert blocks(parse_letter(letter(body, more=f"Content-Transfer-Encoding: {way}\n"))) == [
        ORDERS
    ]


LONG = (
    "text: we should go for the nebula together, before green has the bombs and the fleets for it"
)


@pytest.mark.parametrize("stuffing", ["", " "])
def test_flowed_lines_are_joined(stuffing: str) -> None:
    flowed = LONG.replace("together, ", "together, \n").replace("bombs and", "bombs \nand")
    body = f"{BLOCK}press:\n- to: all\n{stuffing}  {flowed}\n# end of orders\n"
    (block,) = blocks(parse_letter(letter(body, kind="text/plain; format=flowed")))
    assert block["press"] == [{"to": "all", "text": LONG.removeprefix("text: ")}]


def test_flowed_lines_with_deleted_spaces_are_joined() -> None:
    flowed = LONG.replace("together, ", "together,  \n").replace("bombs", "bo \nmbs")
    body = f"{BLOCK}press:\n- to: all\n  {flowed}\n# end of orders\n"
    (block,) = blocks(parse_letter(letter(body, kind="text/plain; format=flowed; delsp=yes")))
    assert block["press"] == [{"to": "all", "text": LONG.removeprefix("text: ")}]


def test_flowed_lines_that_were_only_written_with_a_space_are_not_joined() -> None:
    body = SIGNED.replace("jump:", "jump: ").replace("x3", "x3 ").replace("- C4", " - C4")
    assert blocks(parse_letter(letter(body, kind="text/plain; format=flowed"))) == [ORDERS]


def test_flowed_quotations_are_joined() -> None:
    flowed = f"> # {LONG.replace('together, ', 'together, ' + chr(10) + '> ')}\n"
    body = f"Ember wrote:\n{quoted(BLOCK)}{flowed}{quoted('# end of orders')}"
    assert blocks(parse_letter(letter(body, kind="text/plain; format=flowed"))) == [ORDERS]


WRAPPED = {
    "inside brackets": (
        "press: [{to: [blue, green], text: before green has all of the\nbombs and the fleets}]\n"
    ),
    "in plain text": (
        "press:\n- to: [blue, green]\n  text: before green has the fleets for it and all of the\n"
        "bombs and the fleets\n"
    ),
}


def test_wrapped_lines_inside_brackets() -> None:
    (block,) = blocks(parse_letter(letter(BLOCK + WRAPPED["inside brackets"])))
    assert block["press"] == [
        {"to": ["blue", "green"], "text": "before green has all of the bombs and the fleets"}
    ]


def test_wrapped_lines_of_text() -> None:
    (block,) = blocks(parse_letter(letter(BLOCK + WRAPPED["in plain text"])))
    text = "before green has the fleets for it and all of the bombs and the fleets"
    assert block["press"] == [{"to": ["blue", "green"], "text": text}]


def test_wrapped_lines_inside_quotation_marks() -> None:
    press = 'press:\n- to: all\n  text: "Nothing personal, but E5 was in\nthe way: of it all."\n'
    body = BLOCK + press
    (block,) = blocks(parse_letter(letter(f"{body}ready: no\n")))
    assert block["press"] == [
        {"to": "all", "text": "Nothing personal, but E5 was in the way: of it all."}
    ]
    assert block["ready"] == "no"


def test_nothing_is_wrapped_behind_a_bracket_that_closes() -> None:
    press = "press: [{to: all, text: we should all go for the nebula before green does it}]\n"
    seen = parse_letter(letter(f"{BLOCK}{press}Thanks, Ada\n"))
    assert blocks(seen)[0]["press"][0]["text"].endswith("green does it")
    assert seen.blocks[0].stopped == 'reading stopped before "Thanks, Ada"'


def test_what_stands_in_a_text_of_several_lines_ends_no_block() -> None:
    said = "Dear all\n--\n```\nBo wrote:\ngame: over\n"
    press = "press:\n- to: all\n  text: |\n" + "".join(f"    {one}\n" for one in said.splitlines())
    (block,) = blocks(parse_letter(letter(f"{BLOCK}{press}ready: no\n")))
    assert block["press"] == [{"to": "all", "text": said}]
    assert block["ready"] == "no"


def test_empty_lines_between_all_lines_do_not_get_into_texts() -> None:
    press = "press:\n- to: all\n  text: |\n    One\n    Two\n"
    (block,) = blocks(parse_letter(letter(f"Hi\n\n{BLOCK}{press}".replace("\n", "\n\n"))))
    assert block["press"] == [{"to": "all", "text": "One\nTwo\n"}]
    (block,) = blocks(parse_letter(letter(BLOCK + press.replace("One\n", "One\n\n"))))
    assert block["press"] == [{"to": "all", "text": "One\n\nTwo\n"}]


def test_wrapped_comments() -> None:
    body = BLOCK.replace(
        "jump:\n",
        "# Your fleets stand on A1 (your homeworld), 5, and D5 (void), 3, if they\nlive\njump:\n",
    )
    assert blocks(parse_letter(letter(body))) == [ORDERS]
    assert blocks(parse_letter(letter(f"Ember wrote:\n{quoted(body)}"))) == [ORDERS]
    wrapped = quoted(body).replace("> live", "live")
    assert blocks(parse_letter(letter(f"Ember wrote:\n{wrapped}"))) == [ORDERS]


def test_a_letter_signed_with_pgp() -> None:
    body = BLOCK.replace("- C4", "- - C4")
    head = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
    foot = "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    assert blocks(parse_letter(letter(head + body + foot))) == [ORDERS]
