"""Who plays: replace, bot, resign, announce, address."""

import click

from adjudicator.cli.acting import act, dry_run_option
from adjudicator.cli.completing import game_argument, seat_argument
from adjudicator.cli.naming import whole_seat_of
from adjudicator.cli.options import Setting, example, home_option
from adjudicator.cli.output import data
from adjudicator.desk.errors import Refused


@click.command(
    epilog=example(
        "adjudicator replace ember blue bob@example.org",
        "adjudicator replace ember blue 'Bob <bob@example.org>'",
    )
)
@game_argument
@seat_argument
@click.argument("player")
@dry_run_option
@home_option
@click.pass_obj
def replace(setting: Setting, game: str, seat: str, player: str, dry_run: bool) -> None:  # noqa: FBT001
    """Give SEAT to PLAYER, with a full deadline; what is on file stays.

    PLAYER is a name, an address, or both.
    """
    from adjudicator.desk.replace import replace as hand_over

    name = " ".join(player.split())
    if not name or name.lower() == "bot":
        raise Refused(f'"{player}" is no player\'s name; the bot is seated by `adjudicator bot`')
    with act(setting, game, dry_run=dry_run) as now:
        found = whole_seat_of(now.game, seat)
        library = now.office.library
        after = hand_over(now.books, library, now.game.id, found, name, at=now.office.at)
    data(f"{now.game.id}: {found} is played by {after.player} now.")


@click.command(epilog=example("adjudicator bot ember blue"))
@game_argument
@seat_argument
@dry_run_option
@home_option
@click.pass_obj
def bot(setting: Setting, game: str, seat: str, dry_run: bool) -> None:  # noqa: FBT001
    """Give SEAT to the bot; it writes its orders when a step closes."""
    from adjudicator.desk.bot import bot as engage

    with act(setting, game, dry_run=dry_run) as now:
        found = whole_seat_of(now.game, seat)
        engage(now.books, now.office.library, now.game.id, found, at=now.office.at)
    data(f"{now.game.id}: {found} is played by the bot now.")


@click.command(epilog=example("adjudicator resign ember blue"))
@game_argument
@seat_argument
@dry_run_option
@home_option
@click.pass_obj
def resign(setting: Setting, game: str, seat: str, dry_run: bool) -> None:  # noqa: FBT001
    """Free SEAT; the setting nmr says who goes on: idle, bot or a substitute."""
    from adjudicator.desk.resign import resign as leave

    with act(setting, game, dry_run=dry_run) as now:
        found = whole_seat_of(now.game, seat)
        after = leave(now.books, now.office.library, now.game.id, found, by="gm", at=now.office.at)
    whom = {"bot": "is played by the bot now", "idle": "stands idle now"}
    after_words = whom.get(after.kind) or f"is played by {after.player} now"
    data(f"{now.game.id}: {found} {after_words}.")


@click.command(
    epilog=example(
        "adjudicator announce ember ada@example.org bo@example.net",
        "adjudicator announce ember --back",
    )
)
@game_argument
@click.argument("addresses", nargs=-1, metavar="ADDRESS...")
@click.option("--back", is_flag=True, help="Withdraw a game that has not begun; all are told.")
@dry_run_option
@home_option
@click.pass_obj
def announce(
    setting: Setting,
    game: str,
    addresses: tuple[str, ...],
    back: bool,  # noqa: FBT001
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Write to these addresses that GAME is open and how to join it.

    A game that was withdrawn is opened again.
    """
    from adjudicator.desk.announce import announce as invite
    from adjudicator.desk.unannounce import unannounce

    if bool(addresses) == back:
        raise click.UsageError("name the addresses to write to, or --back and none")
    with act(setting, game, dry_run=dry_run) as now:
        books, library, at = now.books, now.office.library, now.office.at
        if back:
            made = unannounce(books, library, now.game.id, at=at)
        else:
            made = invite(books, library, now.game.id, addresses, at=at)
    told = "withdrawn; letters about it:" if back else "the announcement goes to"
    data(f"{now.game.id}: {told} {len(made)}.")


@click.command(epilog=example("adjudicator address ember blue bob@example.org"))
@game_argument
@seat_argument
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS...")
@dry_run_option
@home_option
@click.pass_obj
def address(
    setting: Setting,
    game: str,
    seat: str,
    addresses: tuple[str, ...],
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Send the letters of SEAT's player to these addresses from now on."""
    from adjudicator.desk.address import address as change

    with act(setting, game, dry_run=dry_run) as now:
        found = whole_seat_of(now.game, seat)
        library = now.office.library
        player = change(now.books, library, now.game.id, found, addresses, at=now.office.at)
    data(f"{now.game.id}: letters for {found} go to {', '.join(player.addresses)} now.")
