"""Epochs in the books, and what is made for them: keys and dice."""

from collections.abc import Mapping
from contextlib import suppress

from msgspec.structs import replace

from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.dice import label_dice
from adjudicator.desk.model.values import Epoch, Head
from adjudicator.desk.outbox.keys import make_key
from tests.adapters.store.examples import NOON, begin, game, letter, link

RED = {"game": "ember", "seat": "red", "seating": 1, "step": "1-plan"}


def test_the_first_epoch_needs_no_row(store: SqlStore) -> None:
    with store.reading() as books:
        assert (books.epoch(), books.epoch("nowhere"), books.last_epoch()) == (1, 1, None)


def test_a_game_keeps_its_epoch_until_it_is_given_another(store: SqlStore) -> None:
    opened = Epoch(number=2, since=NOON, reason="a backup was put back", secret="f" * 64)
    with store.writing() as books:
        books.add_game(game())
        books.save(opened)
    with store.writing() as books:
        assert (books.epoch(), books.epoch("ember"), books.last_epoch()) == (2, 1, opened)
        books.save(replace(books.game("ember"), epoch=2))
    with store.reading() as books:
        assert books.epoch("ember") == 2


def test_keys_of_the_first_epoch_are_those_of_before_there_were_epochs() -> None:
    secret = b"s" * 32
    assert make_key(secret, **RED, epoch=1) == "wvzn-whfc"
    assert len({make_key(secret, **RED, epoch=number) for number in range(1, 9)}) == 8


def test_dice_of_a_later_epoch_are_others() -> None:
    assert (label_dice("9-plan", 1), label_dice("9-plan", 2)) == ("9-plan", "9-plan.2")


def test_the_store_tells_which_chains_grew_once_they_are_kept(store: SqlStore) -> None:
    told: list[Mapping[str, Head | None]] = []
    store.after_commit = told.append
    begin(store)
    with store.trying() as books:
        books.save_link("ember", link())
    assert told == []
    with store.writing() as books:
        books.save_link("ember", link())
    with store.reading() as books:
        assert books.heads() == told[0] == {"ember": Head(0, link().digest, 1)}
    with store.writing() as books:
        books.delete_game("ember")
    assert told[1:] == [{"ember": None}]


def test_what_was_undone_within_a_transaction_is_not_told(store: SqlStore) -> None:
    told: list[Mapping[str, Head | None]] = []
    store.after_commit = told.append
    begin(store)
    with store.writing() as books, suppress(KeyError), books.part():
        books.save_link("ember", link())
        raise KeyError
    assert told == []


def test_nothing_that_was_queued_goes_out_any_more(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        books.save(letter("red"))
        books.withdraw_all_letters()
    with store.reading() as books:
        assert [one.status for one in books.letters("ember")] == ["withdrawn"]
