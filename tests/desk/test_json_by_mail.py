"""Who writes a tool gets the report as data beside the letter, as the archive has it."""

from hashlib import sha256

import pytest

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer
from tests.desk.conftest import GAME
from tests.desk.mailing import Mail, form, ordering, words
from tests.desk.post import Post


@pytest.fixture
def mail(post: Post) -> Mail:
    return Mail(post)


def _archive(mail: Mail) -> dict[str, bytes]:
    folders = [find_data_folder("templates")]
    texts = Texts(Printer(folders), mail.desk.library.kind("toy-duel"))
    dossier = mail.desk.see(lambda books: collect_dossier(books, GAME))
    return dict(pack_archive(dossier, texts))


def test_a_wish_by_letter_brings_every_later_report_as_data(mail: Mail) -> None:
    first = mail.last("ada@example.org")
    assert not list(first.iter_attachments())
    wish = ordering(form(words(first)), "play: owl", "prefer: {json: true}")
    assert mail.write("ada@example.org", wish, first).reason == "taken"
    mail.desk.close()

    report = mail.last("ada@example.org")
    (data,) = report.iter_attachments()
    assert data.get_content_type() == "application/json"
    assert data.get_filename() == "report-2.json"
    assert data.get_content_disposition() == "attachment"
    assert report.get_body(("plain",)) is not None
    assert not list(mail.last("bo@example.org").iter_attachments())

    files = _archive(mail)
    (path,) = [name for name in files if name.endswith("pick/red/report.json")]
    assert data.get_content() == files[path]
    listed = f"{sha256(data.get_content()).hexdigest()}  {path}"
    assert listed in files["chain.txt"].decode(), "so its reader can look it up in the chain"


def test_who_has_enough_of_it_says_so(mail: Mail) -> None:
    for wanted, attached in (("true", 1), ("false", 0)):
        letter = mail.last("ada@example.org")
        wish = ordering(form(words(letter)), f"prefer: {{json: {wanted}}}")
        mail.write("ada@example.org", wish, letter)
        mail.desk.close()
        assert len(list(mail.last("ada@example.org").iter_attachments())) == attached
