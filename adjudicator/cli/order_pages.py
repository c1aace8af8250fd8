"""Write the page on which a seat chooses its orders: form GAME --seat --page."""

from pathlib import Path

from adjudicator.adapters.files import replace_file
from adjudicator.adapters.render.order_page import collect_page_data, list_pages, render_order_page
from adjudicator.cli.terminal.arguments import find_game, find_seat
from adjudicator.cli.terminal.output import print_data, print_note
from adjudicator.cli.wiring import Office, find_server_address
from adjudicator.core.document import Document, Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.outbox.keys import save_key
from adjudicator.desk.outbox.papers import position_document


def write_order_page(office: Office, name: str, seat: str, file: Path) -> None:
    """Write the page of a seat for the step that is open, with the seat's key in it."""
    with office.reading() as books:
        game = find_game(books, name)
        who = find_seat(game, seat)
    if game.kind not in list_pages(office.printer):
        raise Refused(f"orders of {game.kind} cannot be chosen on a page yet; send the form")
    office.record_look(game.id, f"the page of orders for {who}")
    data = _collect_data(office, game.id, who)
    replace_file(file, render_order_page(office.printer, game.kind, data))
    print_data(str(file))
    print_note(f"It holds the key of {who}: give it to that player alone.")


def _collect_data(office: Office, game: str, seat: Seat) -> Document:
    with office.acting() as books:
        context = Context(books, office.library, game, office.at)
        seating = context.seatings.get(seat)
        if seating is None or seating.kind != PLAYER:
            raise Refused(f"{game}: nobody plays {seat}, so nobody needs a page")
        document = position_document(context, seat)
        key = save_key(
            books,
            office.secret(books),
            game=game,
            seat=seat,
            seating=seating.number,
            step=context.open_step().name,
        )
    form = document["form"]
    whole = {**document, "form": {**form, "envelope": {**form["envelope"], "key": key}}}
    data = collect_page_data(whole, find_server_address(office), f"[{game}] orders")
    if data is None:
        raise Refused(f"{game}: {seat} owes no orders now, so there is nothing to choose")
    return data
