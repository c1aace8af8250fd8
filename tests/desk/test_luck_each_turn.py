"""`luck: each-turn`: the dice of a step are mixed with words that nobody could choose late."""

import hashlib
import itertools
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.adapters.archive.pack import pack_record
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.archive.verify import Verification, verify_archive, verify_record
from adjudicator.adapters.render.text_layout import format_form_block
from adjudicator.core.dice import Dice, derive_dice_key, make_luck_sheet
from adjudicator.core.document import decode
from adjudicator.desk.acts.adjust import ACT_ADJUST
from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.rollback import roll_back
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Arrival
from adjudicator.desk.steps.record import Record, read_record
from adjudicator.desk.steps.replay import replay_game
from tests.desk.conftest import GAME, Desk
from tests.desk.post import Post, hand

RED, BLUE = make_luck_sheet("red's own secret", 9), make_luck_sheet("blue's own secret", 9)


@pytest.fixture
def game(desk: Desk) -> Desk:
    """A Jump Wars game whose players have joined with the first words of their sheets."""
    desk.new(
        kind="jump-wars",
        settings={"luck": "each-turn"},
        luck={"red": RED[0], "blue": BLUE[0]},
        options={},
    )
    return desk


def send(desk: Desk, seat: str, word: str | None = None) -> list[str]:
    """Send what the step wants, with a word; what the receipt says of it."""
    orders = "build: max" if desk.step().phase == "plan" else "jump: []"
    luck = f"\nluck: {word}" if word is not None else ""
    receipt = desk.send(seat, orders + luck, by="gm")
    return [one for one in (*receipt["wishes"], *receipt["ignored"]) if one.startswith("luck:")]


def record(desk: Desk) -> Record:
    return desk.see(lambda books: read_record(books, GAME))


def verdict(desk: Desk) -> Verification:
    with desk.store.reading() as books:
        kind, seatings = desk.library.kind("jump-wars"), books.seatings(GAME)
        return verify_record(read_record(books, GAME), kind, seatings)


@pytest.fixture
def thrown(monkeypatch: pytest.MonkeyPatch) -> list[Dice]:
    """The dice with which steps were closed, the last one at the end."""
    found: list[Dice] = []

    def note(key: bytes, step: str) -> Dice:
        found.append(Dice(key, step))
        return found[-1]

    monkeypatch.setattr("adjudicator.desk.model.context.Dice", note)
    return found


def dice_with(desk: Desk, step: str, **words: str) -> int:
    """A number drawn in the step when these words are mixed into its dice."""
    known = desk.game()
    mixed = [(seat, words.get(seat)) for seat in known.seats]
    return drawn(Dice(derive_dice_key(known.seed, known.luck, mixed), step))


def drawn(dice: Dice) -> int:
    return dice.draw("anything").below(1 << 60)


def test_each_word_of_a_sheet_is_the_sha_256_of_the_next_as_anybody_can_check() -> None:
    for word, following in itertools.pairwise(RED):
        assert hashlib.sha256(following.encode()).hexdigest() == word


def test_words_that_fit_are_mixed_into_the_dice_of_their_step(
    game: Desk, thrown: list[Dice]
) -> None:
    assert "fits" in send(game, "red", RED[1])[0]
    assert "fits" in send(game, "blue", BLUE[1])[0]
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "1-plan", red=RED[1], blue=BLUE[1])
    assert drawn(thrown[-1]) != dice_with(game, "1-plan", red=RED[1])
    assert drawn(thrown[-1]) != drawn(
        Dice(derive_dice_key(game.game().seed, game.game().luck), "1-plan")
    )


def test_whoever_sends_none_takes_the_seed_s_dice(game: Desk, thrown: list[Dice]) -> None:
    send(game, "red", RED[1])
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "1-plan", red=RED[1])


def test_a_word_counts_once_and_in_its_turn_only(game: Desk) -> None:
    assert "is not your last word" in send(game, "red", RED[2])[0]  # one ahead of the sheet
    assert "is not your last word" in send(game, "red", BLUE[1])[0]  # another one's
    assert "fits" in send(game, "red", RED[1])[0]
    game.close()
    assert "is not your last word" in send(game, "red", RED[1])[0]
    assert "fits" in send(game, "red", RED[2])[0]


@pytest.mark.parametrize("word", ["seven owls", RED[1][:-1], RED[1] + "0", "g" * 64, "[a, b]"])
def test_what_stands_on_no_sheet_is_refused(game: Desk, thrown: list[Dice], word: str) -> None:
    told = send(game, "red", word)
    assert not told or "64 characters" in told[0]
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "1-plan")


def test_the_orders_of_a_letter_count_whatever_its_word(game: Desk) -> None:
    receipt = game.send("red", "build: max\nluck: seven owls", by="gm")
    assert receipt["outcome"] == "taken"


def test_a_word_stays_with_orders_that_are_sent_again_without_it(
    game: Desk, thrown: list[Dice]
) -> None:
    send(game, "red", RED[1])
    game.send("red", "build: 0", by="gm")
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "1-plan", red=RED[1])


def test_a_word_alone_joins_the_orders_on_file_and_waits_for_them_otherwise(game: Desk) -> None:
    assert "together with orders" in send_alone(game, "red", RED[1])
    send(game, "red")
    assert "fits" in send_alone(game, "red", RED[1])
    game.close()
    executed = [own for own in record(game).orders if own.seat == "red"]
    assert [own.luck for own in executed] == [RED[1]]
    assert decode(executed[0].orders) == {"build": "max"}


def send_alone(desk: Desk, seat: str, word: str) -> str:
    receipt = desk.send(seat, f"luck: {word}", by="gm")
    return next(one for one in (*receipt["wishes"], *receipt["ignored"]) if one.startswith("luck:"))


def test_a_sheet_may_begin_late_and_anew(game: Desk, thrown: list[Dice]) -> None:
    green = make_luck_sheet("green's own secret", 4)
    assert "begins with this word" in send(game, "green", green[0])[0]
    game.close()
    assert "fits" in send(game, "green", green[1])[0]
    other = make_luck_sheet("another sheet", 3)
    assert "new sheet" in send(game, "green", other[0])[0]
    game.close()
    send(game, "green", other[1])
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "3-plan", green=other[1])


def test_the_form_shows_the_word_on_file_or_asks_for_one(game: Desk) -> None:
    report = decode(game.letters("report", "red")[-1].document)
    assert report["form"]["envelope"]["luck"] == ""
    receipt = game.send("red", f"build: max\nluck: {RED[1]}", by="gm")
    assert receipt["form"]["envelope"]["luck"] == RED[1]


def test_games_without_the_setting_know_no_luck_word_in_orders(
    desk: Desk, thrown: list[Dice]
) -> None:
    desk.new(kind="jump-wars", luck={"red": RED[0]})
    receipt = desk.send("red", f"build: max\nluck: {RED[1]}", by="gm")
    assert any("belongs in a letter that joins" in one for one in receipt["ignored"])
    assert "luck" not in receipt["form"]["envelope"]
    desk.close()
    alone = Dice(derive_dice_key(desk.game().seed, desk.game().luck), "1-plan")
    assert drawn(thrown[-1]) == drawn(alone)
    assert all(own.luck == "" for own in record(desk).orders)


def test_after_a_rollback_the_words_of_the_struck_steps_are_used_up(
    game: Desk, thrown: list[Dice]
) -> None:
    """They are known by now: whoever saw them could choose to go back."""
    send(game, "red", RED[1])
    game.close()
    game.act(roll_back, "1-plan", same_dice=False)
    assert "is not your last word" in send(game, "red", RED[1])[0]
    assert "fits" in send(game, "red", RED[2])[0]
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "3-plan", red=RED[2])
    assert replay_game(record(game), game.library.kind("jump-wars")) == ()


def test_a_rollback_with_the_same_dice_keeps_their_words(game: Desk, thrown: list[Dice]) -> None:
    send(game, "red", RED[1])
    game.close()
    game.act(roll_back, "1-plan", same_dice=True)
    send(game, "red")
    send(game, "blue", BLUE[1])
    game.close()
    assert drawn(thrown[-1]) == dice_with(game, "1-plan", red=RED[1])
    assert replay_game(record(game), game.library.kind("jump-wars")) == ()


def test_verify_tells_who_sent_words_and_who_did_not(game: Desk) -> None:
    send(game, "red", RED[1])
    send(game, "blue", BLUE[1])
    game.close()
    send(game, "red", RED[2])
    send(game, "blue")
    game.close()
    notes = verdict(game).notes
    assert "luck words of red are mixed into the dice of 2 steps" in notes
    assert "luck words of blue are mixed into the dice of 1 step" in notes
    assert "blue sent no luck word that fits in 2-jump" in notes
    assert "green sent no luck words that fit" in notes
    assert not verdict(game).faults


def test_a_word_that_was_changed_afterwards_is_found(game: Desk) -> None:
    send(game, "red", RED[1])
    game.close()
    known = record(game)
    forged = [replace(own, luck="") if own.luck else own for own in known.orders]
    found = verify_record(replace(known, orders=tuple(forged)), game.library.kind("jump-wars"))
    assert {"orders/red"} == {one.file for one in found.faults}


def test_a_chosen_word_would_not_fit_what_was_promised_before(game: Desk) -> None:
    """The server knows everything that has been sent, and still finds no word that it could use."""
    for guess in (RED[0], hashlib.sha256(RED[0].encode()).hexdigest(), BLUE[0], "0" * 64):
        assert "fits" not in send(game, "red", guess)[0]


def test_records_keep_the_words_and_are_played_again_with_them(game: Desk) -> None:
    for place in range(1, 5):
        for seat, sheet in (("red", RED), ("blue", BLUE)):
            send(game, seat, sheet[place])
        game.close()
    game.act(end_game, (), "enough")
    with game.store.reading() as books:
        files = pack_record(collect_dossier(books, GAME), game.library.kind("jump-wars"))
    assert RED[1].encode() in files["orders.yaml"]
    found = verify_archive(files, game.library)
    assert found.faults == ()
    assert "luck words of red are mixed into the dice of 4 steps" in found.notes
    without = files["orders.yaml"].replace(RED[2].encode(), RED[3].encode())
    assert verify_archive({**files, "orders.yaml": without}, game.library).faults


def test_it_is_chosen_before_the_game_begins(game: Desk) -> None:
    with pytest.raises(Refused, match="the dice have been mixed since the game began"):
        game.act(ACT_ADJUST.do, settings=(("luck", "start"),), now=True)


def test_by_mail_a_sheet_is_followed_from_form_to_form(post: Post) -> None:
    """The form asks for the next word; what is put there is read and shown again."""
    with post.desk.store.writing() as books:
        game = books.game(GAME)
        books.save(replace(game, settings={**game.settings, "luck": "each-turn"}))
    first = post.write(f"play: {hand(post)[0]}", f"luck: {RED[0]}")
    receipt = receipt_of(post, first)
    assert any("begins with this word" in one for one in receipt["wishes"])
    assert f"luck: {RED[0]}" in format_form_block(receipt["form"])
    second = post.write(f"play: {hand(post)[0]}", f"luck: {RED[0].upper()}")
    assert receipt_of(post, second)["outcome"] == "status"  # the same word in other letters
    post.desk.close()
    report = decode(post.desk.letters("report", "red")[-1].document)
    assert "# luck: (the next word on your luck sheet)" in format_form_block(report["form"])
    assert "fits" in receipt_of(post, post.write(f"luck: {RED[1]}", "pass: yes"))["wishes"][-1]


def receipt_of(post: Post, arrival: Arrival) -> dict[str, Any]:
    found = [one for one in post.desk.letters("receipt", "red") if one.message_id == arrival.answer]
    document: dict[str, Any] = decode(found[0].document)
    return document
