"""Wishes and letters of every kind once more, in the other books: the same tests on PostgreSQL."""

from collections.abc import Iterator

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.store.opening import open_store
from tests.desk.conftest import Desk

# ruff: noqa: F401 - pytest finds them here, where `desk` is another one
from tests.desk.test_absent import test_an_absence_is_seen_by_all
from tests.desk.test_ask import (
    test_a_new_key_makes_the_old_ones_void_and_changes_nothing_else,
    test_several_questions_have_one_answer_that_ends_with_the_block,
    test_why_gives_the_rule_and_the_facts_of_an_event,
)
from tests.desk.test_gm_words import test_a_preview_tells_the_same_and_changes_nothing
from tests.desk.test_join import (
    test_a_full_game_begins_with_the_luck_words_in_seat_order,
    test_later_ones_wait_and_get_the_seat_that_falls_free,
)
from tests.desk.test_observe import test_an_observer_gets_the_last_report_and_every_later_one
from tests.desk.test_prefer import test_what_is_preferred_is_kept_and_what_was_said_before_stays
from tests.desk.test_press import (
    test_a_message_to_all_goes_to_players_and_to_those_who_look_on,
    test_press_survives_a_rollback_and_is_told_once,
)
from tests.desk.test_receive import (
    test_a_letter_read_again_does_nothing_twice,
    test_a_wish_that_is_refused_leaves_the_orders_alone,
)
from tests.desk.test_rollback import test_orders_come_back_as_a_form_and_are_not_in
from tests.desk.test_senders import test_wrong_keys_slow_the_sender_down_and_never_the_seat
from tests.desk.test_votes import (
    test_a_resigned_seat_stands_idle_and_its_player_is_told,
    test_all_must_want_a_draw,
)
from tests.servers.postgres import PostgreSQL


@pytest.fixture
def desk(postgresql: PostgreSQL, toy_library: FolderLibrary) -> Iterator[Desk]:
    """Whoever asks for a desk in this file gets one with books in PostgreSQL."""
    with open_store(postgresql.store()) as store:
        yield Desk(store, toy_library)


def test_the_books_of_this_file_lie_in_postgresql(desk: Desk) -> None:
    assert desk.store.engine.dialect.name == "postgresql"
