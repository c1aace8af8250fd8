"""chain.txt: every link of the chain, and the SHA-256 of every file beside it.

link 4 step 4-jump after 3-plan
  previous 41d0…
  events 77e2…
  orders/red 9a01…
  digest 0c5f…
files
5f1c…  steps/004-jump/state.json
"""

import re
from collections.abc import Iterator, Mapping
from typing import get_args

from msgspec import Struct

from adjudicator.adapters.archive.places import ArchiveTrouble
from adjudicator.core.chain import Link, LinkKind
from adjudicator.core.document import digest

_HEAD = """\
# Every change of state, committed to in order; each link names the one before.
# Below, the SHA-256 of every file: `sha256sum --check chain.txt` looks them over, too.
"""
_HEX = r"[0-9a-f]{64}"
_KINDS = "|".join(get_args(LinkKind))
_LINK = re.compile(rf"link ([0-9]{{1,9}}) ({_KINDS}) (\S+) after (\S+)")
_PART = re.compile(rf"  (\S+) ({_HEX})")
_FILE = re.compile(rf"({_HEX})  (\S.*)")
_NONE = "-"


class Chain(Struct, frozen=True):
    """What chain.txt says."""

    links: tuple[Link, ...]
    files: Mapping[str, str]
    """Path to SHA-256."""


def format_chain(links: tuple[Link, ...], files: Mapping[str, bytes]) -> bytes:
    """The text for these links and files."""
    return _text(Chain(links, {path: digest(files[path]) for path in files})).encode()


def _text(chain: Chain) -> str:
    lines = [line for link in chain.links for line in _lines(link)]
    listed = [f"{value}  {path}" for path, value in sorted(chain.files.items())]
    return _HEAD + "\n".join([*lines, "files", *listed]) + "\n"


def _lines(link: Link) -> list[str]:
    parts = [f"  {part} {value}" for part, value in link.commitments.items()]
    return [
        f"link {link.number} {link.kind} {link.step} after {link.after or _NONE}",
        f"  previous {link.previous}",
        *parts,
        f"  digest {link.digest}",
    ]


def parse_chain(content: bytes) -> Chain:
    """What a chain.txt says; raises ArchiveTrouble unless it is written as we write it."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ArchiveTrouble("chain.txt", f"is not UTF-8 text: {error}") from error
    if "\r\n" in text:
        raise ArchiveTrouble(
            "chain.txt",
            "its line ends were changed to CR LF on the way; copy the archive again as it is "
            "(git: core.autocrlf=false)",
        )
    head, separator, tail = text.partition("\nfiles\n")
    if not separator:
        raise ArchiveTrouble("chain.txt", 'has no list of files: a line "files" is missing')
    lines = [line for line in head.splitlines() if not line.startswith("#")]
    chain = Chain(tuple(_links(lines)), dict(_files(tail.splitlines())))
    if _text(chain) != text:
        raise ArchiveTrouble("chain.txt", "is not in the form that this program writes")
    return chain


def _links(lines: list[str]) -> Iterator[Link]:
    at = 0
    while at < len(lines):
        head = _LINK.fullmatch(lines[at])
        if head is None:
            raise ArchiveTrouble("chain.txt", f'expected "link N …", got "{lines[at]}"')
        parts: list[tuple[str, str]] = []
        at += 1
        while at < len(lines) and (part := _PART.fullmatch(lines[at])):
            parts.append((part[1], part[2]))
            at += 1
        if len(parts) < 2 or parts[0][0] != "previous" or parts[-1][0] != "digest":
            raise ArchiveTrouble("chain.txt", f"link {head[1]} lacks its previous or its digest")
        yield Link(
            number=int(head[1]),
            kind=head[2],  # type: ignore[arg-type]  # the pattern lets only these through
            step=head[3],
            after=None if head[4] == _NONE else head[4],
            commitments=dict(parts[1:-1]),
            previous=parts[0][1],
            digest=parts[-1][1],
        )


def _files(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        match = _FILE.fullmatch(line)
        if match is None:
            raise ArchiveTrouble("chain.txt", f'expected a digest and a file, got "{line}"')
        yield match[2], match[1]
