"""A letter with the GM's key: the GM's requests are done one by one and answered together."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.desk.acts.by_mail import do_gm_words, guess_act, read_act
from adjudicator.desk.inbox.blocks import explain_unreadable, is_of_holder, requests_something
from adjudicator.desk.inbox.letter_task import LetterTask
from adjudicator.desk.inbox.proof import KeyHolder, is_authentic
from adjudicator.desk.model.context import Context, RequestOutcome, current_step, reject
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.outbox.form import answer_part, gm_form, outcome_parts
from adjudicator.desk.outbox.notices import send_answer
from adjudicator.desk.questions.answer import answer_gm
from adjudicator.desk.requests.envelope import GIVEN_AWAY, OrderBlock
from adjudicator.desk.requests.plain_requests import find_request
from adjudicator.desk.requests.press import send_gm_press

_OLD_KEY = (
    "The key in your letter is from an older step, and the letter did not come from an address of "
    "yours; so only its questions were answered."
)
_NOT_READ = '"{}" was not read as a request. {} `ask: help` lists all requests.'
_SUGGESTION = "Did you mean `gm: [{}]`? Reply with that line, with your own names and numbers."
_HOW = "Write requests like `gm: [extend 24h]`, and questions like `ask: status`."


def handle_gm_letter(
    task: LetterTask, holder: KeyHolder, block: OrderBlock, blocks: Sequence[OrderBlock]
) -> Arrival:
    """Do what the GM asks; the answer goes to wherever the server's GM reads letters."""
    context = task.context(holder.game.id)
    if not is_authentic(task, context, registered=task.house.is_gm(task.letter.sender)):
        outcome = reject(
            f"A letter with your key came from {task.letter.sender}; this game wants it from an "
            "address of the GM's, with a signature of its mail server (DKIM) that passes."
        )
        return _answer(task, context, "Your letter was not accepted", outcome, [])
    block = _add_own_lines(task, context, _choose_request(task, holder, block, blocks))
    is_old = holder.step != current_step(context).name
    if is_old and not task.house.is_gm(task.letter.sender):
        block, late = _limit_old_key(block)
    else:
        late = RequestOutcome()
    if not block.envelope.requests and not task.may_tell_again(context.id, GM):
        reason = "a letter without a request, after many today"
        return task.no_answer(reason, game=context.id, seat=GM)
    outcome, parts = _grant(context, block)
    if not block.envelope.requests:
        outcome += _explain_words(task)
    outcome += late + (reject(GIVEN_AWAY) if block.gave_away else RequestOutcome())
    if not task.house.is_gm(task.letter.sender):
        line = f"Your letter came from {task.sender}; it was accepted because of its key."
        outcome += RequestOutcome(done=(line,))
    return _answer(task, context, _make_headline(outcome, parts), outcome, parts)


def _choose_request(
    task: LetterTask, holder: KeyHolder, block: OrderBlock, blocks: Sequence[OrderBlock]
) -> OrderBlock:
    """Choose the first block that requests something: the form may be quoted below a request."""
    of_gm = [one for one in blocks if one is not block and is_of_holder(task, holder, one)]
    asking = (one for one in (block, *of_gm) if not one.is_readable or requests_something(one))
    return next(asking, block)


def _add_own_lines(task: LetterTask, context: Context, block: OrderBlock) -> OrderBlock:
    """Add the acts and questions that stand outside of any block, each as a line of its own.

    Where the block has acts, or questions, they count instead.
    """
    if not block.is_readable:
        return block
    acts = [act for line in task.letter.lines if (act := read_act(line.text))]
    questions = [
        request["ask"]
        for line in task.letter.lines
        if (request := find_request(line.text, context.at.date())) and "ask" in request
    ]
    own = {**({"gm": acts} if acts else {}), **({"ask": questions} if questions else {})}
    requests = {**own, **block.envelope.requests}
    return replace(block, envelope=replace(block.envelope, requests=requests))


def _explain_words(task: LetterTask) -> RequestOutcome:
    """Say how the words of a letter without a request would be written as one."""
    pairs = [(line.text, guess_act(line.text)) for line in task.letter.lines if line.text]
    first_guess = next((one for one in pairs if one[1]), None)
    spoken = first_guess or next((one for one in pairs if len(one[0].split()) > _FEW), None)
    if spoken is None:
        return RequestOutcome()
    line = shorten(spoken[0], 60)
    way_out = _SUGGESTION.format(spoken[1]) if spoken[1] else _HOW
    return RequestOutcome(
        not_taken=(_NOT_READ.format(line, way_out),), subjects=(f"NOT done: {line}",)
    )


_FEW = 2
"""Words of a greeting or a name."""


def _make_headline(outcome: RequestOutcome, parts: list[Document]) -> str:
    """Say what was done or not, for the subject: rejections first."""
    subjects = sorted(outcome.subjects, key=lambda one: not one.startswith("NOT done"))
    if not subjects and outcome.not_taken:
        subjects = [f"NOT done: {outcome.not_taken[0]}"]
    if not subjects:
        return "Answers to your questions" if parts else "Nothing was requested"
    first, *more = subjects
    clauses = [f"{one[0].lower()}{one[1:]}" if one[1].islower() else one for one in more]
    return "; ".join(one.rstrip(".") for one in (first, *clauses))


def _limit_old_key(block: OrderBlock) -> tuple[OrderBlock, RequestOutcome]:
    """Limit a block to its questions, and say what to answer if it holds more."""
    head = block.envelope
    questions = {key: value for key, value in head.requests.items() if key == "ask"}
    limited = replace(block, envelope=replace(head, requests=questions))
    return limited, RequestOutcome() if questions == head.requests else reject(_OLD_KEY)


def _grant(context: Context, block: OrderBlock) -> tuple[RequestOutcome, list[Document]]:
    head, outcome, parts = block.envelope, RequestOutcome(), []
    if unreadable := explain_unreadable(block):
        return reject("Your block could not be read, so nothing was done.", *unreadable), []
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
    whole = [*outcome_parts(outcome, heading="DONE"), *parts]
    if not whole:
        line = "Your letter requested nothing; write a request under `gm:` or `ask:`."
        whole = [answer_part(None, [line])]
    letter = send_answer(context, (), headline, whole, form=gm_form(context), reader=GM)
    return task.answered(letter, "gm", seat=GM)
