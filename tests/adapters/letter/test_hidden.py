"""What a reader cannot see is no order, and what can be seen is one."""

import pytest

from adjudicator.adapters.mail.inbound.html.html_text import read_html
from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.sending import page
from tests.adapters.letter.style_sheets import HIDING, SHOWING
from tests.adapters.letter.writing import BLOCK, html

FORM = "".join(f"<div>{line}</div>" for line in BLOCK.splitlines())

HIDDEN = [
    "display:none",
    "DISPLAY : None !important; display:block",
    "display:none; display:nonsense",
    "color:red;/* a comment */display/**/:none",
    "d\\69splay:none",
    "displ&#97;y:none",
    "background:url(a;b);display:none",
    "mso-hide:all",
    "visibility:hidden",
    "visibility:collapse",
    "font-size:0",
    "font-size:0px",
    "font-size:.1em",
    "font-size:0%",
    "font-size:calc(0px)",
    "font-size:1px",
    "font:0/0 a",
    "opacity:0",
    "opacity:0%",
    "opacity:.01",
    "height:0;overflow:hidden",
    "max-height:0px;overflow:hidden;font-size:14px",
    "max-width:0;overflow-x:hidden",
    "width:1px;height:1px;position:absolute;overflow:hidden;clip:rect(0,0,0,0)",
    "clip-path:inset(50%);position:absolute",
    "position:absolute;left:-9999px",
    "position:fixed;top:-200vh",
    "position:relative;right:9999px",
    "text-indent:-9999px",
    "margin-left:-9999px",
    "margin:0 0 0 -999em",
    "transform:scale(0)",
    "transform:translateX(-9999px)",
    "content-visibility:hidden",
]
VISIBLE = [
    "overflow: hidden",
    "overflow:hidden;height:200px",
    "height:0",
    "max-height:0;overflow:visible",
    "display:none;display:block",
    "display:block !important;display:none",
    "visibility:visible",
    "opacity:.9",
    "opacity:1",
    "font-size:small",
    "font-size:0;font-size:12px",
    "font-size:80%",
    "font:14px/1 Arial",
    "left:-9999px",
    "position:relative;left:-2px",
    "text-indent:-18pt;margin-left:36pt",
    "margin:0;padding:0",
    "width:0%;min-width:100%",
    "background:url(display:none)",
    "content:'display:none'",
    "x-display:none",
    "display",
    ":none",
    "transform:translate(0,0) scale(1)",
    "color:#fff",
]


def blocks(text: str) -> int:
    """How many order blocks a page holds."""
    return len(parse_letter(page(text)).blocks)


def inside(style: str, tag: str = "div") -> str:
    return f'<p>Hello</p><{tag} style="{style}">{FORM}</{tag}><p>Bye</p>'


@pytest.mark.parametrize("style", HIDDEN)
def test_what_a_reader_cannot_see_is_not_read(style: str) -> None:
    assert blocks(inside(style)) == 0
    assert blocks(f"{inside(style)}{FORM}") == 1, "what stands below it is seen"


@pytest.mark.parametrize("style", VISIBLE)
def test_what_a_reader_sees_is_read(style: str) -> None:
    assert blocks(inside(style)) == 1


UNSEEN = {
    "an attribute": "<div hidden>{}</div>",
    "an attribute with a value": "<div class=x HIDDEN='until-found'>{}</div>",
    "somewhere inside": '<div style="display:none"><div style="display:block">{}</div></div>',
    "gone for good": '<div style="opacity:0"><b style="opacity:1;visibility:visible">{}</b></div>',
    "small in small": '<div style="font-size:0"><div style="font-size:2em">{}</div></div>',
    "behind a wrong end": '<p><div style="display:none"></p>{}</div>',
    "behind the end of a line": '<div style="display:none"></span></b>{}</div>',
    "opened again": '<p><font style="display:none">x</p>{}',
    "a page of its own": f'<div style="display:none">{html(BLOCK)}{{}}</div>',
    "far from the tag's name": f'<div title="{"x" * 3000}" style="display:none">{{}}</div>',
    "behind a sign in quotation marks": "<div title='a > b' style='display:none'>{}</div>",
    "behind a sign and a quotation mark": "<div x='\">' y=\">'\" style='display:none'>{}</div>",
    "a list of data": "<datalist>{}</datalist>",
}
SEEN = {
    "its own attribute": '<div hidden style="display:block">{}</div>',
    "a word in another attribute": '<div title="is hidden" aria-hidden=true>{}</div>',
    "shown again": '<div style="visibility:hidden">x<div style="visibility:visible">{}</div></div>',
    "a size again": '<div style="font-size:0"><div style="font-size:13px">{}</div></div>',
    "after a hidden paragraph": '<p style="display:none">x<p>y</p>{}',
    "part of a line": '<span style="height:0;overflow:hidden">{}</span>',
    "a quotation mark too many": '<div class="a"" title=don\'t>x > y {}</div>',
    "after a preheader": '<div style="display:none;max-height:0">Hello</div>{}',
}


@pytest.mark.parametrize("around", UNSEEN)
def test_hidden_text_cannot_be_shown_by_what_is_around_or_inside(around: str) -> None:
    assert blocks(UNSEEN[around].format(FORM)) == 0


@pytest.mark.parametrize("around", SEEN)
def test_text_that_is_shown_is_read_whatever_is_around(around: str) -> None:
    assert blocks(SEEN[around].format(FORM)) == 1


# style sheets

OPENED = '<div id=y class="a x" title="One, two" align=CENTER lang=en-GB>'


def sheet(rules: str, media: str = "") -> str:
    """A page whose form stands in a section below a greeting, with these rules."""
    hello = "<p class=greeting>Hello</p>"
    head = f"<head><title>x</title><style type='text/css'{media}>{rules}</style></head>"
    section = f"<section data-of='>'>{OPENED}{FORM}</div></section>"
    return f"<html>{head}<body>{hello}{section}</body></html>"


@pytest.mark.parametrize("rules", HIDING)
def test_what_a_style_sheet_hides_is_not_read(rules: str) -> None:
    assert blocks(sheet(rules)) == 0
    assert blocks(f"<section><p id=y class=x>{FORM}</p></section>") == 1


@pytest.mark.parametrize("rules", SHOWING)
def test_what_a_style_sheet_does_not_hide_is_read(rules: str) -> None:
    assert blocks(sheet(rules)) == 1


def test_a_style_sheet_counts_wherever_it_stands_and_for_whom_it_is() -> None:
    below = f"<div class=x>{FORM}</div><style>.x{{display:none}}</style>"
    assert blocks(below) == 0
    assert blocks(sheet(".x{display:none}", media=" media=print")) == 1
    assert blocks(sheet(".x{display:none}", media=" media='screen'")) == 0
    for around in ("<!-- {} -->", "<!--[if mso]>{}<![endif]-->"):
        assert blocks(around.format("<style>.x{display:none}</style>") + sheet("")) == 1
    assert blocks(f"<style>.x{{display:none}}</style>{inside('display:block')}") == 1
    shown = f'<style>.x{{display:none}}</style><div class=x style="display:block">{FORM}</div>'
    assert blocks(shown) == 1
    assert blocks(shown.replace("none}", "none!important}")) == 0


PLACES = {
    "a row, whose table has a body unsaid": ("table > tbody > tr", "<table><tr><td>{}</table>"),
    "no row is in a table itself": ("table > tr", None),
    "entries that nothing ends": ("li:nth-child(2)", "<ul><li>a<li>{}<li>c</ul>"),
    "entries of entries": ("ul > li:last-child", "<ul><li>a<ul><li>b</ul><li>{}</ul>"),
    "cells that nothing ends": ("td:nth-child(2)", "<table><tr><td>a<td>{}<td>c<tr><td>d</table>"),
    "a paragraph that a block ends": ("p + div", "<p>a<div>{}</div>"),
    "breaks and comments": ("br + hr + div", "<p>a</p><br><!-- b --><hr><div>{}</div>"),
    "a style is a tag, too": ("style + div", "<p>a</p><style>b{{}}</style><div>{}</div>"),
    "the last, with something behind": (".z:last-child", None),
    "a page without a body": ("body", "<div>{}</div>"),
    "a page without a root": (":root", "<div>{}</div>"),
    "text makes it no longer empty": ("div:not(:empty)", "<div>{}</div>"),
    "what stands behind it": ("div:has(+ i)", "<div>{}</div><i>b</i>"),
}


@pytest.mark.parametrize("what", PLACES)
def test_tags_stand_where_a_browser_puts_them(what: str) -> None:
    selector, around = PLACES[what]
    shown = around is None
    around = around or "<table><tr><td class=z>{}<td>b</table>"
    page = f"<style>{selector}{{{{display:none}}}}</style>{around}"
    assert blocks(page.format(FORM)) == shown


def test_of_a_page_with_endless_style_sheets_nothing_is_read() -> None:
    """Nobody can push the rule that hides orders beyond what is looked at."""
    idle = "".join(f"b .c{number} i u b{{display:none}}" for number in range(20_000))
    assert blocks(f"<style>{idle}.x{{display:none}}</style><div class=x>{FORM}</div>") == 0
    deep = "<b><i><u>" * 600
    slow = "".join(f"b ~ b .c{number} i u > b{{display:none}}" for number in range(900))
    shown = read_html(f"<style>{slow}</style>{deep}{'</u></i></b>' * 600}{FORM}")
    assert (shown.text, shown.cut) == ("", True)
    assert read_html(f"<style>{'b{opacity:0}' * 20_000}</style>x").cut
    assert read_html(f"<style>{'i' * 300_000}</style>x").cut
    for hard in (
        ":not(" * 30_000,
        '[a="' * 45_000,
        "[a='" * 45_000,
        ":nth-last-child(2 of b)" * 99,
        "b:has(" * 5 + "i" + ")" * 5,
        "b{" * 8 + "i",
        "&,b" * 900,
    ):
        assert read_html(f"<style>{hard}{{opacity:0}}</style>{'<b>x</b>' * 5_000}").text in (
            "",
            "x" * 5_000,
        )
    for long in ("@media (width" + " " * 50_000 + "x)", "@media " + "not (a) and " * 9_000):
        assert blocks(f"<style>{long}{{div{{display:none}}}}</style>{FORM}") == 1
    assert blocks("<style>" * 5_000 + "{" * 5_000 + FORM) == 0
    assert blocks(f"{'<!--' * 5_000}--><div>{FORM}</div>") == 1


def test_rules_in_rules_and_variables_of_variables_have_their_bounds() -> None:
    for hard in ("b{" * 50_000, "&&&&{" * 9, "b,i{" * 9, "@layer a{" * 50_000):
        assert read_html(f"<style>{hard}opacity:0</style>{'<b>x</b>' * 2_000}").text in (
            "",
            "x" * 2_000,
        )
    laughs = "".join(f"--v{n}:{f'var(--v{n + 1})' * 20};" for n in range(60))
    chain = "".join(f"--v{n}:var(--v{n + 1});" for n in range(2_000))
    for said in (laughs, chain, "display:" + "var(--a," * 5_000, "--a:" * 5_000):
        assert blocks(f"<style>*{{{said}}}</style><div class=x>{FORM}</div>") == 1
        assert blocks(f"<div style='{said};display:var(--v0,none)'>{FORM}</div>") in (0, 1)


def test_a_letter_whose_styles_are_too_much_says_so() -> None:
    sheet_of_a_page = f"<style>{'b{opacity:0}' * 20_000}</style>{FORM}"
    problems = parse_letter(page(sheet_of_a_page)).problems
    assert [one.message for one in problems] == [
        "the letter's HTML is too long, or has too many styles, to be read to its end"
    ]
