"""Whole letters in their simplest forms: plain, fenced, quoted, HTML, attached."""

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK, ORDERS, blocks, html, letter, quoted


def test_a_plain_letter() -> None:
    seen = parse_letter(letter(f"Hi,\n\n{BLOCK}# end of orders\n\nBest, Ada\n"))
    assert blocks(seen) == [ORDERS]
    assert [block.origin for block in seen.blocks] == ["text"]
    assert (seen.sender, seen.name) == ("ada@example.org", "Ada")
    assert seen.message_id == "<1@example.org>"
    assert seen.subject == "Re: [ember] Turn 4"
    assert seen.date is not None
    assert seen.date.isoformat() == "2026-11-03T14:22:00+01:00"
    assert seen.automatic is None
    assert seen.problems == ()


def test_reading_stops_at_the_first_line_that_is_none_of_the_orders() -> None:
    seen = parse_letter(letter(f"{BLOCK}Thanks, Ada\n"))
    assert blocks(seen) == [ORDERS]
    assert seen.blocks[0].stopped == 'reading stopped before "Thanks, Ada"'


def test_fenced_before_text_before_quoted() -> None:
    other = BLOCK.replace("x3", "x1")
    third = BLOCK.replace("x3", "x2")
    body = f"{other}\n~~~yaml\n{BLOCK}~~~\n\nOn Tue, Ember wrote:\n{quoted(third)}"
    seen = parse_letter(letter(body))
    assert [block.origin for block in seen.blocks] == ["fenced", "text", "quoted"]
    assert [block["jump"] for block in blocks(seen)] == [["C4-D5 x3"], ["C4-D5 x1"], ["C4-D5 x2"]]


def test_a_letter_in_html_only() -> None:
    seen = parse_letter(letter(html(BLOCK), kind="text/html"))
    assert blocks(seen) == [ORDERS]


def test_text_that_is_no_yaml_is_a_problem_with_its_place() -> None:
    seen = parse_letter(letter("game: ember\njump:\n- [C4\n"))
    assert blocks(seen) == []
    (block,) = seen.blocks
    assert [(fault.line, fault.column) for fault in block.text] == [(3, 3)]
