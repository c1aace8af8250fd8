"""What a block wishes beside orders: each key with the function that does it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from adjudicator.desk.case import Case
from adjudicator.desk.receipt import Sender
from adjudicator.desk.wish import Told


Wish = Callable[[Case, Sender, Any, datetime], Told]
"""wish(case, sender, value, at): the value as it was read, scalars as text."""

HANDLERS: Mapping[str, Wish] = {}
"""In the order in which they are done, each in a part of the transaction of its own."""
