"""Forecast what orders would bring, over positions that the seat imagines."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.document import Document, Seat, encode
from adjudicator.core.events import list_visible
from adjudicator.desk.model.context import Context
from adjudicator.desk.outbox.form import seat_form
from adjudicator.desk.outbox.past_reports import facts_now
from adjudicator.desk.outbox.report import ReportedStep, complete_report, make_game_part
from adjudicator.desk.questions.imagined import play_imagined

_LEAST = 0.05
"""What happens in fewer of them is left out."""
_MOST = 12
"""So much is told besides what happens in the likeliest position."""


def forecast_document(
    context: Context, seat: Seat, orders: Document, others: Mapping[Seat, Document]
) -> Document:
    """Make a report of what these orders would bring, with how often it would."""
    parts = _imagine_parts(context, seat, orders, others)
    counts = Counter(line for part in parts for line in _list_lines(part))
    likely = max(parts, key=lambda part: sum(counts[line] for line in _list_lines(part)))
    step = context.open_step()
    facts = facts_now(context, seat, step)
    return {
        **complete_report(_with_shares(parts, likely, counts), facts),
        "due": facts["due"],  # not what would be due then
        "over": None,
        "headline": f"Forecast for {context.label(step)}.",
        "forecast": {"worlds": len(parts), "others": sorted(others)},
        "form": seat_form(context, seat),
    }


def _imagine_parts(
    context: Context, seat: Seat, orders: Document, others: Mapping[Seat, Document]
) -> list[Document]:
    """Play the orders in imagined positions; each outcome as the seat's report would tell it."""
    rules = context.kind.rules
    all_orders = {**others, seat: orders}
    parts = []
    for after, events in play_imagined(context, seat, all_orders):
        visible = list_visible(tuple(events), seat)
        view = rules.view(after, seat)
        step = ReportedStep(before=context.view(seat), after=view, orders=orders, events=visible)
        parts.append(make_game_part(rules, view, seat, [step]))
    return parts


def _list_lines(part: Document) -> set[str]:
    """List what an outcome tells, each once."""
    return {_line_of(one) for one in (*part["orders"]["entries"], *part["events"])}


def _line_of(one: Document) -> str:
    """What is the same line in another outcome, whatever its number."""
    return encode({key: value for key, value in one.items() if key != "n"}).decode()


def _with_shares(
    parts: Sequence[Document], likely: Document, counts: Mapping[str, int]
) -> dict[str, Any]:
    """Add to the likeliest outcome what else is likely, and to each event its share."""
    lines = _list_lines(likely)
    rest: dict[str, Document] = {}
    for part in parts:
        for event in part["events"]:
            line = _line_of(event)
            if line not in lines and counts[line] >= _LEAST * len(parts):
                rest.setdefault(line, event)
    more = sorted(rest.items(), key=lambda item: -counts[item[0]])[:_MOST]
    events = [*likely["events"], *(event for _, event in more)]
    entries = likely["orders"]["entries"]
    whole = [_with_share(one, counts[_line_of(one)], len(parts)) for one in (*entries, *events)]
    numbered = [{**one, "n": n} for n, one in enumerate(whole, start=1)]
    orders = {"entries": numbered[: len(entries)]}
    return {**likely, "orders": orders, "events": numbered[len(entries) :]}


def _with_share(one: Document, times: int, worlds: int) -> dict[str, Any]:
    if times == worlds:
        return dict(one)
    share = f"in {times} of {worlds} imagined worlds"
    return {**one, "text": f"{str(one['text']).rstrip('.')}, {share}."}
