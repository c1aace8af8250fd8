"""Make the database smaller: vacuum."""

from datetime import timedelta

from adjudicator.adapters.settings import KEEP_LETTERS
from adjudicator.adapters.store.upkeep.vacuum import (
    Freed,
    measure_store,
    shrink_file,
    vacuum_portion,
)
from adjudicator.cli.serving.lease import HomeTaken, locked_home
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import print_data, print_document, print_note, show_progress
from adjudicator.cli.wiring import Office, find_house_settings
from adjudicator.core.events import format_count

_SERVED = (
    "The daemon is running, so the file keeps its size, and what is free in it is used again. "
    "To give it back to the disk, stop the daemon and run this again."
)


@command("adjudicator vacuum")
def vacuum_command(setting: Setting, as_json: bool) -> None:
    """Make the database smaller; nothing that was played is lost.

    Reports, states and orders of older steps are packed together, and letters
    that went out long ago (`keep_letters` in the settings, 90 days) lose their
    bytes and keep their SHA-256. A running daemon does both in time. Without a
    daemon the file is also shrunk.
    """
    office = setting.office
    with office.reading():  # refused where there are no games
        pass
    store, days = office.store, _find_days(office)
    before, freed = measure_store(store), Freed()
    old = office.at - timedelta(days=days)
    with show_progress("Packing"):
        while portion := vacuum_portion(store, before=old, at=office.at):
            freed += portion
    is_shrunk = _shrink(office)
    after = measure_store(store)
    if as_json:
        facts = {"steps": freed.steps, "letters": freed.letters, "freed": freed.size}
        print_document({**facts, "before": before, "after": after, "shrunk": is_shrunk})
        return
    steps = format_count(freed.steps, "step")
    letters = format_count(freed.letters, "letter")
    print_data(f"Packed: {steps}. Dropped the bytes of {letters} older than {days} days.")
    print_data(f"Freed {_format_size(freed.size)}; the database takes {_format_size(after)}.")
    if not is_shrunk and not store.is_shared:
        print_note(_SERVED)


def _find_days(office: Office) -> int:
    settings = find_house_settings(office)
    return settings.keep_letters if settings else KEEP_LETTERS


def _shrink(office: Office) -> bool:
    """Shrink the file unless a daemon uses it; a database server does that by itself."""
    if office.store.is_shared:
        return False
    try:
        with locked_home(office.home.path):
            shrink_file(office.store)
    except HomeTaken:
        return False
    return True


def _format_size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
