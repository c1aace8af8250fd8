"""HTML to the lines that its reader sees, quotations marked with `>`.

Tags are found by one search from sign to sign: html.parser needs quadratic time for some broken
pages. inscriptis marks no quotation, drops the indentation that YAML lives on, and loses what is
nested deeper than 256 levels.
"""

import re
from html import unescape

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.mail.inbound.html.selectors import TooMuchStyleError
from adjudicator.adapters.mail.inbound.html.style_sheets import StyleSheets
from adjudicator.adapters.mail.inbound.html.styles import Appearance, Declaration, look_inside
from adjudicator.adapters.mail.inbound.html.tags import Tag, TagTree

_MOST_TAGS = 80_000
_MOST_OPEN = 2_000
_DEEPEST = 20
_TAG = re.compile(r"/?[A-Za-z][A-Za-z0-9:_-]{0,40}")
_TAG_END = re.compile(r"""(?>=\s{0,20}"[^"]{0,5000}"|=\s{0,20}'[^']{0,5000}'|[^>])*+>""")
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_BLOCK_TAGS = """
address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4
h5 h6 header hr html li listing main nav ol p pre section table tbody tfoot thead tr ul xmp
"""
_FORMATTING_TAGS = "a b big code em font i nobr s small strong tt u"
_VOID_TAGS = "area base br col embed hr img input link meta param source track wbr"
_BLOCKS, _VOID = frozenset(_BLOCK_TAGS.split()), frozenset(_VOID_TAGS.split())
_UNSEEN = frozenset(["head", "title", "template", "object", "select", "datalist", "noframes"])
_RAW = frozenset(("script", "style", "noscript", "textarea", "iframe"))
_PRE = frozenset(("pre", "listing", "xmp"))
_CELLS = frozenset(("td", "th", "caption"))
_FORMATTING = frozenset([*_FORMATTING_TAGS.split(), "strike"])
"""What a browser opens again where it was closed by the end of something around it."""
_CELL_ENDS = (("td", "th"), ("tr", "table"))
_PART_ENDS = (("tbody", "thead", "tfoot"), ("table",))
_IMPLIED = {
    "li": (("li",), ("ul", "ol")),
    **dict.fromkeys(("dt", "dd"), (("dt", "dd"), ("dl",))),
    **dict.fromkeys(("td", "th"), _CELL_ENDS),
    "tr": (("tr",), ("tbody", "thead", "tfoot", "table")),
    **dict.fromkeys(_PART_ENDS[0], _PART_ENDS),
}
"""What a tag ends, and what it ends nothing outside of."""
_MOST_IMPLIED = 50
"""Tags around one, among which that is looked for."""
_EVERYWHERE = ("html", "body")
"""What every page has, whether it is named or not."""
_NAMED = re.compile(r"<(html|body)\b")
_STYLED = re.compile("style|hidden", re.IGNORECASE)
_INDENTED = re.compile(
    r"margin: ?0(?:px)? 0(?:px)? 0(?:px)? 40px; ?border(?:-width)?: ?(?:none|0)", re.IGNORECASE
)
"""How Gmail and Apple Mail indent a writer's own lines, of all things by blockquote."""
_QUOTED = re.compile(
    r"(?:\sname=[\"']?quote|\s(?:class|id)=[\"']?(?:[^\"'>]{0,60} )?yahoo_quoted)\b"
)
"""What some web mails use for blockquote."""
_SPACED = re.compile(r"white-space\s{0,3}:\s{0,3}(?:pre|break-spaces)", re.IGNORECASE)
_ENDLESS = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")
"""Numbers of signs that no sign has; Python refuses to read very long ones."""


class ShownText(Struct, frozen=True):
    """The text of a page."""

    text: str
    cut: bool = False
    """True when the page has more tags or styles than are read."""


def read_html(page: str) -> ShownText:
    """Read the text of the page, line by line."""
    try:
        sheets = StyleSheets(page)
        if not sheets:
            return _write(page, _Writer())
        tree = TagTree()
        if sheets.look_ahead:
            _write(page, _Writer(tree))
        return _write(page, _Writer(tree, sheets))
    except TooMuchStyleError:
        return ShownText("", cut=True)  # nobody knows what is hidden


def _write(page: str, writer: "_Writer") -> ShownText:
    tag_names = set(_NAMED.findall(page.lower())) if writer.tree else _EVERYWHERE
    for tag in _EVERYWHERE:
        if tag not in tag_names:
            writer.tag(tag, "", -1)
    at, tags, comments = 0, 0, True
    while at < len(page):
        opening = page.find("<", at)
        if opening < 0:
            break
        writer.say(page[at:opening])
        if comments and page.startswith("<!--", opening):
            end = page.find("-->", opening + 4)
            comments = end >= 0  # never search twice for what is missing
            at = end + 3 if comments else opening + 4
            continue
        at = _take_tag(page, opening, writer)
        tags += 1
        if tags > _MOST_TAGS:
            return ShownText(writer.finished(), cut=True)
    writer.say(page[at:])
    return ShownText(writer.finished())


def _take_tag(page: str, opening: int, writer: "_Writer") -> int:
    """Read the tag that begins here; returns the position after it."""
    name = _TAG.match(page, opening + 1)
    if name is None:
        if page.startswith(("<!", "<?"), opening):
            return _find_end(page, opening)
        writer.say("<")
        return opening + 1
    end = _find_end(page, opening)
    tag = name.group().lower()
    attributes = page[name.end() : end].removesuffix(">")
    if tag in _RAW:
        writer.note(tag, attributes, opening)
        close = re.compile(f"</{tag}", re.IGNORECASE).search(page, end)
        return close.start() if close else len(page)
    writer.tag(tag, attributes, opening)
    return end


def _find_end(page: str, opening: int) -> int:
    """Find the position after the tag; a > in the quoted value of an attribute does not end it."""
    match = _TAG_END.match(page, opening)
    return match.end() if match else len(page)


class _Open(Struct, frozen=True):
    """An open tag, and what holds inside it."""

    tag: str = ""
    spaced: bool = False
    """Line ends and spaces count."""
    unseen: bool = False
    """Nothing inside is text of the page."""
    look: Appearance = Appearance()
    known: Tag | None = None
    """What style sheets may ask of it."""
    quotes: int = 0
    indents: int = 0

    @property
    def hidden(self) -> bool:
        """Whether the content is invisible."""
        return self.unseen or self.look.is_hidden

    @property
    def is_block(self) -> bool:
        """Whether inline end tags inside it can't close anything outside."""
        return self.tag in _BLOCKS or self.tag in _CELLS


class _Writer:
    """Lays the text out line by line."""

    def __init__(self, tree: TagTree | None = None, sheets: StyleSheets | None = None) -> None:
        self.tree = tree
        self._sheets = sheets
        self._lines: list[str] = []
        self._line: list[str] = []
        self._last = ""
        """The last sign written into the line."""
        self._dash = ""
        """The mark of a list entry that has no text yet."""
        self._lists = 0
        self._body = _Open(known=tree.body if tree else None)
        self._open = [self._body]
        self._blocks: dict[str, int] = {}
        """How often each tag of a block is open: nobody looks for one that is not."""
        self._inside: list[dict[str, int]] = [{}]
        """The same of other tags, inside each block that is open."""

    def finished(self) -> str:
        self._flush()
        return "\n".join(self._lines)

    def say(self, raw: str) -> None:
        around = self._open[-1].known
        if around is not None and (raw.strip() or (raw and around.kind != "body")):
            around.has_text = True
        if not raw or self._open[-1].hidden:
            return
        text = unescape(_ENDLESS.sub("\ufffd", raw))
        if self._open[-1].spaced:
            first, *more = text.replace("\r\n", "\n").split("\n")
            self._put(first)
            for line in more:
                self._flush(always=True)
                self._put(line)
            return
        text = _BLANKS.sub(" ", text)
        if self._last in ("", " "):
            text = text.removeprefix(" ")
        self._put(text)

    def _put(self, text: str) -> None:
        if not text:
            return
        if self._dash:
            self._line.append(self._dash)
            self._dash = ""
        self._line.append(text)
        self._last = text[-1]

    def _flush(self, *, always: bool = False) -> None:
        if self._line or always:
            line = "  " * min(self._open[-1].indents, 10) + "".join(self._line)
            marks = ">" * min(self._open[-1].quotes, _DEEPEST)
            self._lines.append(f"{marks} {line}" if marks else line)
        self._line = []
        self._last = ""

    def tag(self, tag: str, attributes: str, at: int) -> None:
        if tag.startswith("/"):
            self._end(tag[1:])
        elif tag == "br":
            self.note(tag, attributes, at)
            self._flush(always=not self._open[-1].hidden)
        else:
            self._begin(tag, attributes, at)

    def note(self, tag: str, attributes: str, at: int) -> Tag | None:
        """Take a tag in for the selectors."""
        around = self._open[-1].known
        if self.tree is None or around is None:
            return None
        return self.tree.take(at, tag, attributes, around)

    def _begin(self, tag: str, attributes: str, at: int) -> None:
        if tag in _BLOCKS:
            self._flush()
            self._close("p")  # as browsers do
        self._close_implied(tag)
        if tag == "tr" and self._open[-1].tag == "table":
            self._enter("tbody", "", self.note("tbody", "", at))  # as browsers do, too
        if tag in _CELLS and self._last not in ("", " "):
            self._put(" ")
        if tag in ("ul", "ol"):
            self._lists += 1
        if tag == "li":
            self._dash = "  " * min(max(self._lists - 1, 0), 10) + "- "
        if tag == "body" and not self._open[-1].look.is_hidden:  # of a page within it, too
            look = Appearance(variables=self._open[-1].look.variables)
            self._open, self._blocks, self._inside = [replace(self._body, look=look)], {}, [{}]
        node = self.note(tag, attributes, at)
        if tag not in _VOID and len(self._open) <= _MOST_OPEN:
            self._enter(tag, attributes, node)

    def _close_implied(self, tag: str) -> None:
        """Close what ends where this tag begins, such as a row before the next one."""
        ending_tags, within = _IMPLIED.get(tag, ((), ()))
        for one in self._open[: -_MOST_IMPLIED - 1 : -1] if ending_tags else ():
            if one.tag in ending_tags:
                self._close(one.tag)
            if one.tag in ending_tags or one.tag in within:
                return

    def _enter(self, tag: str, attributes: str, node: Tag | None) -> None:
        around, briefly = self._open[-1], attributes[:2000]
        indented = tag == "blockquote" and bool(_INDENTED.search(briefly))
        is_quote = (tag == "blockquote" and not indented) or bool(_QUOTED.search(briefly))
        look = around.look
        declarations: tuple[Declaration, ...] = ()
        if self._sheets and node:
            declarations = self._sheets.find(node)
        if declarations or _STYLED.search(attributes):
            is_block = tag in _BLOCKS or tag in _CELLS
            look = look_inside(look, attributes, declarations, is_block=is_block)
        self._push(
            _Open(
                tag,
                around.spaced or tag in _PRE or bool(_SPACED.search(briefly)),
                around.unseen or tag in _UNSEEN,
                look,
                node,
                around.quotes + is_quote,
                around.indents + indented,
            )
        )

    def _push(self, entered: _Open) -> None:
        self._open.append(entered)
        count = self._blocks if entered.is_block else self._inside[-1]
        count[entered.tag] = count.get(entered.tag, 0) + 1
        if entered.is_block:
            self._inside.append({})

    def _pop(self) -> _Open:
        innermost = self._open.pop()
        if innermost.is_block:
            self._inside.pop()
        count = self._blocks if innermost.is_block else self._inside[-1]
        count[innermost.tag] -= 1
        return innermost

    def _end(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._flush()
        if tag == "li":
            self._dash = ""
        if tag in ("ul", "ol"):
            self._lists = max(self._lists - 1, 0)
        self._close(tag)

    def _close(self, tag: str) -> None:
        """Close the innermost of these tags; one within a line only if no block began since."""
        again: list[_Open] = []
        while self._blocks.get(tag, 0) or self._inside[-1].get(tag, 0):
            innermost = self._pop()
            if innermost.tag == tag:
                break
            if innermost.tag in _FORMATTING and innermost.hidden and not self._open[-1].hidden:
                again.append(innermost)
        for one in reversed(again):
            self._push(replace(self._open[-1], tag=one.tag, look=one.look))
