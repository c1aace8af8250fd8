"""What a block wishes beside orders: each key with the function that does it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from adjudicator.desk.absent import absent
from adjudicator.desk.ask import ask
from adjudicator.desk.case import Case
from adjudicator.desk.prefer import prefer
from adjudicator.desk.press import press
from adjudicator.desk.receipt import Sender
from adjudicator.desk.wish import Told

__all__ = ["HANDLERS", "Told", "Wish"]

Wish = Callable[[Case, Sender, Any, datetime], Told]
"""wish(case, sender, value, at): the value as it was read, scalars as text."""

HANDLERS: Mapping[str, Wish] = {
    "prefer": prefer,
    "absent": absent,
    "press": press,
    "ask": ask,
}
"""In the order in which they are done, each in a part of the transaction of its own."""
