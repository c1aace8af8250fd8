"""story.js: what the script of a game's pages knows of the whole game.

`templates/<game>/places.json.j2` says of a report's document which places its picture has, and what
is to be said of some: {all: [place], known: {place: [what it is, who or what is there]}}. A game
without it has no places to point at.
"""

from collections.abc import Mapping

from msgspec import Struct

from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.core.document import decode, encode

STORY_FILE = "story.js"
_TEMPLATE = "places.json"


class Places(Struct, frozen=True):
    """The places of a game's pictures."""

    names: frozenset[str]
    facts: Mapping[str, Mapping[str, object]]
    """What each is, and what was there since which step: {what, was: [(number, words)]}."""


def find_places_of_game(printer: Printer, game: Exhibit) -> Places:
    """Find all places of a game, and what became of them."""
    names: set[str] = set()
    what: dict[str, str] = {}
    was: dict[str, list[tuple[int, str]]] = {}
    for number, scene in enumerate(game.scenes):
        content = decode(printer.text(_TEMPLATE, scene.public, game.templates))
        names |= set(content["all"])
        facts: dict[str, tuple[str, str]] = content["known"]
        what |= {place: words for place, (words, _) in facts.items()}
        for place in was.keys() | facts.keys():
            here = facts.get(place, ("", ""))[1]
            past = was.setdefault(place, [])
            if here != (past[-1][1] if past else ""):
                past.append((number, here))
    places = {place: {"what": what[place], "was": was.get(place, [])} for place in what}
    return Places(frozenset(names), places)


def render_story(game: Exhibit, places: Places) -> bytes:
    """Render the steps, with the pages of their turns, and the places as a script that names them.

    Pages opened from the disk may not read a file of data, but they may run a script.
    """
    steps = [[one.name, one.turn, one.label, one.public["headline"]] for one in game.scenes]
    story = encode({"steps": steps, "places": places.facts})
    return b'"use strict";\nconst STORY = ' + story + b";\n"
