"""Choose the pictures of a letter: first the part that is its reader's, and as many bytes as go.

The whole of that picture is on the web where there is a site. Otherwise it stands in the letter as
well, or, where there is no room for both, alone in the place of its part. Charts, which a table
says in words, come only where they fit.
"""

from binascii import b2a_qp
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.render.png import Album
from adjudicator.adapters.render.printer import Picture, Surroundings

_WANTED = 90_000
"""Bytes of a whole letter; on a phone it is there at once."""
_MOST = 100_000
"""Bytes of a picture."""
_HEADERS = 2_500
"""Of a letter and its parts."""
_CODED = 0.73
"""Bytes of a picture to those of its letters in base64."""
_CLEAR = 0.9
"""Pixels to a unit, of which a phone shows 720 in 336: what is less clear is hard to read."""
_SHARE = 0.4
"""Of the room for two pictures is the first one's."""


_Choice = tuple[Picture, Sequence[Picture]]
"""What stands on top, and what in its place."""


class Enclosed(Struct, frozen=True, kw_only=True):
    """A page and its pictures."""

    page: str
    pictures: Sequence[Picture] = ()
    """Rendered, in the order in which the page shows them."""
    fits: bool
    """Whether the letter is as short as wanted."""


def enclose_pictures(
    album: Album, around: Surroundings, text: str, write_page: Callable[[Surroundings], str]
) -> Enclosed:
    """Write the page with the pictures that there is room for beside it and the text."""
    if not album.pictures:
        return Enclosed(page=write_page(around), fits=True)
    first, *charts = album.pictures
    if around.site:
        choices: Sequence[_Choice] = [(album.near or first, ())]
    elif album.near:
        choices = [(album.near, (first,)), (first, ())]
    else:
        choices = [(first, charts), (first, ())]
    for choice in choices:
        made = _enclose(album, choice, around, text, write_page)
        if made.fits:
            break
    return made


def _enclose(
    album: Album,
    choice: _Choice,
    around: Surroundings,
    text: str,
    write_page: Callable[[Surroundings], str],
) -> Enclosed:
    """Write the page with a picture on top and others in their places, as sharp as they can be."""
    on_top, placed = choice
    first, *shown = (replace(one, source=f"cid:{one.source}") for one in (on_top, *placed))
    page = write_page(replace(around, near=first, pictures=shown))
    room = int((_WANTED - _HEADERS - len(text.encode()) - len(b2a_qp(page.encode()))) * _CODED)
    made: list[Picture] = []
    for one in (on_top, *placed):
        left = room - sum(len(other.content) for other in made)
        share = _SHARE if placed and one is album.near else 1
        made.append(album.render(one, min(max(int(left * share), 1), _MOST), _CLEAR))
    fits = sum(len(one.content) for one in made) <= room
    return Enclosed(page=page, pictures=made, fits=fits)
