"""Orders in a file of the GM's own, copied out of a letter: what mail programs did is undone."""

from adjudicator.adapters.letter import mend
from adjudicator.adapters.letter.blocks import attached
from adjudicator.adapters.yamltext import understood
from adjudicator.core.finding import Finding
from adjudicator.core.reading import Text

_WHOLE = 64 * 1024
"""What is longer is no form at all, and is told so as it is."""


def pasted(text: str) -> tuple[Text | tuple[Finding, ...], str]:
    """What was understood, and the lines in which it stands; marks of quotation straight first."""
    if len(text) > _WHOLE:
        return understood(text), text
    source = attached(mend.signs(text), quoted=False).source
    straight = mend.straight(source)
    found = understood(straight)
    if isinstance(found, Text) or straight == source:
        return found, straight
    other = understood(source)
    return (other, source) if isinstance(other, Text) else (found, straight)
