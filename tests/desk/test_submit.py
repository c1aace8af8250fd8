"""Orders arrive: what goes on file, what is refused, and what the receipt says of it."""

import pytest

from adjudicator.core.document import decode, digest, encode
from adjudicator.desk.acts.calendar import pause_game
from adjudicator.desk.acts.seats import seat_bot
from adjudicator.desk.model.errors import Refused, Unknown
from tests.desk.conftest import GAME, Desk


def _on_file(desk: Desk, seat: str = "red") -> list[object]:
    sets = desk.see(lambda books: books.orders(GAME, desk.game().open_step))
    return [decode(own.orders) for own in sets if own.seat == seat]


def _marks(receipt: object) -> list[str]:
    return [entry["mark"] for entry in receipt["entries"]]  # type: ignore[index] # a document


def test_orders_go_on_file_and_the_receipt_says_so(desk: Desk) -> None:
    desk.new()
    card = desk.state()["hands"]["red"][0]
    receipt = desk.send("red", f"game: tiny\nstep: 1-pick\nplay: {card.upper()}")
    assert receipt["outcome"] == "taken"
    assert (receipt["number"], receipt["replaces"]) == (1, None)
    assert receipt["set"] == {"receipt": 1, "digest": digest(encode({"play": card}))}
    assert receipt["standing"]["in"]
    assert receipt["standing"]["why"] == "receipt 1 is on file"
    assert _marks(receipt) == ["fine"]
    assert receipt["missing"] == []
    assert receipt["form"]["orders"] == {"play": card}
    assert receipt["form"]["envelope"] == {
        "game": "tiny",
        "step": "1-pick",
        "key": None,
        "after": 1,
    }
    assert _on_file(desk) == [{"play": card}]


def test_the_receipt_says_what_the_orders_will_do_where_the_game_can(desk: Desk) -> None:
    desk.new()
    card = desk.state()["hands"]["red"][0]
    told = desk.send("red", f"play: {card}")["foretold"]
    assert len(told) == 1
    assert told[0].startswith(f"The {card} beats ")
    refused = desk.send("red", "play: unicorn")
    assert refused["outcome"] == "refused"
    assert refused["foretold"] == told  # of what stays on file


def test_nothing_is_foretold_where_nothing_is_on_file(desk: Desk) -> None:
    desk.new()
    assert desk.send("red", "play: unicorn")["foretold"] == []


def test_a_preview_is_foretold_though_other_orders_are_on_file(desk: Desk) -> None:
    desk.new()
    hand = list(dict.fromkeys(desk.state()["hands"]["red"]))
    filed = desk.send("red", f"play: {hand[0]}")["foretold"]
    preview = desk.send("red", f"play: {hand[-1]}\npreview: yes")
    assert preview["foretold"][0].startswith(f"The {hand[-1]} beats ")
    assert desk.send("red", "vote: draw")["foretold"] == filed


def test_a_receipt_is_a_letter_too(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "play: owl")
    (letter,) = desk.letters("receipt")
    assert decode(letter.document) == receipt
    assert letter.message_id == "<tiny.1-pick.red.receipt.1@adjudicator.invalid>"


def test_a_new_set_replaces_the_old_one_whole_and_says_which(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl\nstanding: {prize: pass}")
    receipt = desk.send("red", "play: fox")
    assert (receipt["number"], receipt["replaces"]) == (2, 1)
    assert receipt["form"]["orders"] == {"play": "fox"}


def test_receipts_are_counted_per_seat_over_the_whole_game(desk: Desk) -> None:
    desk.new()
    numbers = [desk.send("red", text)["number"] for text in ("play: owl", "play: [", "pley: x")]
    assert numbers == [1, 2, 3]
    assert desk.send("blue", "play: owl")["number"] == 1
    desk.close()
    assert desk.send("red", "standing: {prize: pass}")["number"] == 4


def test_unreadable_changes_nothing_and_tells_all_faults_with_their_lines(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    receipt = desk.send("red", "# mine\nplay: [owl\nstep: {x\n")
    assert receipt["outcome"] == "unreadable"
    assert [fault["grade"] for fault in receipt["faults"]] == ["unreadable"] * len(
        receipt["faults"]
    )
    assert all(fault["line"] and fault["column"] for fault in receipt["faults"])
    assert any(line["fault"] for line in receipt["excerpt"])
    assert receipt["set"] == {"receipt": 1, "digest": digest(encode({"play": "owl"}))}
    assert _on_file(desk) == [{"play": "owl"}]


@pytest.mark.parametrize("text", ["from: blue", "- play\n- owl", "owl"])
def test_what_is_no_form_of_this_step_is_unreadable(desk: Desk, text: str) -> None:
    desk.new()
    receipt = desk.send("red", text)
    assert receipt["outcome"] == "unreadable"
    assert receipt["faults"][0]["rule"] == "TD-2"
    assert not receipt["standing"]["in"]
    assert receipt["missing"] == ["orders for round 1, pick"]
    assert _on_file(desk) == []


def test_a_refused_entry_stays_out_and_the_others_count(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "standing: {prize: pass}\nplay: wofl\n")
    assert receipt["outcome"] == "taken"
    assert _marks(receipt) == ["fine", "refused"]
    (fault,) = receipt["entries"][1]["faults"]
    assert (fault["rule"], fault["line"], fault["grade"]) == ("TD-2", 2, "refused")
    assert "wolf" in fault["message"]
    assert _on_file(desk) == [{"standing": {"prize": "pass"}}]


def test_when_all_is_refused_what_stood_still_stands(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    receipt = desk.send("red", "play: wofl")
    assert receipt["outcome"] == "refused"
    assert receipt["headline"] == "NOT RECEIVED: line 1 is refused: play: wofl"
    assert _on_file(desk) == [{"play": "owl"}]


def test_doomed_orders_are_on_file_and_named(desk: Desk) -> None:
    desk.new()
    missing = next(
        card for card in ("owl", "fox", "wolf") if card not in desk.state()["hands"]["red"]
    )
    receipt = desk.send("red", f"\nplay: {missing}")
    assert receipt["outcome"] == "taken"
    (entry,) = receipt["entries"]
    assert entry["mark"] == "will fail"
    assert (entry["faults"][0]["rule"], entry["faults"][0]["line"]) == ("TD-4", 2)
    assert _on_file(desk) == [{"play": missing}]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game: huge\nplay: owl", "for the game huge"),
        ("step: 7-pick\nplay: owl", "Due from you now: round 1, pick"),
        ("step: 0-setup\nvote: draw", "Due from you now: round 1, pick"),
    ],
)
def test_a_letter_for_another_game_or_step_changes_nothing(
    desk: Desk, text: str, told: str
) -> None:
    desk.new()
    receipt = desk.send("red", text)
    assert receipt["outcome"] == "refused"
    assert told in receipt["faults"][0]["message"]
    assert _on_file(desk) == []
    assert desk.seating("red").vote == "none"


def test_nothing_new_is_answered_by_how_the_seat_stands(desk: Desk) -> None:
    desk.new()
    assert desk.send("red", "game: tiny\n")["outcome"] == "status"
    desk.send("red", "play: owl")
    again = desk.send("red", "play: owl")
    assert (again["outcome"], again["number"], again["set"]["receipt"]) == ("status", 3, 2)
    assert len(_on_file(desk)) == 1


@pytest.mark.parametrize("word", ["yes", "no"])
def test_ready_alone_puts_nothing_on_file_and_says_how_to_pass(desk: Desk, word: str) -> None:
    desk.new()
    receipt = desk.send("red", f"ready: {word}")
    assert (receipt["outcome"], receipt["standing"]["in"]) == ("status", False)
    assert _on_file(desk) == []
    assert "`pass: yes`" in receipt["ignored"][0]
    assert "`pass: yes`" in " ".join(receipt["form"]["comments"])


def test_to_pass_is_one_word(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "pass: yes")
    assert (receipt["outcome"], receipt["standing"]["ready"]) == ("taken", True)
    assert [(one["key"], one["words"], one["mark"]) for one in receipt["entries"]] == [
        ("pass", "yes", "fine")
    ]
    assert receipt["form"]["orders"] == {"pass": True}
    desk.send("blue", "pass: yes")
    desk.send("green", "pass: yes")
    desk.close(now=False)
    assert desk.step().number > 1


@pytest.mark.parametrize(
    ("text", "kept", "why"),
    [
        ("play: owl\npass: yes", {"play": "owl"}, "orders beside it"),
        ("play: owl\npass: no", {"play": "owl"}, "leave this line out"),
    ],
)
def test_to_pass_beside_orders_is_refused_and_the_orders_count(
    desk: Desk, text: str, kept: object, why: str
) -> None:
    desk.new()
    receipt = desk.send("red", text)
    (refused,) = [one for one in receipt["entries"] if one["mark"] == "refused"]
    assert why in refused["faults"][0]["message"]
    assert _on_file(desk) == [kept]


def test_to_pass_may_bring_standing_orders(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "pass: yes\nstanding: {prize: pass}")
    assert _marks(receipt) == ["fine", "fine"]


def test_a_word_that_says_nothing_new_is_not_doubled(desk: Desk) -> None:
    desk.new()
    card = desk.state()["hands"]["red"][0]
    (entry,) = desk.send("red", f"play: {card.capitalize()}")["entries"]
    assert (entry["key"], entry["written"], entry["words"]) == ("play", None, card)


def test_orders_on_file_that_are_not_ready_are_told_how_they_become_so(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    waiting = desk.send("red", "ready: no")
    assert waiting["standing"]["then"] == "To let the step close early, reply `ready: yes`."
    ready = desk.send("red", "ready: yes")["standing"]
    assert (ready["ready"], ready["then"]) == (True, None)


def test_a_late_letter_hears_when_its_step_closed(desk: Desk) -> None:
    desk.new()
    desk.later(minutes=3)
    desk.close()
    desk.later(seconds=42)
    (fault,) = desk.send("red", "step: 1-pick\nplay: owl")["faults"]
    assert fault["message"].startswith(
        "These orders are for round 1, pick (step 1-pick), which closed on Mon 2 Nov 2026, "
        "20:03:00 UTC, 42 seconds before your letter arrived. Due from you now: "
    )


def test_whoever_is_not_ready_counts_but_keeps_the_step_open(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    receipt = desk.send("red", "ready: no")
    assert receipt["standing"]["in"]
    assert not receipt["standing"]["ready"]
    assert _on_file(desk) == [{"play": "owl"}, {"play": "owl"}]
    assert receipt["set"]["receipt"] == 2
    assert desk.send("red", "play: owl")["standing"]["ready"]


def test_a_preview_puts_nothing_on_file(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "play: owl\npreview: true\nvote: draw\nresign: yes")
    assert receipt["outcome"] == "preview"
    assert receipt["entries"]
    assert not receipt["standing"]["in"]
    assert _on_file(desk) == []
    assert (desk.seating("red").vote, desk.seating("red").player) == ("none", "Ada")


def test_clear_withdraws_what_is_on_file(desk: Desk) -> None:
    desk.new()
    assert desk.send("red", "clear: yes")["outcome"] == "status"
    desk.send("red", "play: owl")
    receipt = desk.send("red", "clear: yes")
    assert (receipt["outcome"], receipt["set"]) == ("cleared", None)
    assert not receipt["standing"]["in"]
    assert desk.send("red", "play: owl\nclear: yes")["outcome"] == "taken"


@pytest.mark.parametrize("key", ["press", "ask", "absent", "prefer", "join", "gm"])
def test_what_comes_only_by_letter_is_said_and_not_dropped(desk: Desk, key: str) -> None:
    desk.new()
    receipt = desk.send("red", f"{key}: x\nplay: owl")
    assert receipt["outcome"] == "taken"
    (line,) = receipt["ignored"]
    assert line.startswith(f"{key}: this works only in a letter")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ready: maybe", "write true or false"),
        ("vote: drow", 'did you mean "draw"'),
        ("after: soon", "a number was expected"),
        ("step: [1]", "one word"),
    ],
)
def test_a_wish_that_cannot_be_read_is_told_with_its_line(desk: Desk, text: str, told: str) -> None:
    desk.new()
    receipt = desk.send("red", f"play: owl\n{text}")
    assert receipt["outcome"] == "taken"
    (fault,) = receipt["faults"]
    assert told in fault["message"]
    assert fault["line"] == 2


def test_keys_of_the_envelope_may_have_capitals(desk: Desk) -> None:
    desk.new()
    assert desk.send("red", "Game: tiny\nREADY: No\nPlay: owl")["standing"]["ready"] is False


def test_a_form_older_than_the_set_on_file_is_pointed_out(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: owl")
    receipt = desk.send("red", "after: 0\nplay: fox")
    assert "The letter that you answered is older than receipt 1." in receipt["wishes"]


def test_whoever_owes_nothing_may_only_send_standing_orders(desk: Desk) -> None:
    desk.new(seats={"red": "Ada", "blue": "Bo"})
    hands = desk.state()["hands"]
    desk.send("red", f"play: {hands['red'][-1]}")
    desk.send("blue", f"play: {hands['blue'][0]}")
    desk.close()
    assert desk.step().phase == "prize"
    owing = desk.state()["scorer"]
    other = "blue" if owing == "red" else "red"
    receipt = desk.send(other, f"from: {owing}")
    assert receipt["outcome"] == "refused"
    assert "nothing is due from" in receipt["faults"][0]["message"]
    receipt = desk.send(other, "standing: {prize: pass}")
    assert receipt["outcome"] == "taken"
    assert not receipt["standing"]["due"]
    desk.close()
    assert desk.state()["standing"] == {other: {"prize": "pass"}}


def test_orders_are_taken_in_a_pause(desk: Desk) -> None:
    desk.new()
    desk.act(pause_game)
    assert desk.send("red", "play: owl")["outcome"] == "taken"


def test_no_orders_before_the_start_or_for_unknown_seats(desk: Desk) -> None:
    desk.new(start=False)
    with pytest.raises(Refused, match="start it first"):
        desk.send("red", "play: owl")
    with pytest.raises(Refused, match="huge"), desk.store.reading() as books:
        books.game("huge")


def test_an_unknown_seat_is_named(desk: Desk) -> None:
    desk.new()
    with pytest.raises(Unknown, match='no seat "pink"'):
        desk.send("pink", "play: owl")


def test_instants_are_told_by_the_clock_of_the_reader(desk: Desk) -> None:
    desk.new(settings={"pace": "72h", "zone": "Europe/Berlin"})
    receipt = desk.send("red", "play: owl")
    assert receipt["arrived"]["text"] == "Mon 2 Nov 2026, 21:00:00 (Europe/Berlin, UTC+1)"
    assert receipt["deadline"] == {
        "at": "2026-11-05T21:00:00+01:00",
        "zone": "Europe/Berlin",
        "passed": False,
        "paused": False,
    }
    desk.later(hours=73)
    assert desk.send("red", "play: cat")["deadline"]["passed"]


def test_orders_for_a_bots_seat_come_before_the_bots_own(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "red")
    card = desk.state()["hands"]["red"][0]
    assert desk.send("red", f"play: {card}", by="gm")["outcome"] == "taken"
    desk.close()
    (own,) = [o for o in desk.see(lambda books: books.orders(GAME, 1)) if o.seat == "red"]
    assert (own.by, own.executed) == ("gm", True)
    assert [x.status for x in desk.letters("receipt", "red")] == ["withdrawn"]


def test_a_receipt_says_that_orders_for_a_bots_seat_count(desk: Desk) -> None:
    desk.new()
    desk.act(seat_bot, "red")
    card = desk.state()["hands"]["red"][0]
    receipt = desk.send("red", f"play: {card}", by="gm")
    assert receipt["standing"]["why"] == "receipt 1 is on file and counts"


def test_a_receipt_quotes_a_long_line_in_part(desk: Desk) -> None:
    desk.new()
    (line,) = desk.send("red", "play: " + "[" * 5000)["excerpt"]
    assert len(line["text"]) == 66
    assert line["text"].endswith("[ …")


def test_what_could_not_be_read_is_told_in_part_when_it_is_long(desk: Desk) -> None:
    desk.new()
    receipt = desk.send(
        "red", "play: owl\nplya: " + "x" * 5_000 + "\nnote: [" + "a word, " * 500 + "]"
    )
    unknown = [entry for entry in receipt["entries"] if entry["mark"] == "refused"]
    assert [entry["key"] for entry in unknown] == ["plya", "note"]
    assert unknown[0]["written"] == "x" * 299 + "…"
    assert len(unknown[1]["words"]) == 300


def test_the_history_holds_no_orders(desk: Desk) -> None:
    desk.new()
    desk.send("red", "play: drake\nvote: draw")
    notes = desk.see(lambda books: books.notes(GAME))
    told = str([(note.text, note.data) for note in notes])
    assert "drake" not in told
    assert "draw" not in told
    assert "red: receipt 1, taken" in told


def test_a_key_is_never_repeated(desk: Desk) -> None:
    desk.new()
    receipt = desk.send("red", "game: tiny\nKey: 7f3k-q2mx\nplay: [owl\n")
    assert [line["text"] for line in receipt["excerpt"]][:2] == ["game: tiny", "Key: …"]
    assert "7f3k" not in str(receipt)
