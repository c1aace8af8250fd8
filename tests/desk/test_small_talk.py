"""Greetings and other small talk beside clear orders: the orders count."""

import pytest

from tests.desk.mailing import Mail
from tests.desk.test_just_reply import mail as mail  # noqa: PLC0414 - a fixture
from tests.desk.test_just_reply import on_file, send


@pytest.mark.parametrize(
    "text", ["Please pass my regards to blue.", "Send my love to Bo!", "Please say hello to blue"]
)
def test_greetings_to_be_passed_on_are_named_and_the_orders_below_them_count(
    mail: Mail, text: str
) -> None:
    receipt = send(mail, f"Hi,\n\n{text}\n\nbuild: max\ntech: {{advance: jump}}\n\nAda")
    assert on_file(mail) == {"build": "max", "tech": {"advance": ["jump"]}}
    assert receipt["standing"]["ready"] is True
    assert receipt["ignored"] == [
        f'"{text}" was not sent to anybody: `to blue: your words` sends a message.'
    ]


def test_who_passes_beside_orders_is_told_why_that_cannot_be_and_not_asked(mail: Mail) -> None:
    receipt = send(mail, "I pass.\n\nbuild: 2")
    assert (receipt["asked"], on_file(mail)) == (None, {"build": 2})
    assert receipt["standing"]["ready"] is False
    (refused, _) = receipt["entries"]
    assert "to pass is to give no orders" in str(refused)
