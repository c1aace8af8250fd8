"""Check non-interference: hidden facts change nothing that a seat gets.

A game names the secret parts of its state document in `secrets`. A twin of a state differs from it
only there: a pile that nobody holds lies in another order, or a card of one pile is exchanged with
one of another. Whoever holds neither pile, and the public, must get the same. What a seat imagines
from its view is a twin, too, of which neither it nor the public may know.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import chain, combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Impossible, Seat, decode, encode
from adjudicator.core.events import list_visible
from adjudicator.core.game import Over
from adjudicator.library.conform.game_under_test import NonConformanceError, PlayedStep, Subject

_SAMPLE = 8
_TWINS = 12
"""Twins of a state that are tried."""


class _Pile(Struct, frozen=True):
    """A secret list of the state document, and who may know it."""

    place: tuple[str, ...]
    known_to: frozenset[Seat]
    """Its owner; of a pile that lies in one of several places, all who may have looked there."""
    cards: tuple[str, ...]


class Twin(Struct, frozen=True):
    """A position that differs only in something that not everybody may know."""

    what: str
    state: Any
    knows: frozenset[Seat]
    cards: frozenset[str]
    """The cards that lie in other places."""


def check_secrets(subject: Subject) -> str:
    """Check that twins of a state look alike to everybody who may not know the difference."""
    secrets: Sequence[str] = getattr(subject.rules, "secrets", ())
    if not secrets:
        return _check_open(subject)
    count = 0
    for step in subject.sample(_SAMPLE):
        readers = (*step.opened.seats, None)
        real = {seat: _gather_sight(subject, step, step.before, seat) for seat in readers}
        twins = tuple(find_twins(subject, step.before, secrets))
        for twin in chain(twins, _imagine_twins(subject, step)):
            for seat, sight in real.items():
                if seat in twin.knows:
                    continue
                if _gather_sight(subject, step, twin.state, seat) != sight:
                    raise NonConformanceError(
                        f"{step.what}: {seat or 'the public'} can see that {twin.what}"
                    )
                count += 1
        for twin in twins:
            _compare_after(subject, step, twin)
    if not count:
        raise NonConformanceError(f"no twin could be made from {', '.join(secrets)}")
    return f"{count} readers of twins that differ in {', '.join(secrets)}"


def _compare_after(subject: Subject, step: PlayedStep, twin: Twin) -> None:
    """Check that the public sees the same of a step for twins that look alike after it.

    A seat may have seen a card by right and put it back; what the public saw would stay to be seen.
    """
    if not twin.cards.isdisjoint(_list_words(list(step.orders.values()))):
        return  # an order may reveal what it names
    rules = subject.rules
    state, events = rules.resolve(twin.state, step.orders, step.opened.dice)
    views = [encode(rules.view(one, None)) for one in (step.after, state)]
    events_seen = [encode(list_visible(one, None)) for one in (step.closed.events, events)]
    if views[0] == views[1] and events_seen[0] != events_seen[1]:
        raise NonConformanceError(f"{step.what}: the events tell the public that {twin.what}")


def _list_words(value: Any) -> set[str]:
    """List every word of some orders."""
    if isinstance(value, Mapping):
        return {word for part in value.values() for word in _list_words(part)}
    if isinstance(value, list | tuple):
        return {word for part in value for word in _list_words(part)}
    return {value} if isinstance(value, str) else set()


def _check_open(subject: Subject) -> str:
    """Check that a game that names no secrets has none: no event is private."""
    for step in subject.steps:
        for event in step.closed.events:
            if event.seen_by is not None and set(event.seen_by) != set(step.closed.seats):
                raise NonConformanceError(
                    f"{step.what}: {event.kind} is not for everybody, but the rules name no "
                    "`secrets`"
                )
    return "the rules name no secrets; every event is public"


def _gather_sight(subject: Subject, step: PlayedStep, state: Any, seat: Seat | None) -> bytes:
    """Collect everything that a reader gets before the step is adjudicated."""
    rules = subject.rules
    view = rules.view(state, seat)
    parts: list[Any] = [view, rules.report(view, list_visible((), seat))]
    if seat is not None and seat in step.orders and not isinstance(rules.due(state), Over):
        parts += [
            rules.check(view, seat, step.orders[seat]),
            rules.bot(view, seat, step.opened.dice),
            rules.legal(view, seat, step.opened.dice),
        ]
        if foretell := getattr(rules, "foretell", None):
            parts.append(foretell(view, seat, step.orders[seat]))
    return encode(parts)


def find_twins(subject: Subject, state: Any, secrets: Sequence[str]) -> Iterator[Twin]:
    """Find positions that differ from a state only in its secrets, as far as possible."""
    document = decode(encode(subject.rules.dump(state)))
    seats = document["seats"]
    piles = []
    for secret in secrets:
        path, _, owner = secret.partition(" of ")
        piles_of_secret = _find_piles(document, path.split("."), (), seats, is_placed="*" in path)
        holder = frozenset([_look_up(document, owner)] if owner else ())
        piles += [replace(pile, known_to=pile.known_to | holder) for pile in piles_of_secret]
    count = 0
    for what, variant, knows, cards in (*_reorder(document, piles), *_exchange(document, piles)):
        try:
            twin = subject.rules.load(variant)
        except Impossible:
            continue  # an impossible position
        if twin == state or encode(subject.rules.dump(twin)) == encode(document):
            continue
        yield Twin(what, twin, knows, cards)
        count += 1
        if count == _TWINS:
            return


def _imagine_twins(subject: Subject, step: PlayedStep) -> Iterator[Twin]:
    """Imagine the position as each seat does; to the others it may look different."""
    rules, seats = subject.rules, frozenset(step.opened.seats)
    for seat in step.opened.seats:
        imagined = rules.imagine(rules.view(step.before, seat), seat, step.opened.dice)
        yield Twin(f"{seat} only imagines it", imagined, seats - {seat}, frozenset())


def _look_up(document: Document, path: str) -> Any:
    value: Any = document
    for name in path.split("."):
        value = value[name]
    return value


def _find_piles(
    value: Any,
    path: Sequence[str],
    place: tuple[str, ...],
    seats: Sequence[Seat],
    *,
    is_placed: bool,
) -> Iterator[_Pile]:
    if path:
        for key, inner in value.items() if isinstance(value, Mapping) else ():
            if path[0] in (key, "*"):
                yield from _find_piles(inner, path[1:], (*place, key), seats, is_placed=is_placed)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _find_piles(inner, (), (*place, key), seats, is_placed=is_placed)
    elif isinstance(value, list) and value and all(isinstance(card, str) for card in value):
        owners = [key for key in place if key in seats]
        shared = seats if not owners and is_placed else ()
        yield _Pile(place, frozenset([*owners[:1], *shared]), tuple(value))


_Change = tuple[str, Document, frozenset[Seat], frozenset[str]]


def _reorder(document: Document, piles: Sequence[_Pile]) -> Iterator[_Change]:
    for pile in piles:
        if not pile.known_to and len(set(pile.cards)) > 1:
            what = f"{'.'.join(pile.place)} lies in another order"
            variant = _replace_piles(document, (pile.place, pile.cards[::-1]))
            yield what, variant, pile.known_to, frozenset(pile.cards)


def _exchange(document: Document, piles: Sequence[_Pile]) -> Iterator[_Change]:
    for one, other in combinations(piles, 2):
        pairs = ((a, b) for a in one.cards[:3] for b in other.cards[-3:] if a != b)
        for first, second in pairs:
            variant = _replace_piles(
                document,
                (one.place, _replace_card(one.cards, first, second)),
                (other.place, _replace_card(other.cards, second, first)),
            )
            names = f"{'.'.join(one.place)} and {'.'.join(other.place)}"
            knows = one.known_to | other.known_to
            yield (
                f"{first} and {second} are exchanged between {names}",
                variant,
                knows,
                frozenset({first, second}),
            )
            break


def _replace_card(cards: Sequence[Any], out: Any, into: Any) -> list[Any]:
    rest = list(cards)
    rest[rest.index(out)] = into
    return rest


def _replace_piles(document: Document, *changes: tuple[tuple[str, ...], Sequence[Any]]) -> Document:
    variant = deepcopy(dict(document))
    for place, cards in changes:
        target: Any = variant
        for part in place[:-1]:
            target = target[part]
        target[place[-1]] = list(cards)
    return variant
