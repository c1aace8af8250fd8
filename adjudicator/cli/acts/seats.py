"""Who plays: replace, bot, resign, announce, address."""

import click

from adjudicator.cli.acts.transaction import dry_run_option, open_transaction
from adjudicator.cli.terminal.arguments import find_exact_seat, game_argument, seat_argument
from adjudicator.cli.terminal.options import Setting, example, home_option
from adjudicator.cli.terminal.output import print_data
from adjudicator.desk.model.errors import Refused


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
def replace_command(setting: Setting, game: str, seat: str, player: str, dry_run: bool) -> None:  # noqa: FBT001
    """Give SEAT to PLAYER, with a full deadline; what is on file stays.

    PLAYER is a name, an address, or both.
    """
    from adjudicator.desk.requests.replacing import replace_player as hand_over

    name = " ".join(player.split())
    if not name or name.lower() == "bot":
        raise Refused(f'"{player}" is no player\'s name; the bot is seated by `adjudicator bot`')
    with open_transaction(setting, game, dry_run=dry_run) as now:
        found = find_exact_seat(now.game, seat)
        library = now.office.library
        after = hand_over(now.books, library, now.game.id, found, name, at=now.office.at)
    print_data(f"{now.game.id}: {found} is played by {after.player} now.")


@click.command(epilog=example("adjudicator bot ember blue"))
@game_argument
@seat_argument
@dry_run_option
@home_option
@click.pass_obj
def bot_command(setting: Setting, game: str, seat: str, dry_run: bool) -> None:  # noqa: FBT001
    """Give SEAT to the bot; it writes its orders when a step closes."""
    from adjudicator.desk.acts.seats import seat_bot as engage

    with open_transaction(setting, game, dry_run=dry_run) as now:
        found = find_exact_seat(now.game, seat)
        engage(now.books, now.office.library, now.game.id, found, at=now.office.at)
    print_data(f"{now.game.id}: {found} is played by the bot now.")


@click.command(epilog=example("adjudicator resign ember blue"))
@game_argument
@seat_argument
@dry_run_option
@home_option
@click.pass_obj
def resign_command(setting: Setting, game: str, seat: str, dry_run: bool) -> None:  # noqa: FBT001
    """Free SEAT; the setting nmr says who goes on: idle, bot or a substitute."""
    from adjudicator.desk.steps.leave import resign_seat as leave

    with open_transaction(setting, game, dry_run=dry_run) as now:
        found = find_exact_seat(now.game, seat)
        after = leave(now.books, now.office.library, now.game.id, found, by="gm", at=now.office.at)
    whom = {"bot": "is played by the bot now", "idle": "stands idle now"}
    after_words = whom.get(after.kind) or f"is played by {after.player} now"
    print_data(f"{now.game.id}: {found} {after_words}.")


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
def announce_command(
    setting: Setting,
    game: str,
    addresses: tuple[str, ...],
    back: bool,  # noqa: FBT001
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Write to these addresses that GAME is open and how to join it.

    A game that was withdrawn is opened again.
    """
    from adjudicator.desk.acts.announce import announce_game as invite
    from adjudicator.desk.acts.announce import withdraw_game

    if bool(addresses) == back:
        raise click.UsageError("name the addresses to write to, or --back and none")
    with open_transaction(setting, game, dry_run=dry_run) as now:
        books, library, at = now.books, now.office.library, now.office.at
        if back:
            made = withdraw_game(books, library, now.game.id, at=at)
        else:
            made = invite(books, library, now.game.id, addresses, at=at)
    told = "withdrawn; letters about it:" if back else "the announcement goes to"
    print_data(f"{now.game.id}: {told} {len(made)}.")


@click.command(epilog=example("adjudicator address ember blue bob@example.org"))
@game_argument
@seat_argument
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS...")
@dry_run_option
@home_option
@click.pass_obj
def address_command(
    setting: Setting,
    game: str,
    seat: str,
    addresses: tuple[str, ...],
    dry_run: bool,  # noqa: FBT001
) -> None:
    """Send the letters of SEAT's player to these addresses from now on."""
    from adjudicator.desk.acts.seats import change_address as change

    with open_transaction(setting, game, dry_run=dry_run) as now:
        found = find_exact_seat(now.game, seat)
        library = now.office.library
        player = change(now.books, library, now.game.id, found, addresses, at=now.office.at)
    print_data(f"{now.game.id}: letters for {found} go to {', '.join(player.addresses)} now.")
