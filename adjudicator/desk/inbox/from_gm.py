"""A letter with the GM's key: the GM's words are done one by one and answered together."""

from adjudicator.core.document import Document
from adjudicator.desk.acts.gm_words import do_gm_words
from adjudicator.desk.inbox.authentication import dkim_passed
from adjudicator.desk.inbox.blocks import Candidate, explain_unreadable
from adjudicator.desk.inbox.rate_limit import may_be_told_again
from adjudicator.desk.inbox.results import LetterResult, LetterTask, answered_by, no_answer
from adjudicator.desk.model.context import Context, RequestOutcome, read_context, reject
from adjudicator.desk.model.people import GM
from adjudicator.desk.outbox.answers import answer_document, answer_part, gm_form
from adjudicator.desk.outbox.queue import ANSWER, queue_to_address
from adjudicator.desk.questions.gm import answer_gm
from adjudicator.desk.requests.press import send_gm_press


def by_gm(post: LetterTask, mine: Candidate) -> LetterResult:
    """Do what the GM wants; the answer goes to wherever the GM of the house reads letters."""
    assert mine.holder is not None
    game = mine.holder.game.id
    context = read_context(post.books, post.library, game)
    if not _authentic(post, context):
        told = reject(
            f"A letter with your key came from {post.letter.sender}; this game wants it from an "
            "address of the GM's, with a signature of its mail server (DKIM) that passes."
        )
        return _answer(context, "Your letter was not taken", told, [], post)
    if not mine.envelope.wishes and not may_be_told_again(post.books, game, GM, post.at):
        return no_answer("a letter without a wish, after many today", game=game, seat=GM)
    told, parts = _done(post, context, mine)
    if not post.house.is_gm(post.letter.sender):
        sender = post.letter.sender or "an unknown address"
        told += RequestOutcome(done=(f"Your letter came from {sender}; it was taken for its key.",))
    context = read_context(post.books, post.library, game)
    return _answer(context, "What you wanted", told, parts, post)


def _authentic(post: LetterTask, context: Context) -> bool:
    if context.settings.auth != "dkim":
        return True
    letter, host = post.letter, context.settings.auth_host
    sender = letter.sender or ""
    return post.house.is_gm(sender) and dkim_passed(letter.authentication, host, sender)


def _done(
    post: LetterTask, context: Context, mine: Candidate
) -> tuple[RequestOutcome, list[Document]]:
    envelope, told = mine.envelope, RequestOutcome()
    wishes, parts = dict(envelope.wishes), []
    if not mine.readable:
        told += reject("Your block could not be read, so nothing of it was done.")
        told += RequestOutcome(not_taken=tuple(explain_unreadable(mine)))
    game = context.game.id
    if "gm" in wishes:
        value = wishes.pop("gm")
        told += do_gm_words(
            post.books, post.library, game, value, at=post.at, preview=envelope.preview
        )
        context = read_context(post.books, post.library, game)
    if "press" in wishes:
        value = wishes.pop("press")
        told += (
            RequestOutcome(done=("press: it would be sent; this was a preview.",))
            if envelope.preview
            else send_gm_press(context, value, post.at)
        )
    if "ask" in wishes:
        parts = answer_gm(context, wishes.pop("ask"), post.at)
    if mine.form.value or wishes:
        told += reject(
            "With the GM's key a letter may hold gm, press and ask; orders of a seat go with "
            "`gm: [{submit: {SEAT: {ORDERS}}}]`. The rest was not taken."
        )
    return told, parts


def _answer(
    context: Context, headline: str, told: RequestOutcome, parts: list[Document], post: LetterTask
) -> LetterResult:
    whole = [
        *([answer_part("DONE", told.done)] if told.done else []),
        *([answer_part("REJECTED", told.not_taken)] if told.not_taken else []),
        *parts,
    ]
    if not whole:
        whole = [answer_part(None, ["Your letter held no wish; write one under `gm:` or `ask:`."])]
    document = answer_document(context, None, None, headline, whole, gm_form(context))
    letter = queue_to_address(
        context, (), ANSWER, document, at=post.at, template="answer/1", reader=GM
    )
    return answered_by(letter, "gm", seat=GM)
