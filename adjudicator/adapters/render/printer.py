"""Render documents as text, pages and pictures; a game's own templates come first.

A page is the HTML form of a letter. What only mail programs ask for, styles at every element, is
done to the finished page, so that templates stay plain and archives small.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, TemplateNotFound
from jinja2.sandbox import SandboxedEnvironment
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render import (
    board,
    explanations,
    html_helpers,
    order_page,
    sentences,
    svg_helpers,
    text_layout,
)
from adjudicator.adapters.render.explanations import format_form
from adjudicator.core.document import Document, encode, replace_unseen

if TYPE_CHECKING:
    from css_inline import CSSInliner


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a page in a mail has beside its document; an archive's page has nothing."""

    address: str = ""
    """Where replies go; empty where nobody can reply."""
    subject: str = ""
    """Of the letter that the page is of."""
    site: str = ""
    """Where the pages on which orders are chosen are on the web; empty: nowhere."""
    pictures: Sequence["Picture"] = ()
    """Where its game's page has a place for them."""
    near: "Picture | None" = None
    """What a mail shows first: a part of a picture, or the picture of this name as a whole."""
    rest: "Rest" = ""
    """Where the whole of that part is."""


Rest = Literal["", "on the web", "below", "in letters", "by asking"]
"""Nowhere, for what is whole itself; else in the letter, as a picture or by letters, or outside."""


class Picture(Struct, frozen=True, kw_only=True):
    """A picture of a report's position."""

    name: str
    """As its template is called: map."""
    content: bytes = b""
    """SVG, the same for all readers of a step; PNG in mails, with `over` in it."""
    over: bytes = b""
    """SVG of what lies over it for its reader alone; empty where there is nothing."""
    alt: str
    """What it shows, in words: the <title> of the SVG."""
    width: int
    """In the page's own measure; a narrower screen shrinks it."""
    height: int = 0
    source: str = ""
    """Where a page finds it: `cid:…` in a mail, the file's name in an archive."""

    @property
    def whole(self) -> bytes:
        """The picture as its reader sees it, as one SVG."""
        match = _OVER_PARTS.search(self.over)
        if match is None:
            return self.content
        below = self.content.replace(READER_MARK, READER_MARK + match[1])
        return below.replace(b"</svg>", match[2] + b"</svg>")


_DRAWING = {**vars(svg_helpers), **vars(board)}
"""What templates of pictures call."""
NO_SURROUNDINGS = Surroundings()
READER_MARK = b'<g id="reader"/>'
"""Where in a picture what is below for its reader alone begins; all before it is the same."""
_OVER_PARTS = re.compile(rb'<svg[^>]*>(.*)(<g id="above">.*)</svg>', re.DOTALL)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_DIGEST = re.compile(r"(?<=[\s>])[0-9a-f]{64}(?=[\s<.,;])")
"""A SHA-256 among words; on a phone it is wider than the screen."""
_EIGHT = re.compile(r".{8}")
_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')
_MARKUP = (".html", ".svg", ".xml")
_OVER = ".over.svg"
_THUMB = ".thumb.svg"
_NEAR = ".near.svg"
_COMMON = ("game", "step", "turn", "over", "position")
"""What a picture that all readers share is drawn from, but for what is the reader's own."""
_OWN = ("hand",)
_CACHE_SIZE = 16
"""Pictures that are remembered: reports of a step are written one after the other."""
_WIDE = (
    text_layout.wrap,
    text_layout.add_tag,
    text_layout.add_mark,
    text_layout.quote,
    text_layout.split_lines,
    text_layout.fits,
    text_layout.lay_out_orders,
    text_layout.format_block,
    text_layout.format_form_block,
    format_form,
    explanations.reflow,
)
"""Filters that lay out text, and must know how wide it may be."""
_PLAIN = (
    text_layout.describe_order_outcome,
    text_layout.format_instant,
    text_layout.shorten_digest,
    text_layout.is_drawn,
    text_layout.format_inline,
    html_helpers.calm_heading,
    html_helpers.is_grid,
    html_helpers.split_typed,
    html_helpers.split_passages,
    html_helpers.find_numeric_columns,
    html_helpers.make_reply_link,
    order_page.link_order_page,
    html_helpers.link_turn_page,
    html_helpers.draw_signs,
)


class Printer:
    """Renders letters and reports; keep it, since a new one compiles every template again."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [str(folder) for folder in folders]
        self._pictures: dict[str, Sequence[str]] = {}
        self._svgs: dict[tuple[str, str, bytes], str] = {}
        self._environment = self._make_environment(text_layout.TEXT_WIDTH)
        self._of_width = {text_layout.TEXT_WIDTH: self._environment}

    def _make_environment(self, width: int) -> Environment:
        """Make an environment for plain text of this width.

        Where an added game brings templates, all of them run in a sandbox, which costs a third.
        """
        own = self._folders == [str(find_data_folder("templates"))]
        make = Environment if own else SandboxedEnvironment
        environment = make(
            loader=FileSystemLoader(self._folders),
            undefined=StrictUndefined,
            autoescape=lambda name: any(one in str(name) for one in _MARKUP),
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )
        environment.filters.update({one.__name__: partial(one, width=width) for one in _WIDE})
        environment.filters.update({one.__name__: one for one in _PLAIN})
        environment.globals.update(
            justify=partial(text_layout.justify, width=width),
            lay_out_table=partial(text_layout.lay_out_table, width=width),
            sentences=sentences,
            drawing=_DRAWING,
            gm_acts=_list_acts,
        )
        return environment

    def has(self, name: str, game: str = "common") -> bool:
        """Whether there is a template of this name, for this game or for all."""
        try:
            self._template(name, game)
        except TemplateNotFound:
            return False
        return True

    def text(
        self,
        name: str,
        document: Mapping[str, Any],
        game: str = "common",
        width: int = text_layout.TEXT_WIDTH,
    ) -> str:
        """Render the document with `<game>/<name>.j2`, else with `common/<name>.j2`."""
        if width not in self._of_width:
            self._of_width[width] = self._make_environment(width)
        template = self._of_width[width].select_template(_list_places(name, game))
        return _trim(replace_unseen(template.render(doc=document, **document)))

    def page(
        self,
        name: str,
        document: Mapping[str, Any],
        game: str = "common",
        around: Surroundings = NO_SURROUNDINGS,
    ) -> str:
        """Render the document as a self-contained page, with its style sheet in its head."""
        text = self._template(name, game).render(doc=document, around=around, **document)
        return _trim(replace_unseen(text))

    def pictures(self, game: str) -> Sequence[str]:
        """List the pictures that a game has templates for."""
        if game not in self._pictures:
            names = self.list_names(game, ".svg")
            parts = (_OVER, _THUMB, _NEAR)
            self._pictures[game] = [name for name in names if not name.endswith(parts)]
        return self._pictures[game]

    def list_names(self, folder: str, ending: str) -> Sequence[str]:
        """List the templates of a folder whose names end so."""
        names = self._environment.list_templates(
            filter_func=lambda name: name.startswith(f"{folder}/") and name.endswith(f"{ending}.j2")
        )
        return sorted(name.removeprefix(f"{folder}/").removesuffix(".j2") for name in names)

    def picture(self, name: str, document: Mapping[str, Any], game: str) -> str:
        """Render the document as a standalone SVG; empty if it has nothing to show."""
        svg = self._template(name, game).render(doc=document, **document)
        lines = (line.strip() for line in replace_unseen(svg).splitlines())
        return "\n".join(line for line in lines if line)

    def shared_picture(self, name: str, document: Mapping[str, Any], game: str) -> str:
        """Render a picture that all readers of a step see alike, once, from what they all know."""
        facts = {key: document[key] for key in _COMMON if key in document}
        facts["position"] = {k: v for k, v in facts["position"].items() if k not in _OWN}
        key = (name, game, encode(facts))
        if key not in self._svgs:
            while len(self._svgs) >= _CACHE_SIZE:
                del self._svgs[next(iter(self._svgs))]
            self._svgs[key] = self.picture(name, facts, game)
        return self._svgs[key]

    def mail_page(
        self,
        name: str,
        document: Mapping[str, Any],
        game: str = "common",
        around: Surroundings = NO_SURROUNDINGS,
    ) -> str:
        """Render the page for mail programs, many of which drop style sheets."""
        page = self._inliner.inline(self.page(name, document, game, around))
        return _DIGEST.sub(lambda match: "<wbr>".join(_EIGHT.findall(match[0])), page)

    @cached_property
    def _inliner(self) -> "CSSInliner":
        from css_inline import CSSInliner  # not needed to write text only

        return CSSInliner(load_remote_stylesheets=False, minify_css=True)

    def _template(self, name: str, game: str) -> Template:
        return self._environment.select_template(_list_places(name, game))


def draw_pictures(
    printer: Printer, document: Document, game: str, without: Collection[str] = ()
) -> Iterator[Picture]:
    """Draw the pictures of a report in the order of their names; other letters have none.

    Every `templates/<game>/*.svg.j2` is a picture; one that renders to nothing is left out. Where
    there is a `<name>.over.svg.j2`, all readers share the picture, and it lies over it for one.
    """
    if "position" not in document:
        return
    for template in printer.pictures(game):
        name = template.partition(".")[0]
        if name in without:
            continue
        is_shared = printer.has(f"{name}{_OVER}", game)
        draw = printer.shared_picture if is_shared else printer.picture
        svg = draw(template, document, game)
        if "<svg" in svg:
            picture = _describe_picture(name, svg, f"{game}/{template}")
            if is_shared and document.get("seat"):
                picture = replace(
                    picture, over=draw_over(printer, document, game, name, picture.height)
                )
            yield picture


def draw_over(printer: Printer, document: Document, game: str, name: str, high: int) -> bytes:
    """Draw what lies over a picture this high for its reader alone; empty if nothing does."""
    template = f"{name}{_OVER}"
    facts = {**document, "high": high}
    return printer.picture(template, facts, game).encode() if printer.has(template, game) else b""


def draw_near(printer: Printer, document: Document, game: str, whole: Picture) -> Picture | None:
    """Draw what lies over the part of a picture that its reader's mail shows first.

    Its view says which part that is; None where the game has none, or the reader has no part.
    """
    template = f"{whole.name}{_NEAR}"
    if not printer.has(template, game):
        return None
    svg = printer.picture(template, document, game)
    return _describe_picture(whole.name, svg, template) if "<svg" in svg else None


def draw_thumb(printer: Printer, document: Document, game: str) -> Picture | None:
    """Draw a report's picture for a list of games, if the game has one of its own for that."""
    for template in printer.pictures(game) if "position" in document else ():
        name = template.partition(".")[0]
        if printer.has(f"{name}{_THUMB}", game):
            svg = printer.picture(f"{name}{_THUMB}", document, game)
            return _describe_picture(f"{name}.thumb", svg, template) if "<svg" in svg else None
    return None


def _describe_picture(name: str, svg: str, template: str) -> Picture:
    title, size = _TITLE.search(svg), _SIZE.search(svg)
    assert title is not None, f"{template} has no <title> to say what it shows"
    assert size is not None, f"{template} does not say how large it is"
    alt = " ".join(unescape(title[1]).split())
    return Picture(
        name=name, content=svg.encode(), alt=alt, width=int(size[1]), height=int(size[2])
    )


def _list_acts() -> Sequence[Mapping[str, Any]]:
    """List the acts for the GM's guide."""
    from adjudicator.desk.acts.by_mail import guide_acts  # every act, for one template

    return guide_acts()


def _list_places(name: str, game: str) -> list[str]:
    return [f"{game}/{name}.j2", f"common/{name}.j2"]


def _trim(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") + "\n"
