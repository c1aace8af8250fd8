"""Choose the pictures of a letter: first the part that is its reader's, and as many bytes as go.

The whole of that picture is on the web where there is a site. Otherwise it stands further down in
the letter: as a picture, or drawn by letters, which takes less room, or, where there is no room for
either, not at all, since its reader can ask for it. Charts, which a table says in words, come only
where they fit.
"""

from binascii import b2a_qp
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.render.png import Album
from adjudicator.adapters.render.printer import Picture, Rest, Surroundings

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


class _Choice(Struct, frozen=True):
    """What stands on top, what in its place, and where there is more of what is on top."""

    on_top: Picture
    placed: Sequence[Picture] = ()
    rest: Rest = ""


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
    for choice in _list_choices(album, around):
        enclosure = _enclose(album, choice, around, text, write_page)
        if enclosure.fits:
            break
    return enclosure


def _list_choices(album: Album, around: Surroundings) -> Sequence[_Choice]:
    """List what a letter may bring, the best first; the last is what it brings in any case."""
    first, *charts = album.pictures
    if around.site:
        return [_Choice(album.near or first, rest="on the web")]
    if album.near:
        near = album.near
        below = _Choice(near, (first,), "below")
        return [below, _Choice(near, rest="in letters"), _Choice(near, rest="by asking")]
    return [_Choice(first, charts), _Choice(first)]


def _enclose(
    album: Album,
    choice: _Choice,
    around: Surroundings,
    text: str,
    write_page: Callable[[Surroundings], str],
) -> Enclosed:
    """Write the page with a picture on top and others in their places, as sharp as they can be."""
    selection = (choice.on_top, *choice.placed)
    first, *others = (replace(one, source=f"cid:{one.source}") for one in selection)
    page = write_page(replace(around, near=first, rest=choice.rest, pictures=others))
    room = int((_WANTED - _HEADERS - len(text.encode()) - len(b2a_qp(page.encode()))) * _CODED)
    pictures: list[Picture] = []
    for one in selection:
        rest = room - sum(len(other.content) for other in pictures)
        share = _SHARE if choice.placed and one is album.near else 1
        pictures.append(album.render(one, min(max(int(rest * share), 1), _MOST), _CLEAR))
    fits = sum(len(one.content) for one in pictures) <= room
    return Enclosed(page=page, pictures=pictures, fits=fits)
