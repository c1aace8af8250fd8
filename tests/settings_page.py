"""The page of all settings, made from their schemas.

Make it again with: .venv/bin/python -m tests.settings_page > .github/SETTINGS.md
"""

from collections.abc import Iterable
from pathlib import Path

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.cli.serving.init import format_setting
from adjudicator.core.document import Document
from adjudicator.core.forms.explanation import explain_form

PAGE = Path(__file__).resolve().parents[1] / ".github" / "SETTINGS.md"
_INTRODUCTION = """\
# Settings

This page is made from the schemas in `orders/common/`.
`adjudicator form settings` prints the same with examples.
Change the schemas, then run `.venv/bin/python -m tests.settings_page > .github/SETTINGS.md`.
"""
_PARTS = (
    (
        "settings",
        "Settings of a game",
        (
            "Each goes into `adjudicator new` as `--setting NAME=VALUE`. "
            "The options of the rules are explained by `adjudicator form jump-wars options`, "
            "and likewise for every kind of game."
        ),
    ),
    (
        "adjudicator",
        "Settings of the daemon",
        (
            "They are written in `adjudicator.yaml`, which `adjudicator init` makes. "
            "Paths are relative to that file."
        ),
    ),
)


def make_settings_page() -> str:
    """Render every setting of games and of the daemon as Markdown tables."""
    library = FolderLibrary()
    parts = [_INTRODUCTION]
    for form, title, introduction in _PARTS:
        keys = explain_form(library.common(form))["keys"]
        parts += [f"## {title}\n\n{introduction}\n", _table(key for key in keys if _is_top(key))]
        for account in ("postboxes", "postman"):
            own = [key for key in keys if key["key"].startswith((f"{account}.", f"{account}[]."))]
            if own:
                parts += [f"### `{account}`\n", _table(own)]
    return "\n".join(parts)


def _is_top(key: Document) -> bool:
    return "." not in key["key"]


def _table(keys: Iterable[Document]) -> str:
    lines = ["| Setting | Takes | Default | Meaning |", "| --- | --- | --- | --- |"]
    for key in keys:
        name = key["key"].partition(".")[2] or key["key"]
        only = f"With `{key['beside']}`: " if key["beside"] else ""
        lines.append(f"| `{name}` | {key['takes']} | {_default(key)} | {only}{key['what']} |")
    return "\n".join(lines) + "\n"


def _default(key: Document) -> str:
    if key["required"] and not key["beside"]:
        return "required"
    return "" if key["default"] is None else f"`{format_setting(key['default'])}`"


if __name__ == "__main__":
    print(make_settings_page(), end="")
