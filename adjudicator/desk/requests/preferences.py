"""Preferences by letter: how a player likes letters, kept for all games."""

from typing import Any

from adjudicator.core.document import Document
from adjudicator.desk.model.context import Context, RequestOutcome, Sender, reject
from adjudicator.desk.model.values import Player
from adjudicator.desk.outbox.reader_preferences import (
    UTC,
    describe_preferences,
    read_preferences,
    with_preferences,
)


def handle_preferences(context: Context, sender: Sender, value: Any) -> RequestOutcome:
    """Save a player's preferences, for all games of this person."""
    player = context.player(sender.seating)
    if player is None:
        return reject(f"Nobody plays {sender.seat}, so there are no preferences to change.")
    preferences, wrong = read_preferences(context, value)
    outcome = RequestOutcome(not_taken=wrong)
    if "seats" in preferences:
        outcome += reject("seats: you already have a seat; this counts only when you join a game.")
    choices = {key: preferences[key] for key in preferences if key != "seats"}
    if not choices:
        return outcome
    context.books.save(with_preferences(player, choices))
    text = f"{sender.seat} changed its preferences"
    context.note("prefer", text, by=sender.by, data={"seat": sender.seat})
    return outcome + RequestOutcome(
        done=(
            (
                f"Your preferences are kept: {describe_preferences(choices)}."
                f"{_describe_untouched(player, choices)}"
            ),
        )
    )


def _describe_untouched(player: Player, changes: Document) -> str:
    """Describe the preferences that stay as they were."""
    on = {**player.preferences, **({"zone": player.zone} if player.zone != UTC else {})}
    rest = {key: on[key] for key in on if key not in changes}
    return f" Unchanged: {describe_preferences(rest)}." if rest else ""
