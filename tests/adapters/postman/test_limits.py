"""What mail servers say when too much was sent: everything waits, and nobody is to blame."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from adjudicator.adapters.mail.deliverability.limits import ServerLimit, read_limit
from adjudicator.desk.model.mail import Sent
from tests.adapters.postman.test_smtp_manners import ADA, posting, say
from tests.servers.smtpd import Manners, smtpd

LIMITS = yaml.safe_load(Path(__file__).with_name("limits.yaml").read_text())


@pytest.mark.parametrize("line", LIMITS, ids=[one["says"][:50] for one in LIMITS])
def test_what_servers_say_of_too_many_letters(line: dict[str, Any]) -> None:
    code, _, words = line["says"].partition(" ")
    pause = line.get("pause", 0)
    assert read_limit(int(code), words) == ServerLimit(pause or line.get("wait", 0), bool(pause))


@pytest.mark.parametrize("manner", ["sender", "recipient", "data"])
def test_a_limit_is_no_fault_of_the_letter_wherever_it_is_told(manner: str) -> None:
    said = "550 5.4.5 Daily user sending limit exceeded"
    manners = {
        "sender": Manners(sender=said),
        "recipient": Manners(recipients={ADA: said}),
        "data": Manners(data=said),
    }
    with smtpd(manners[manner]) as server:
        assert say(server.port, posting()) == [(Sent(ADA, "later", said, 3600, True),)]


def test_a_limit_that_is_told_by_a_goodbye_is_one_too() -> None:
    said = "421 4.7.0 Too many messages, slow down. Retry after 900 seconds"
    with smtpd(Manners(sender=said)) as server:
        [[sent]] = say(server.port, posting())
    assert (sent.status, sent.wait, sent.for_all) == ("later", 900, True)
    assert sent.reply.endswith(f"the server answered {said}")
