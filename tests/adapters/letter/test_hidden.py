"""What a reader cannot see is no order, and what can be seen is one."""

import pytest

from adjudicator.adapters.mail.inbound.html.selectors import name_tag
from adjudicator.adapters.mail.inbound.html.style_sheets import StyleSheets
from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.sending import page
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

HIDING = [
    ".x{display:none}",
    "div.x { Display : None !important }",
    "#y{visibility:hidden}",
    "div#y.x{font-size:0}",
    "DIV{opacity:0}",
    "*{display:none}",
    "p, .x, #z{position:absolute;left:-9999px}",
    ".a{}\n.x{color:red;height:0;overflow:hidden}",
    "<!-- .x{display:none} -->",
    "/* .x{display:block} */.x/**/{display:none}",
    ".x{display:none",
    ".\\78{display:none}",
    "@media screen{.x{display:none}}",
    "@media only screen { @media all { .x{display:none} } }",
    "@import url(a.css);@charset 'x';.x{display:none}",
    "body .x{display:none}",
    "section > .x{display:none}",
    "section #y{display:none}",
    "#y{display:none}.x{display:block}",
    ".x{display:none!important}#y{display:block}",
    ".x{display:block}.x{display:none}",
    '.q::before{content:"}"}.x{display:none}',
    "[id]{display:none}",
    "[ID=y]{display:none}",
    "div[class~='x']{display:none}",
    '[class="a x"]{display:none}',
    "[class^=a][class$=x]{display:none}",
    "[title*='one, two' i]{display:none}",
    "[align=center]{display:none}",
    "[lang|=en]{display:none}",
    "section[data-of='>'] > .x{display:none}",
    "[data-of] #y{display:none}",
    ".x[id]{display:none}.x{display:block}",
    ":is(p, .q), .x{display:none}",
    "@media all and (min-width:600px){.x{display:none}}",
    "@media(max-width:90em){.x{display:none}}",
    "@media print, screen and (min-width:10in) and (orientation:landscape){.x{display:none}}",
    "@media (max-width:9px) or (prefers-color-scheme:light){.x{display:none}}",
    "@media not print{.x{display:none}}",
    "@media not all and (max-width:600px){.x{display:none}}",
    "@media not (max-width:600px){.x{display:none}}",
    "@media (400px <= width < 2000px){.x{display:none}}",
    "@media (width > 600px){.x{display:none}}",
    "@media screen and (-webkit-min-device-pixel-ratio:0){.x{display:none}}",
    "@media (min-resolution:96dpi) and (color) and (hover:hover){.x{display:none}}",
    "@supports (display:grid){.x{display:none}}",
]
SHOWING = [
    ".z{display:none}",
    ".X{display:none}",
    "#x{display:none}",
    "p{display:none}",
    "p.x{display:none}",
    ".x.z{display:none}",
    ".x:hover{display:none}",
    ".x::after{display:none}",
    ".x + .x{display:none}",
    "body > .x{display:none}",
    "p .x{display:none}",
    "section > section .x{display:none}",
    ".x .x{display:none}",
    "@media print{.x{display:none}}",
    "@media (max-width:600px){.x{display:none}}",
    "@media screen and (max-width:37.5em){.x{display:none}}",
    "@media (min-width:600px) and (max-width:800px){.x{display:none}}",
    "@media (min-width:600px) and (prefers-color-scheme:dark){.x{display:none}}",
    "@media (orientation:portrait), print{.x{display:none}}",
    "@media not screen{.x{display:none}}",
    "@media not all and (min-width:600px){.x{display:none}}",
    "@media (width < 600px){.x{display:none}}",
    "@media (800px > width > 100px){.x{display:none}}",
    "@media (nonsense:1){.x{display:none}}",
    "@media not (nonsense:1){.x{display:none}}",
    "@media screen and (nonsense){.x{display:none}}",
    "@media screen and{.x{display:none}}",
    "@media (min-width:600px) nonsense (color){.x{display:none}}",
    "@media (monochrome){.x{display:none}}",
    "@supports not (display:grid){.x{display:none}}",
    "[id=z]{display:none}",
    "[nothing]{display:none}",
    "[class=x]{display:none}",
    "[class~=ax]{display:none}",
    "[class*='']{display:none}",
    "[class^=x]{display:none}",
    "[class$=a]{display:none}",
    "[title*='ONE, TWO']{display:none}",
    "[lang|=e]{display:none}",
    "p[id=y]{display:none}",
    "[data-of=x] .x{display:none}",
    '[title="}.x{display:none}"]{color:red}',
    "[id=z],.z{display:none}",
    "[class=x],[id{display:none}",
    "section:not(p, section, .z){display:none}",
    ".x{display:none}#y{display:block}",
    ".x{display:none}div.x{display:block}",
    ".x{display:none}.x{display:block}",
    ".x{overflow:hidden}",
    "/* .x{display:none} */",
    ".x{content:'display:none'}",
    '.x{content:"}.x{display:none}"}',
    "{display:none}",
    ",{display:none}",
    ".x",
    "}}}{{{",
]


OPENED = '<div id=y class="a x" title="One, two" align=CENTER lang=en-GB>'


def sheet(rules: str, media: str = "") -> str:
    """A page whose form stands in a section, with these rules."""
    head = f"<head><title>x</title><style type='text/css'{media}>{rules}</style></head>"
    return f"<html>{head}<body><section data-of='>'>{OPENED}{FORM}</div></section></body></html>"


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


def test_endless_style_sheets_are_given_up() -> None:
    """Whoever asks for too many looks is no longer obeyed, and everything is still read."""
    rules = "".join(f"b .c{number} i u b{{display:none}}" for number in range(20_000))
    deep = "<b><i><u>" * 600
    assert blocks(f"<style>{rules}</style>{deep}{'</u></i></b>' * 600}{FORM}") == 1
    sheets = StyleSheets(f"<style>{'b{opacity:0}' * 20_000}</style>")
    first = sheets.find(name_tag("b", ""), ())
    assert 0 < len(first) < 1_100
    found = [sheets.find(name_tag("b", ""), ()) for _ in range(600)]
    assert (found[0], found[-1]) == (first, ())
    for long in ("@media (width" + " " * 50_000 + "x)", "@media " + "not (a) and " * 9_000):
        assert blocks(f"<style>{long}{{div{{display:none}}}}</style>{FORM}") == 1
    assert blocks("<style>" * 5_000 + "{" * 5_000 + FORM) == 0
    assert blocks(f"{'<!--' * 5_000}--><div>{FORM}</div>") == 1
