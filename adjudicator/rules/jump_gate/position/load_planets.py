"""What a state document says of the planets: cards, claims, marks, scan markers."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.state_reader import read_by_name, read_keyed
from adjudicator.rules.jump_gate.position.components import Planet
from adjudicator.rules.jump_gate.position.resources import Resource
from adjudicator.rules.jump_gate.position.spelling import Reader
from adjudicator.rules.jump_gate.position.state import Site


class Sites:
    """The planets of the ring as a document gives them; one that is not named is empty."""

    def __init__(self, reader: Reader, ring: Sequence[Planet], given: Any) -> None:
        self._reader = reader
        second = reader.components.second
        self._keys = ("face_up", "face_down", "claim", "marks" if second else "scans")
        found: dict[Planet, tuple[Site, tuple[Resource, ...]]] = {}
        for planet, value, path in read_by_name(
            given, tuple(reader.components.worlds), "planet", "planets"
        ):
            if planet not in ring:
                raise Impossible(path, f"{planet} is not in the ring")
            found[planet] = self._site(value, path)
        empty: tuple[Site, tuple[Resource, ...]] = (Site(), ())
        self.planets = {planet: found.get(planet, empty)[0] for planet in ring}
        self.face_down = {planet: found.get(planet, empty)[1] for planet in ring}

    def _site(self, given: Any, path: str) -> tuple[Site, tuple[Resource, ...]]:
        reader = self._reader
        facts = read_keyed(given, self._keys, path)
        face_up = reader.resources(facts.get("face_up"), f"{path}.face_up")
        face_down = reader.resources(facts.get("face_down"), f"{path}.face_down")
        claim = facts.get("claim")
        site = Site(
            face_up=face_up,
            face_down=len(face_down),
            claim=None if claim is None else reader.seat(claim, f"{path}.claim"),
            marks=self._marks(facts.get("marks"), face_up, f"{path}.marks"),
            scans={
                seat: number
                for seat, number in reader.numbers(facts.get("scans"), f"{path}.scans").items()
                if number
            },
        )
        return site, face_down

    def _marks(self, given: Any, face_up: tuple[Resource, ...], path: str) -> dict[Seat, Resource]:
        """Each mark lies on a face-up card of its own (JGB-5)."""
        left = Counter(face_up)
        found: dict[Seat, Resource] = {}
        for seat, name, at in self._reader.by_seat(given, path):
            card = self._reader.resource(name, at)
            left[card] -= 1
            if left[card] < 0:
                raise Impossible(at, f"no unmarked {card} lies face-up there (JGB-5)")
            found[seat] = card
        return {seat: found[seat] for seat in self._reader.seats if seat in found}
