"""No output holds a sign that acts on a terminal, ends a line or turns the writing around."""

import io
import json
from pathlib import Path

import pytest

from adjudicator.adapters.mail.outbound.subjects import flatten_header
from adjudicator.adapters.mail.troubles import flatten_reply
from adjudicator.adapters.render.printer import Printer
from adjudicator.cli.serving.log import set_up_log
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.core.document import replace_unseen

SIGNS = "\x00\x07\x1b\x7f\x85\x9b\u2028\u2029\u202a\u202e\u2066\u2069\ufffe"
HOSTILE = f"a{SIGNS}b"


def seen(text: str) -> str:
    """The text, which holds none of the signs."""
    assert not set(SIGNS) & set(text)
    assert "a" in text
    assert "b" in text
    return text


def test_letters_pages_and_subjects_hold_no_sign_that_acts(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    for name in ("one.txt.j2", "one.html.j2", "one.svg.j2"):
        (tmp_path / "common" / name).write_text("<p>{{ said }}</p>")
    printer = Printer([tmp_path])
    document = {"said": HOSTILE}
    seen(printer.text("one.txt", document))
    seen(printer.page("one.html", document))
    seen(printer.picture("one.svg", document, "common"))
    seen(flatten_header(HOSTILE))
    seen(flatten_reply(HOSTILE))


def test_the_terminal_gets_no_sign_that_acts(capsys: pytest.CaptureFixture[str]) -> None:
    print_data(HOSTILE)
    print_note(HOSTILE)
    print_document({HOSTILE: [HOSTILE]})
    out, err = capsys.readouterr()
    seen(err)
    assert json.loads(seen(out).partition("\n")[2]) == {HOSTILE: [HOSTILE]}, "data stays as it is"


def test_the_log_keeps_a_line_a_line_and_hides_keys_but_not_names_of_games() -> None:
    into = io.StringIO()
    log = set_up_log("json", into)
    log.info("letter", game="t-abcd-efgh", words=f"{HOSTILE} the key is 7f3k-q2mx, t-abcd-efgh")
    log.info("trouble", place="game moon-base", words="moon-base: 7f3k-q2mx", error="moon-base")
    log.info("letter out", message_id="<moon-base.1-plan.red.report.1@x>", subject="4wdv-yn4a")
    first, second, third = map(json.loads, into.getvalue().splitlines())
    assert (first["game"], seen(first["words"])[-33:]) == (
        "t-abcd-efgh",
        "the key is ****-****, t-abcd-efgh",
    )
    assert (second["words"], second["error"]) == ("moon-base: ****-****", "moon-base")
    assert (third["message_id"], third["subject"]) == (
        "<moon-base.1-plan.red.report.1@x>",
        "****-****",
    )


def test_words_in_every_script_stay_as_they_are() -> None:
    text = "é 👩\u200d🚀 \u05d0\u200f \u0641\u200c x\u00ad\n\ty"
    assert replace_unseen(text) == text
