"""A list of actions played through by what its writer can see (JG-5)."""

import pytest

from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.document import Document
from adjudicator.core.finding import Grade
from adjudicator.core.forms.orders_as_text import describe_entry
from adjudicator.core.forms.reading import Text
from adjudicator.rules.jump_gate.game import JumpGate
from adjudicator.rules.jump_gate.position.order_forms import describe_action
from tests.rules.jump_gate.games import FIRST, LIBRARY, SECOND, given

# 2010: n05 is inside-info, n17 and n21 are wormholes, n43 is lost-records, n33 a jump-paradox
SCAN = "ships: {red: anno}\nplanets: {anno: {face_up: [water], face_down: [fame, sand]}}\n"


Told = list[tuple[str, str, int]]


def _read(game: JumpGate, text: str) -> Document:
    """A turn form as it goes on file."""
    reading = LIBRARY.kind(game.kind).read("turn", parse_yaml(text), ("red", "blue"))
    assert reading.orders is not None
    assert reading.findings == ()
    return reading.orders


def _found(game: JumpGate, text: str, actions: str, **options: object) -> Told:
    """Grade, rule and number of the action of every finding."""
    if "planets" not in text:  # the second edition ends when nothing is left anywhere
        text += "\nplanets: {window: {face_up: [water]}}"
    state = given(game, text, **options)
    findings = game.check(game.view(state, "red"), "red", _read(game, f"actions: {actions}"))
    return [(f.grade.value, f.rule, int(f.path[1])) for f in findings]


@pytest.mark.parametrize(
    ("text", "actions", "found"),
    [
        # a card that may be drawn is hoped for; one that lies on the pile cannot come
        ("hands: {red: [n01]}", "[{do: research}, {do: jump, to: anno, card: n13}]", ("JG-6", 1)),
        (
            "hands: {red: [n01]}\nnavcomp_discard: [n13]",
            "[{do: research}, {do: jump, to: anno, card: n13}]",
            ("JG-6", 1),
        ),
        ("hands: {red: [n01]}", "[{do: research}, {do: jump, to: anno}]", ("JG-9", 1)),
        # what is turned up may be what is wanted, and a mark may or may not be placed
        (
            SCAN + "hands: {red: [n17, n01]}",
            "[{do: scan, mark: fame}, {do: harvest, take: fame}]",
            ("JGB-7", 1),
        ),
    ],
)
def test_what_depends_on_hidden_cards_is_a_warning(
    text: str, actions: str, found: tuple[str, int]
) -> None:
    pile = "navcomp_discard" in text
    grade = Grade.REFUSED if pile else Grade.DOUBTFUL
    assert _found(SECOND, text, actions) == [(grade.value, *found)]


def test_a_mark_on_what_lies_there_already_is_sure() -> None:
    """JGB-5, JGB-7: whatever the scan turns up, the first wish is marked and can be harvested."""
    text = SCAN + "hands: {red: [n17, n01]}"
    assert _found(SECOND, text, "[{do: scan, mark: water}, {do: harvest, take: water}]") == []


@pytest.mark.parametrize(("card", "found"), [("n15", []), ("n16", [("refused", "JG-6", 1)])])
def test_the_pile_comes_back_from_its_oldest_card_when_the_deck_runs_out(
    card: str, found: list[tuple[str, str, int]]
) -> None:
    """JG-8, JGB-3: a hand of one draws the last card of the deck and the three oldest."""
    text = "hands: {red: [n01]}\nnavcomp_deck: [n02]\nnavcomp_discard: [n13, n14, n15, n16]"
    actions = f"[{{do: research}}, {{do: jump, to: anno, card: {card}}}]"
    assert _found(SECOND, text, actions) == found


def test_a_pile_that_is_drawn_whole_holds_no_surprise() -> None:
    text = "hands: {red: [n01]}\nnavcomp_deck: [n02]\nnavcomp_discard: [n13, n14]"
    actions = "[{do: research}, {do: jump, to: anno%s}]"
    assert _found(SECOND, text, actions % ", card: n13") == []
    assert _found(SECOND, text, actions % "") == []


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        # every card with jump code 5 or a wildcard lies on the pile, and only the deck is drawn
        (
            (
                "hands: {red: [n01]}\nnavcomp_deck: [n02, n03, n04, n05, n06]\n"
                "navcomp_discard: [n13, n14, n15, n19, n20, n21, n22, n23, n24]"
            ),
            "[{do: research}, {do: jump, to: anno}]",
        ),
        # the deck is empty, and the card is not on the pile: somebody else holds it
        (
            (
                "hands: {red: [n01], blue: [n13]}\nnavcomp_deck: []\n"
                "navcomp_discard: [n02, n03, n04, n05, n06, n07]"
            ),
            "[{do: research}, {do: jump, to: anno, card: n13}]",
        ),
        # no card of the pile lands on waldwelt
        (
            (
                "hands: {red: [n01, n18]}\nships: {red: waldwelt}\nnavcomp_deck: []\n"
                "navcomp_discard: [n03, n06, n07, n10]"
            ),
            "[{do: research}, {do: land}]",
        ),
        (
            (
                "hands: {red: [n01, n02]}\nships: {red: waldwelt}\nnavcomp_deck: []\n"
                "navcomp_discard: [n03, n06, n07, n10]"
            ),
            "[{do: research}, {do: land, cards: [n02]}]",
        ),
    ],
)
def test_what_no_card_that_can_be_drawn_allows_is_refused(text: str, actions: str) -> None:
    """JG-5: the first action that cannot be legal, whatever is drawn."""
    (found,) = _found(SECOND, text, actions)
    assert (found[0], found[2]) == ("refused", 1)


def test_more_cards_than_will_be_drawn() -> None:
    text = "hands: {red: [n01, n02, n03, n04]}"
    actions = "[{do: research}, {do: jump, to: anno, card: n13}]"
    assert _found(SECOND, text, actions) == [("doubtful", "JG-6", 1)]
    full = "hands: {red: [n01, n02, n03, n04, n05]}"
    assert _found(SECOND, full, actions) == [("refused", "JG-6", 1)]


def test_a_card_that_was_discarded_unnamed_may_be_the_one() -> None:
    """Which of two fitting cards went depends on what was drawn in between."""
    actions = """[{do: special, card: n05}, {do: jump, to: anno},
        {do: special, card: n17, to: cinder}]"""
    assert _found(FIRST, "hands: {red: [n05, n17, n18]}", actions) == [("doubtful", "JG-6", 2)]
    assert _found(FIRST, "hands: {red: [n05, n17]}", actions) == [("doubtful", "JG-6", 2)]
    named = actions.replace("anno}", "anno, card: n18}")
    assert _found(FIRST, "hands: {red: [n05, n17, n18]}", named) == []


@pytest.mark.parametrize("take", ["fame", "water", ""])
def test_after_a_landing_of_which_all_is_seen(take: str) -> None:
    """What lies open and nobody else may take is known: water is gone, fame was never there."""
    text = (
        "ships: {red: anno}\nhands: {red: [n18, n20]}\nplanets: {anno: {face_up: [water, gem-red]}}"
    )
    harvest = f"{{do: harvest, take: {take}}}" if take else "{do: harvest}"
    found = _found(FIRST, text, f"[{{do: land, take: water}}, {harvest}]")
    assert found == ([("refused", "JGA-8", 1)] if take else [])


def test_after_a_landing_where_others_may_take_too() -> None:
    text = (
        "ships: {red: anno}\nhands: {red: [n18, n20]}\n"
        "planets: {anno: {face_up: [water, gem-red], scans: {blue: 1}}}"
    )
    assert _found(FIRST, text, "[{do: land, take: water}, {do: harvest}]") == [
        ("doubtful", "JGA-8", 1)
    ]
    assert _found(FIRST, text, "[{do: land, take: water}, {do: harvest, take: fame}]") == [
        ("refused", "JGA-8", 1)
    ]


def test_the_landers_own_scan_marker_takes_by_the_standing_orders_of_the_letter() -> None:
    text = (
        "ships: {red: anno}\nhands: {red: [n18, n20]}\n"
        "planets: {anno: {face_up: [water, gem-red], scans: {red: 1}}}"
    )
    state = given(FIRST, text)
    view = FIRST.view(state, "red")
    actions = [{"do": "land", "take": ["water"]}, {"do": "harvest"}]
    (found,) = FIRST.check(view, "red", {"actions": actions})
    assert (found.grade, found.rule) == (Grade.REFUSED, "JGA-8")
    orders = {"actions": actions, "standing": {"collect": ["none"]}}
    assert list(FIRST.check(view, "red", orders)) == []


def test_who_has_landed_knows_what_lies_face_down_but_not_how() -> None:
    text = (
        "ships: {red: {planet: anno, landed: true}}\n"
        "hands: {red: [n01, n05, n17]}\n"
        "planets: {anno: {claim: red, face_down: [water, fame]}}"
    )
    burn = {"orbital_burn": True}
    assert _found(FIRST, text, "[{do: harvest, take: fame}]", **burn) == []
    assert _found(FIRST, text, "[{do: harvest, take: gem-red}]", **burn) == [
        ("refused", "JGA-8", 0)
    ]
    back = "[{do: return-to-orbit}, {do: harvest, take: fame}]"
    assert _found(FIRST, text, back, **burn) == [("refused", "JGA-8", 1)]
    up = text.replace("face_down", "face_up: [energel-dark], face_down")
    left = "[{do: special, card: n33, player: blue}, {do: special, card: n09, at: anno, take: %s}]"
    up = up.replace("n17]", "n33, n09]")
    assert _found(FIRST, up, left % "energel-dark", **burn) == []
    assert _found(FIRST, up, left % "fame", **burn) == [("refused", "JGA-9", 1)]


def test_after_a_choice_of_others_the_rest_is_asked_for_again() -> None:
    text = (
        "ships: {red: anno}\nhands: {red: [n18, n20]}\n"
        "planets: {anno: {face_up: [water, gem-red], scans: {blue: 1}}}"
    )
    actions = "[{do: land, take: water}, {do: fly, to: cinder}]"
    assert _found(FIRST, text, actions, interrupts="ask") == [("doubtful", "JG-15", 1)]
    never = actions.replace("cinder", "waldwelt")  # no neighbour, whatever blue chooses
    assert _found(FIRST, text, never, interrupts="ask")[-1] == ("refused", "JG-9", 1)


def test_after_a_scan_that_asks_what_to_mark() -> None:
    text = SCAN + "hands: {red: [n17, n01]}"
    actions = "[{do: scan}, {do: harvest}]"
    assert _found(SECOND, text, actions) == []  # the program marks something
    assert _found(SECOND, text, actions, interrupts="ask") == [
        ("doubtful", "JGB-7", 1),
        ("doubtful", "JG-15", 1),
    ]


def test_after_a_landing_that_asks_the_planet_is_claimed() -> None:
    text = "ships: {red: anno}\nhands: {red: [n04, n09, n31, n35]}\nplanets: "
    text += "{anno: {face_up: [water, sand], marks: {blue: sand}}}"
    actions = "[{do: land, cards: [n04, n09]}, {do: land}]"
    assert _found(SECOND, text, actions, interrupts="ask")[-1] == ("refused", "JGB-6", 1)


def test_only_the_active_player_acts() -> None:
    view = SECOND.view(given(SECOND, "active: blue"), "red")
    (found,) = SECOND.check(view, "red", {"actions": [{"do": "research"}], "end": True})
    assert (found.grade, found.rule, found.entry) == (Grade.REFUSED, "JG-4", ("actions", 0))
    (found,) = SECOND.check(view, "red", {"end": True})
    assert (found.rule, found.entry) == ("JG-4", ("end",))
    assert list(SECOND.check(view, "red", {"standing": {"collect": ["none"]}})) == []


@pytest.mark.parametrize("game", [FIRST, SECOND], ids=lambda game: game.kind)
def test_a_third_action(game: JumpGate) -> None:
    limit = "JGB-4" if game is SECOND else "JGA-4"
    actions = "[{do: research}, {do: research}, {do: jump, to: sethium, card: n01}]"
    assert _found(game, "", actions) == [("refused", limit, 2)]


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ("[{do: research, discard: [n01, n01]}]", "n01 is only once in your hand."),
        ("[{do: research, discard: [n02]}]", "n02 is not in your hand."),
        ("[{do: harvest, take: nothing}]", 'A "nothing" is never taken.'),
        ("[{do: harvest, take: [nothing, fame]}]", "There is no nothing or fame to take."),
    ],
)
def test_why_an_action_is_refused_is_told_in_plain_words(actions: str, why: str) -> None:
    text = "ships: {red: anno}\nhands: {red: [n01]}\n"
    text += "planets: {anno: {face_up: [water, nothing], claim: blue}}"
    state = given(FIRST, text)
    findings = FIRST.check(FIRST.view(state, "red"), "red", _read(FIRST, f"actions: {actions}"))
    assert [finding.message for finding in findings] == [why]


ASKED = """
step: collect
planets: {anno: {face_up: [gem-red, "fame!"], scans: {blue: 1}, claim: red}}
ships: {red: anno}
awaiting: {collect: {blue: anno}}
"""


@pytest.mark.parametrize(
    ("collect", "why"),
    [
        (["water"], ["There is no water to collect, so the program chooses."]),
        (["water", "sand", "none"], ["There is no water or sand to collect, so nothing is taken."]),
        (
            ["water", "fame"],
            [
                (
                    "fame! has the black hole icon, so gem-red is collected before it "
                    "(black_hole: avoid); to have it all the same, write fame!."
                )
            ],
        ),
        (["water", "fame!"], []),
        (["none"], []),
    ],
)
def test_a_wish_that_is_not_on_offer_is_told(collect: list[str], why: list[str]) -> None:
    """JG-14: who is asked sees what is on offer."""
    view = FIRST.view(given(FIRST, ASKED, interrupts="ask"), "blue")
    findings = FIRST.check(view, "blue", {"collect": collect})
    assert [finding.message for finding in findings] == why
    assert {finding.grade for finding in findings} <= {Grade.DOUBTFUL}


@pytest.mark.parametrize(
    ("then", "scans", "may"),
    [("", "", False), ("red", "red: 1", False), ("blue", "blue: 1", False), ("", "red: 1", True)],
)
def test_only_the_card_of_the_landing_cannot_be_declined(then: str, scans: str, may: bool) -> None:
    """JGA-7: the form offers to decline, and the receipt says when it does not help."""
    text = ASKED.replace("blue: 1", scans).replace("{blue: anno}", f"{{red: anno}}, then: [{then}]")
    view = FIRST.view(given(FIRST, text, interrupts="ask"), "red")
    told = [finding.rule for finding in FIRST.check(view, "red", {"collect": ["none"]})]
    assert told == ([] if may else ["JGA-7"])
    assert ("`collect: none` declines." in FIRST.report(view, ())["form"]["comments"]) is may


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ({"do": "harvest", "take": ["fame", "water"]}, "harvest, take fame, else water"),
        (
            {"do": "special", "card": "n09", "take": ["fame", "water"]},
            "special, card n09, take fame, then water",
        ),
        ({"do": "land", "cards": ["n01", "n02"]}, "land, cards n01 and n02"),
        ({"do": "research", "discard": []}, "research, discard nothing"),
        (
            {"do": "special", "card": "n01", "remove": {"from": "anno", "player": "blue"}},
            "special, card n01, remove from anno player blue",
        ),
    ],
)
def test_an_action_is_told_back_in_one_line(action: Document, told: str) -> None:
    assert describe_action(action) == told


def test_a_harvest_with_a_card_that_is_drawn_for_sure_is_fine() -> None:
    """Any card pays for it (JGB-7)."""
    text = "planets: {anno: {face_up: [water]}}\nships: {red: anno}\nhands: {red: [n24]}"
    view = SECOND.view(given(SECOND, text), "red")
    first = {"do": "research", "discard": ["n24"]}
    assert not SECOND.check(view, "red", {"actions": [first, {"do": "harvest"}]})


def test_a_harvest_without_any_card_is_refused_in_plain_words() -> None:
    text = "planets: {anno: {face_up: [water]}}\nships: {red: anno}"
    view = SECOND.view(given(SECOND, text), "red")
    (found,) = SECOND.check(view, "red", {"actions": [{"do": "harvest"}]})
    assert (found.rule, found.message) == ("JGB-7", "You have no card to discard.")


@pytest.mark.parametrize(("mark", "asked"), [("[sand]", False), ("[water]", True)])
def test_a_standing_list_that_covers_the_offer_keeps_the_rest_of_the_list(
    mark: str, asked: bool
) -> None:
    """JG-15: the receipt warns of a choice only where one may come."""
    text = f"""
planets: {{anno: {{face_up: [sand], face_down: [fame]}}}}
ships: {{red: anno}}
hands: {{red: [n17]}}
standing: {{red: {{mark: {mark}}}}}
"""
    view = SECOND.view(given(SECOND, text, interrupts="ask"), "red")
    orders = {"actions": [{"do": "scan", "card": "n17"}, {"do": "fly", "to": "cinder"}]}
    assert [one.rule for one in SECOND.check(view, "red", orders)] == ["JG-15"] * asked


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ({"actions": [{"do": "harvst"}]}, '"harvst" is not an action; did you mean "harvest"?'),
        ({"actions": ["reserch"]}, '"reserch" is not an action; did you mean "research"?'),
        ({"actions": ["jmup anno"]}, '"jmup anno" is not an action; did you mean "jump"?'),
    ],
)
def test_a_misspelt_action_is_recognised(written: Document, why: str) -> None:
    reading = LIBRARY.kind("jump-gate").read("turn", Text(value=written), ("red", "blue"))
    assert [one.message for one in reading.findings] == [why]


def test_the_receipt_of_a_backroom_deal_does_not_say_that_one_card_stands_for_another() -> None:
    """It takes both (JGA-9)."""
    deal = {"do": "special", "card": "n09", "take": ["gem-white", "energel-dark"]}
    said = describe_entry(LIBRARY.kind("jump-gate-2010").form("turn"), ("actions", 0), deal)
    assert said == "special action of n09, preferring gem-white, then energel-dark"
