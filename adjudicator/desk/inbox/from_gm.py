"""A letter with the GM's key: the GM's requests are done one by one and answered together."""

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.desk.acts.by_mail import do_gm_words
from adjudicator.desk.inbox.blocks import explain_unreadable
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.inbox.proof import KeyHolder, is_authentic
from adjudicator.desk.model.context import Context, RequestOutcome, current_step, reject
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.form import answer_part, gm_form, outcome_parts
from adjudicator.desk.outbox.notices import send_answer
from adjudicator.desk.questions.answer import answer_gm
from adjudicator.desk.requests.envelope import GIVEN_AWAY, OrderBlock
from adjudicator.desk.requests.press import send_gm_press

_OLD_KEY = (
    "The key in your letter is from an older step, and the letter did not come from an address of "
    "yours; so only its questions were answered."
)


def handle_gm_letter(task: LetterTask, holder: KeyHolder, block: OrderBlock) -> Arrival:
    """Do what the GM asks; the answer goes to wherever the server's GM reads letters."""
    context = task.context(holder.game.id)
    if not is_authentic(task, context, registered=task.house.is_gm(task.letter.sender)):
        outcome = reject(
            f"A letter with your key came from {task.letter.sender}; this game wants it from an "
            "address of the GM's, with a signature of its mail server (DKIM) that passes."
        )
        return _answer(task, context, "Your letter was not accepted", outcome, [])
    is_old = holder.step != current_step(context).name
    if is_old and not task.house.is_gm(task.letter.sender):
        block, late = _limit_old_key(block)
    else:
        late = RequestOutcome()
    if not block.envelope.requests and not task.may_tell_again(context.id, GM):
        reason = "a letter without a request, after many today"
        return task.no_answer(reason, game=context.id, seat=GM)
    outcome, parts = _grant(context, block)
    outcome += late + (reject(GIVEN_AWAY) if block.gave_away else RequestOutcome())
    if not task.house.is_gm(task.letter.sender):
        line = f"Your letter came from {task.sender}; it was accepted because of its key."
        outcome += RequestOutcome(done=(line,))
    return _answer(task, context, _make_headline(outcome, parts), outcome, parts)


def _make_headline(outcome: RequestOutcome, parts: list[Document]) -> str:
    """Say what was done or not, for the subject: rejections first."""
    said = sorted(outcome.subjects, key=lambda one: not one.startswith("NOT done"))
    if not said and outcome.not_taken:
        said = [f"NOT done: {outcome.not_taken[0]}"]
    if not said:
        return "Answers to your questions" if parts else "Nothing was requested"
    clauses = [f"{one[0].lower()}{one[1:]}" if one[1].islower() else one for one in said]
    return "; ".join(one.rstrip(".") for one in clauses)


def _limit_old_key(block: OrderBlock) -> tuple[OrderBlock, RequestOutcome]:
    """Limit a block to its questions, and say what to answer if it holds more."""
    head = block.envelope
    asked = {key: value for key, value in head.requests.items() if key == "ask"}
    limited = replace(block, envelope=replace(head, requests=asked))
    return limited, RequestOutcome() if asked == head.requests else reject(_OLD_KEY)


def _grant(context: Context, block: OrderBlock) -> tuple[RequestOutcome, list[Document]]:
    head, outcome, parts = block.envelope, RequestOutcome(), []
    if not block.is_readable:
        outcome += reject("Your block could not be read, so nothing was done.")
        outcome += reject(*explain_unreadable(block))
    requests = dict(head.requests)
    if "gm" in requests:
        outcome += do_gm_words(context, requests.pop("gm"), preview=head.preview)
    if "press" in requests:
        value = requests.pop("press")
        outcome += (
            RequestOutcome(done=("press: it would be sent; this was a preview.",))
            if head.preview
            else send_gm_press(context, value)
        )
    if "ask" in requests:
        parts = answer_gm(context, requests.pop("ask"))
    if block.form.value or requests:
        outcome += reject(
            "With the GM's key a letter may contain gm, press and ask; orders of a seat go with "
            "`gm: [{submit: {SEAT: {ORDERS}}}]`. The rest was ignored."
        )
    return outcome, parts


def _answer(
    task: LetterTask,
    context: Context,
    headline: str,
    outcome: RequestOutcome,
    parts: list[Document],
) -> Arrival:
    whole = [*outcome_parts(outcome, done="DONE"), *parts]
    if not whole:
        line = "Your letter requested nothing; write a request under `gm:` or `ask:`."
        whole = [answer_part(None, [line])]
    letter = send_answer(context, (), headline, whole, form=gm_form(context), reader=GM)
    return task.answered(letter, "gm", seat=GM)
