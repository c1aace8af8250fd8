"""What the site says of a game in a sentence."""

from adjudicator.adapters.site.exhibit import Exhibit
from adjudicator.desk.values import Status

_STATES = {
    Status.OPEN: "open, not begun",
    Status.RUNNING: "being played",
    Status.PAUSED: "paused",
    Status.OVER: "finished",
}


def state(game: Exhibit) -> str:
    """Where the game stands as a whole."""
    return _STATES[Status(game.status)]


def said(game: Exhibit) -> str:
    """How the game ended, or what happened last."""
    if game.over:
        return str(game.over["text"])
    return str(game.scenes[-1].public["headline"]) if game.scenes else "The game has not begun."


def turns(game: Exhibit) -> str:
    """How far it has come: `turn 7`."""
    return str(game.scenes[-1].public["turn"]) if game.scenes else ""
