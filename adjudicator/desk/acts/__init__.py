"""The table of everything a GM can do; the module of an act is imported when it is used."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from adjudicator.desk.acts.act import Act

SETUP = "Before and after the game"
PEOPLE = "People"
RUN = "Time and orders"
REPAIR = "Put things right"


class ListedAct(NamedTuple):
    """An act as the table lists it; help pages are made of this alone."""

    module: str
    """The module of desk/acts with its declaration, ACT_ and its name."""
    group: str
    help: str


TABLE: Mapping[str, ListedAct] = {
    "start": ListedAct("start", SETUP, "Start an open game."),
    "announce": ListedAct("announce", SETUP, "Announce an open game, and how to join."),
    "archive": ListedAct("end", SETUP, "Take a finished game out of the lists."),
    "delete": ListedAct("end", SETUP, "Delete a game, after writing its archive."),
    "address": ListedAct("seats", PEOPLE, "Change where a player gets letters."),
    "replace": ListedAct("seats", PEOPLE, "Give a seat to somebody else."),
    "bot": ListedAct("seats", PEOPLE, "Give a seat to the bot."),
    "resign": ListedAct("seats", PEOPLE, "Free the seat of somebody who leaves."),
    "message": ListedAct("notes", PEOPLE, "Write to players."),
    "submit": ListedAct("open_step", RUN, "File orders for a player."),
    "close": ListedAct("open_step", RUN, "Adjudicate the open step."),
    "remind": ListedAct("open_step", RUN, "Remind players whose orders are missing."),
    "extend": ListedAct("calendar", RUN, "Move the deadline of the open step."),
    "pause": ListedAct("calendar", RUN, "Stop the clock."),
    "resume": ListedAct("calendar", RUN, "Resume the clock."),
    "adjust": ListedAct("adjust", RUN, "Change the settings of a game."),
    "undo": ListedAct("perform", REPAIR, "Undo the last act, or a numbered one."),
    "edit": ListedAct("edit", REPAIR, "Change the position by a ruling."),
    "rollback": ListedAct("rollback", REPAIR, "Go back to an earlier step."),
    "end": ListedAct("end", REPAIR, "End a game before its rules do."),
    "note": ListedAct("notes", REPAIR, "Add a note to the history."),
    "accept": ListedAct("notes", REPAIR, "Continue a game under changed rules."),
}
"""Every act by its name, in the order of the help pages and of the GM's guide."""


def find_act(name: str) -> "Act":
    """Find the act of this name, as its module declares it."""
    module = import_module(f"{__name__}.{TABLE[name].module}")
    act: Act = getattr(module, f"ACT_{name.upper()}")
    return act
