"""Letters of the table corpus/replies.yaml: every program, everywhere one can write, each way."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.adapters.letter.manners import MANNERS
from tests.adapters.letter.sending import FLOWED, PLAIN, RICH

CORPUS = Path(__file__).parent / "corpus"
_HEAD = ["game: ember", "step: 12-jump", "key: 7f3k-q2mx", "after: 2"]
_JUMPS = ["jump:", "- C4-D5 x3", "- {from: A1, to: B1, fleets: 2}"]
_FIGHT = ["fight:", "  targets: [blue, green]"]
_HINT = ["# You have 6 fleets on C4; at most 5 + logistics 1 = 6 in one order."]
_EXAMPLE = ["# jump:", "# - C4-D5 x3"]
_END = ["# end of orders"]

ENVELOPE = {"game": "ember", "step": "12-jump", "key": "7f3k-q2mx", "after": "2"}
JUMPS: dict[str, Any] = {"jump": ["C4-D5 x3", {"from": "A1", "to": "B1", "fleets": "2"}]}
ORDERS = ENVELOPE | JUMPS | {"fight": {"targets": ["blue", "green"]}}

_OWN = [*_HEAD, *_JUMPS, *_FIGHT]
_FORM = [*_HEAD, *_HINT, *_EXAMPLE, *_END]
_OWN_TEXTS = {
    "with its end": ["Hi,", "", "here you are.", "", *_OWN, *_END, "", "Cheers,", "Ada"],
    "bare": _OWN,
    "then a word": ["Hello!", *_OWN, "", "Thanks, Ada"],
    "signed": [*_OWN, "", "-- ", "Ada Lovelace", "Tel: 030 123456"],
}


class Reply(NamedTuple):
    """A text and what must be read in it."""

    text: str
    html: str | None
    blocks: list[dict[str, Any]]
    marked: bool


def entries() -> list[dict[str, Any]]:
    """The table."""
    found: list[dict[str, Any]] = yaml.safe_load((CORPUS / "replies.yaml").read_text("utf-8"))
    return found


def replies(entry: dict[str, Any]) -> Iterator[tuple[str, Reply]]:
    """Everything somebody may write with this program."""
    # changed inside the quotation
    edited = [*_HEAD, *_HINT, *_JUMPS, *_FIGHT, *_END]
    note = ["Sent on." if entry.get("forward") else "My orders are below.", ""]
    yield "edited inside", _made(entry, note, _original(edited), [], [ORDERS])
    if entry.get("forward"):
        return
    for name, own in _OWN_TEXTS.items():
        foot = ["", *entry["foot"].split("\n")] if "foot" in entry and name != "signed" else []
        yield (
            f"above, {name}",
            _made(entry, [*own, *foot], _original(_FORM), [], [ORDERS, ENVELOPE]),
        )
    if entry.get("mark", "> ").strip():
        own = _OWN_TEXTS["then a word"]
        below = _made(entry, [], _original(_FORM), ["", *own], [ORDERS, ENVELOPE])
        # these mark no quotation in HTML, and nobody writes below theirs
        unmarked = entry.get("html") in ("outlook", "outlook-web", "gmx", "yahoo")
        yield "below", below._replace(html=None) if unmarked else below
        yield "between", _between(entry)


def above(entry: dict[str, Any], own: Sequence[str], blocks: list[dict[str, Any]]) -> Reply:
    """The form quoted below somebody's own lines."""
    return _made(entry, own, _original(_FORM), [], [*blocks, ENVELOPE])


def _original(form: Sequence[str]) -> list[str]:
    text = (CORPUS / "original.txt").read_text("utf-8")
    return text.replace("{form}", "\n".join(form)).rstrip("\n").split("\n")


def _made(
    entry: dict[str, Any],
    own: Sequence[str],
    old: Sequence[str],
    after: Sequence[str],
    blocks: list[dict[str, Any]],
) -> Reply:
    intro = entry.get("intro", entry.get("heads", []))
    mark = entry.get("mark", "> ")
    quoted = [mark + line if line else mark.rstrip() for line in old]
    gap = [""] if own else []
    text = "\n".join([*own, *gap, *intro, *([""] if "heads" in entry else []), *quoted, *after])
    html = MANNERS[entry["html"]](own, intro, old, after) if "html" in entry else None
    return Reply(text + "\n", html, blocks, mark in ("> ", ">"))


def _between(entry: dict[str, Any]) -> Reply:
    """Unquoted lines written into the quoted form."""
    made = _made(entry, [], _original([*_HEAD, *_HINT, *_END]), [], [ORDERS])
    end = f"{entry.get('mark', '> ')}{_END[0]}"
    assert made.text.count(end) == 1
    text = made.text.replace(end, "\n".join([*_JUMPS, *_FIGHT, end]))
    return made._replace(text=text, html=None)


def sent(reply: Reply) -> Iterator[tuple[str, bytes]]:
    """The reply in every way in which it may travel."""
    for name, way in PLAIN.items():
        yield name, way(reply.text)
    if reply.marked:
        for name, way in FLOWED.items():
            yield name, way(reply.text)
    if reply.html is not None:
        for name, rich in RICH.items():
            yield name, rich(reply.text, reply.html)
