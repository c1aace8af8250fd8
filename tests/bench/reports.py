"""Reports as their readers get them: text, HTML, pictures; how fast, and how large."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import mean

from adjudicator.adapters.mail.outbound.letter import MimeWriter
from adjudicator.adapters.render.png import Artist, render_png
from adjudicator.adapters.render.printer import Printer, draw_pictures
from adjudicator.cli.wiring import open_own_books
from adjudicator.core.document import decode
from adjudicator.desk.outbox.send import Heading
from tests.at_the_desk import close_step
from tests.bench import table
from tests.bench.books import GAME
from tests.bench.letters import HOUSE
from tests.bench.measures import milliseconds, seconds
from tests.bench.rules import KIND


class Reports:
    """The reports of a step to all its readers; the home is one in which all orders are in."""

    def __init__(self, home: Path) -> None:
        with closing(open_own_books(home)) as office:
            with office.acting() as books:
                closed = close_step(books, office.library, GAME, at=datetime.now(UTC), now=False)
                papers = books.papers(GAME, closed.step.number)
                self._documents = [decode(paper.document) for paper in papers]
                letters = books.letters(GAME, closed.step.number)
                self._letters = [one for one in letters if one.kind == "report"]
            self._library = office.library
            self._game = office.library.kind(KIND).game
            self._printer = Printer(office.library.templates())
        self._artist = Artist(self._printer)
        drawn = draw_pictures(self._printer, self._documents[0], self._game)
        self._drawn = [one.content.decode() for one in drawn]
        self._whole()  # the first one compiles everything

    def measure(self) -> Mapping[str, float]:
        """Reports a second in each form, a picture, and what a report weighs in a mail."""
        number = len(self._documents)
        painted = [milliseconds(partial(render_png.__wrapped__, one)) for one in self._drawn]
        return {
            table.TEXTS: number / seconds(self._texts),
            table.PAGES: number / seconds(self._pages),
            table.WHOLE: number / seconds(self._whole),
            table.PICTURE: mean(painted),
            table.TEXT_WEIGHT: self._texts() / number,
            table.PAGE_WEIGHT: self._pages() / number,
            table.WHOLE_WEIGHT: self._whole() / number,
            table.WEIGHT: mean(self._mails()),
        }

    def _texts(self) -> int:
        made = (self._printer.text("report.txt", one, self._game) for one in self._documents)
        return sum(len(text.encode()) for text in made)

    def _pages(self) -> int:
        made = (self._printer.mail_page("report.html", one, self._game) for one in self._documents)
        return sum(len(page.encode()) for page in made)

    def _whole(self) -> int:
        """All forms; readers of a step share its pictures, which are not there yet."""
        render_png.cache_clear()
        albums = [self._artist(doc, self._game) for doc in self._documents]
        pictures = [album.render(one) for album in albums for one in album.pictures]
        return self._texts() + self._pages() + sum(len(one.content) for one in pictures)

    def _mails(self) -> Iterator[int]:
        """Everything that goes over the wire to a reader who wants all of it but the data."""
        writer = MimeWriter(self._printer, self._library, self._artist)
        for letter in self._letters:
            heading = Heading(
                house=HOUSE,
                to=(HOUSE.address,),
                kind=KIND,
                thread=letter.message_id,
                answers=None,
                date=datetime.now(UTC),
            )
            yield len(writer.write_letter(letter, decode(letter.document), heading))
