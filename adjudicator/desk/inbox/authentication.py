"""Who writes: what the mail server found out about a sender, as RFC 8601 writes it down.

authres, the library for this header, reads on behind a comment that never ends, fails with a
RecursionError on nested ones, and takes headers for unreadable in which a server is not named.
"""

import re
from collections.abc import Iterator, Sequence

_PIECE = re.compile(r""";|"(?:[^"\\]|\\.)*"|[^;"()\\]+""", re.DOTALL)
_PARENTHESIS = re.compile(r"\\.|[()]", re.DOTALL)
_PAIR = re.compile(
    r"""\s*([a-z0-9][a-z0-9._/-]*)\s*=\s*("(?:[^"\\]|\\.)*"(?:@[^\s"]+)?|[^\s"]*)(?:\s+|$)""",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LONGEST = 8_000
_UNNAMED = "-"
"""The setting for a mail server that does not write its name, as Exchange Online does not."""

Pair = tuple[str, str]
"""A name and its value, as in dkim=pass."""


class _UnreadableError(Exception):
    """The header does not follow the standard; nothing in it is trusted."""


def dkim_passed(headers: Sequence[str], host: str, sender: str) -> bool:
    """Whether this host says that the sender's very own domain signed the letter.

    Only the topmost header counts, and only if the host wrote it: what stands below may have come
    with the letter, and anybody can write that.
    """
    domain = sender.rpartition("@")[2].lower()
    if not headers or not domain:
        return False
    try:
        server, results = _read_results(headers[0])
    except _UnreadableError:
        return False
    return server == host.lower() and any(_is_pass(pairs, domain) for pairs in results)


def _is_pass(pairs: Sequence[Pair], domain: str) -> bool:
    """Whether a result says that a signature of this domain, and of no other, is good."""
    if pairs[0] not in (("dkim", "pass"), ("dkim/1", "pass")):
        return False
    signers = [value for name, value in pairs if name == "header.d"]
    # Gmail and Yahoo give the identity alone, which lies in the signer's domain (RFC 6376, 3.5)
    signers = signers or [value.rpartition("@")[2] for name, value in pairs if name == "header.i"]
    return bool(signers) and set(signers) == {domain}


def _read_results(header: str) -> tuple[str, list[list[Pair]]]:
    """Read the server's name and its results: each begins with the method and what it found."""
    first, *rest = _split_statements(header[: _LONGEST + 1])
    server, *version = first.split() or [""]
    if "=" in first:
        server, version, rest = _UNNAMED, [], [first, *rest]
    elif version not in ([], ["1"]):
        raise _UnreadableError
    results = (list(_read_pairs(one)) for one in rest if one.strip() not in ("", "none"))
    return server, list(results)


def _read_pairs(statement: str) -> Iterator[Pair]:
    at = 0
    while at < len(statement):
        pair = _PAIR.match(statement, at)
        if pair is None:
            raise _UnreadableError
        name, value = pair.groups()
        is_quoted = value.startswith('"') and value.endswith('"')
        yield name, _ESCAPED.sub(r"\1", value[1:-1]) if is_quoted else value
        at = pair.end()


def _split_statements(header: str) -> list[str]:
    """Split the text at its semicolons, without comments."""
    statements, at = [""], 0
    while at < len(header):
        if header[at] == "(":
            at = _skip_comment(header, at)
            statements[-1] += " "
            continue
        piece = _PIECE.match(header, at)
        if piece is None:
            raise _UnreadableError
        if piece.group() == ";":
            statements.append("")
        else:
            statements[-1] += piece.group()
        at = piece.end()
    if len(header) > _LONGEST or not all(one.isascii() for one in statements):
        raise _UnreadableError
    return [one.lower() for one in statements]


def _skip_comment(header: str, at: int) -> int:
    """Skip the comment that begins here; comments nest."""
    depth = 0
    for mark in _PARENTHESIS.finditer(header, at):
        depth += {"(": 1, ")": -1}.get(mark.group(), 0)
        if depth == 0 and header.count('"', at, mark.end()) % 2 == 0:
            return mark.end()
        if depth == 0:  # the parenthesis is inside quotes, such as in an address
            break
    raise _UnreadableError
