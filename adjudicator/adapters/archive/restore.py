"""Taking a game over from an archive: the database is built up again."""

from adjudicator.adapters.archive.read import Archive
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Player


def restore(books: Books, archive: Archive) -> tuple[str, ...]:
    """Write the archived game into the books; tells what the GM must do now."""
    dossier = archive.dossier
    record = dossier.record
    game = record.game
    _refuse(books, archive)
    books.add_game(game)
    strangers = _players(books, archive)
    for seating in dossier.seatings:
        books.save_seating(seating)
    for step in record.steps:
        books.save_step(step)
    for orders in record.orders:
        books.save_orders(orders)
    for paper in record.papers:
        books.save_paper(paper)
    for link in record.links:
        books.save_link(game.id, link)
    for note in dossier.notes:
        books.save_note(note)
    if not strangers:
        return ()
    return (f"no address is known of {', '.join(strangers)}: the archive holds none",)


def _players(books: Books, archive: Archive) -> list[str]:
    """Whoever sits in the game gets into the books; tells of whom nothing but a name is known."""
    dossier = archive.dossier
    known = {player.name for player in books.players()}
    for player in dossier.players:
        if player.name not in known:
            books.save_player(player)
    known |= {player.name for player in dossier.players}
    seated = {seating.player for seating in dossier.seatings if seating.player}
    strangers = sorted(seated - known)
    for name in strangers:
        books.save_player(Player(name=name))
    return strangers


def _refuse(books: Books, archive: Archive) -> None:
    game = archive.dossier.record.game.id
    if not archive.whole or not archive.opened:
        raise Refused(
            f"{game}: a running game can only be taken over from its full archive, private.yaml"
            " included; this one holds no seed"
        )
    try:
        books.game(game)
    except Unknown:
        return
    raise Refused(f"{game}: there is a game of this name already; import into another --home")
