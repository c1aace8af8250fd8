"""Plain words that need the map: `leave 1 at home, rest to B9`, `build 2 at B3, rest at home`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from adjudicator.core.document import Document, Seat
from adjudicator.rules.jump_wars.phases.jump.faults import find_reach
from adjudicator.rules.jump_wars.position.components import Components
from adjudicator.rules.jump_wars.position.space import Space, find_distances
from adjudicator.rules.jump_wars.position.state import EMPIRE, NOTHING, Side, View

_PLACE: Final = r"(?:[a-z]\s?\d{1,2}|home|[a-z]+(?:'?s)?(?: home(?:world)?)?)"
_AMOUNT: Final = (
    r"(?:(?:all )?\d+|all|everyone|everybody|everything|rest|half|others|remaining)(?: of them)?"
)
_HERE: Final = rf"(?: (?:at|on|in) (?P<source>{_PLACE})| (?P<own>home)| behind| back| there)?"
_WITHOUT: Final = r"(?: (?:but|except)(?: for)? (?P<%s>\d+))?"
_REST: Final = (
    r"(?:(?:keep|leave|hold) )?(?:all )?(?:rest|others?|remaining)(?: \d+)?(?: fleets?)?"
    r"(?: (?:stays?|waits?|remains?|holds?|guards?|protects?|defends?|watch(?:es)?|as|at|on|in|and|"
    r"home(?:world)?|there|here|behind|back|put|position|where they are|guard|reserve))+"
)
_STAYS: Final = rf"(?:leave|keep|hold) (?P<kept>\d+)(?: fleets?)?{_HERE}"
_STAY: Final = rf"(?P<kept>\d+)(?: fleets?)? (?:stays?|remains?){_HERE}"
_GOES: Final = (
    r"(?: (?:should|shall|will|must|can))?"
    r" (?:go|goes|jumps?|moves?|fl(?:y|ies)|heads?|travels?|(?:attack|invade|take|occup(?:y|ie))s?)"
)
_INTO: Final = (
    r" (?:(?:over|on|out) )?(?:to|into|onto|against|at|towards?)"
    r"(?: (?:attack|invade|take|occupy|capture|conquer|raid))?"
)
_SENT: Final = (
    rf"(?:(?:move|send|jump|attack with) )?(?P<amount>{_AMOUNT})(?: fleets?)?{_WITHOUT % 'kept'}"
    rf"(?: (?:from|at|on) (?P<source>{_PLACE}))?"
    rf"(?:{_GOES}(?:{_INTO})?|{_INTO}) (?P<target>{_PLACE})"
    rf"(?: from (?P<origin>{_PLACE}))?{_WITHOUT % 'but'}"
)
_FROM: Final = (
    rf"(?:(?:move|send|jump|go) )?(?:from )?(?P<source>{_PLACE})\s*"
    rf"(?:-+>?|\u2013|\u2192|to|into)\s*(?P<target>{_PLACE})[\s:]*"
    rf"(?:(?:with|x|\u00d7)?\s*(?P<amount>{_AMOUNT})(?: fleets?)?)?"
)
_ATTACK: Final = (
    r"(?:attack|invade|retake|take(?: back)?|occupy|capture|conquer|reach|hit|raid|"
    rf"move to|jump to|go to|to) (?P<target>{_PLACE})(?: back)?"
    rf"(?: with (?P<amount>{_AMOUNT})(?: fleets?)?)?"
    rf"(?: from (?P<source>{_PLACE}))?"
)
_SPEAKER: Final = re.compile(r"^(?:(?:i|we)(?:'ll| will)? |jumps?\s*:\s*)", re.IGNORECASE)
_CLAUSES: Final = tuple(
    re.compile(one, re.IGNORECASE) for one in (_REST, _STAYS, _STAY, _SENT, _FROM, _ATTACK)
)
_BETWEEN: Final = re.compile(
    r"\s*[,;.]\s*(?:(?:and|then) )*|\s+(?:and|then)\s+(?:then )?", re.IGNORECASE
)


_HOME: Final = re.compile(
    r"(?<=\bfrom )(?:my )?home(?:world)?\b|(?<=\bto )(?:my )?home(?:world)?\b"
    r"|\bhome(?:world)?(?=\s*(?:-+>?|\u2013|\u2192)\s*[a-z]\d)",
    re.IGNORECASE,
)
_GO_HOME: Final = re.compile(
    r"(?P<there>\d\s*(?:-+>?|\u2013|\u2192)\s*|\bfrom [a-z]\d{1,2} )home(?:world)?\b", re.IGNORECASE
)


def name_places(view: View, seat: Seat, text: str) -> str:
    """Write the seat's homeworld as a space where a jump begins or ends at home."""
    home = view.table.homes.get(seat)
    if home is None or view.table.step != "jump":
        return text
    text_with_home = _HOME.sub(home, text)
    return _GO_HOME.sub(lambda one: f"{_add_to(one['there'])}{home}", text_with_home)


def _add_to(before: str) -> str:
    return f"{before}to " if before.startswith(("from", "From")) else before


def guess_orders(view: View, seat: Seat, text: str, components: Components) -> Document | None:
    """Guess the orders that a sentence means, where on this map it can mean one thing."""
    if view.table.step == "plan":
        return _guess_builds(view, seat, text) or _scan_plan(view, seat, text, components)
    if view.table.step != "jump":
        return None
    common = _COMMON.fullmatch(text.strip())
    clauses = [
        _read_clause(one) for one in _BETWEEN.split(common[2] if common else text.strip()) if one
    ]
    if common:
        clauses = [
            {"source": common[1], **one} if one and "target" in one else one for one in clauses
        ]
    if not clauses or len(clauses) > _MOST or any(one is None for one in clauses):
        return None
    jumps = _Guess(view, seat).guess([one for one in clauses if one])
    return {"jump": jumps} if jumps else None


_COMMON: Final = re.compile(rf"(?:from|at) ({_PLACE})\s*[:,]\s*(.+)", re.IGNORECASE)
"""A place from which all that follows goes."""
_MOST: Final = 6
_BUILD: Final = re.compile(
    r"(?:build )?(?P<amount>\d+|all|rest|others|remaining|max)(?: (?:new |more )?fleets?)?"
    r" (?:at|on|in) (?P<place>home(?:world)?|[a-z]\s?\d{1,2})",
    re.IGNORECASE,
)


def _guess_builds(view: View, seat: Seat, text: str) -> Document | None:
    """Guess where fleets are built: what is not counted is as many as can be paid for."""
    matches = [_BUILD.fullmatch(one) for one in _BETWEEN.split(text.strip()) if one]
    home = view.table.homes.get(seat)
    if not matches or len(matches) > _MOST or home is None:
        return None
    builds: list[Document] = []
    for one in matches:
        if one is None:
            return None
        number, place = one["amount"], one["place"].upper().replace(" ", "")
        fleets = int(number) if number.isdigit() else "max"
        builds.append({"at": home if place.startswith("HOME") else place, "fleets": fleets})
    return {"build": builds}


_UNSURE: Final = re.compile(
    r"\b(?:not|never|no|or|if|unless|instead|maybe|keep|save|hold)\b|n't\b|\?", re.IGNORECASE
)
_RAISE: Final = re.compile(
    r"\b(?:us(?:e|ing)|play|rais(?:e|ing)|improv\w+|advanc\w+|upgrad\w+|increas\w+|boost|level|better|"
    r"learn|develop|invest\w*|tech\w*|research(?= \w)|higher|up)\b",
    re.IGNORECASE,
)
_FLEETS: Final = re.compile(r"\b(?:fleets?|build\w*|warships?)\b", re.IGNORECASE)
_MAXIMUM: Final = re.compile(
    r"\b(?:max\w*|all|everything|rest|as (?:many|much)|whatever|remaining|afford|left)\b",
    re.IGNORECASE,
)
_PAIR: Final = re.compile(r"\b(?:pair|both|twice|double)\b", re.IGNORECASE)
_STEAL: Final = re.compile(r"\b(?:steal|rob|snatch|take)\b", re.IGNORECASE)
_ALLY: Final = re.compile(r"\b(?:ally|alliance|allied)\b", re.IGNORECASE)


def _scan_plan(view: View, seat: Seat, text: str, components: Components) -> Document | None:
    """Guess a plan from what each clause names; None where one names nothing of a plan."""
    orders: dict[str, Any] = {}
    for clause in _BETWEEN.split(text.strip()):
        part = _scan_clause(view, seat, clause, components) if clause else {}
        if part is None or _UNSURE.search(clause) or orders.keys() & part.keys():
            return None
        orders |= part
    return orders or None


def _scan_clause(view: View, seat: Seat, text: str, components: Components) -> Document | None:
    """Find the one thing that a clause of a plan does."""
    words = re.findall(r"[a-z0-9-]+", text.casefold())
    techs = {one for one in components.technologies if one in words}
    seats = {one for one in view.table.seats if one in words and one != seat}
    numbers = {int(one) for one in words if one.isdigit()}
    if len(seats) == 1 and not techs:
        keys = [key for key, sign in (("steal", _STEAL), ("ally", _ALLY)) if sign.search(text)]
        return {keys[0]: next(iter(seats))} if len(keys) == 1 else None
    is_raise = _RAISE.search(text) and not _FLEETS.search(text)
    if len(techs) == 1 and not seats and not numbers and is_raise:
        name = next(iter(techs))
        return {"tech": {"pair": name} if _PAIR.search(text) else {"advance": [name]}}
    if techs or seats or not _FLEETS.search(text):
        return None
    is_maximum = bool(_MAXIMUM.search(text))
    if len(numbers) == (0 if is_maximum else 1):
        return {"build": "max" if is_maximum else next(iter(numbers))}
    return None


def _read_clause(text: str) -> Mapping[str, str] | None:
    for pattern in _CLAUSES:
        match = pattern.fullmatch(_SPEAKER.sub("", text.strip()))
        if match is not None:
            return {key: value for key, value in match.groupdict().items() if value}
    return None


class _Unclear(Exception):  # noqa: N818 - it is said of a sentence
    """It could mean several things, or nothing."""


class _Guess:
    """One reading of one sentence on the map as the seat sees it."""

    def __init__(self, view: View, seat: Seat) -> None:
        self._table, self._seat = view.table, seat
        self._reach = find_reach(view.table, seat)
        self._left = dict(view.table.fleets.get(seat, NOTHING))

    def guess(self, clauses: list[Mapping[str, str]]) -> list[Any] | None:
        """Guess the jumps; None where a clause is not clear."""
        try:
            for one in clauses:  # what stays is kept back first, wherever it is said
                if "kept" in one and "target" not in one:
                    self._keep(one.get("source", one.get("own")), int(one["kept"]))
            return [self._make_jump(one) for one in clauses if "target" in one]
        except _Unclear:
            return None

    def _keep(self, place: str | None, number: int) -> None:
        source = self._find_space(place) if place else self._find_only(iter(self._left))
        if self._left.get(source, 0) < number:
            raise _Unclear
        self._left[source] -= number

    def _make_jump(self, clause: Mapping[str, str]) -> Document:
        place = clause.get("source", clause.get("origin"))
        source = self._find_space(place) if place else None
        target = self._find_target(clause["target"], source)
        if source is None:
            near = [one for one in self._left if self._reaches(one, target)]
            amount = clause.get("amount", "")
            least = int(amount) if amount.isdigit() else 1
            enough = [one for one, there in self._left.items() if there >= least]
            able = [one for one in near if one in enough]
            # out of reach, the receipt says so
            source = self._find_only(iter(able or near or enough))
        staying = int(clause.get("kept") or clause.get("but") or 0)
        fleets = self._count(
            clause.get("amount", "all").casefold().split()[0], self._left.get(source, 0) - staying
        )
        if fleets <= 0:
            raise _Unclear
        self._left[source] -= fleets
        return {"from": source, "to": target, "fleets": fleets}

    def _count(self, amount: str, there: int) -> int:
        if amount.isdigit():
            return int(amount)
        number = there // 2 if amount == "half" else there
        return min(number, self._reach.most)

    def _reaches(self, source: Space, target: Space) -> bool:
        reach = self._reach
        return source != target and target in find_distances(
            reach.grid, reach.crossed, source, reach.far
        )

    def _find_space(self, place: str) -> Space:
        name = place.casefold().replace(" ", "")
        if name == "home":
            name = self._table.homes.get(self._seat, "")
        if not name or not name[-1].isdigit():
            raise _Unclear
        return name.upper()

    def _find_target(self, place: str, source: Space | None) -> Space:
        """Find a space by its name or by who is there: the only one of theirs within reach."""
        words = place.casefold().replace("'", "").split()
        side = self._find_side(words[0])
        if side is None:
            return self._find_space(place)
        if len(words) > 1:
            return self._table.homes.get(side) or self._find_only(iter(()))
        sources = self._left if source is None else (source,)
        stacks = self._table.fleets.get(side, NOTHING)
        near = [one for one in stacks if any(self._reaches(other, one) for other in sources)]
        home = self._table.homes.get(side)
        return self._find_only(iter(near or ([home] if home and home in stacks else [])))

    def _find_side(self, name: str) -> Side | None:
        sides = (*self._table.seats, EMPIRE)
        return next((one for one in sides if name in (one, f"{one}s") and one != self._seat), None)

    def _find_only(self, spaces: Iterator[Space]) -> Space:
        candidates = list(spaces)
        if len(candidates) != 1:
            raise _Unclear
        return candidates[0]
