"""What `top` shows: lines for a terminal of any size, made of the facts of `status`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from rich.text import Text

from adjudicator.adapters.render.text_layout import wrap
from adjudicator.cli.serving.status import list_problems, list_status_rows
from adjudicator.cli.terminal.games_table import describe_time, describe_wait, format_games
from adjudicator.cli.terminal.output import make_inert
from adjudicator.desk.model.deadlines import format_deadline

_LEAST = 4
"""So many lines the table of games keeps, the headings among them."""
_MARK = "> "


class TopView(Struct, frozen=True, kw_only=True):
    """Everything that the screen shows at a moment."""

    facts: Mapping[str, Any]
    """As `status` collects them."""
    at: datetime
    page: int = 1
    selected: int = 0
    """The place of the selected game among the games of the page."""
    message: Sequence[str] = ()
    """Lines about what was done, or a question."""
    typed: str | None = None
    """What was typed so far, where the question wants words."""
    keys: str = ""
    """The keys that mean something now, for the last line."""
    help: Sequence[str] = ()
    """The page of help, instead of everything else."""

    @property
    def games(self) -> Sequence[Mapping[str, Any]]:
        """The games of the page in the order of their lines."""
        games = self.facts.get("games", ())
        return sorted(games, key=lambda game: bool(game["trouble"]))

    @property
    def game(self) -> Mapping[str, Any] | None:
        """The selected game."""
        return self.games[self.selected] if self.games else None


def draw_top(view: TopView, width: int, height: int) -> Text:
    """Draw the screen, with no more lines than there is room for."""
    if view.help:
        above = [_cut(Text(line), width) for line in view.help]
        below = []
    else:
        below = _draw_below(view, width, height // 2)
        above = _draw_above(view, width, max(0, height - 1 - len(below)))
    lines = [*above, *[Text()] * (height - 1 - len(above) - len(below)), *below]
    last = _cut(Text(view.keys, style="reverse"), width)
    last.pad_right(width - last.cell_len)
    return Text("\n").join([*lines[: height - 1], last][-height:])


def _draw_above(view: TopView, width: int, room: int) -> list[Text]:
    """Draw how the server is doing, and as many games as there is room for."""
    table = _draw_games(view, width)
    about = _draw_status(view, width)
    least = min(len(table), max(_LEAST, room // 2))
    about = about[: max(1, room - least - 1)]
    parts = [*about, Text()]
    return [*parts, *_scroll(table, view.selected, room - len(parts))]


def _draw_status(view: TopView, width: int) -> list[Text]:
    """Draw the head, what is wrong, and the daemon and its letters; the last gives way first."""
    now = format_deadline(view.at, "UTC", seconds=True)
    home = Text(_flatten(view.facts["home"]), style="bold")
    head = _cut(home, max(0, width - len(now) - 2))
    head.pad_right(max(2, width - head.cell_len - len(now)))
    head.append(now)
    wrong = [
        Text(line, style="red")
        for problem, words in list_problems(view.facts)
        for line in wrap(_flatten(f"{problem} {words}"), "PROBLEM  ", width=width).splitlines()[:3]
    ]
    rows = list_status_rows(view.facts)
    if aside := len(view.facts["set_aside"]):
        rows.append(("set aside", f"{aside} unreadable; `adjudicator status` names the files"))
    room = max((len(name) for name, _ in rows), default=0)
    letters = [Text(f"{name:<{room}}  {_flatten(words)}") for name, words in rows]
    return [_cut(line, width) for line in (head, *wrong, *letters)]


def _draw_games(view: TopView, width: int) -> list[Text]:
    """Draw the table of games, its headings first, with a mark at the selected one."""
    if not view.games:
        return [Text("No game is open or running.")]
    table = format_games(view.games, at=view.at, width=max(1, width - len(_MARK))).split("\n")
    lines = [Text.from_ansi(line) for line in table]
    heads = [Text("")] * (len(view.games) + 1 - len(lines))  # none where all games are damaged
    rows = [Text.assemble(" " * len(_MARK), line) for line in (*heads, *lines)]
    selection = Text.assemble(_MARK, rows[view.selected + 1][len(_MARK) :], style="reverse")
    rows[view.selected + 1] = selection
    return [_cut(row, width) for row in rows]


def _scroll(table: Sequence[Text], selected: int, room: int) -> Sequence[Text]:
    """Keep the headings and the lines around the selected one."""
    first = max(0, min(selected + 1 - room // 2, len(table) - room))
    return [table[0], *table[first + 1 : first + room]] if room > 0 else ()


def _draw_below(view: TopView, width: int, most: int) -> list[Text]:
    """Draw what was done or is asked, or else more about the selected game."""
    if view.message or view.typed is not None:
        lines = [line for part in view.message for line in wrap_line(part, width)]
        if len(lines) > most - 1:
            lines = [*lines[: most - 2], "..."]
        texts = [Text(line) for line in lines]
        if view.typed is not None:
            texts.append(Text.assemble(f"> {view.typed}", (" ", "reverse")))
        return [_cut(line, width) for line in (Text(), *texts)]
    game = view.game
    if game is None or game["trouble"]:
        words = game["trouble"]["message"] if game else ""
    else:
        due = game["deadline"]["text"] if game["deadline"] else "no deadline"
        words = f"{game['turn'] or game['status']}; {describe_time(game, view.at)}; {due}. "
        words += f"Waits for {describe_wait(game)}."
    lines = wrap_line(f"{game['id']}: {words}" if game else "", width)[: min(3, most - 1)]
    return [_cut(Text(line), width) for line in ("", *lines)]


def wrap_line(text: str, width: int) -> list[str]:
    """Wrap a line of a message, with its indentation."""
    flat = _flatten(text)
    indent = "  " if text.startswith("  ") else ""
    return wrap(flat, indent, width=width).splitlines() or [""]


def _flatten(text: object) -> str:
    """Make one line without any effect on a terminal."""
    return make_inert(" ".join(str(text).split()))


def _cut(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    line.no_wrap = True
    return line
