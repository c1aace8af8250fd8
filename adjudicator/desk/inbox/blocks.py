"""The blocks of a letter as far as they must be read to know whom they come from."""

import re
from collections.abc import Sequence

from msgspec import Struct

from adjudicator.core.forms.reading import Text
from adjudicator.desk.inbox.authentication import KeyHolder, find_key_holder
from adjudicator.desk.model.mail import Block
from adjudicator.desk.model.ports import Books
from adjudicator.desk.orders.entries import describe_finding
from adjudicator.desk.requests.envelope import Envelope, parse_envelope

_LINE = re.compile(
    r"^[>|\t ]*(game|step|key)[\t ]*[:\uff1a][\t ]*[\"']?([^\s\"'#]{1,64})",
    re.IGNORECASE | re.MULTILINE,
)

_MOST_FAULTS = 3


class Candidate(Struct, frozen=True, kw_only=True):
    """A block, and who proved to have written it."""

    block: Block
    envelope: Envelope
    form: Text
    holder: KeyHolder | None = None

    @property
    def readable(self) -> bool:
        """Whether it is YAML at all."""
        return isinstance(self.block.text, Text)


def explain_unreadable(one: Candidate) -> list[str]:
    """Why a block is no YAML, in sentences with their lines."""
    found = () if isinstance(one.block.text, Text) else one.block.text
    told = [describe_finding(finding) for finding in found[:_MOST_FAULTS]]
    return [f"{each['where']}: {each['message']}" for each in told]


def read_candidates(blocks: Sequence[Block]) -> list[Candidate]:
    """All blocks in their order; of broken ones the envelope's lines are read as they stand."""
    return [_candidate(block) for block in blocks]


def _candidate(block: Block) -> Candidate:
    if isinstance(block.text, Text):
        envelope, form = parse_envelope(block.text)
        return Candidate(block=block, envelope=envelope, form=form)
    found: dict[str, str] = {}
    for name, value in _LINE.findall(block.source[:65536]):
        found.setdefault(name.lower(), value)
    envelope = Envelope(game=found.get("game"), step=found.get("step"), key=found.get("key"))
    return Candidate(block=block, envelope=envelope, form=Text(value=None))


def pick_proven(
    books: Books, secret: bytes, found: Sequence[Candidate], *, wide: bool
) -> Candidate | None:
    """The first with a valid key; the others are never preferred to it (wide: see holder)."""
    for one in found:
        given = one.envelope.key
        if not given:
            continue
        envelope = one.envelope
        whose = find_key_holder(
            books, secret, game=envelope.game, given=given, step=envelope.step, wide=wide
        )
        if whose is not None:
            return Candidate(block=one.block, envelope=envelope, form=one.form, holder=whose)
    return None
