"""Orders in a file of the GM's own, copied out of a letter: what mail programs did is undone."""

from adjudicator.adapters.letter import mend
from adjudicator.adapters.letter.blocks import attached, find
from adjudicator.adapters.letter.quoting import lines
from adjudicator.adapters.yamltext import understood
from adjudicator.core.finding import Finding
from adjudicator.core.reading import Text

_WHOLE = 64 * 1024
"""What is longer is no form at all, and is told so as it is."""


def pasted(text: str) -> tuple[Text | tuple[Finding, ...], str]:
    """What was understood, and the lines in which it stands; a whole letter holds one form."""
    if len(text) > _WHOLE:
        return understood(text), text
    found, source = _read(attached(mend.signs(text), quoted=False).source)
    if isinstance(found, Text) and not isinstance(found.value, str):
        return found, source
    inside = find(lines(mend.signs(text)))
    return _read(inside[0].source) if len(inside) == 1 else (found, source)


def _read(source: str) -> tuple[Text | tuple[Finding, ...], str]:
    """With the marks of quotation made straight first, then as it is."""
    straight = mend.straight(source)
    found = understood(straight)
    if isinstance(found, Text) or straight == source:
        return found, straight
    other = understood(source)
    return (other, source) if isinstance(other, Text) else (found, straight)
