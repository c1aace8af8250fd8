"""Where the page of a turn lies on a site: the site writes it there, and letters lead to it."""

import re
from collections.abc import Mapping
from typing import Any

_NUMBER = re.compile(r"\d+")


def locate_turn_page(document: Mapping[str, Any]) -> str:
    """Return the path of a report's turn below the top of a site: `jump-wars/ember/turn/17.html`.

    What comes before the first turn is turn 0.
    """
    found, game = _NUMBER.search(str(document["turn"])), document["game"]
    return f"{game['kind']}/{game['id']}/turn/{int(found[0]) if found else 0}.html"


def link_turn_page(document: Mapping[str, Any], site: str) -> str:
    """Make the address of a report's turn on the web, at its step; empty without a site."""
    return f"{site}/{locate_turn_page(document)}#{document['step']}" if site else ""
