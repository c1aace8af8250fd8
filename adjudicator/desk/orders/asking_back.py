"""Questions about slips: what a writer probably meant, put on file for whoever replies with yes."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import Grade
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.orders_as_text import describe_entry, spell_orders, write_inline
from adjudicator.core.forms.reading import FreeReading, Reading, Text, find_fallen
from adjudicator.desk.model.context import Context

BESIDE_ORDERS = ("ahead", "forecast",
    "ready", "preview", "clear", "vote", "press", "absent", "prefer", "resign", "ask"
)  # fmt: skip
"""Keys of a block that lines outside it may give, too."""
_ASKED = '"{}" was not taken. Did you mean `{}`? Reply *yes*.'
_ASKED_PART = (
    '"{}" was not understood, so its sentence was not taken. Did you mean `{}` and nothing more? '
    "Reply *yes*, or write it in other words."
)

_ASKED_NOW = (
    "Your letter answers an older one, so its orders were not taken. Did you mean them for {}: "
    "`{}`? Reply *yes*."
)
_ASKED_JOINED = (
    "Orders that you send replace those on file as a whole. Did you mean these to follow them: "
    "`{}`? Reply *yes*."
)


class QuestionBack(Struct, frozen=True, kw_only=True):
    """What a receipt asks, and what is put on file for a player who answers with yes."""

    question: str
    guess: str
    """The keys with slips in them, in a line."""
    keys: Document
    ends_game: bool = False

    @property
    def is_about_orders(self) -> bool:
        """Whether orders depend on the answer, so that the step waits for it."""
        return self.ends_game or any(key not in BESIDE_ORDERS for key in self.keys)


def ask_about_lines(
    context: Context, form: str | None, reading: FreeReading, letter_keys: Document
) -> QuestionBack | None:
    """Ask about slips that can mean one thing; yes files the whole letter as it was meant."""
    if not reading.slips or reading.meant is None:
        return None
    slips = {key for slip in reading.slips for key in slip.meant}
    guess = {key: one for key, one in reading.meant.items() if key in slips}
    if not guess.keys().isdisjoint(letter_keys.keys() - reading.meant.keys()):
        return None
    whole = {**letter_keys, **reading.meant} if any(map(_is_order, guess)) else {}
    orders = {key: one for key, one in whole.items() if _is_order(key)}
    beside = {key: one for key, one in guess.items() if not _is_order(key)}
    if form is not None and is_one_order(context, form, orders):
        guess = {**orders, **beside}
    texts = [slip.text for slip in reading.slips]
    template = _ASKED_PART if any(slip.is_part for slip in reading.slips) else _ASKED
    return _ask(context, form, texts, guess, {**orders, **beside}, template)


def is_one_order(context: Context, form: str, keys: Document) -> bool:
    """Whether these orders are filed together or not at all, so that all wait for an answer."""
    orders = {key: one for key, one in keys.items() if _is_order(key)}
    paths = [(key,) for key in orders]
    return bool(orders) and find_fallen(context.kind.form(form).root, orders, paths).is_whole


def ask_about_form(
    context: Context, form: str, text: Text, reading: Reading
) -> QuestionBack | None:
    """Ask about slips in a form of which some could not be read."""
    if not isinstance(text.value, Mapping):
        return None
    before = reading.orders or {}
    read = context.kind.mend(form, text.value, context.game.seats, BESIDE_ORDERS)
    mended = {key: one for key, one in read.items() if not _is_as_written(text.value, key, one)}
    guess = {key: one for key, one in mended.items() if before.get(key) != one}
    if not guess:
        return None
    places = {finding.path[:1] for finding in reading.findings if finding.path}
    lines = [_quote_line(text.value, str(path[0])) for path in sorted(places)]
    return _ask(context, form, lines, guess, {**before, **mended})


def ask_to_go_on(
    context: Context, seat: Seat, form: str, before: Document, orders: Document
) -> QuestionBack | None:
    """Ask whether a list done in order goes on where the one on file was cut short."""
    lists = find_fallen(context.kind.form(form).root, orders, [(key,) for key in orders]).stopped
    for key in lists:
        old, new = before.get(key) or [], orders[key]
        whole = {**orders, key: [*old, *new]}
        if old and new[:1] != old[:1] and _holds(context, seat, whole):
            line = _write_entry(context, form, key, whole[key])
            return QuestionBack(question=_ASKED_JOINED.format(line), guess=line, keys=whole)
    return None


def ask_for_now(context: Context, seat: Seat, text: Text) -> QuestionBack | None:
    """Ask whether orders that answer an older letter are meant for what is due now."""
    due = context.due.get(seat)
    if due is None or seat in context.on_file:
        return None  # who has sent orders for this step is late with these
    orders = context.kind.read(due.form, text, context.game.seats).orders
    if not orders or not _holds(context, seat, orders):
        return None
    spelled = spell_orders(context.kind.form(due.form), orders)
    line = "; ".join(_write_entry(context, due.form, key, one) for key, one in spelled.items())
    question = _ASKED_NOW.format(context.label(context.open_step()), line)
    return QuestionBack(question=question, guess=line, keys=orders)


def explain_rejection(
    context: Context, seat: Seat, form: str, question: QuestionBack
) -> str | None:
    """Say why what a writer seems to mean would be refused, instead of asking for a yes."""
    if seat not in context.due or not question.is_about_orders:
        return None
    orders = {key: one for key, one in question.keys.items() if _is_order(key)}
    typed_orders = context.kind.read(form, Text(value=orders), context.game.seats).orders
    refusal = _find_refusal(context, seat, typed_orders) if typed_orders else None
    return f"`{question.guess}` would be refused: {refusal}" if refusal else None


def _holds(context: Context, seat: Seat, orders: Document) -> bool:
    """Whether the rules refuse nothing of these orders."""
    return _find_refusal(context, seat, orders) is None


def _find_refusal(context: Context, seat: Seat, orders: Document) -> str | None:
    findings = context.kind.rules.check(context.view(seat), seat, orders)
    bad = (one.message for one in findings if one.grade in (Grade.REFUSED, Grade.UNREADABLE))
    return next(bad, None)


def _ask(
    context: Context,
    form: str | None,
    texts: Sequence[str],
    guess: Document,
    keys: Document,
    template: str = _ASKED,
) -> QuestionBack:
    orders = {key: one for key, one in guess.items() if _is_order(key)}
    beside = {key: _write_word(one) for key, one in guess.items() if not _is_order(key)}
    if form is not None:
        typed_orders = context.kind.read(form, Text(value=orders), context.game.seats).orders
        orders = dict(spell_orders(context.kind.form(form), typed_orders or orders))
    line = "; ".join(
        _write_entry(context, form, key, one) for key, one in {**orders, **beside}.items()
    )
    question = template.format('", "'.join(texts), line)
    return QuestionBack(question=question, guess=line, keys={**keys, **beside})


def _write_entry(context: Context, form: str | None, key: str, value: Any) -> str:
    """Write a key as a letter has it; entries that take braces are said in words."""
    if form is not None and _is_order(key) and isinstance(value, Mapping):
        parts = {name: one if isinstance(one, list) else [one] for name, one in value.items()}
        if not any(isinstance(one, Mapping | list) for part in parts.values() for one in part):
            pairs = (f"{name} {', '.join(map(str, part))}" for name, part in parts.items())
            return f"{key}: {', '.join(pairs)}"
    is_list = form is not None and _is_order(key) and isinstance(value, list)
    if form is None or not is_list or not any(isinstance(one, Mapping) for one in value):
        return write_inline({key: value})
    own = context.kind.form(form)
    words = [
        describe_entry(own, (key, n), one) if isinstance(one, Mapping) else str(one)
        for n, one in enumerate(value)
    ]
    return f"{key}: {'; '.join(words)}"


def _write_word(value: Any) -> Any:
    """Write yes and no as a letter has them."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _is_order(key: str) -> bool:
    return key not in BESIDE_ORDERS


def _is_as_written(value: Mapping[Any, Any], key: str, order: Any) -> bool:
    """Whether a key would be mended to what its writer wrote: something else is wrong with it."""
    return write_inline({key: _write_word(order)}) == _quote_line(value, key)


def _quote_line(value: Mapping[Any, Any], key: str) -> str:
    """Quote what stands under a key, as its writer finds it."""
    own_key = next((one for one in value if str(one) == key), key)
    return shorten(write_inline({key: value.get(own_key)}), 60)
