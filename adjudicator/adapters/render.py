"""Texts from documents: one Jinja2 environment, templates of the game before common ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, Template, TemplateNotFound
from jinja2.sandbox import SandboxedEnvironment

from adjudicator.adapters import layout
from adjudicator.adapters.formtext import form_text
from adjudicator.core.canonical import digest, encode


def _escapes(name: str | None) -> bool:
    return bool(name) and ".html" in str(name)


class Printer:
    """Renders letters and reports; keep one, a fresh one compiles every template anew."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._environment = SandboxedEnvironment(
            loader=FileSystemLoader([str(folder) for folder in folders]),
            undefined=StrictUndefined,
            autoescape=_escapes,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )
        self._environment.filters.update(
            wrapped=layout.wrapped,
            tagged=layout.tagged,
            marked=layout.marked,
            quoted=layout.quoted,
            plain_lines=layout.plain_lines,
            order_lines=layout.order_lines,
            moment=layout.moment,
            short_digest=layout.short_digest,
            block=layout.block,
            form_block=layout.form_block,
            form_text=form_text,
        )
        self._environment.globals.update(
            spread=layout.spread, table=layout.table, no_orders=digest(encode({}))
        )

    def has(self, name: str, game: str = "common") -> bool:
        """Whether there is such a template for this game or for all."""
        try:
            self._template(name, game)
        except TemplateNotFound:
            return False
        return True

    def text(self, name: str, document: Mapping[str, Any], game: str = "common") -> str:
        """The document through `<game>/<name>.j2`, else `common/<name>.j2`."""
        made = self._template(name, game).render(doc=document, **document)
        return "\n".join(line.rstrip() for line in made.splitlines()).strip("\n") + "\n"

    def _template(self, name: str, game: str) -> Template:
        return self._environment.select_template([f"{game}/{name}.j2", f"common/{name}.j2"])
