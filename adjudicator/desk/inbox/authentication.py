"""Who writes: what the mail server found out about a sender, and whose key it is."""

import re
from collections.abc import Sequence

_COMMENT = re.compile(r"\([^()]*\)")
_DOMAIN = re.compile(r"header\.(?:d\s*=\s*|i\s*=\s*[^\s;@]*@)([A-Za-z0-9.-]+)")


def dkim_passed(headers: Sequence[str], host: str, sender: str) -> bool:
    """Whether this host says that the sender's own domain signed the letter.

    Only headers at the top count, down to the first that somebody else wrote: what stands below
    came with the letter, and anybody can write it.
    """
    domain = sender.rpartition("@")[2].lower()
    for header in headers:
        server, *results = _COMMENT.sub(" ", header).split(";")
        if (server.split() or [""])[0].lower() != host.lower():
            return False
        if any(_passes(one, domain) for one in results):
            return True
    return False


def _passes(result: str, domain: str) -> bool:
    if not re.match(r"\s*dkim\s*=\s*pass\b", result, re.IGNORECASE):
        return False
    signed = [one.lower().rstrip(".") for one in _DOMAIN.findall(result)]
    return any(domain == one or domain.endswith("." + one) for one in signed if "." in one)
