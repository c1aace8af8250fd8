"""What mail programs do with styles, in our own words, after the public tables (caniemail.com).

Asked of three: Gmail (web and telephone), Outlook on Windows (which draws with Word), Apple Mail.
"""

from typing import Final, NamedTuple

YES = "yes"
NO = "no, and only looks are lost"
CELLS = "in cells of tables; elsewhere room or a line is lost"
TABLES = "of tables and cells only"
NONE_ONLY = "display: none, and nothing else"


class Taken(NamedTuple):
    """What becomes of a property."""

    gmail: str
    outlook: str
    apple: str


ALL: Final = Taken(YES, YES, YES)
APPLE: Final = Taken(NO, NO, YES)
PROPERTIES: Final = {
    "-webkit-text-size-adjust": APPLE,
    "background-color": ALL,
    "border": Taken(YES, CELLS, YES),
    "border-bottom": Taken(YES, CELLS, YES),
    "border-collapse": ALL,
    "border-left": Taken(YES, CELLS, YES),
    "border-radius": Taken(YES, NO, YES),
    "border-spacing": Taken(YES, NO, YES),
    "border-top": Taken(YES, CELLS, YES),
    "color": ALL,
    "color-scheme": APPLE,
    "display": Taken(YES, NONE_ONLY, YES),
    "font-family": ALL,
    "font-size": ALL,
    "font-weight": ALL,
    "height": Taken(YES, TABLES, YES),
    "line-height": ALL,
    "list-style": ALL,
    "margin": ALL,
    "max-height": Taken(YES, NO, YES),
    "max-width": Taken(YES, TABLES, YES),
    "min-width": Taken(YES, NO, YES),
    "mso-hide": Taken(NO, YES, NO),
    "overflow": Taken(YES, NO, YES),
    "overflow-wrap": Taken(NO, NO, "yes, on the desktop"),
    "overflow-x": Taken(YES, NO, YES),
    "padding": Taken(YES, CELLS, YES),
    "supported-color-schemes": APPLE,
    "table-layout": Taken(YES, NO, YES),
    "text-align": ALL,
    "text-decoration": ALL,
    "text-indent": Taken("unless it is negative", YES, YES),
    "white-space": Taken("on the telephone not `pre`; <pre> is", "no, but <pre> is", YES),
    "width": Taken(YES, TABLES, YES),
}
"""Property -> what becomes of it, for styles that stand at an element."""
ENHANCING: Final = frozenset(name for name, taken in PROPERTIES.items() if taken == APPLE)
"""May stand in the style block outside its media queries; who does not know them loses nothing."""
GMAIL_MOST: Final = 16 * 1024
"""A style block that is longer Gmail throws away."""
