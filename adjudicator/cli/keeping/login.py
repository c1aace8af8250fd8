"""Ask for consent to read and send a mailbox's letters: login."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click

from adjudicator.adapters.home import choose_settings_file
from adjudicator.adapters.mail.accounts import CheckResult, ImapBox, SmtpOut, find_password
from adjudicator.adapters.mail.check import check_account
from adjudicator.adapters.mail.oauth.consent import (
    Applicant,
    await_code,
    await_visitor,
    begin_visit,
    request_code,
)
from adjudicator.adapters.mail.oauth.http import TokenAnswer, TokenHttp
from adjudicator.adapters.mail.oauth.issuers import find_issuer
from adjudicator.adapters.mail.oauth.loopback import open_loopback
from adjudicator.adapters.mail.troubles import TokenTrouble
from adjudicator.adapters.settings import list_logins, read_settings_file
from adjudicator.cli.terminal.options import format_example, json_option
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.desk.model.errors import Refused

_MINUTES = 15
"""How long a browser may take to come back."""
_ELSEWHERE = (
    "If that browser is on another machine, its last page will not load: copy the address of that"
    " page, paste it here and press Enter."
)


@click.command(
    epilog=format_example(
        "adjudicator login games@example.org",
        "adjudicator login games@example.org --browser --config adjudicator.yaml",
    )
)
@click.argument("mailbox")
@click.option(
    "--config",
    metavar="FILE",
    help="The settings. [ADJUDICATOR_CONFIG, else ./adjudicator.yaml]",
)
@click.option("--browser", is_flag=True, help="Ask without a code, where codes are not allowed.")
@json_option
def login_command(mailbox: str, config: str | None, browser: bool, as_json: bool) -> int:
    """Log in to a mailbox by OAuth: ask its owner for consent, and keep it.

    MAILBOX is the user of a postbox, or of the postman, that has `oauth` in the
    settings. You get an address to open in any browser. The daemon then renews
    its tokens by itself, and writes to you when consent has expired. The login
    is kept in the home that the settings name, in `logins`; backups leave it
    out.
    """
    accounts = _find_accounts(mailbox, config)
    applicant = _apply(accounts[0])
    try:
        by_code = bool(applicant.issuer.device) and not browser
        answer = _ask_by_code(applicant) if by_code else _ask_by_browser(applicant)
        applicant.keep(answer, datetime.now(UTC))
    except TokenTrouble as trouble:
        raise Refused(str(trouble)) from trouble
    results = [one for account in accounts for one in check_account(account)]
    _show(mailbox, results, as_json=as_json)
    return 0 if all(one.well for one in results) else 1


def _find_accounts(mailbox: str, config: str | None) -> Sequence[ImapBox | SmtpOut]:
    """Find the accounts of this user."""
    file = choose_settings_file(config)
    logins = list_logins(read_settings_file(file))
    accounts = [one for one in logins if (one.user or "").casefold() == mailbox.casefold()]
    if not accounts:
        users = sorted({one.user or "" for one in logins})
        others = f"; `oauth` is set for {', '.join(users)}" if users else ": none has `oauth`"
        raise Refused(f"{file} names no mailbox {mailbox} with `oauth`{others}")
    return accounts


def _apply(account: ImapBox | SmtpOut) -> Applicant:
    """Find out whom to ask; raises Refused."""
    oauth = account.oauth
    assert oauth is not None
    secret = find_password(oauth.client_secret) if oauth.client_secret else None
    http = TokenHttp(account.authority)
    try:
        issuer = find_issuer(oauth, http)
    except TokenTrouble as trouble:
        raise Refused(str(trouble)) from trouble
    return Applicant(oauth=oauth, user=account.user or "", secret=secret, issuer=issuer, http=http)


def _ask_by_code(applicant: Applicant) -> TokenAnswer:
    code = request_code(applicant)
    print_note(f"Open {code.place} in any browser and type in this code: {code.code}")
    print_note(
        f"Log in there as {applicant.user} and consent. The code is good for"
        f" {code.seconds / 60:.0f} minutes. Waiting; Ctrl-C stops."
    )
    return await_code(applicant, code)


def _ask_by_browser(applicant: Applicant) -> TokenAnswer:
    with open_loopback() as door:
        visit = begin_visit(f"http://{applicant.issuer.host}:{door.port}")
        print_note(f"Open this address in a browser, log in as {applicant.user} and consent:")
        print_note(f"\n{visit.make_address(applicant)}\n")
        print_note(_ELSEWHERE)
        print_note(f"Waiting for {_MINUTES} minutes; Ctrl-C stops.")
        addresses = door.list_addresses(_MINUTES * 60, _find_keyboard())
        return await_visitor(applicant, visit, addresses, _refuse_address)


def _find_keyboard() -> int | None:
    try:
        return sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):
        return None


def _refuse_address(address: str) -> None:
    """Say so of what was pasted; a browser asks for other things, too."""
    if address.strip() and not address.startswith("/"):
        print_note("This is not the last page of this login. Copy the whole address.")


def _show(mailbox: str, results: Sequence[CheckResult], *, as_json: bool) -> None:
    if as_json:
        print_document({"mailbox": mailbox, "checks": results})
        return
    print_data(f"{mailbox}: consent is kept")
    for one in results:
        print_data(f"{'ok   ' if one.well else 'WRONG'}  {one.what}: {one.words}")
