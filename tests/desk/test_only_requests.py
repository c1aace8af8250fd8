"""Letters that hold requests and no orders: what is a question only, and what gets a receipt."""

import pytest

from adjudicator.desk.acts.end import end_game
from adjudicator.desk.acts.start import undo_start
from adjudicator.desk.model.context import current_step
from tests.desk.post import Post, hand, letter


def test_a_letter_of_questions_gets_its_answer_and_no_receipt(post: Post) -> None:
    assert post.write("ask: status").reason == "questions"


@pytest.mark.parametrize(
    "line", ["clear: yes", "vote: draw", "resign: yes", "preview: yes", "ready: no"]
)
def test_whatever_stands_beside_a_question_gets_a_receipt(post: Post, line: str) -> None:
    post.write(f"play: {hand(post)[0]}")
    answer = post.answer(post.write("ask: status", line))
    assert answer["receipt"] == "receipt/1"


@pytest.mark.parametrize("line", ["press: [{to: blue, text: Hi}]", "vote: draw", "resign: yes"])
def test_requests_are_answered_however_many_empty_forms_came_before(post: Post, line: str) -> None:
    """A form that comes back unchanged is answered some times a day only."""
    while post.write().outcome != "silence":
        pass
    assert post.write(line).outcome != "silence"


@pytest.mark.parametrize("line", ["press: [{to: blue, text: Hi}]", "vote: draw", "clear: yes"])
def test_a_list_may_carry_requests_as_it_may_carry_orders(post: Post, line: str) -> None:
    """A bare form that went round on a list is left alone, one that wants something is not."""
    assert post.write("after: 0", bulk=True).outcome == "silence"
    assert post.write("after: 0", line, bulk=True).outcome != "silence"


@pytest.mark.parametrize("line", ["play: owl", "clear: yes", "vote: draw", "resign: yes"])
def test_what_moves_a_game_is_not_taken_once_it_is_over(post: Post, line: str) -> None:
    post.desk.act(end_game, winners=["red"], reason="the others conceded")
    step = post.desk.act(current_step)
    (told,) = post.answer(post.take(letter(post.form(line, step=step.name))))["not_taken"]
    assert told.endswith("Orders and votes are not accepted.")
    assert post.desk.seating("red").player == "Ada"


def test_before_the_game_has_begun_a_player_may_leave(post: Post) -> None:
    post.desk.act(undo_start)
    answer = post.answer(post.take(letter(post.form("resign: yes", step="2-setup"))))
    assert answer["not_taken"] == []


def test_with_an_old_key_nobody_leaves_a_game_that_has_not_begun(post: Post) -> None:
    old = letter(post.form("resign: yes"))
    post.desk.act(undo_start)
    told = post.answer(post.take(old))["not_taken"]
    assert "resign: it needs the key of the current step, so it was ignored." in told
    assert post.desk.seating("red").player == "Ada"


def test_orders_are_not_on_file_where_it_is_unclear_whether_they_are_a_preview(post: Post) -> None:
    answer = post.answer(post.write(f"play: {hand(post)[0]}", "preview: please"))
    assert post.on_file() == []
    assert 'write true or false, not "please"' in str(answer["faults"])


def test_a_flag_that_cannot_be_read_is_told_while_no_step_is_open(post: Post) -> None:
    key = post.form()
    post.desk.act(end_game, winners=["red"], reason="the others conceded")
    answer = post.answer(post.take(letter(f"{key}\nclear: please")))
    assert 'line 4, clear: write true or false, not "please"' in answer["not_taken"]
