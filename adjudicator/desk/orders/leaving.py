"""Votes and resignations in a letter: what the receipt says of them, and what they do."""

from collections import Counter

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.events import format_count
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.seats import PLAYER, change_seating
from adjudicator.desk.orders.asking_back import QuestionBack
from adjudicator.desk.requests.envelope import Envelope
from adjudicator.desk.steps.finish import count_votes, vote_decision
from adjudicator.desk.steps.handover import leave_seat

_ENDS_AT_ONCE = (
    "`vote: {0}` ends the game at once, as nobody else who plays here is asked. Is that what you "
    "want? Reply *yes*."
)


def ask_before_end(context: Context, seat: Seat, vote: str | None) -> QuestionBack | None:
    """Ask whether a vote that ends the game is meant, where nobody else has to agree."""
    seatings = context.seatings
    people = [one.seat for one in seatings.values() if one.kind == PLAYER]
    if vote is None or people != [seat] or not ends_game(context, seat, vote):
        return None
    question, line = _ENDS_AT_ONCE.format(vote), f"vote: {vote}"
    return QuestionBack(question=question, guess=line, keys={"vote": vote}, ends_game=True)


def describe_vote(context: Context, seat: Seat, vote: str, would: str) -> str:
    """Describe what the seat's vote is now, and how many have voted so if the settings allow it."""
    if not _is_played(context, seat):
        return f"Nobody plays {seat}, so it has no vote."
    words = f"Your vote {would} now: {vote}."
    if ends_game(context, seat, vote):
        return f"{words} This ends the game."
    if vote == "none" or not context.settings.vote_count:
        return words
    players = [one for one in context.seatings.values() if one.kind == PLAYER]
    votes = Counter(vote if one.seat == seat else one.vote for one in players)
    voters = len(players) if vote == "concede" else len(players) - votes["concede"]
    have = "has" if votes[vote] == 1 else "have"
    verb = "conceded" if vote == "concede" else "voted for it"
    return f"{words} {votes[vote]} of {format_count(voters, 'player')} {have} {verb}."


def ends_game(context: Context, seat: Seat, vote: str) -> bool:
    """Whether this vote of the seat ends the game."""
    if not _is_played(context, seat):
        return False
    after = {**context.seatings, seat: replace(context.seatings[seat], vote=vote)}
    return vote_decision(context.game.seats, after) is not None


def find_farewell(context: Context, seat: Seat, head: Envelope) -> str | None:
    """Find the headline of a receipt after which nothing is due from its reader."""
    if head.vote and ends_game(context, seat, head.vote):
        return "Your vote ends the game"
    return f"You have resigned from {seat}" if head.resign and _is_played(context, seat) else None


def vote_and_resign(context: Context, seat: Seat, head: Envelope, by: str) -> None:
    """Handle the vote and the resignation, after the receipt is written."""
    if not _is_played(context, seat):
        return
    seating = context.seatings[seat]
    if head.vote and head.vote != seating.vote:
        change_seating(context.books, seating, vote=head.vote)
        context.note("vote", f"{seat} changed its vote", by=by)
        if count_votes(context) is not None:
            return
    if head.resign:
        leave_seat(context, seat, by=by)


def _is_played(context: Context, seat: Seat) -> bool:
    seating = context.seatings.get(seat)
    return seating is not None and seating.kind == PLAYER
