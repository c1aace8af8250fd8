"""Short words for tests of games that are open: people who join, their letters, the archive."""

from typing import Any

from msgspec.structs import replace

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer
from adjudicator.desk.model.values import OutgoingLetter
from tests.desk.conftest import GAME, Desk
from tests.desk.wishing import apply, text_of

ADA, BO, CLEO, DAN = "ada@example.org", "bo@example.net", "cleo@example.com", "dan@example.org"
OPEN: dict[str, Any] = {
    "seats": {"red": None, "blue": None, "green": None},
    "start": False,
    "luck": {},
}


def joins(desk: Desk, address: str, name: str, **more: Any) -> None:
    apply(desk, address, name=name, **more)
    assert apply(desk, address, confirmed=True, name=name, **more).done


def letters_to(desk: Desk, address: str) -> list[OutgoingLetter]:
    return [one for one in desk.letters("answer") if one.to == (address,)]


def plain(one: OutgoingLetter) -> str:
    return " ".join(text_of(one).split())


def goes_out(desk: Desk, *letters: OutgoingLetter) -> None:
    """These have gone out."""
    with desk.store.writing() as books:
        for one in letters:
            books.save(replace(one, status="sent", content=b"sent"))


def archive_of(desk: Desk, *, public: bool = False) -> Files:
    folders = [find_data_folder("templates")]
    render = Texts(Printer(folders), desk.library.kind("toy-duel"))
    return pack_archive(desk.see(lambda books: collect_dossier(books, GAME)), render, public=public)
