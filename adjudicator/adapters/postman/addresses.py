"""What may stand behind RCPT TO at all."""

import re

_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff<>]")


def fit(address: str) -> bool:
    """No line ends, brackets or other things that a server would take for a command."""
    return bool(address.strip()) and not _UNFIT.search(address)


def fit_pair(sender: str, recipient: str) -> bool:
    """Both of them; an empty sender is one that wants no answer (RFC 3834, 3.3)."""
    return fit(recipient) and (not sender or fit(sender))
