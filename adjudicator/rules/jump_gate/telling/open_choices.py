"""What a form leaves open: marks and cards that depend on what is turned up or left there."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from adjudicator.core.events import Event, Facts
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_gate.phases.preferences import matches_name, split_preferences
from adjudicator.rules.jump_gate.phases.scan import UNCERTAIN
from adjudicator.rules.jump_gate.phases.working_copy import Work
from adjudicator.rules.jump_gate.position.order_forms import Action, parse_preferences
from adjudicator.rules.jump_gate.position.resources import (
    UNKNOWN,
    Resource,
    add_icon,
    list_collectable,
)
from adjudicator.rules.jump_gate.position.state import Preferences, Site, list_unmarked


class Trial(Struct, frozen=True, kw_only=True):
    """An action that was tried for its writer."""

    action: Action
    special: str | None
    """The special action that it plays, if it plays one."""
    before: Site | None
    """The planet that it concerns, as it was before."""
    events: Sequence[Event]


class Choice(Struct, frozen=True):
    """A choice that is made when the action is executed, in words."""

    text: str
    brings: bool = False
    """Whether it brings a card that cannot be foretold."""


def describe_choices(work: Work, trial: Trial) -> Iterator[Choice]:
    """Say what is marked and cards where no event tells it, and what the program chooses."""
    if trial.before is None:
        return
    if trial.action["do"] == "scan" and work.components.is_second:
        yield from map(Choice, _describe_mark(work, trial, trial.before))
    elif trial.action["do"] in ("land", "harvest") or trial.special in _TAKING:
        yield from _describe_take(work, trial, trial.before)


_TAKING = ("backroom-deal", "hotshot-pilot")
"""Special actions that bring resources."""


def _describe_mark(work: Work, trial: Trial, site: Site) -> Iterator[str]:
    if any(event.kind == "marked" for event in trial.events):
        return
    preferences = (
        parse_preferences(trial.action.get("mark")) or work.find_standing(work.active).mark
    )
    before = site.marks.get(work.active)
    if not preferences and work.asked == work.entry:
        yield "you are asked what to mark once the card is turned up"
    elif not preferences:
        yield _describe_free_mark(before)
    elif names := split_preferences(preferences, may=True)[0]:
        yield _describe_named_mark(site, before, names)


def _describe_free_mark(before: Resource | None) -> str:
    """Say how the program chooses a mark (JG-14), which must not tell of hidden cards (JG-13)."""
    does = "marks what is worth most"
    if before and before != UNCERTAIN:
        does = f"moves yours{_name_known(' from ', before)} only to a card worth more"
    return (
        f"you name no mark; once the card is turned up, the program {does} with what you have "
        "collected, hidden cards aside (JG-14)"
    )


def _name_known(between: str, mark: Resource) -> str:
    return "" if mark in (UNKNOWN, UNCERTAIN) else f"{between}{mark}"


def _describe_named_mark(site: Site, before: Resource | None, names: Preferences) -> str:
    own = () if before is None else (before,)
    unsure, sure = _split_sure(names, (*list_unmarked(site), *own))
    stays = f"your mark stays{_name_known(' on ', before)}" if before else "you mark nothing"
    otherwise = stays if sure in (None, before) else str(sure)
    if not unsure:
        return otherwise
    return f"you mark {' or '.join(unsure)} if that is turned up, otherwise {otherwise}"


def _split_sure(
    names: Preferences, there: Sequence[Resource]
) -> tuple[Sequence[str], Resource | None]:
    """Split wishes into those that may come up, and the first thing that is there for sure."""
    unsure: list[str] = []
    for name in dict.fromkeys(names):
        if name in there:
            return unsure, name
        if add_icon(name) in there:
            return [*unsure, f"{name} without its icon"], add_icon(name)
        unsure.append(name)
    return unsure, None


def _describe_take(work: Work, trial: Trial, site: Site) -> Iterator[Choice]:
    own = [event for event in trial.events if event.data.get("seat") == work.active]
    lands = trial.action["do"] == "land" or trial.special == "hotshot-pilot"
    preferences = parse_preferences(trial.action.get("take")) or ()
    is_asked = lands and not preferences and work.asked == work.entry
    if lands and not preferences:
        preferences = work.find_standing(work.active).take
    cards = [one.data for one in own if one.kind == "collected" and one.data["how"] != "mark"]
    place = next((one.data["at"] for one in own if "at" in one.data), None)
    if is_asked:
        yield Choice("you are asked what to take, where there is a choice", brings=True)
    elif cards:
        yield from map(Choice, _name_free_choices(work, site, preferences, cards))
    elif not any(_is_left(event) for event in own) and _is_open(work, trial):
        yield Choice(_describe_open_take(work, site, preferences, lands=lands), brings=True)
    landed = lands and any(event.kind == "claimed" for event in own)
    if landed and site.scans.get(work.active) and not any(one["how"] == "scan" for one in cards):
        sentence = f"your scan markers bring you one card more, if any is left at {place} then"
        yield Choice(sentence, brings=True)


def _is_left(event: Event) -> bool:
    return event.kind == "left" and event.data["how"] != "mark"


def _is_open(work: Work, trial: Trial) -> bool:
    """Whether something may lie there that the writer cannot see."""
    place = trial.action.get("at") or work.ships[work.active].at
    return place is not None and bool(work.haze[place])


def _name_free_choices(
    work: Work, site: Site, preferences: Preferences, cards: Sequence[Facts]
) -> Iterator[str]:
    """Name what the program took, where it had a choice (JG-6)."""
    own = [mark for seat, mark in site.marks.items() if seat == work.active]
    free = list_collectable(remove_cards(site.face_up, own))
    offered = {*free, *[UNKNOWN] * site.face_down}
    for one in cards:
        is_named = any(matches_name(name, one["resource"]) for name in preferences)
        has_mark = one["how"] == "harvest" and work.active in site.marks
        if one["how"] != "scan" and not is_named and not has_mark and len(offered) > 1:
            yield f"{one['resource']} is the program's choice (JG-6)"


def _describe_open_take(work: Work, site: Site, preferences: Preferences, *, lands: bool) -> str:
    mark = site.marks.get(work.active)
    if not lands and mark in (UNKNOWN, UNCERTAIN):
        return "you take what you have marked by then"
    names, declines = split_preferences(preferences, may=lands and work.components.is_second)
    best = "what is worth most to you of what lies there then (JG-6)"
    if not names:
        return "you take nothing for the landing" if declines else f"you take {best}"
    safe = work.safe if lands and work.components.is_second else list_unmarked(site)
    unsure, sure = _split_sure(names, list_collectable(safe))
    sentence = f"you take {', else '.join(unsure)} if that lies there then"
    if sure is not None:
        return f"{sentence}, otherwise {sure}"
    if not lands:
        return sentence
    return f"{sentence}, otherwise {'nothing' if declines else best}"
