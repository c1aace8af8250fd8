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
from collections.abc import Mapping
from itertools import zip_longest
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
_LINK = re.compile(
    rf"^link ([0-9]{{1,9}}) ({'|'.join(get_args(LinkKind))}) (\S+) after (\S+)\n"
    rf"  previous ({_HEX})\n"
    rf"((?:  \S+ {_HEX}\n)*)"
    rf"  digest ({_HEX})$",
    re.MULTILINE,
)
_FILE = re.compile(rf"^({_HEX})  (\S.*)$", re.MULTILINE)
_NONE = "-"
NONE_THERE: Mapping[str, str] = {}


class Chain(Struct, frozen=True):
    """The contents of chain.txt."""

    links: tuple[Link, ...]
    files: Mapping[str, str]
    """Path to SHA-256."""


def format_chain(
    links: tuple[Link, ...], files: Mapping[str, bytes], standing: Mapping[str, str] = NONE_THERE
) -> bytes:
    """Format the links and files as the text of chain.txt; of some only the digest is known."""
    digests = {path: digest(content) for path, content in files.items()}
    return _format_text(Chain(links, {**standing, **digests})).encode()


def _format_text(chain: Chain) -> str:
    lines = [line for link in chain.links for line in _format_link(link)]
    file_lines = [f"{value}  {path}" for path, value in sorted(chain.files.items())]
    return _HEAD + "\n".join([*lines, "files", *file_lines]) + "\n"


def _format_link(link: Link) -> list[str]:
    parts = [f"  {part} {value}" for part, value in link.commitments.items()]
    return [
        f"link {link.number} {link.kind} {link.step} after {link.after or _NONE}",
        f"  previous {link.previous}",
        *parts,
        f"  digest {link.digest}",
    ]


def parse_chain(content: bytes) -> Chain:
    """Parse a chain.txt; raises ArchiveTrouble unless it reads exactly as we write it."""
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
    links = tuple(_make_link(*parts) for parts in _LINK.findall(head))
    chain = Chain(links, {path: value for value, path in _FILE.findall(tail)})
    for number, (line, own) in enumerate(
        zip_longest(text.split("\n"), _format_text(chain).split("\n")), 1
    ):
        if line != own:
            raise ArchiveTrouble(
                "chain.txt", f'line {number} is not as this program writes it: "{line or own}"'
            )
    return chain


def _make_link(
    number: str, kind: LinkKind, step: str, after: str, previous: str, parts: str, own: str
) -> Link:
    return Link(
        number=int(number),
        kind=kind,
        step=step,
        after=None if after == _NONE else after,
        commitments=dict(line.split() for line in parts.splitlines()),
        previous=previous,
        digest=own,
    )
