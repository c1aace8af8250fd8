"""Run the server: serve."""

import click

from adjudicator.cli.terminal.options import Setting, format_example, home_option

EXIT_CODES = """\b
Exit codes:
  0  it was stopped by SIGTERM, SIGINT or Ctrl-C
  1  it could not start or continue: database or home
  2  wrong usage, or the settings are wrong: the file, or a password not found
  4  another daemon took over while this one was unresponsive
"""
_SETTINGS = 2


@click.command(
    epilog=EXIT_CODES + "\n\n" + format_example("adjudicator serve --config adjudicator.yaml")
)
@click.option(
    "--config",
    metavar="FILE",
    help="The settings. [ADJUDICATOR_CONFIG, else ./adjudicator.yaml]",
)
@click.option("--check", is_flag=True, help="Only check the settings and find the passwords.")
@click.option("--only", metavar="ROLES", help="Only some of: post-in,clock,post-out,site.")
@home_option
@click.pass_obj
def serve_command(setting: Setting, config: str | None, check: bool, only: str | None) -> int:
    """Run the server: read letters, keep deadlines, send what is due.

    It runs until it is stopped and can be killed at any time: nothing is lost
    and nothing happens twice. On PostgreSQL any number of daemons share the
    work, on any number of machines; in a home with a database file the second
    one stands by until the first has ended. SIGHUP reads the settings again.
    --only names what this daemon does: read letters (post-in), keep deadlines
    (clock), send letters (post-out), write archives and pages and verify
    (site); others must do the rest, and status says what none does. The log goes to
    standard error; every line that a letter causes has the same trace=ID, from
    fetching to sending. `adjudicator init` writes the settings.
    """
    import asyncio

    from adjudicator.adapters.home import choose_settings_file
    from adjudicator.adapters.settings import read_settings_file
    from adjudicator.cli.serving.daemon import Daemon, open_mail
    from adjudicator.cli.serving.members import choose_roles
    from adjudicator.cli.terminal.output import print_note
    from adjudicator.cli.wiring import Office
    from adjudicator.desk.model.errors import Refused

    file = choose_settings_file(config)
    try:
        settings = read_settings_file(file)
        open_mail(settings)
        roles = choose_roles(only)
    except Refused as refusal:
        print_note(f"Error: {refusal}")
        return _SETTINGS
    if check:
        print_note(f"{file} is valid. `adjudicator doctor` also tries the mail servers.")
        return 0
    office = Office(setting.home or settings.home)
    try:
        return asyncio.run(Daemon(office, file, settings, roles).serve())
    finally:
        office.close()
