"""The chain: commitments to every change of a game's state, made before anybody may see it.

link = SHA-256 over the canonical JSON list [previous link, body]. The body holds a commitment
per part and seat: HMAC(HMAC(seed, [step, seat, part]), bytes). Nothing can be guessed from the
chain while the seed is secret; the seed opens all of it at the end.
"""

import hmac
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from adjudicator.core.document import digest, encode

LinkKind = Literal["setup", "step", "ruling", "rollback", "restore", "end"]

FIRST = "0" * 64
"""The predecessor of the first link."""


class Link(Struct, frozen=True, kw_only=True):
    """One change of state: what it commits to, and its place in the chain."""

    number: int
    kind: LinkKind
    step: str
    """The name of the step that this link closes, makes, undoes (rollback) or restores."""
    after: str | None
    """The step whose state it started from; None for the setup."""
    commitments: Mapping[str, str]
    """`part` or `part/seat` to the commitment of its bytes."""
    previous: str
    digest: str


def compute_commitment(seed: bytes, step: str, seat: str, part: str, content: bytes) -> str:
    """Commit the writer to the content without showing it to anybody."""
    salt = hmac.digest(seed, encode([step, seat, part]), "sha256")
    return hmac.digest(salt, content, "sha256").hex()


def forge_link(
    previous: Link | None,
    *,
    kind: LinkKind,
    step: str,
    after: str | None,
    commitments: Mapping[str, str],
) -> Link:
    """Forge the next link of a chain."""
    number = previous.number + 1 if previous else 0
    before = previous.digest if previous else FIRST
    body = {
        "number": number,
        "kind": kind,
        "step": step,
        "after": after,
        "commitments": dict(commitments),
    }
    return Link(
        number=number,
        kind=kind,
        step=step,
        after=after,
        commitments=dict(sorted(commitments.items())),
        previous=before,
        digest=digest(encode([before, body])),
    )


def find_link_fault(previous: Link | None, link: Link) -> str | None:
    """Find what is wrong with a link in its place; None if it is valid."""
    expected = forge_link(
        previous,
        kind=link.kind,
        step=link.step,
        after=link.after,
        commitments=link.commitments,
    )
    if expected == link:
        return None
    return f"link {link.number} ({link.step}): expected digest {expected.digest}, got {link.digest}"
