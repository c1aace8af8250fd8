"""The headline of a report is its reader's own news."""

import re
from collections.abc import Iterator, Sequence

import pytest

from adjudicator.core.events import Event, list_visible
from adjudicator.core.headline import shorten_headline
from tests.games.jump_wars.play import RULES, walk

EIGHT = ("red", "blue", "green", "yellow", "white", "black", "purple", "orange")
STALE = re.compile(r"plans .* carried out|fleets jump")


def headlines(seed: int, steps: int) -> Iterator[tuple[str, Sequence[Event], str]]:
    """Every seat's headline of every step of a game of eight bots, with what the seat saw."""
    for played in walk(seed, EIGHT, {}, players=dict.fromkeys(EIGHT, "bot"), steps=steps):
        for seat in EIGHT:
            seen = list_visible(played.events, seat)
            yield seat, seen, str(RULES.report(RULES.view(played.after, seat), seen)["headline"])


@pytest.mark.parametrize(
    ("seed", "steps"), [(7, 14), *(pytest.param(n, 99, marks=pytest.mark.soak) for n in (5, 7))]
)
def test_no_headline_names_a_fight_of_others_where_its_reader_fought(seed: int, steps: int) -> None:
    """The end of the game apart, which is everybody's news."""
    fought = told = 0
    for seat, seen, headline in headlines(seed, steps):
        told += 1
        assert not STALE.search(headline), headline
        fights = [event.data for event in seen if event.kind == "fight"]
        own = [fight for fight in fights if seat in fight["lost"]]
        if not own or any(event.kind in ("won", "drawn") for event in seen):
            continue
        fought += 1
        assert re.search(r"\byou(r)?\b", headline, re.IGNORECASE), f"{seat}: {headline}"
        others = [fight for fight in fights if fight not in own and fight["home"] != seat]
        places = {fight["at"] for fight in others}
        assert not places & set(re.findall(r"\b[A-J]\d+\b", headline)), f"{seat}: {headline}"
    assert fought > told // 10, (fought, told)


def test_a_headline_fits_a_subject_as_a_whole_clause() -> None:
    """What follows a pause goes first; no clause ends in the middle."""
    for _, _, headline in headlines(7, 8):
        short = shorten_headline(headline, 36)
        assert len(short) <= 36
        assert headline.lower().startswith(short.removesuffix(" …").lower())
        assert not re.search(r"( at| to| from|,|;)( …)?$", short), short


@pytest.mark.parametrize(
    ("headline", "room", "short"),
    [
        ("You took A1, green's homeworld.", 40, "you took A1, green's homeworld"),
        ("You took A1, green's homeworld.", 20, "you took A1"),
        ("You lost 8 fleets at D7; you held A8.", 30, "you lost 8 fleets at D7"),
        ("red claimed anno.", 30, "red claimed anno"),
        ("You reconsidered everything thoroughly.", 20, "you reconsidered …"),
        ("Antidisestablishmentarianism.", 10, "Antidise …"),
        ("You won.", 1, ""),
    ],
)
def test_a_headline_is_shortened_from_its_end(headline: str, room: int, short: str) -> None:
    assert shorten_headline(headline, room) == short
