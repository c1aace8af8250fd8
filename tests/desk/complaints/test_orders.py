"""What players of other systems complain about: their orders. Here each of it cannot happen.

The numbers are those of a list of 26 complaints; the other half is in test_people.py.
"""

from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256

from adjudicator.core.document import decode, encode
from tests.desk.conftest import GAME
from tests.desk.mailing import form, ordering, quoted, words
from tests.desk.twins import World, events_of

ADA, BO, CLEO = "ada@example.org", "bo@example.org", "cleo@example.org"


def reply(world: World, *orders: str, sender: str = ADA) -> str:
    """A reply to the last letter; the receipt's text."""
    last = world.mail.last(sender)
    world.mail.write(sender, ordering(form(words(last)), *orders), last)
    return words(world.mail.last(sender))


def test_01_what_the_receipt_calls_fine_the_turn_executes(world: World) -> None:
    """Check and turn are the same code, keys included: fine is done, "will fail" is negated."""
    for card in ("owl", "fox", "wolf", "bear", "drake"):
        held = card in world.position().hands["red"]
        receipt = reply(world, f"play: {card}")
        assert ("WILL FAIL" in receipt) is not held
        step = world.close()
        events = events_of(world, step)
        negated = [e for e in events if e.kind == "negated" and e.data["seat"] == "red"]
        played = [e.data["card"] for e in events if e.kind == "played" and e.data["seat"] == "red"]
        assert (played == [card]) is held
        assert [e.rule for e in negated] == ([] if held else ["TD-4"])
        while not world.over() and world.desk.step().phase == "prize":
            world.close()


def test_02_orders_on_file_are_in_and_no_absence(world: World) -> None:
    """In or not in is said once, in the receipt, with its reason; `ready: no` is in, too."""
    assert "ON FILE, BUT NOT READY: receipt 1 says `ready: false`" in reply(
        world, f"play: {world.position().hands['red'][0]}", "ready: no"
    )
    assert "You are NOT in: no orders are on file" in reply(world, "ask: [status]", sender=BO)
    world.close()
    assert world.desk.seating("red").missed == 0
    assert world.desk.seating("blue").missed == 1
    assert "receipt 1, digest " in words(world.mail.last(ADA))


def test_03_empty_orders_that_are_sent_are_orders(world: World) -> None:
    receipt = reply(world, "ready: yes")
    assert "YOU ARE NOT IN" in receipt
    assert "Send orders, or `pass: yes` to do nothing" in " ".join(receipt.split())
    receipt = reply(world, "pass: yes")
    assert "YOU ARE IN: receipt 2 is on file" in receipt
    deadline = world.desk.step().deadline
    world.close()
    assert world.desk.seating("red").missed == 0
    assert deadline is not None
    assert world.desk.at - deadline <= timedelta(hours=1), "nobody was waited for twice"


def test_12_what_was_executed_can_be_proved(world: World) -> None:
    """Receipts have numbers, and name what they replace and the digest; reports repeat it."""
    first, *_, second = world.position().hands["red"]
    assert "RECEIPT 1 " in reply(world, f"play: {first}")
    receipt = reply(world, f"play: {second}")
    digest = sha256(encode({"play": second})).hexdigest()
    shown = f"Digest: {digest[:4]} {digest[4:8]}"
    assert "RECEIPT 2 " in receipt
    assert "replaces receipt 1" in receipt
    assert shown in receipt
    step = world.close()
    report = words(world.mail.last(ADA))
    assert f"(receipt 2, {shown.lower().replace(':', '')})" in report
    (executed,) = [
        one
        for one in world.desk.see(lambda books: books.orders(GAME, step.number))
        if one.seat == "red" and one.executed
    ]
    assert (executed.number, executed.digest) == (2, digest)


def test_13_an_old_letter_that_arrives_late_replaces_nothing_unasked(world: World) -> None:
    old, *_, new = world.position().hands["red"]
    report = world.mail.last(ADA)
    block = form(words(report))
    early = world.desk.at
    world.desk.later(minutes=30)
    world.mail.write(ADA, ordering(block, f"play: {new}"), report)
    world.desk.at, late = early, world.desk.at
    message = EmailMessage(policy=SMTP)
    message["From"], message["Message-ID"], message["Date"] = ADA, "<slow@x.test>", early
    message.set_content(ordering(block, f"play: {old}"))
    world.desk.at = late + timedelta(minutes=5)
    assert world.mail.give(message.as_bytes()).reason == "held"
    assert world.post.on_file()[-1] == {"play": new}
    assert "HELD" in words(world.mail.last(ADA))
    stale = ordering(block, f"play: {old}")
    world.close()
    world.mail.write(ADA, stale, report)
    assert "NONE OF YOUR ORDERS WERE PUT ON FILE" in words(world.mail.last(ADA))


def test_14_html_parts_and_signatures_break_nothing_and_tell_nothing(world: World) -> None:
    """Only the words of a message are delivered: no signature, no quoted report, no key."""
    last = world.mail.last(ADA)
    block = ordering(
        form(words(last)), "press:", "- {to: [blue], as: anonymous, text: Shall we talk?}"
    )
    body = f"{block}\n\n-- \nAda Lovelace\nada@example.org\n\n{quoted(words(last))}"
    message = EmailMessage(policy=SMTP)
    message["From"], message["Message-ID"] = ADA, "<1@x.test>"
    message.set_content(body)
    html = "".join(f"<div>{line or '<br>'}</div>" for line in body.splitlines())
    message.add_alternative(f"<html><body>{html}</body></html>", subtype="html")
    world.mail.give(message.as_bytes())
    told = words(world.mail.last(BO))
    assert ": Shall we talk?" in told
    for secret in ("Lovelace", ADA, world.post.key("red"), "red", "Your hand"):
        assert secret not in told.partition("\ngame:")[0]


def test_15_signs_that_programs_put_in_drop_no_orders(world: World) -> None:
    """No-break spaces, smart quotes, full-width colons, soft hyphens, a comment on top."""
    card = world.position().hands["red"][0]
    block = form(words(world.mail.last(ADA)))
    head = [line.replace(": ", ":\u00a0") for line in block[:4]]
    odd = f"\u00a0play\uff1a\u00a0\u201c{card[:1]}\u00ad{card[1:]}\u201d"
    text = "\n".join(["\ufeff# my orders", *head, odd.strip("\u00a0"), "# end of orders"])
    assert world.mail.write(ADA, text).reason == "taken"
    assert world.post.on_file() == [{"play": card}]


def test_16_the_whole_report_may_come_back(world: World) -> None:
    card = world.position().hands["red"][0]
    report = world.mail.last(ADA)
    for number, mark in enumerate(("", "> ", "| ")):
        lines = words(report).replace("# end of orders", f"play: {card}\n# end of orders")
        world.mail.write(ADA, "\n".join(f"{mark}{line}" for line in lines.splitlines()), report)
        assert world.post.on_file()[-1] == {"play": card}, f"style {number}"


def test_17_no_letter_is_lost_or_does_anything_twice(world: World) -> None:
    """A letter that comes again is known; one that went out can be told by its name and number."""
    card = world.position().hands["red"][0]
    raw = f"From: {ADA}\nMessage-ID: <once@x.test>\n\n{world.post.form(f'play: {card}')}".encode()
    first, again = world.mail.give(raw), world.mail.give(raw)
    assert (first.outcome, again.outcome) == ("receipt", "repeat")
    assert first.answer == again.answer
    assert len(world.post.on_file()) == 1
    world.close()
    world.mail.write(ADA, "ask: [resend]")
    world.mail.deliver()
    names = [str(one["Message-ID"]) for letters in world.mail.inbox.values() for one in letters]
    assert len(names) == len(set(names))
    numbers = [
        decode(letter.document)["number"]
        for letter in world.post.outbox()
        if (letter.seat, letter.kind) == ("red", "report")
    ]
    assert numbers == list(range(1, len(numbers) + 1)), "a gap would be seen"
    assert "Report 2 to red" in words(world.mail.last(ADA)) or len(numbers) > 2


def test_19_a_bare_letter_of_any_program_is_enough(world: World) -> None:
    """No subject, no date, no name, no Message-ID, no MIME: a sender and a block."""
    card = world.position().hands["red"][0]
    raw = f"from:{ADA}\r\r{world.post.form(f'play: {card}')}".replace("\n", "\r").encode()
    assert world.mail.give(raw).reason == "taken"
    assert "YOU ARE IN" in words(world.mail.last(ADA))


def test_21_nobody_plays_for_another_or_reads_another_s_hand(world: World) -> None:
    """A key opens one seat of one step; what others hold never leaves the house."""
    hands = world.position().hands
    own = world.post.key("red")
    for lines in (f"key: {own}\nseat: blue", f"key: {own[::-1]}", "seat: blue"):
        world.mail.write(BO, f"game: {GAME}\n{lines}\nplay: {hands['blue'][0]}")
    assert world.post.on_file("blue") == []
    world.say("red", "ask: [report, report 1 blue, why 1, orders blue, resend, status blue]")
    world.mail.deliver()
    others = {", ".join(hands[seat]) for seat in ("blue", "green")} - {", ".join(hands["red"])}
    for letter in world.mail.inbox[ADA]:
        assert not [hand for hand in others if hand in words(letter)]
        assert world.post.key("blue") not in words(letter)


def test_23_what_went_wrong_is_said_with_its_line_rule_and_reason(world: World) -> None:
    receipt = " ".join(reply(world, "play: dragon").split())
    assert 'line 5, play: "dragon" is not a card; expected owl, fox, wolf, bear or drake' in receipt
    missing = next(c for c in ("drake", "wolf", "fox") if c not in world.position().hands["red"])
    receipt = " ".join(reply(world, f"play: {missing}").split())
    assert f"you have no {missing}" in receipt
    assert "[TD-4]" in receipt
    world.close()
    report = " ".join(words(world.mail.last(ADA)).split())
    assert f"you have no {missing}; your weakest card was played in its place [TD-4]" in report
    world.say("red", "ask: [why 1]")
    why = " ".join(words(world.mail.last(ADA)).split())
    assert f"you have no {missing}" in why
    assert "TD-4: " in why
