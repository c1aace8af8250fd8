"""Letters in HTML only, as editors of HTML write lines, lists and tables."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK, ORDERS, blocks, html, letter

PAGES = {
    "a div per line": html(BLOCK),
    "a p per line": html(BLOCK).replace("div", "p"),
    "br": f"<html><body>{BLOCK.replace(chr(10), '<br>' + chr(10))}</body></html>",
    "xhtml br": f"<body>{BLOCK.replace(chr(10), '<br />')}</body>",
    "pre": f"<html><body><p>Hi</p><pre>{BLOCK}</pre></body></html>",
    "white-space: pre-wrap": f'<div style="white-space: pre-wrap">{BLOCK}</div>',
    "no-break spaces": html(BLOCK.replace(" ", "&nbsp;")),
    "spaces as numbers": html(BLOCK.replace(" ", "&#160;")),
    "divs with br": html(BLOCK).replace("</div>", "<br></div>"),
    "empty divs between": html(BLOCK).replace("</div>", "</div><div><br></div>"),
    "a list": "<body>"
    + "".join(f"<div>{line}</div>" for line in BLOCK.splitlines()[:-1])
    + "<ul><li>C4-D5 x3</li></ul></body>",
    "a list with paragraphs": "<body>"
    + "".join(f"<p>{line}</p>" for line in BLOCK.splitlines()[:-1])
    + "<ul>\n<li><p>C4-D5 x3</p></li>\n</ul></body>",
    "a table": "<table>"
    + "".join(f"<tr><td>{line}</td></tr>" for line in BLOCK.splitlines())
    + "</table>",
    "a table of two columns": "<table>"
    + "".join(
        f"<tr><td>{key}:</td><td>{value}</td></tr>" for key, value in list(ORDERS.items())[:4]
    )
    + "<tr><td>jump:</td></tr><tr><td>- C4-D5 x3</td></tr></table>",
    "style and script": f"<style>game: x</style><script>game: y</script>{html(BLOCK)}",
    "a title": f"<html><head><title>game: x</title></head>{html(BLOCK)}",
    "something hidden": f'<div style="display:none">game: x</div>{html(BLOCK)}',
    "a comment": f"<!-- game: x\n<div>game: y</div> -->{html(BLOCK)}",
    "Word's conditions": html(BLOCK).replace("- C4", "<![if !supportLists]>-&nbsp;<![endif]>C4"),
    "Outlook's list": html(BLOCK).replace(
        "- C4",
        "<span style='mso-list:Ignore'>\u00b7<span>&nbsp;&nbsp;&nbsp; </span></span>C4",
    ),
    "fonts and links": html(BLOCK).replace(
        "ember", '<font face="x"><b>em</b><a href="http://x/?a=1&b=2">ber</a></font>'
    ),
    "lines broken in the source": html(BLOCK).replace(": ", ":\n").replace("<div>", "<div\n>"),
    "never closed": "<div>" + BLOCK.replace("\n", "<div>"),
    "entities": html(BLOCK.replace("-", "&#45;").replace(":", "&colon;")),
    "upper case": html(BLOCK).replace("div", "DIV").replace("body", "BODY"),
    "no tags at all": BLOCK.replace("\n", "<BR>"),
}


@pytest.mark.parametrize("name", PAGES)
def test_letters_in_html_only(name: str) -> None:
    seen = parse_letter(letter(PAGES[name], kind="text/html; charset=utf-8"))
    assert blocks(seen) == [ORDERS]
    assert [block.origin for block in seen.blocks] == ["text"]


def test_blockquotes_are_quotations() -> None:
    page = f"<p>As below.</p><div>Ember wrote:</div><blockquote>{html(BLOCK)}</blockquote>"
    seen = parse_letter(letter(page, kind="text/html"))
    assert [block.origin for block in seen.blocks] == ["quoted"]
    assert blocks(seen) == [ORDERS]


def test_nested_lists_keep_their_depth() -> None:
    page = (
        "<div>game: ember</div><div>press:</div>"
        "<ul><li>to: all<br>&nbsp; text: Hi</li><li>to: blue<br>&nbsp; text: Ho</li></ul>"
    )
    (block,) = blocks(parse_letter(letter(page, kind="text/html")))
    assert block["press"] == [{"to": "all", "text": "Hi"}, {"to": "blue", "text": "Ho"}]


def test_the_charset_may_stand_in_the_page() -> None:
    page = f'<html><meta charset="koi8-r"><div>name: \u0410\u0434\u0430</div>{html(BLOCK)}'
    page = page.replace("step: 12-jump", "name: \u0410\u0434\u0430")
    (block,) = blocks(parse_letter(letter(page.encode("koi8-r"), kind="text/html")))
    assert block["name"] == "\u0410\u0434\u0430"
