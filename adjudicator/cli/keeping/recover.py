"""Continue after a loss around the program: recover."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import click
from msgspec import Struct

from adjudicator.adapters.archive.folder import read_archive_heads
from adjudicator.adapters.archive.places import archive_folder
from adjudicator.adapters.mail.connections import open_postbox
from adjudicator.adapters.mail.inbound.letter import parse_letter
from adjudicator.adapters.settings import ServeSettings
from adjudicator.cli.serving.lease import Lease
from adjudicator.cli.serving.members import boot_seconds
from adjudicator.cli.terminal import questions
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.cli.wiring import Office, find_settings
from adjudicator.desk.inbox.blocks import read_blocks
from adjudicator.desk.inbox.receive import REPEAT, receive_letter
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.epochs import (
    compare_heads,
    has_moved,
    is_cut,
    make_fingerprint,
    number_epoch,
)
from adjudicator.desk.model.errors import Refused, Suggest
from adjudicator.desk.model.mail import Parcel
from adjudicator.desk.model.people import House
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import Epoch, Head
from adjudicator.desk.outbox.keys import issue_open_keys
from adjudicator.desk.outbox.notices import notify_gm
from adjudicator.desk.steps.lock import lock_game
from adjudicator.desk.steps.undo import Renewal, renew_game

_MARGIN = timedelta(hours=1)
"""Clocks of mail servers may be off."""
_LEAP, _LEAP_AGAIN = 100, timedelta(hours=6)
"""Of a copy nobody knows how far the original went, or another copy: its next step has the next
round number, and a later one the longer its last step has been open."""
_LOSS = (
    "Keys in letters already sent become invalid, and what is queued is not sent. Every player "
    "gets a letter with a fresh form."
)


class HomeCondition(Struct, frozen=True, kw_only=True):
    """The faults of a home."""

    faults: tuple[str, ...]
    seen: Mapping[str, Head]
    """The games that journal or archives saw further on than the books."""
    is_copy: bool
    right_secret: bool


@command("adjudicator recover", "adjudicator recover --config adjudicator.yaml --yes")
@click.option("--config", metavar="FILE", help="The daemon's settings; they name the postboxes.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("--yes", is_flag=True, help="Do not ask; do it.")
def recover_command(
    setting: Setting, config: str | None, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Continue after a backup was put back, a home was copied, or the secret was lost.

    Nothing that was mailed since the backup is used twice: keys and dice are new,
    and in games that may have gone on since, the open step gets a new number.
    Letters processed since the backup are read again from the postboxes.
    """
    settings = find_settings(config)
    if settings is not None and config is not None:
        setting.home = setting.home or settings.home
    office = setting.office
    if not (dry_run or yes):
        _ask(office)
    with office.repairing(dry_run=dry_run) as books:
        sentences = _recover(office, books, settings)
        heads = books.heads()
    if not dry_run:
        sentences += _set_aside(office)
        office.journal.restart(office.fingerprint, heads)
    if as_json:
        print_document({"done": sentences, "dry_run": dry_run})
        return
    for line in sentences:
        print_data(line)
    if dry_run:
        print_note("Nothing was changed: this was a dry run.")


def _ask(office: Office) -> None:
    with office.reading() as books:
        faults = _find(office, books).faults
    for fault in faults:
        print_note(fault)
    if not questions.can_ask():
        raise Refused(
            f"{_LOSS} To do it, add --yes", suggest=Suggest("recover", "", flags=("yes",))
        )
    questions.confirm_loss(_LOSS)


def _find(office: Office, books: Books) -> HomeCondition:
    """Find what is wrong; raises Refused if nothing is."""
    remembered = office.journal.read()
    heads = dict(remembered.heads) if remembered else {}
    archived = read_archive_heads(office.home.path, books.games())
    ahead = {**compare_heads(books, heads).ahead}
    for game, head in compare_heads(books, archived).ahead.items():
        if game not in ahead or head.step > ahead[game].step:
            ahead[game] = head
    secret, is_moved = office.find_secret_fault(books), has_moved(books)
    cut = is_cut(books, office.journal.measure())  # so nobody knows which numbers were used
    faults = [office.find_journal_fault(books), office.find_archive_fault(books), secret]
    fault_texts = tuple(str(fault) for fault in faults if fault)
    if not fault_texts:
        raise Refused(f"nothing is to be recovered in {office.home.path}: all is as it was")
    return HomeCondition(
        faults=fault_texts,
        seen=ahead,
        is_copy=office.is_copy(books, remembered) or is_moved or cut,
        right_secret=secret is None or is_moved,
    )


def _recover(office: Office, books: Books, settings: ServeSettings | None) -> list[str]:
    """Recover everything in one transaction; returns what was done, in sentences."""
    condition, house = _find(office, books), settings.house if settings else House()
    lease = Lease.take(office.home.path, books, at=office.at, boot=boot_seconds())
    try:
        sentences = [*_reread(office, books, settings, house)] if condition.right_secret else []
        books.withdraw_all_letters()
        number = number_epoch(books, at=office.at)
        own = make_fingerprint(office.home.secret())
        reason = "; ".join(condition.faults)
        place = office.store.place
        books.save(Epoch(number=number, since=office.at, reason=reason, secret=own, place=place))
        sentences += [_renew(office, books, game.id, condition, number) for game in books.games()]
        missing = sorted(set(condition.seen) - set(books.game_names()))
        sentences += [
            f"{game}: it is not in the database; import it from its archive" for game in missing
        ]
        notify_gm(books, house, "The server was recovered", sentences, at=office.at)
        lease.give_back(books, at=office.at, boot=boot_seconds())
    finally:
        lease.unlock()
    return sentences


def _renew(office: Office, books: Books, game: str, condition: HomeCondition, epoch: int) -> str:
    context = lock_game(books, office.library, game, at=office.at)
    beyond = context.game.next_number - 1
    if condition.is_copy:
        beyond = (beyond // _LEAP + 1 + _count_leaps(context)) * _LEAP - 1
    head = condition.seen.get(game)
    reopen = condition.is_copy or head is not None
    beyond = max(beyond, head.step if head else 0)
    return renew_game(context, Renewal(epoch=epoch, reopen=reopen, beyond=beyond))


def _count_leaps(context: Context) -> int:
    if context.game.open_step is None:
        return 0
    return max(0, (context.at - context.open_step().opened) // _LEAP_AGAIN)


def _set_aside(office: Office) -> list[str]:
    """Move archives that are ahead of the store out of the way: nothing else has their steps."""
    with office.reading() as books:
        games = {game.id: game for game in books.games()}
        archived = read_archive_heads(office.home.path, games.values())
        ahead = compare_heads(books, archived).ahead
    sentences = []
    for game, head in ahead.items():
        folder = archive_folder(office.home.path, games[game])
        new_folder = folder.with_name(f"{folder.name}.{head.digest[:8]}")
        folder.rename(new_folder)
        sentences.append(f"{game}: the archive of the time that is lost is kept in {new_folder}")
    return sentences


def _reread(
    office: Office, books: Books, settings: ServeSettings | None, house: House
) -> Sequence[str]:
    """Read letters again that the store lacks; returns sentences on the outcome."""
    if settings is None:
        return ["no settings name a postbox, so no letters were read again"]
    last = books.last_arrival()
    since = last.arrived if last else min(one.created for one in books.games())
    parcels = _fetch(settings, since - _MARGIN)
    issue_open_keys(books, office.home.secret())
    outcomes = [_receive(office, books, house, parcel) for parcel in parcels]
    repeats = outcomes.count(REPEAT)
    unread = outcomes.count("")
    sentences = [f"letters read again: {len(outcomes) - repeats - unread}"]
    if unread:
        sentences.append(f"letters left unread, since the GM wrote them or they failed: {unread}")
    return sentences


def _fetch(settings: ServeSettings, since: datetime) -> list[Parcel]:
    parcels: list[Parcel] = []
    for box in settings.postboxes:
        postbox = open_postbox(box)
        try:
            parcels += postbox.reread(since)
        finally:
            postbox.close()
    return sorted(parcels, key=lambda one: one.arrived)


def _receive(office: Office, books: Books, house: House, parcel: Parcel) -> str:
    """Receive a letter; returns the effect, empty for requests of the GM and for failures."""
    letter = parse_letter(parcel.readable, parcel.size)
    if any("gm" in one.envelope.requests for one in read_blocks(letter.blocks)):
        return ""
    try:
        with books.part():
            return receive_letter(
                books,
                office.library,
                letter,
                house=house,
                secret=office.home.secret(),
                arrived=parcel.arrived,
                at=office.at,
            ).outcome
    except Exception:  # one letter must not keep the others from being read
        return ""
