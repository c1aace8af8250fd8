"""Judge a run by what is left of it: what is missing, doubled, or not what it was."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from tests.torture.evidence import Evidence

_ASIDE = "aside "
"""How the books mark a letter that nobody could read."""
_FATES = {"sent", "withdrawn"}


def find_faults(evidence: Evidence) -> list[str]:
    """Every broken promise in a sentence; nothing where all of them were kept."""
    return [
        *_letters_in(evidence),
        *_letters_out(evidence),
        *_copies(evidence),
        *(f"closed twice: {name}" for name in _twice(evidence.closed)),
        *(f"in the chain twice: {name}" for name in _twice(evidence.chained)),
        *_reports(evidence),
        *(f"not verified: {fault}" for fault in evidence.unverified),
        *(f"damaged database: {fault}" for fault in evidence.damage),
    ]


def _letters_in(evidence: Evidence) -> Iterator[str]:
    fates = Counter(one.message_id for one in evidence.arrived)
    for name in evidence.written:
        if fates[name] != 1:
            yield f"a letter in has {fates[name]} fates: {name}"
    yield from (
        f"a letter in was set aside: {one.message_id}"
        for one in evidence.arrived
        if one.digest.startswith(_ASIDE)
    )
    for name in sorted(set(fates) - set(evidence.written)):
        yield f"a letter in was never written: {name}"
    known = {one.name for one in evidence.queued}
    for one in evidence.arrived:
        if one.answer is not None and one.answer not in known:
            yield f"an answer is not in the outbox: {one.answer} to {one.message_id}"


def _letters_out(evidence: Evidence) -> Iterator[str]:
    there = {(one.mailbox, one.message_id) for one in evidence.received}
    older = defaultdict(list)
    for name in evidence.vanished:  # new tokens since
        older[_bare(name)].append(name)
    for name in _twice(one.message_id for one in evidence.queued):
        yield f"two letters out have one Message-ID: {name}"
    for one in evidence.queued:
        if one.status not in _FATES:
            yield f"a letter out is {one.status}: {one.message_id}"
        elif one.status == "sent" and not one.mailboxes:
            yield f"a letter out went to nobody: {one.message_id}"
        for mailbox in one.mailboxes:
            names = [one.message_id, *older[one.name]]
            if not any((mailbox, name) in there for name in names):
                yield f"a letter out is not in its mailbox: {one.message_id} for {mailbox}"
    known = {one.message_id for one in evidence.queued} | evidence.vanished
    for name in sorted({one.message_id for one in evidence.received} - known):
        yield f"a letter out was never queued: {name}"


def _bare(message_id: str) -> str:
    """Without its token."""
    name, _, host = message_id.rpartition("@")
    return f"{name.rpartition('.')[0]}@{host}"


def _copies(evidence: Evidence) -> Iterator[str]:
    digests = defaultdict(set)
    for one in evidence.received:
        digests[one.mailbox, one.message_id].add(one.digest)
    for (mailbox, name), different in sorted(digests.items()):
        if len(different) > 1:
            yield f"{len(different)} different letters with one Message-ID: {name} for {mailbox}"


def _reports(evidence: Evidence) -> Iterator[str]:
    """A step that was closed twice would be reported twice, too."""
    for subject in _twice(one.subject for one in evidence.queued if one.subject):
        yield f"reported twice: {subject}"


def count_repeats(evidence: Evidence) -> int:
    """Letters out that came more than once to a mailbox."""
    return len(evidence.received) - len(
        {(one.mailbox, one.message_id) for one in evidence.received}
    )


def _twice(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)
