"""What a reader cannot see is no order, and what can be seen is one."""

import pytest

from adjudicator.adapters.mail.inbound.html.html_text import read_html
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


HIDING_BY_PLACE = [
    ".x:first-child{display:none}",
    ".x:last-child{display:none}",
    "section:last-child > .x{display:none}",
    ".x:only-child{display:none}",
    "#y:first-of-type{display:none}",
    ".x:last-of-type{display:none}",
    "div:only-of-type{display:none}",
    ".x:nth-child(1){display:none}",
    ".x:nth-child(odd){display:none}",
    ".x:nth-child( 2n + 1 ){display:none}",
    ".x:nth-child(-n+3){display:none}",
    "section:nth-child(2) .x{display:none}",
    "section:nth-child(even) > #y{display:none}",
    "section:nth-child(n+2):nth-child(-n+2) > #y{display:none}",
    ".x:nth-last-child(1){display:none}",
    "section:nth-of-type(1) .x{display:none}",
    "section:nth-last-of-type(1) .x{display:none}",
    "section:nth-child(1 of [data-of]) .x{display:none}",
    "p + section > .x{display:none}",
    "p+section .x{display:none}",
    "p ~ section .x{display:none}",
    ".greeting ~ * > #y{display:none}",
    "body > p:first-child + section .x{display:none}",
    "html > body > section > .x{display:none}",
    ":root .x{display:none}",
    ".x:not(.z){display:none}",
    ".x:not(:not(#y)){display:none}",
    "div:not(p, .z, section > p){display:none}",
    ".x:not(:last-child:first-child:empty){display:none}",
    ":not(p) > .x{display:none}",
    ".x:not(:hover){display:none}",
    ":is(section, .q) > .x{display:none}",
    ":is(:nonsense, .x){display:none}",
    ":where(#y, .q){display:none}",
    "section:has(> .x){display:none}",
    "p:has(+ section) + * > .x{display:none}",
    "body:has(#y) .x{display:none}",
    ".x:first-child{display:none}.x{display:block}",
    ".x{display:block}.x:not(#z){display:none}",
    "section .x, :nth-child(0){visibility:hidden}",
    "section > *{display:none}",
    "* + section{font-size:0}",
    ".q:is(p, .z) .x, .x:is( p , div ){display:none}",
    "section>:first-child{opacity:0}",
]
SHOWING_BY_PLACE = [
    "section:first-child .x{display:none}",
    ".x:nth-child(2){display:none}",
    ".x:nth-child(even){display:none}",
    ".x:nth-child(0){display:none}",
    ".x:nth-child(-n){display:none}",
    ".x:nth-child(n+2){display:none}",
    ".x:nth-child(){display:none}",
    ".x:nth-last-child(2){display:none}",
    "section:nth-child(1) .x{display:none}",
    "section:nth-child(2n+1) .x{display:none}",
    "section:nth-of-type(2) .x{display:none}",
    "section:nth-child(1 of p) .x{display:none}",
    "section:only-child .x{display:none}",
    ".x:empty{display:none}",
    ".x:root{display:none}",
    ".x + .x{display:none}",
    ".x ~ div{display:none}",
    "section + .x{display:none}",
    "section ~ p .x{display:none}",
    "div ~ section .x{display:none}",
    "html > section .x{display:none}",
    "body > .x:first-child{display:none}",
    "p > .x{display:none}",
    ".x:not(.x){display:none}",
    ".x:not(.z, #y){display:none}",
    ".x:not(section > .x){display:none}",
    ".x:not(:nonsense){display:none}",
    ".x:not(:first-child){display:none}",
    ".x:hover:first-child{display:none}",
    ":is(p, .q) > .x{display:none}",
    ":is(:nonsense){display:none}",
    "section:not(p).x{display:none}",
    "section:has(> .z){display:none}",
    "section:has(+ p) .x{display:none}",
    ".x:has(section){display:none}",
    ".x:first-child::before{display:none}",
    "#y{display:block}.x:not(.z):first-child{display:none}",
    "#y{display:block}:where(#y.x:not(.z)){display:none}",
    ".x:first-child{display:none}.x:not(#z){display:block}",
    ".x:first-line{display:none}",
    ".x:not({display:none}",
    ".x + {display:none}",
    "> .x{display:none}",
    "section >> .x{display:none}",
]
HIDING_BY_NESTING = [
    "section{.x{display:none}}",
    "section{color:red;.x{color:red;display:none}}",
    "section{& .x{display:none}}",
    "section{> .x{display:none}}",
    "section{>.x{display:none};color:red}",
    ".x{&#y{display:none}}",
    ".x{section &{display:none}}",
    ".x{section > &{display:none}}",
    ".greeting{+ section .x{display:none}}",
    ".greeting{& + section{.x{display:none}}}",
    "p, section{.q, .x{display:none}}",
    ".x{@media screen{display:none}}",
    "section{@media screen{.x{display:none}}}",
    "section{@supports (display:grid){@media all{& > .x{display:none}}}}",
    "@media screen{section{.x{display:none}}}",
    ".x{display:none;.q{color:red}}",
    ".x{.q{color:red}display:none}",
    ".x{display:block;&{display:none}}",
    ".x{&{display:block}display:none}",
    "#z, section{.x{display:none}}.x{display:block}",
    "section{div&, .x{display:none}}",
    "section{.x:is(&, &.x), .x{display:none}}",
    "section{:is(.x, .q){display:none}}",
    "section{[title*=',']{display:none}}",
    "& .x{display:none}",
    "section{.x{display:none",
    "body{section{div{&.x{&#y{display:none}}}}}",
    "section{.x:not(&){display:none}}",
    "section{div:hover{color:red}.x{display:none}}",
]
SHOWING_BY_NESTING = [
    "section{.z{display:none}}",
    "p{.x{display:none}}",
    ".x{.x{display:none}}",
    ".x{& .x{display:none}}",
    "body{> .x{display:none}}",
    ".x{&:hover{display:none}}",
    ".x{section&{display:none}}",
    ".x{@media print{display:none}}",
    "section{@media print{.x{display:none}}}",
    "@media print{section{.x{display:none}}}",
    ".x{&{display:none}display:block}",
    ".x{display:none;&{display:block}}",
    "#z, section{.x{display:block}}.x{display:none}",
    "section{.x{display:none}}#y{display:block}",
    ".x{&::after{display:none}}",
    "section{--a:{.x{display:none}}}",
    "section{.x{&.z, &.q{display:none}}}",
    "section{p, [title='}.x{display:none}']{color:red}}",
    "section{+ .x{display:none}}",
    "section{[title*='&']{display:none}}",
]
HIDING_BY_LAYER = [
    "@layer a{.x{display:none}}",
    "@layer{.x{display:none}}",
    "@layer a.b{.x{display:none}}",
    "@layer a{@layer b{.x{display:none}}}",
    "@layer a{#y{display:block}}.x{display:none}",
    "@layer a, b;@layer b{.x{display:none}}@layer a{#y{display:block}}",
    "@layer a{#y{display:block}}@layer b{.x{display:none}}",
    "@layer a{@layer b{#y{display:block}}.x{display:none}}",
    "@layer a{.x{display:none!important}}.x{display:block!important}",
    "@layer a{.x{display:none!important}}@layer b{#y{display:block!important}}",
    "@layer a{.x{display:none!important}}.x{display:block}",
    "@layer{#y{display:block}}@layer{.x{display:none}}",
    "@layer b{}@layer a{.x{display:none}}@layer b{#y{display:block}}",
    "@layer a{section{.x{display:none}}}",
    "section{@layer a{.x{display:none}}}",
    "@media print{@layer b, a;}@layer a{#y{display:block}}@layer b{.x{display:none}}",
    "@LAYER a { @media screen { .x{display:none} } }",
]
SHOWING_BY_LAYER = [
    "@layer a{.z{display:none}}",
    "@layer a{#y{display:none}}.x{display:block}",
    "@layer b, a;@layer b{#y{display:none}}@layer a{.x{display:block}}",
    "@layer a{.x{display:block}@layer b{#y{display:none}}}",
    "@layer a{.x{display:block!important}}#y{display:none!important}",
    "@layer a{@media print{.x{display:none}}}",
    "@layer a;.x{display:none}@layer a{.x{display:block}}.x{display:block}",
    "@layers a{.x{display:none}}",
    "@layer a.b{.x{display:none}}@layer a{.x{display:block}}",
]
HIDING_BY_VARIABLE = [
    ".x{--v:none;display:var(--v)}",
    ":root{--v:none}.x{display:var(--v)}",
    "html{--v:none}section{display:var( --v )}",
    ".x{display:var(--v, none)}",
    ".x{display:var(--v,var(--w,none))}",
    "body{--w:none;--v:var(--w)}.x{display:var(--v)}",
    "*{--v:none}.x{display:VAR(--v)}",
    ".x{--v:none;--V:block;display:var(--v)}",
    ".x{--v:0}.x{opacity:var(--v)}",
    ":root{--far:-9999px}.x{position:absolute;left:var(--far)}",
    ".x{--v:0px;height:var(--v);overflow:var(--o,hidden)}",
    ":root{--v:hidden}.x{visibility:var(--v)}",
    ".x{--v:NONE;display:var(--v)}",
    ".x{--v:block;--v:none;display:var(--v)}",
    ".x{--v:none!important;--v:block;display:var(--v)}",
    ":root{--v:none}.x{--v:inherit;display:var(--v)}",
    ".x{--a:var(--b);--b:var(--a);display:var(--a, none)}",
    ".x{display:env(nothing, none)}",
    ".x{font-size:var(--v, 0)}",
    "section{--v:none;.x{display:var(--v)}}",
    ".x{--a:var(--b, block);--b:var(--a);display:var(--a, none)}",
]
SHOWING_BY_VARIABLE = [
    ".x{--v:block;display:var(--v)}",
    ".x{--v:none}",
    ".x{--v:none;--V:block;display:var(--V)}",
    ".x{display:none;display:var(--v)}",
    ".x{display:none;display:var(--v, nonsense)}",
    ":root{--v:none}section{--v:block}.x{display:var(--v)}",
    ":root{--v:none}.x{--v:initial;display:var(--v)}",
    ".x{--v:no;--w:ne;display:var(--v)var(--w)}",
    ".x{--v:display;var(--v):none}",
    ".q{--v:none}.x{display:var(--v, block)}",
    ".x{--v:none;--v:block;display:var(--v)}",
    ".x{--v:'none';display:var(--v)}",
    ".x{visibility:hidden;visibility:var(--v)}",
    ".x{--v:0;opacity:var(--w, 1)}",
    ".x{font-size:0;font-size:var(--v)}",
    ".x{--a:var(--a);display:var(--a)}",
]
HIDING += HIDING_BY_PLACE + HIDING_BY_NESTING + HIDING_BY_LAYER + HIDING_BY_VARIABLE
SHOWING += SHOWING_BY_PLACE + SHOWING_BY_NESTING + SHOWING_BY_LAYER + SHOWING_BY_VARIABLE

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
