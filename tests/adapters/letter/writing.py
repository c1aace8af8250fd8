"""Small letters for the tests."""

from typing import Any

from adjudicator.core.forms.reading import Text
from adjudicator.desk.model.mail import IncomingLetter

BLOCK = "game: ember\nstep: 12-jump\nkey: 7f3k-q2mx\nafter: 2\njump:\n- C4-D5 x3\n"
ORDERS = {
    "game": "ember",
    "step": "12-jump",
    "key": "7f3k-q2mx",
    "after": "2",
    "jump": ["C4-D5 x3"],
}
HEADER = (
    "From: Ada <Ada@Example.org>\nTo: ember@games.example\nMessage-ID: <1@example.org>\n"
    "Subject: Re: [ember] Turn 4\nDate: Tue, 3 Nov 2026 14:22:00 +0100\n"
)


def letter(body: str | bytes, kind: str = "text/plain", more: str = "") -> bytes:
    """A letter of one part."""
    head = f"{HEADER}{more}MIME-Version: 1.0\nContent-Type: {kind}\n\n".encode()
    return head + (body if isinstance(body, bytes) else body.encode())


def quoted(text: str, mark: str = "> ") -> str:
    """The text as a mail program quotes it."""
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def html(text: str) -> str:
    """The text as most programs lay it out: one div per line."""
    lines = "".join(f"<div>{line}</div>" for line in text.splitlines())
    return f"<html><body>{lines}</body></html>"


def blocks(seen: IncomingLetter) -> list[Any]:
    """What was read as YAML."""
    return [block.text.value for block in seen.blocks if isinstance(block.text, Text)]
