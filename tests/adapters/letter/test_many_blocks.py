"""A reply may quote a guide that is full of examples; the form below it is read all the same."""

from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.core.forms.reading import Text

EXAMPLES = "".join(f"> gm: [extend {hours}h]\n> Some words about it.\n" for hours in range(30))
FORM = "> game: ember\n> step: 1-plan\n> key: 7f3k-q2mx\n> gm: [pause]\n> # end of orders\n"


def _read(body: str) -> list[object]:
    letter = parse_letter(f"From: gm@example.org\nMessage-ID: <1@example.org>\n\n{body}".encode())
    return [one.text.value for one in letter.blocks if isinstance(one.text, Text)]


def test_the_form_with_the_key_is_read_behind_thirty_examples() -> None:
    values = _read(EXAMPLES + FORM)
    assert len(values) == 20
    form = {"game": "ember", "step": "1-plan", "key": "7f3k-q2mx", "gm": ["pause"]}
    assert values == [*({"gm": [f"extend {hours}h"]} for hours in range(19)), form]


def test_without_a_key_the_first_are_read() -> None:
    assert _read(EXAMPLES) == [{"gm": [f"extend {hours}h"]} for hours in range(20)]
