"""A letter with the GM's key: the GM's words are done one by one and answered together."""

from adjudicator.core.document import Document
from adjudicator.desk.answers import answer, gm_form, part
from adjudicator.desk.authentication import dkim_passed
from adjudicator.desk.callers import may_be_told_again
from adjudicator.desk.candidates import Candidate, unread
from adjudicator.desk.case import Case, look
from adjudicator.desk.gm import gm
from adjudicator.desk.gmask import ask_gm
from adjudicator.desk.house import GM
from adjudicator.desk.letters import ANSWER, to_address
from adjudicator.desk.outcome import Outcome, Post, answered, silence
from adjudicator.desk.press import announce
from adjudicator.desk.wish import Told, refused


def by_gm(post: Post, mine: Candidate) -> Outcome:
    """Do what the GM wants; the answer goes to wherever the GM of the house reads letters."""
    assert mine.holder is not None
    game = mine.holder.game.id
    case = look(post.books, post.library, game)
    if not _authentic(post, case):
        told = refused(
            f"A letter with your key came from {post.letter.sender}; this game wants it from an "
            "address of the GM's, with a signature of its mail server (DKIM) that passes."
        )
        return _answer(case, "Your letter was not taken", told, [], post)
    if not mine.envelope.wishes and not may_be_told_again(post.books, game, GM, post.at):
        return silence("a letter without a wish, after many today", game=game, seat=GM)
    told, parts = _done(post, case, mine)
    if not post.house.is_gm(post.letter.sender):
        sender = post.letter.sender or "an unknown address"
        told += Told(done=(f"Your letter came from {sender}; it was taken for its key.",))
    case = look(post.books, post.library, game)
    return _answer(case, "What you wanted", told, parts, post)


def _authentic(post: Post, case: Case) -> bool:
    if case.settings.auth != "dkim":
        return True
    letter, host = post.letter, case.settings.auth_host
    sender = letter.sender or ""
    return post.house.is_gm(sender) and dkim_passed(letter.authentication, host, sender)


def _done(post: Post, case: Case, mine: Candidate) -> tuple[Told, list[Document]]:
    envelope, told = mine.envelope, Told()
    wishes, parts = dict(envelope.wishes), []
    if not mine.readable:
        told += refused("Your block could not be read, so nothing of it was done.")
        told += Told(not_taken=tuple(unread(mine)))
    game = case.game.id
    if "gm" in wishes:
        value = wishes.pop("gm")
        told += gm(post.books, post.library, game, value, at=post.at, preview=envelope.preview)
        case = look(post.books, post.library, game)
    if "press" in wishes:
        value = wishes.pop("press")
        told += (
            Told(done=("press: it would be sent; this was a preview.",))
            if envelope.preview
            else announce(case, value, post.at)
        )
    if "ask" in wishes:
        parts = ask_gm(case, wishes.pop("ask"), post.at)
    if mine.form.value or wishes:
        told += refused(
            "With the GM's key a letter may hold gm, press and ask; orders of a seat go with "
            "`gm: [{submit: {SEAT: {ORDERS}}}]`. The rest was not taken."
        )
    return told, parts


def _answer(case: Case, headline: str, told: Told, parts: list[Document], post: Post) -> Outcome:
    whole = [
        *([part("DONE", told.done)] if told.done else []),
        *([part("NOT TAKEN", told.not_taken)] if told.not_taken else []),
        *parts,
    ]
    if not whole:
        whole = [part(None, ["Your letter held no wish; write one under `gm:` or `ask:`."])]
    document = answer(case, None, None, headline, whole, gm_form(case))
    letter = to_address(case, (), ANSWER, document, at=post.at, template="answer/1", reader=GM)
    return answered(letter, "gm", seat=GM)
