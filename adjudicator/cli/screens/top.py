"""The command `top`: a live screen over all games, on which a GM can act."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.cli.acts.running import find_early, run_act, word_performed
from adjudicator.cli.screens.top_page import TopView, draw_top
from adjudicator.cli.serving.status import collect_status
from adjudicator.cli.terminal import full_screen
from adjudicator.cli.terminal.faults import explain_error
from adjudicator.cli.terminal.full_screen import FullScreen, open_full_screen, require_terminal
from adjudicator.cli.terminal.options import Setting, format_example, home_option
from adjudicator.cli.wiring import Office
from adjudicator.core.document import Impossible
from adjudicator.desk.acts import TABLE, find_act
from adjudicator.desk.acts.act import Act
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Damaged, Refused, Suggest

EVERY = 5.0
"""The screen is drawn again after so many seconds."""
_PLACE = "this screen"
_FAULTS = (Refused, Damaged, Impossible, OSError)


class ActKey(Struct, frozen=True, kw_only=True):
    """What a key does to the selected game."""

    act: str
    given: Mapping[str, Any] = {}
    preview: str = ""
    """What is shown, of an act that is only tried."""

    @property
    def label(self) -> str:
        """What the key is called."""
        return "preview" if self.preview else self.act

    @property
    def help(self) -> str:
        """What the key does, in a sentence."""
        return self.preview or TABLE[self.act].help


ACT_KEYS: Mapping[str, ActKey] = {
    "r": ActKey(act="remind"),
    "e": ActKey(act="extend"),
    "p": ActKey(
        act="close", given={"now": True}, preview="Show what closing the open step would change."
    ),
    "c": ActKey(act="close"),
}
"""The acts of this screen; nothing else here knows one by name."""

_FAR = 1_000_000
_MOVES = {
    **dict.fromkeys((full_screen.UP, "k"), -1),
    **dict.fromkeys((full_screen.DOWN, "j"), 1),
    **dict.fromkeys((full_screen.PAGE_UP, "b"), -10),
    **dict.fromkeys((full_screen.PAGE_DOWN, " "), 10),
    **dict.fromkeys((full_screen.HOME, "g"), -_FAR),
    **dict.fromkeys((full_screen.END, "G"), _FAR),
}
_PAGES = {"[": -1, "]": 1}
_HELP = (
    "",
    "j, k, arrows   select a game, the earliest deadline first",
    "space, b       ten games on, ten back; also Page Down, Page Up",
    "g, G           the first and the last game of the page; also Home, End",
    "[, ]           the page of games before, and the next one",
    "",
    *(f"{key}              {one.help}" for key, one in ACT_KEYS.items()),
    "",
    "?              this help",
    "q              quit",
    "",
    "An act is tried first. What it would change is shown, and only `y` does it.",
    "`adjudicator undo GAME` undoes it. `adjudicator status` says the same once.",
)
_ASKING = " y yes   n no "
_TYPING = " Enter: go on   Escape: leave it "
_ANY = " any key: back "


class _Request(Struct, frozen=True, kw_only=True):
    """An act that is being asked about."""

    act: Act
    game: str
    given: Mapping[str, Any]
    is_preview: bool


class _Question(Struct, frozen=True, kw_only=True):
    """What the screen waits for: yes or no, or words."""

    lines: Sequence[str]
    go_on: Callable[[str], None]
    wants_words: bool = False


@click.command("top", epilog=format_example("adjudicator top"))
@home_option
@click.pass_obj
def top_command(setting: Setting) -> None:
    """Watch all games on a live screen, and act on them.

    It shows what `status` says, the earliest deadlines and whom each game waits for, and is drawn
    again every few seconds. Keys remind players, move a deadline, preview what closing a step
    would change, and close it, each after a question; `?` lists them. Nothing secret is shown.
    """
    console = require_terminal(Suggest("status", ""))
    watch = Watch(setting.office)
    watch.look()
    with open_full_screen(console) as screen:
        watch.run(screen)


class Watch:
    """What a GM sees and does on the screen."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._question: _Question | None = None
        self._looked = 0.0
        self.view = TopView(facts={}, at=office.at)

    def run(self, screen: FullScreen) -> None:
        """Show the screen until its reader quits."""
        last_confirmation = None
        while True:
            if self._confirmation is not last_confirmation:
                last_confirmation = self._confirmation
                screen.forget_keys()  # an answer follows its question
            screen.draw(draw_top(self._label_keys(), *screen.size))
            for key in screen.wait(self._looked + EVERY - time.monotonic()):
                if not self.press(key):
                    return
                if self._confirmation is not last_confirmation:
                    break
            if time.monotonic() >= self._looked + EVERY:
                self.look()

    @property
    def _confirmation(self) -> _Question | None:
        """The question that wants yes or no."""
        question = self._question
        return None if question is None or question.wants_words else question

    @contextmanager
    def _open_office(self) -> Iterator[Office]:
        """Open the home anew, since it may be another one by now; nothing stays locked."""
        with closing(self._office.renew()) as office:
            self._show(at=office.at)
            yield office

    def _show(self, **changes: Any) -> None:
        self.view = replace(self.view, **changes)

    def _label_keys(self) -> TopView:
        """Say in the last line which keys mean something now."""
        if self.view.help:
            return replace(self.view, keys=_ANY)
        if self._question is not None:
            return replace(self.view, keys=_TYPING if self._question.wants_words else _ASKING)
        pages = self.view.facts["pages_of_games"]
        acts = "  ".join(f"{key} {one.label}" for key, one in ACT_KEYS.items())
        leaf = f"[ ] page {self.view.page} of {pages}  " if pages > 1 else ""
        return replace(self.view, keys=f" {acts}  {leaf}? help  q quit ")

    # looking

    def look(self, page: int | None = None) -> None:
        """Bring everything up to date; the selected game stays selected while it is on its page."""
        number = page or self.view.page
        try:
            with self._open_office() as office:
                facts: Mapping[str, Any] = collect_status(office, page=number)
                if number > 1 and not facts["games"]:  # there are fewer by now
                    number = max(1, facts["pages_of_games"])
                    facts = collect_status(office, page=number)
        except _FAULTS as fault:
            if not self.view.facts:
                raise
            facts = self._add_fault(fault)
        finally:
            self._looked = time.monotonic()
        before, place = self.view.game, self.view.selected
        self._show(facts=facts, page=number)
        names = [game["id"] for game in self.view.games]
        if before is not None and before["id"] in names:
            place = names.index(before["id"])
        self._show(selected=max(0, min(place, len(names) - 1)))

    def _add_fault(self, fault: Exception) -> Mapping[str, Any]:
        """Add why nothing newer is known to what was known."""
        others = [one for one in self.view.facts["problems"] if one["place"] != _PLACE]
        words, _ = explain_error(fault)
        own = {"place": _PLACE, "words": words, "since": self.view.at.isoformat(), "mailed": False}
        return {**self.view.facts, "problems": [own, *others]}

    # keys

    def press(self, key: str) -> bool:
        """Do what the key means now; returns whether to go on."""
        if self.view.help:
            self._show(help=())
        elif self._question is not None:
            self._answer(self._question, key)
        else:
            self._show(message=())
            if key == "q":
                return False
            self._command(key)
        return True

    def _command(self, key: str) -> None:
        if key in _MOVES:
            self._move(_MOVES[key])
        elif key in _PAGES:
            self._turn_page(_PAGES[key], 0)
        elif key == "?":
            self._show(help=_HELP)
        elif key in ACT_KEYS and self.view.game is not None:
            act_key = ACT_KEYS[key]
            request = _Request(
                act=find_act(act_key.act),
                game=self.view.game["id"],
                given=act_key.given,
                is_preview=bool(act_key.preview),
            )
            self._fill(request)

    def _move(self, by: int) -> None:
        place, last = self.view.selected + by, len(self.view.games) - 1
        if by == 1 and place > last:
            self._turn_page(1, 0)
        elif by == -1 and place < 0:
            self._turn_page(-1, _FAR)
        else:
            self._show(selected=max(0, min(place, last)))

    def _turn_page(self, by: int, place: int) -> None:
        if 1 <= self.view.page + by <= self.view.facts["pages_of_games"]:
            self._show(selected=place, facts={**self.view.facts, "games": []})
            self.look(self.view.page + by)

    # questions

    def _ask(self, question: _Question) -> None:
        self._question = question
        self._show(message=question.lines, typed="" if question.wants_words else None)

    def _answer(self, question: _Question, key: str) -> None:
        text = self.view.typed
        if text is not None and key == full_screen.BACKSPACE:
            self._show(typed=text[:-1])
        elif text is not None and len(key) == 1:
            self._show(typed=text + key)
        elif text is not None and key == full_screen.ENTER and text.strip():
            self._end_question()
            question.go_on(text.strip())
        elif text is None and key in ("y", "Y"):
            self._end_question()
            question.go_on(key)
        elif key in (full_screen.ESCAPE, full_screen.ENTER, "n", "N", "q"):
            self._end_question("Nothing was changed.")

    def _end_question(self, *lines: str) -> None:
        self._question = None
        self._show(message=lines, typed=None)

    # acts

    def _fill(self, request: _Request) -> None:
        """Ask for what the act needs and was not given, then try it."""
        for one in request.act.arguments:
            if one.required and one.name not in request.given:

                def go_on(words: str, name: str = one.name, many: bool = one.many) -> None:
                    value = tuple(words.split()) if many else words
                    self._fill(replace(request, given={**request.given, name: value}))

                plain = [line for line in request.act.examples if " --" not in line]
                examples = ", ".join(f"`{line}`" for line in plain)
                lines = (f"{request.act.name} {request.game}: {one.help} As in {examples}.",)
                self._ask(_Question(lines=lines, go_on=go_on, wants_words=True))
                return
        self._try(request)

    def _try(self, request: _Request) -> None:
        """Try the act, and ask whether to do it."""
        try:
            with self._open_office() as office:
                with office.reading() as books:
                    context = Context(books, office.library, request.game, office.at)
                    arguments = find_early(context, request.act, request.given)
                request = replace(request, given=arguments)
                lines = self._run(office, request, dry_run=True)
        except _FAULTS as fault:
            self._explain(fault, request)
            return
        if request.is_preview:
            self._show(message=[*lines, "Nothing was changed."])
            return
        self._ask(_Question(lines=[*lines, "Do it?"], go_on=lambda _: self._do(request)))

    def _explain(self, fault: Exception, request: _Request) -> None:
        """Say why an act was refused, and ask whether to do it the way that would be granted."""
        way_out = fault.suggest if isinstance(fault, Refused) else None
        flags = {one.name for one in request.act.arguments if one.place == "flag"}
        more = [flag for flag in (way_out.flags if way_out else ()) if not request.given.get(flag)]
        if not (
            way_out and way_out.command == request.act.name and more and flags.issuperset(more)
        ):
            self._show(message=[explain_error(fault)[0]])
            return
        granted_request = replace(request, given={**request.given, **dict.fromkeys(more, True)})
        helps = [one.help for one in request.act.arguments if one.name in more]
        go_on = lambda _: self._try(granted_request)  # noqa: E731
        self._ask(
            _Question(lines=[f"{fault}.", *helps, "See what that would change?"], go_on=go_on)
        )

    def _do(self, request: _Request) -> None:
        try:
            with self._open_office() as office:
                lines = self._run(office, request, dry_run=False)
        except _FAULTS as fault:
            lines = [explain_error(fault)[0]]
        self._show(message=lines)
        self.look()

    def _run(self, office: Office, request: _Request, *, dry_run: bool) -> list[str]:
        """Run the act; returns what it changed or would change, in lines."""
        warnings: list[str] = []
        performed_act, _, _ = run_act(
            office,
            request.act,
            request.game,
            request.given,
            dry_run=dry_run,
            yes=True,
            warn=warnings.append,
        )
        return [*word_performed(request.game, performed_act, is_trial=dry_run), *warnings]
