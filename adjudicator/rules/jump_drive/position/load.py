"""Read the state document of the rulebook: the position, or the path of what is wrong."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, get_args

from adjudicator.core import state_reader
from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat
from adjudicator.rules.jump_drive.position import options as option
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.powers import MovesTo, SecondWorld
from adjudicator.rules.jump_drive.position.state import Options, Over, Placed, State, Step, Table

_KEYS: Final = (
    "options", "seats", "round", "step", "dealer", "hands", "empires", "surveyed", "vp",
    "explores", "deck", "discard", "idle", "placed", "asked", "trims", "drawn", "over",
)  # fmt: skip
_PLACED: Final = ("development", "world", "contact_specialist", "second")
_OVER: Final = ("winners", "scores")
_STEPS: Final = get_args(Step)


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """The state that a document describes; raises Impossible."""
    said = state_reader.read_keyed(document, _KEYS, "")
    seats = option.seats_of(said.get("seats") or ())
    options = option.read(said.get("options") or {}, seats, components, "options")
    return _Loading(said, seats, components, options).state(dice)


class _Loading:
    """One document being read; each method reads one key."""

    def __init__(
        self, said: Document, seats: tuple[Seat, ...], components: Components, options: Options
    ) -> None:
        self.said = said
        self.seats = seats
        self.components = components
        self.options = options
        self.step: Step = self._step()

    def state(self, dice: Dice | None) -> State:
        hands, empires = self._cards_by_seat("hands", team=False), self._cards_by_seat("empires")
        discard = self._cards(self.said.get("discard"), "discard", team=False)
        deck = self._deck(hands, empires, discard, dice)
        drawn = self._drawn(hands)
        table = Table(
            options=self.options,
            seats=self.seats,
            round=state_reader.read_whole_number(self.said.get("round", 1), "round", least=1),
            step=self.step,
            dealer=self._seat(self.said.get("dealer", self.seats[-1]), "dealer"),
            empires=empires,
            surveyed=self._surveyed(empires),
            vp=self._numbers("vp"),
            explores=self._numbers("explores"),
            idle=state_reader.read_whole_number(self.said.get("idle", 0), "idle"),
            placed=self._placed(empires),
            asked=self._asked(hands, drawn),
            over=self._over(),
        )
        return State(
            table=table,
            hands={seat: tuple(sorted(hand)) for seat, hand in hands.items()},
            deck=deck,
            discard=tuple(sorted(discard)),
            trims=self._named_lists("trims"),
            drawn=drawn,
        )

    def _step(self) -> Step:
        step: Step = state_reader.read_name(self.said.get("step", "place"), _STEPS, "step", "step")  # type: ignore[assignment]  # one of _STEPS
        return step

    def _seat(self, value: Any, path: str) -> Seat:
        return state_reader.read_name(value, self.seats, "seat of this game", path)

    def _card(self, value: Any, path: str, *, team: bool = True) -> Name:
        names = tuple(self.components.cards if team else self.components.deck)
        return state_reader.read_name(value, names, "card", path)

    def _cards(self, value: Any, path: str, *, team: bool = True) -> tuple[Name, ...]:
        return state_reader.read_each(
            value, path, lambda one, below: self._card(one, below, team=team)
        )

    def _cards_by_seat(self, key: str, *, team: bool = True) -> dict[Seat, tuple[Name, ...]]:
        found: dict[Seat, tuple[Name, ...]] = dict.fromkeys(self.seats, ())
        for seat, value, path in state_reader.read_by_name(
            self.said.get(key), self.seats, "seat", key
        ):
            found[seat] = self._cards(value, path, team=team)
            if found[seat].count(self.components.team) > 1:
                raise Impossible(path, "there is one survey team for each player (JD-8)")
        return found

    def _named_lists(self, key: str) -> dict[Seat, tuple[Name, ...]]:
        rows = state_reader.read_by_name(self.said.get(key), self.seats, "seat", key)
        return {seat: self._cards(value, path, team=False) for seat, value, path in rows}

    def _numbers(self, key: str) -> dict[Seat, int]:
        found = dict.fromkeys(self.seats, 0)
        for seat, value, path in state_reader.read_by_name(
            self.said.get(key), self.seats, "seat", key
        ):
            found[seat] = state_reader.read_whole_number(value, path)
        return found

    def _deck(
        self,
        hands: Mapping[Seat, tuple[Name, ...]],
        empires: Mapping[Seat, tuple[Name, ...]],
        discard: tuple[Name, ...],
        dice: Dice | None,
    ) -> tuple[Name, ...]:
        """The deck as given, else all cards not named elsewhere, shuffled."""
        deck = self._cards(self.said.get("deck"), "deck", team=False)
        left = Counter(self.components.deck)
        places = [("deck", deck), ("discard", discard)]
        places += [(f"hands.{seat}", hand) for seat, hand in hands.items()]
        places += [(f"empires.{seat}", empire) for seat, empire in empires.items()]
        for path, cards in places:
            for card in cards:
                left[card] -= card != self.components.team
                if left[card] < 0:
                    copies = self.components.deck[card]
                    why = f"there are only {copies} copies of {card}; to move one, take it away"
                    raise Impossible(path, f"{why} where it lies, in a hand, the deck or the pile")
        if "deck" in self.said:
            return deck
        if dice is None:
            raise Impossible("deck", "is missing")
        return dice.draw("deck").shuffled(sorted(left.elements()))

    def _surveyed(self, empires: Mapping[Seat, tuple[Name, ...]]) -> tuple[Seat, ...]:
        """As said, and whoever has one in the empire: it is taken once in a game (JD-9)."""
        named = state_reader.read_each(self.said.get("surveyed"), "surveyed", self._seat)
        team = self.components.team
        return tuple(seat for seat in self.seats if seat in named or team in empires[seat])

    def _placed(self, empires: Mapping[Seat, tuple[Name, ...]]) -> dict[Seat, Placed]:
        found = {}
        rows = state_reader.read_by_name(self.said.get("placed"), self.seats, "seat", "placed")
        for seat, value, path in rows:
            said = state_reader.read_keyed(value, _PLACED, path)
            cards = {
                key: self._card(said[key], f"{path}.{key}")
                for key in ("development", "world", "second")
                if key in said
            }
            for key, card in cards.items():
                if card not in empires[seat] and not self._leaves(card):
                    raise Impossible(f"{path}.{key}", f"{card} does not lie in {seat}'s empire")
            paid = state_reader.read_flag(
                said.get("contact_specialist", False), f"{path}.contact_specialist"
            )
            found[seat] = Placed(**cards, contact_specialist=paid)
        return {seat: found[seat] for seat in self.seats if seat in found}

    def _leaves(self, card: Name) -> bool:
        """Whether the card may have left the empire in the round it was placed (JD-12, JD-22)."""
        powers = self.components.cards[card].powers
        return any(
            isinstance(power, MovesTo) or (isinstance(power, SecondWorld) and power.discard_self)
            for power in powers
        )

    def _drawn(self, hands: Mapping[Seat, tuple[Name, ...]]) -> dict[Seat, tuple[Name, ...]]:
        drawn = self._named_lists("drawn")
        for seat, cards in drawn.items():
            if Counter(cards) - Counter(hands[seat]):
                raise Impossible(f"drawn.{seat}", "what was drawn is in the hand, too")
        return drawn

    def _asked(
        self, hands: Mapping[Seat, tuple[Name, ...]], drawn: Mapping[Seat, tuple[Name, ...]]
    ) -> tuple[Seat, ...]:
        """Who owes something; in the steps explore and trim the position says it."""
        limit = self.components.constants.limit
        if self.step == "explore":
            return tuple(seat for seat in self.seats if seat in drawn)
        if self.step == "trim":
            return tuple(seat for seat in self.seats if len(hands[seat]) > limit)
        named = state_reader.read_each(self.said.get("asked"), "asked", self._seat)
        placed = state_reader.read_mapping(self.said.get("placed"), "placed")
        if self.step == "second" and not named and "over" not in self.said:
            raise Impossible("asked", "name who is asked for a second world")
        for n, seat in enumerate(named, 1):
            if not any(seat == self._seat(key, "placed") for key in placed):
                raise Impossible(f"asked[{n}]", f"{seat} has placed no first world (JD-21)")
        return tuple(seat for seat in self.seats if seat in named)

    def _over(self) -> Over | None:
        if self.said.get("over") is None:
            return None
        said = state_reader.read_keyed(self.said["over"], _OVER, "over")
        winners = state_reader.read_each(said.get("winners"), "over.winners", self._seat)
        rows = state_reader.read_by_name(said.get("scores"), self.seats, "seat", "over.scores")
        return Over(
            winners,
            {seat: state_reader.read_whole_number(value, path) for seat, value, path in rows},
        )
