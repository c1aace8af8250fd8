"""Read a player's text by its order form: into orders, or a list of all faults.

A form is compiled once from its JSON Schema; `read` never raises, whatever the text.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.forms.coercion import (
    MOST_FAULTS,
    Coercion,
    Complaint,
    Leniency,
    TooManyFaults,
)
from adjudicator.core.forms.fault_messages import (
    explain_violation,
    find_missing_key,
    find_strays,
    is_undecided,
    quote_value,
    shorten,
)
from adjudicator.core.forms.reading import FallenEntries, Mark, Reading, Text, find_fallen
from adjudicator.core.forms.schema import Node, compile_schema, flatten_schema
from adjudicator.core.names import fold

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

KnownNames = Mapping[str, Sequence[str]]

NO_ORDERS = "pass"
"""The key of every form that orders nothing on purpose."""
STANDING = "standing"
"""The key of standing orders, which hold for every time: said in so many words only."""
_STRAYS = "unevaluatedProperties"
_MOST_COMPLAINTS = 20  # of a text that is not a form


class Form(Struct, frozen=True, kw_only=True, dict=True):
    """An order form, ready to be read against."""

    name: str
    title: str
    rule: str
    """The rule that gives the form, cited in faults."""
    root: Node
    schema: Document
    """Without references."""
    elsewhere: Mapping[str, str] = {}
    """Folded keys of the game's other forms, and the title of the form they belong to."""

    @cached_property
    def validator(self) -> "Draft202012Validator":
        """The validator, built at the first reading."""
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self.schema)


def compile_form(name: str, schema: Document, elsewhere: Mapping[str, str] | None = None) -> Form:
    """Compile a form from its schema; `elsewhere` says to which other forms keys belong."""
    flat = flatten_schema(schema, schema)
    return Form(
        name=name,
        title=schema.get("title", name),
        rule=schema.get("x-rule", ""),
        root=compile_schema(flat),
        schema=flat,
        elsewhere=elsewhere or {},
    )


def read_form(
    form: Form, text: Text, names: KnownNames, leniency: Leniency = Leniency.USUAL
) -> Reading:
    """Read a text: return what of it can go on file, and a finding for everything that cannot."""
    raw = {} if text.value is None else text.value
    if not isinstance(raw, Mapping):
        quotation = quote_value(list(raw) if isinstance(raw, (list, tuple)) else raw)
        message = f"{form.title} are written as lines of key: value; found {quotation}"
        return Reading(orders=None, findings=(_make_unreadable(form, text, (), message),))
    coercion = Coercion(names, form.elsewhere, leniency)
    try:
        orders = coercion.coerce_form(form.root, raw, form.rule)
    except TooManyFaults:
        return _refuse_text(form, text, coercion.complaints)
    stray = None
    if coercion.unknown_keys and len(coercion.unknown_keys) >= len(raw):
        stray = _find_other_form(form, coercion.unknown_keys)
    if stray is not None:
        key, title = stray
        message = f'"{shorten(key)}" belongs to {title}, but {form.title} are due'
        return Reading(orders=None, findings=(_make_unreadable(form, text, (key,), message),))
    complaints = [*coercion.complaints, *_list_violations(form, coercion, orders)]
    if NO_ORDERS in orders:
        complaints += _refuse_vain_pass(coercion, orders)
    if len(complaints) > MOST_FAULTS:
        return _refuse_text(form, text, complaints)
    if not complaints and not coercion.unreadable:
        places = coercion.places.items()
        marks = {path: mark for path, place in places if (mark := _find_mark(text, place.origin))}
        return Reading(orders=orders, marks=marks)
    missing = {complaint.entry for complaint in complaints} | coercion.unreadable
    rest, moves = leave_out_entries(orders, missing)
    return Reading(
        orders=rest if isinstance(rest, dict) else {},
        findings=_make_findings(text, complaints),
        marks={
            path: mark
            for path, before in moves
            if before in coercion.places
            and (mark := _find_mark(text, coercion.places[before].origin)) is not None
        },
        fallen=_move_fallen(form, orders, missing, moves),
    )


def _refuse_vain_pass(coercion: Coercion, orders: Document) -> list[Complaint]:
    """Refuse to pass beside orders, which count, and not to pass, which says nothing."""
    place = coercion.places[(NO_ORDERS,)]
    if orders[NO_ORDERS] is False:
        message = "to pass write `pass: yes`; to give orders leave this line out"
    elif orders[NO_ORDERS] and orders.keys() - {NO_ORDERS, STANDING}:
        message = "to pass is to give no orders, but there are orders beside it"
    else:
        return []
    return [Complaint((NO_ORDERS,), message, place.entry, place.rule, place.origin)]


def _refuse_text(form: Form, text: Text, complaints: Sequence[Complaint]) -> Reading:
    """Refuse a text with more faults than anybody would read; the first are listed."""
    first = _make_findings(text, complaints)[:_MOST_COMPLAINTS]
    message = f"there are more than {MOST_FAULTS} faults here; these are the first {len(first)}"
    findings = (replace(finding, grade=Grade.UNREADABLE) for finding in first)
    return Reading(orders=None, findings=(_make_unreadable(form, text, (), message), *findings))


def _move_fallen(
    form: Form, orders: Document, missing: Collection[Path], moves: Iterable[tuple[Path, Path]]
) -> FallenEntries:
    """Find what falls with the missing entries, by its places in what is left."""
    fallen = find_fallen(form.root, orders, tuple(missing))
    if fallen.is_whole:
        return fallen
    places = {before: path for path, before in moves}
    return FallenEntries(
        tuple(places[path] for path in fallen.paths if path in places), fallen.stopped
    )


def split_text(text: Text, keys: Iterable[str]) -> tuple[Text, Text]:
    """Split off the part of the text under these keys; whatever is no mapping is in the rest."""
    if not isinstance(text.value, Mapping):
        return Text(value=None), text
    names = set(map(fold, keys))
    inside: dict[Any, Any] = {}
    outside: dict[Any, Any] = {}
    for key, value in text.value.items():
        (inside if fold(str(key)) in names else outside)[key] = value
    return replace(text, value=inside), replace(text, value=outside)


def add_standing(schema: Document, standing: Document | None) -> Document:
    """Make the schema of a form that may also hold the game's standing orders."""
    if standing is None:
        return schema
    properties = {**schema.get("properties", {}), STANDING: standing}
    return {**schema, "properties": properties}


def explain_missing(form: Form, orders: Document) -> str | None:
    """Say what is missing in orders that give nothing of what is due; None if nothing is."""
    owes = form.root.owes
    if owes is None or any(map(orders.get, owes["keys"])):
        return None
    return str(owes["message"])


def fill_defaults(form: Form, document: Document) -> Document:
    """Fill in the defaults of the keys that the document leaves out, in the schema's order."""
    known_values = {
        key: document[key] if key in document else part["default"]
        for key, part in form.schema.get("properties", {}).items()
        if key in document or "default" in part
    }
    return {
        **known_values,
        **{key: value for key, value in document.items() if key not in known_values},
    }


def _find_other_form(form: Form, unknown: Sequence[str]) -> tuple[str, str] | None:
    """Find the first key that another form knows, if this form knows none of the keys."""
    for key in unknown:
        if fold(key) in form.elsewhere:
            return key, form.elsewhere[fold(key)]
    return None


def _list_violations(form: Form, coercion: Coercion, orders: object) -> list[Complaint]:
    """List what the validator finds beyond the complaints of coercion."""
    complaints: list[Complaint] = []
    errors = sorted(form.validator.iter_errors(orders), key=lambda e: e.validator == _STRAYS)
    if not errors:
        return complaints
    fault_paths = coercion.unreadable | {complaint.path for complaint in coercion.complaints}
    for error in errors:
        path: Path = tuple(error.absolute_path)
        if any(path[:length] in fault_paths for length in range(1, len(path) + 1)):
            continue
        if error.validator == "required":
            below = (*path, find_missing_key(error))
            if below in coercion.meant_keys or below in coercion.unreadable:
                continue  # reported already: misspelt, or with an unreadable value
        place = coercion.places[_find_nearest_place(path, coercion)]
        others = fault_paths | {complaint.path for complaint in complaints}
        if error.validator == _STRAYS and _is_consequence(place.node, error, path, others):
            continue
        message = explain_violation(place.node, error, place.short_form)
        complaints.append(Complaint(path, message, place.entry, place.rule, place.origin))
    return complaints


def _is_consequence(node: Node, error: Any, path: Path, fault_paths: Collection[Path]) -> bool:
    """Whether keys seem out of place only because of another fault in the same place."""
    if not find_strays(node, error.instance):
        return True
    near = any(place[: len(path)] == path for place in fault_paths)
    return near and is_undecided(node, error.instance)


def _find_nearest_place(path: Path, coercion: Coercion) -> Path:
    while path not in coercion.places:
        path = path[:-1]
    return path


def leave_out_entries(
    orders: Any, missing: Collection[Path]
) -> tuple[Any, list[tuple[Path, Path]]]:
    """Leave out these paths; return the value, and for each path in it the path it had before.

    A list or block in which nothing is left is left out, too.
    """
    moves: list[tuple[Path, Path]] = []

    def keep(value: Any, path: Path, before: Path) -> Any:
        if before in missing:
            return None
        moves.append((path, before))
        if isinstance(value, dict):
            stay = {k: v for k, v in value.items() if (*before, k) not in missing}
            pairs = [(k, keep(v, (*path, k), (*before, k)), v) for k, v in stay.items()]
            rest = {k: new for k, new, old in pairs if new is not None or old is None}
            return None if value and not rest and path else rest
        if isinstance(value, list):
            items: list[Any] = []
            for number, item in enumerate(value):
                new = keep(item, (*path, len(items)), (*before, number))
                if new is not None:
                    items.append(new)
            return None if value and not items else items
        return value

    return keep(orders, (), ()), moves


def _make_findings(text: Text, complaints: Sequence[Complaint]) -> tuple[Finding, ...]:
    findings = [
        _place_finding(
            Finding(
                grade=Grade.REFUSED,
                rule=complaint.rule,
                message=complaint.message,
                path=complaint.path,
                entry=complaint.entry,
            ),
            _find_mark(text, complaint.origin, key=complaint.key),
        )
        for complaint in complaints
    ]
    return tuple(sorted(findings, key=lambda finding: (finding.line or 0, finding.column or 0)))


def _make_unreadable(form: Form, text: Text, path: Path, message: str) -> Finding:
    finding = Finding(grade=Grade.UNREADABLE, rule=form.rule, message=message, path=path)
    return _place_finding(finding, _find_mark(text, path, key=True))


def _place_finding(finding: Finding, mark: Mark | None) -> Finding:
    return replace(finding, line=mark.line, column=mark.column) if mark else finding


def _find_mark(text: Text, origin: Path, *, key: bool = False) -> Mark | None:
    first, second = (text.keys, text.marks) if key else (text.marks, text.keys)
    return first.get(origin) or second.get(origin)
