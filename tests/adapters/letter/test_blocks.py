"""What is a block, where it begins and ends, and what is said about one that is spoilt."""

import pytest

from adjudicator.adapters.mail.inbound.letter import parse_letter
from tests.adapters.letter.writing import BLOCK, ORDERS, blocks, letter, quoted

FENCES = {
    "backticks": f"```\n{BLOCK}```\n",
    "tildes": f"~~~\n{BLOCK}~~~\n",
    "with a language": f"```yaml\n{BLOCK}```\nThanks: a lot\n",
    "longer": f"`````yaml\n{BLOCK}`````\n",
    "indented": "".join(f"  {line}\n" for line in f"```\n{BLOCK}```".splitlines()),
    "never closed": f"```\n{BLOCK}\nThanks, Ada\n",
    "with a report above": f"```\nEMBER, turn 4\n  1  Fight\n\n{BLOCK}# end of orders\n```\n",
    "with the end mark": f"```\n{BLOCK}# end of orders\n```\n",
}


@pytest.mark.parametrize("name", FENCES)
def test_fences(name: str) -> None:
    seen = parse_letter(letter(FENCES[name]))
    assert [block.origin for block in seen.blocks] == ["fenced"]
    assert blocks(seen) == [ORDERS]


def test_other_things_in_fences_are_no_blocks() -> None:
    assert parse_letter(letter("```\njust some words\n```\n")).blocks == ()
    assert parse_letter(letter("```python\nfor x in y:\n    z\n```\n")).blocks == ()


STARTS = ["game: ember", "join: ember", "ask: [status]", "gm: [remind]", "Ask\uff1a status"]


@pytest.mark.parametrize("start", STARTS)
def test_what_begins_a_block(start: str) -> None:
    seen = parse_letter(letter(f"Hello\n\n{start}\nname: Ada\n\nBye\n"))
    (block,) = blocks(seen)
    assert list(block) == [
        start.split(":", maxsplit=1)[0].split("\uff1a", maxsplit=1)[0].lower(),
        "name",
    ]


def test_two_games_in_one_letter_are_two_blocks() -> None:
    other = BLOCK.replace("ember", "frost")
    assert [one["game"] for one in blocks(parse_letter(letter(BLOCK + other)))] == [
        "ember",
        "frost",
    ]
    assert [one["game"] for one in blocks(parse_letter(letter(f"{BLOCK}\n\n{other}")))] == [
        "ember",
        "frost",
    ]


def test_a_key_that_stands_twice_is_told_also_in_other_letters() -> None:
    seen = parse_letter(letter(BLOCK + "Jump:\n- A1-A2 x1\n"))
    assert blocks(seen) == []
    assert [fault.message for fault in seen.blocks[0].text] == [
        '"Jump" appears twice; the first is in line 5'
    ]


def test_scalars_stay_text() -> None:
    (block,) = blocks(parse_letter(letter("game: ember\na: no\nb: 010\nc: 12:30\nd:\ne: 1e3\n")))
    assert block == {"game": "ember", "a": "no", "b": "010", "c": "12:30", "d": None, "e": "1e3"}


def test_a_form_that_goes_on_behind_other_text_is_a_problem() -> None:
    body = BLOCK + "I would rather keep the rest at home.\nbuild: 2\n# end of orders\n"
    seen = parse_letter(letter(body))
    assert blocks(seen) == [ORDERS]
    (problem,) = seen.problems
    assert problem.line == 7
    assert problem.message.startswith('reading stopped before "I would rather keep')


def test_a_form_that_goes_on_behind_a_quotation_is_a_problem() -> None:
    seen = parse_letter(
        letter(BLOCK + "> build: 2\n> leadership: attack\nally: blue\n# end of orders\n")
    )
    assert blocks(seen) == [ORDERS]
    assert seen.blocks[0].stopped == 'reading stopped before "build: 2"'
    (problem,) = seen.problems
    assert problem.line == 7


def test_a_quotation_below_a_form_is_no_problem() -> None:
    seen = parse_letter(letter(BLOCK + quoted("Hello Ada,\n" + BLOCK + "# end of orders\n")))
    assert blocks(seen)[0] == ORDERS
    assert (seen.blocks[0].stopped, seen.problems) == (None, ())
