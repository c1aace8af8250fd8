"""What a page offers is never refused, and what it does not offer always would be."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from typing import Any

import adjudicator
from adjudicator.core.document import encode
from adjudicator.core.finding import Grade
from adjudicator.library.game import GameState

WRONG = (Grade.UNREADABLE, Grade.REFUSED)
KIND = adjudicator.load("jump-drive")


Position = tuple[GameState, str, dict[str, Any]]
"""A game, a seat that owes orders in it, and its choices."""


@cache
def play_game(seed: int) -> tuple[Position, ...]:
    """Everybody who owes orders, step by step, in a game of bots and of random play."""
    game, chance = KIND.new(seed=seed, seats=2 + seed % 3), random.Random(seed)
    found: list[Position] = []
    for number in range(40):
        if game.over:
            break
        orders = {}
        for seat in game.due:
            choices = game.report(seat).document["form"]["choices"]
            found.append((game, seat, choices))
            asking = [one["form"] for one in choices.get("plays", ()) if one.get("ask")]
            if asking:  # so that the step `second` is seen, too
                orders[seat] = {**asking[-1], "second": "ask"}
            elif chance.random() < 0.2 and str(game.step).endswith("-place"):
                orders[seat] = {"explore": True}
            elif chance.random() < 0.4:
                orders[seat] = game.legal(seat, seed * 99 + number)
            else:
                orders[seat] = game.bot(seat)
        game = game.close(orders)
    return tuple(found)


def list_positions(games: int) -> Iterator[Position]:
    """The positions of so many games."""
    return chain.from_iterable(map(play_game, range(games)))


def is_refused(game: GameState, seat: str, orders: dict[str, Any]) -> bool:
    return any(one.grade in WRONG for one in game.check(seat, orders))


def list_wild_forms(step: str, hand: list[str], convoys: list[str]) -> Iterator[dict[str, Any]]:
    """Every form that names cards of the hand, whether it could be legal or not."""
    cards, seconds = [None, *sorted(set(hand))], [None]
    if step == "second":
        for world, by, paid in product(cards[1:], convoys, (False, True)):
            yield {"world": world, "by": by, **({"contact_specialist": True} if paid else {})}
        return
    for by in convoys:
        for world, paid in product(cards[1:], (False, True)):
            extra = {"contact_specialist": True} if paid else {}
            seconds.append({"world": world, "by": by, **extra})  # type: ignore[arg-type]
    for development, world, paid, second in product(
        [*cards, "survey-team"], cards, (False, True), [*seconds, "ask"]
    ):
        form = {"development": development, "world": world, "second": second}
        named = {key: one for key, one in form.items() if one is not None}
        if named:
            yield {**named, **({"contact_specialist": True} if paid else {})}


def test_all_that_can_be_placed_is_offered_and_nothing_else() -> None:
    seen = Counter[str]()
    for game, seat, choices in list_positions(9):
        step = str(game.step).partition("-")[2]
        if step not in ("place", "second"):
            continue
        plays = [one["form"] for one in choices["plays"]]
        asking = [{**one["form"], "second": "ask"} for one in choices["plays"] if one.get("ask")]
        offered = {encode(one) for one in (*plays, *asking)}
        convoys = [card for card in choices["cards"] if card.endswith("convoy")]
        wild = list(list_wild_forms(step, choices["hand"], convoys))
        tried = [*plays, *asking, *random.Random(len(wild)).sample(wild, min(30, len(wild)))]
        for form in tried:
            assert is_refused(game, seat, form) is (encode(form) not in offered), (game.step, form)
            seen[f"{step} {'good' if encode(form) in offered else 'bad'}"] += 1
        seen["second world" if any("second" in one for one in plays) else "none"] += 1
        seen["ask"] += bool(asking)
    assert all(seen[one] > 5 for one in ("place good", "place bad", "second world", "ask")), seen
    assert seen["second good"] > 3 < seen["second bad"], seen


def test_a_price_is_paid_exactly_with_cards_that_stay_in_hand() -> None:
    tried = Counter[bool]()
    for game, seat, choices in list_positions(4):
        for play in choices.get("plays", ()):
            form, cost = play["form"], play.get("cost")
            if cost is None or "second" in form:
                continue
            rest = list(choices["hand"])
            for card in (form.get("development"), form.get("world")):
                if card in rest:
                    rest.remove(card)
            for number in {max(0, cost - 1), cost, cost + 1}:
                good = number == cost and cost <= len(rest)
                pay = {**form, "pay": rest[:number]}
                if number <= len(rest):
                    assert is_refused(game, seat, pay) is not good, (pay, cost)
                    tried[good] += 1
    assert min(tried[True], tried[False]) > 100


def test_as_many_cards_as_are_asked_for_are_discarded() -> None:
    steps = Counter[str]()
    for game, seat, choices in list_positions(6):
        if "discard" not in choices:
            continue
        hand, wanted = choices["hand"], choices["discard"]
        for number in {wanted - 1, wanted, wanted + 1}:
            good = number == wanted
            assert is_refused(game, seat, {"discard": hand[:number]}) is not good
        steps[str(game.step).partition("-")[2]] += 1
    assert set(steps) == {"opening", "explore", "trim"}, steps


def test_cards_are_told_as_they_are_printed() -> None:
    _, _, choices = next(list_positions(1))
    assert set(choices["cards"]) == set(choices["hand"])
    assert all({"name", "kind", "does"} == set(one) for one in choices["cards"].values())
