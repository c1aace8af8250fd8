"""What the site says of a game in a sentence."""

from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.adapters.site.sheet import GameSheet
from adjudicator.desk.model.values import Status

_STATES = {
    Status.OPEN: "open, not begun",
    Status.RUNNING: "being played",
    Status.PAUSED: "paused",
    Status.OVER: "finished",
}


def describe_status(game: Exhibit) -> str:
    """Where the game stands as a whole."""
    return _state(game.status, begun=bool(game.scenes))


def describe_sheet_status(sheet: GameSheet) -> str:
    """The same of a game that was written before."""
    return _state(sheet.status, begun=bool(sheet.steps))


def _state(status: str, *, begun: bool) -> str:
    if status == Status.OVER and not begun:
        return "withdrawn"
    return _STATES[Status(status)]


def describe_result(game: Exhibit) -> str:
    """How the game ended, or what happened last."""
    if game.over:
        return str(game.over["text"])
    if game.scenes:
        return str(game.scenes[-1].public["headline"])
    withdrawn = game.status == Status.OVER
    return "The game was withdrawn." if withdrawn else "The game has not begun."


def describe_waiting(game: Exhibit) -> str:
    """What the players of a running game owe now; the pages are too old to know by when."""
    due = game.scenes[-1].public["due"] if game.scenes and not game.over else None
    return str(due["what"]) if due else ""
