"""Lines that look like orders and are none: what their writer meant, or what is wrong."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from adjudicator.core.forms.clauses import ClauseReader, find_other_place, reword, trim_politeness
from adjudicator.core.forms.coercion import Leniency
from adjudicator.core.forms.fault_messages import shorten
from adjudicator.core.forms.line_reader import KEYED_LINE, TRAILING, LineReader, Raw
from adjudicator.core.forms.order_form import NO_ORDERS, STANDING
from adjudicator.core.forms.reading import Slip
from adjudicator.core.forms.schema import Node
from adjudicator.core.forms.sentences import is_courtesy
from adjudicator.core.forms.short_forms import split_entries
from adjudicator.core.names import fold, suggest

_INSIDE = re.compile(r"(?<![\w/])(?P<key>[A-Za-z][\w-]*) ?[:=](?!//) ?(?P<rest>[^\s].*)", re.DOTALL)
_FIRST = re.compile(r"(?P<key>[A-Za-z][\w-]*)\W+(?P<rest>\S.*)", re.DOTALL)
_VERBS = (
    r"(?:advance|ally|attack|build|buy|claim|collect|defend|discard|explore|fly|give|"
    r"harvest|improve|increase|invade|jump|keep|land|mark|mine|move|pay|place|play|raise|"
    r"research|scan|sell|send|spend|steal|swap|trade|upgrade|use)\b(?!\s*:)"
)
_DOES = re.compile(rf"(?:i\s+)?{_VERBS}", re.IGNORECASE)
_DOES_MORE = re.compile(rf"(?<!\bi)\s+{_VERBS}", re.IGNORECASE)
_PASSES_ON = re.compile(
    rf"{NO_ORDERS}\b(?!.*\b(?:if|unless|until|or|but|instead|otherwise|rather)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""How a sentence begins that may be to do nothing, which changes nothing beside orders."""
_SPEAKS_TO = re.compile(r"(?P<words>(?:\S+\s+){2,}\S+),\s*(?P<name>[\w-]+)[.!]*", re.DOTALL)
"""Words to somebody who is named at their end: `I keep my promise, blue.`"""
_GOES_ON = re.compile(r"\b(?:mark|take|taking|collect|harvest|scan)\b(?! care)", re.IGNORECASE)
"""A verb by which a sentence below an order goes on what that orders."""
_QUESTION = re.compile(r"(?<=[.!])\s+[^.!?]*\?$")
"""A sentence that asks something, behind one that does not."""
_NO_READING = "it could not be read as an order; the form shows how one is written"
_LONGEST_SLIP = 160
_MENU = re.compile(r"([^\s,]+)(?:, [^\s,]+)* or [^\s,]+")
"""Things to choose among, as reports list them."""
_FIRST_WORD = re.compile(r"[a-z]+ ")
_BEFORE = re.compile(r"(?:.*[^\w])?", re.DOTALL)
_PLACE = re.compile(r"[A-Za-z]\d[^:]*$")
"""How a short form begins where it stands among words: with a place, no hour of a clock."""
_MOST_LOOKED_AT = 40
_FEW_WITHOUT_NAMES = 3
"""A line of more words that names nothing of the game is no order with a fault in it."""
_MOST_MENDED = 12
"""A line of more words is no order with slips in it."""
_MOST_IN_CLAUSES = 18
_FEW = 8
"""A line of more words that begins with the word of an order is a sentence."""
_MOST_IN_ORDER = 10
"""So many words may tell to do something with a thing of the game."""
_WANT = re.compile(
    r"\b(?:i(?:'d| would) (?:like|prefer|love|rather)|i (?:want|prefer|need|mean|meant)|"
    r"instead|otherwise|or else|rather|please|cancel|correction|except|"
    r"(?:all|any|every)(?: of)?(?: the| my)? (?:others?|rest|remaining)|"
    r"(?:only|just) (?:send|use|take|pay|build|\d+)|keep my|don'?t|do not)\b",
    re.IGNORECASE,
)
"""How a sentence says that something is to be done."""
_SPACE = re.compile(r"\b[A-Z]\d{1,2}\b")
_NUMBERED = re.compile(r"\border (?:number |no\.? )?#?\d+\b|\b[A-Z]\d{1,2}\b", re.IGNORECASE)
"""An order by its number, or a space of a map."""
_TO_PEOPLE = re.compile(r"\b(?:you|your|yours|we|us|our|me)\b", re.IGNORECASE)
_AMONG_WORDS = re.compile(r"\.[+*]")
"""A pattern with this in it takes any words, so it is looked for in whole lines only."""


class SlipFinder:
    """Looks at lines that were not read."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._clauses = ClauseReader(reader)
        self._misplaced: set[str] = set()

    def look_at(self, lines: Mapping[int, str]) -> tuple[dict[int, Slip], dict[int, str]]:
        """Find slips that can mean one thing, and say why other lines are no orders."""
        slips: dict[int, Slip] = {}
        odd: dict[int, str] = {}
        for at, line in islice(lines.items(), _MOST_LOOKED_AT):
            text = line.strip()
            if self._is_courtesy(text):
                continue
            if not text or len(text) > _LONGEST_SLIP:
                if self._wants_something(text):
                    odd[at] = self.name_unread(text)
                continue
            place = find_other_place(self._reader.root, text)
            slip = self._find_slip(text) if place is None else None
            if place is not None:
                odd[at] = f'"{shorten(text, 60)}": {place}'
                self._misplaced.add(text)
            elif slip is not None:
                slips[at] = slip
            elif why := self._explain_odd(text):
                odd[at] = f'"{shorten(text, 60)}": {why}'
            elif beginning := self._read_beginning(trim_politeness(text)):
                unread = self._clauses.find_unread(text)
                slips[at] = Slip(shorten(unread, 60), beginning, is_part=True)
            elif self._sounds_like_order(text) or self._wants_something(text):
                odd[at] = self.name_unread(text)
        statements = {at: slip for at, slip in slips.items() if not lines[at].strip().endswith("?")}
        return statements or slips, odd

    def guess_slip(self, text: str) -> Slip | None:
        """Guess from the position what a text means, to its last word."""
        guessed = self._reader.guess(reword(self._reader.root, text))
        orders = self._reader.type_keys(dict(guessed), Leniency.MENDING) if guessed else None
        return Slip(shorten(text, 60), orders) if orders else None

    def goes_on(self, line: str) -> bool:
        """Whether a sentence right below an order seems to say more of what that orders."""
        verb = _GOES_ON.search(line) if len(line) <= _LONGEST_SLIP and self._reader.root else None
        begins = verb is not None and verb.start() == line.find(trim_politeness(line))
        return bool(verb) and (begins or self._reader.names_something(f"so {line}"))

    def name_unread(self, line: str) -> str:
        """Name a line that was not read."""
        return f'"{shorten(line, 60)}": {_NO_READING}'

    def is_beside(self, line: str, *, gives_orders: bool) -> bool:
        """Whether a line is no order of this form: it is a request, or belongs to another form.

        In a letter that gives orders it may also be small talk, which changes none of them.
        """
        if line.strip() in self._misplaced or (gives_orders and self._is_small_talk(line)):
            return True
        keyed = KEYED_LINE.fullmatch(line.strip())
        key = self._reader.keys.get(fold(keyed["key"])) if keyed else None
        return key is not None and not self._reader.is_order(key)

    def _is_small_talk(self, line: str) -> bool:
        """Whether a line speaks to a player who is named at its end, or passes in other words."""
        speech = _SPEAKS_TO.fullmatch(line.strip())
        if speech is not None and self._reader.is_person(speech["name"]):
            return not self._reader.names_something(f"so {speech['words']}")
        bare = trim_politeness(line)
        return bool(_PASSES_ON.match(bare)) and not self._tells_of_game(bare)

    def _is_courtesy(self, text: str) -> bool:
        """Whether a sentence is a courtesy, and tells to do nothing with a thing of the game."""
        if len(text) > _LONGEST_SLIP or not is_courtesy(text):
            return False
        bare = trim_politeness(text)
        return not (_DOES_MORE.search(bare) or self._tells_of_game(bare))

    def _tells_of_game(self, bare: str) -> bool:
        """Whether a sentence names a thing of the game or a number behind its first word."""
        has_number = any(map(str.isdigit, bare))
        return has_number or self._reader.names_something(bare, people=False)

    def mend_block(self, block: Mapping[Any, Any]) -> Raw:
        """Mend the keys and values of a form, as far as each can mean one thing."""
        mended: Raw = {}
        for word, value in block.items():
            key = self._find_meant_key(str(word))
            raw = self._reader.read_key(key, value, Leniency.MENDING) if key else None
            orders = self._reader.type_keys(raw, Leniency.MENDING) if raw else None
            if orders and mended.keys().isdisjoint(orders):
                mended |= orders
        return mended

    def _find_meant_key(self, word: str) -> str | None:
        keys = {**self._reader.keys, **{one: one for one in self._reader.below}}
        return keys.get(fold(word)) or _suggest_key(word, keys)

    def _find_slip(self, text: str) -> Slip | None:
        """Find what a line with a slip may mean, by the likeliest way of reading it only."""
        bare = reword(self._reader.root, text)
        guessed = self._reader.guess(bare)
        statement = _QUESTION.sub("", bare)
        guess_at_statement = (
            self._reader.guess(statement) if statement != bare and not guessed else None
        )
        for raws, is_part in (
            (iter([dict(guessed)] if guessed else []), False),
            (iter([dict(guess_at_statement)] if guess_at_statement else []), True),
            (self._list_mended(bare), False),
            (self._list_mended_clauses(text), False),
            (self._list_clauses(text), True),
            (self._list_inside(bare), True),
            (self._list_among_words(bare), True),
        ):
            readings = [self._reader.type_keys(raw, Leniency.MENDING) for raw in raws]
            meanings = {repr(one): one for one in readings if one}
            if readings:
                (value, *others) = meanings.values() or (None,)
                if not value or others:
                    return None
                unread = self._clauses.find_unread(_QUESTION.sub("", text)) if is_part else text
                return Slip(shorten(unread, 60), value, is_part)
        return None

    def _list_mended(self, text: str) -> Iterator[Raw]:
        raw = self._reader.read_line(text, Leniency.MENDING)
        keyed = KEYED_LINE.fullmatch(text)
        if raw is None and self._reader.root is not None:
            raw = self._read_lone_value(self._reader.root, text)
        if raw is not None and (keyed is not None or len(text.split()) <= _MOST_MENDED):
            yield raw
            return
        first = keyed or _FIRST.fullmatch(text)
        is_said = text.endswith("?") or len(text.split()) > _FEW
        if first is None or (keyed is None and is_said):
            return
        word = first["key"]
        key = self._find_meant_key(word)
        if key is not None:
            rest = first["rest"].lstrip("-\u2013\u2014> ")
            raw = self._reader.read_key(key, rest, Leniency.MENDING if keyed else Leniency.EXACT)
            if raw is not None:
                yield raw

    def _list_mended_clauses(self, text: str) -> Iterator[Raw]:
        """List what several orders in a row mean, each of which may have a slip."""
        if text.endswith("?") or len(text.split()) > _MOST_IN_CLAUSES:
            return
        raw = ClauseReader(self._reader, Leniency.MENDING).read(text, None)
        if raw is not None:
            yield raw

    def _list_clauses(self, text: str) -> Iterator[Raw]:
        """List the orders that a line begins with before it goes on in other words."""
        if self._explain_menu(text):
            return
        statement = _QUESTION.sub("", text)
        raw = self._clauses.read(statement, None) if statement != text else None
        if raw is None and len(statement.split()) <= _MOST_IN_CLAUSES:
            raw = self._clauses.read_among(statement)
        raw = raw or (
            self._clauses.read_beginning(statement) if not statement.endswith("?") else None
        )
        if raw is not None:
            yield raw

    def _read_lone_value(self, root: Node, text: str) -> Raw | None:
        """Read a value without its key where the form has only one, or without its first word."""
        keys = [key for key in root.properties if key not in (STANDING, NO_ORDERS)]
        closely = Leniency.MENDING if self._reader.is_made_of_names(text) else Leniency.EXACT
        if len(keys) == 1:
            return self._reader.check({keys[0]: text}, closely)
        begins = (_FIRST_WORD.match(one.pattern.pattern) for one in root.lines)
        for word in dict.fromkeys(one.group() for one in begins if one):
            raw = self._reader.read_line(f"{word}{text}", closely)
            if raw is not None:
                return raw
        return None

    def _read_beginning(self, text: str) -> Any:
        """Read a short line as the order that it begins with, whatever words stand behind that."""
        words = text.split() if not text.endswith("?") else []
        for length in range(len(words) - 1, 1, -1) if len(words) <= _FEW else ():
            raw = self._reader.read_line(" ".join(words[:length]), Leniency.EXACT)
            if raw is not None:
                return self._reader.type_keys(raw, Leniency.MENDING)
        return None

    def _list_inside(self, text: str) -> Iterator[Raw]:
        """List orders with a colon that stand inside a sentence."""
        at = 0
        while pair := _INSIDE.search(text, at):
            at = pair.end("key")
            words = pair["rest"].split() if fold(pair["key"]) in self._reader.keys else []
            for length in range(min(len(words), 12), 0, -1):
                value = TRAILING.sub("", " ".join(words[:length]))
                raw = self._reader.read_key(pair["key"], value, Leniency.EXACT) if value else None
                if raw is not None:
                    yield raw
                    break

    def _list_among_words(self, text: str) -> Iterator[Raw]:
        """List short forms such as A1-B2 x3 that stand inside a sentence."""
        for key, node in self._reader.root.properties.items() if self._reader.root else ():
            forms = node.items.short if node.items is not None else ()
            for pattern in (one.pattern for one in forms):
                if _AMONG_WORDS.search(pattern.pattern):
                    continue
                whole = (
                    one.group().strip(" ,")
                    for one in pattern.finditer(text)
                    if _BEFORE.fullmatch(text[: one.start()]) and _PLACE.match(one.group())
                )
                entries = [one for one in whole if self._reader.check({key: [one]}, Leniency.EXACT)]
                if entries:
                    yield {key: entries}

    def _explain_odd(self, text: str) -> str | None:
        """Explain why a line that begins with the key of an order is none."""
        keyed = KEYED_LINE.fullmatch(text)
        if keyed is None or fold(keyed["key"]) not in self._reader.keys:
            return self._explain_menu(text) or self._explain_plain(text)
        key = self._reader.keys[fold(keyed["key"])]
        rest = TRAILING.sub("", keyed["rest"])
        return (
            self._reader.explain_fault({key: rest}, Leniency.USUAL)
            if rest
            else "nothing stands behind it"
        )

    def _explain_plain(self, text: str) -> str | None:
        """Explain a line without a colon, in the words of the form where it has others."""
        bare = reword(self._reader.root, text)
        return self._explain_short(bare) or self._explain_bare(text)

    def _explain_menu(self, text: str) -> str | None:
        """Explain that a line lists what may be ordered, of which one thing is to be chosen."""
        menu = _MENU.search(text)
        first = f"{text[: menu.start()]}{menu[1]}{text[menu.end() :]}" if menu else ""
        if not first or self._reader.read_whole(first) is None:
            return None
        return f"it names several choices; write one of them, such as `{TRAILING.sub('', first)}`"

    def _explain_bare(self, text: str) -> str | None:
        """Explain why a short line with the word of an order in front, but no colon, is none."""
        first = _FIRST.fullmatch(trim_politeness(text))
        keys = self._reader.root.keys if self._reader.root else {}
        if first is None or fold(first["key"]) not in keys or len(text.split()) > _FEW:
            return None
        key = keys[fold(first["key"])]
        if self._reader.root and self._reader.root.properties[key].types == ("boolean",):
            return f"write `{key}: yes`; what to make of the rest was not clear"
        return self._reader.explain_fault({key: first["rest"]}, Leniency.USUAL) or None

    def _sounds_like_order(self, text: str) -> bool:
        """Whether a short line tells to do something with a thing of the game."""
        bare = trim_politeness(text.rpartition(": ")[2])
        length = len(bare.split()) if not text.endswith("?") else _LONGEST_SLIP
        is_order = bool(_DOES.match(bare)) and self._reader.names_something(bare)
        if length <= _FEW and self._reader.names_card(bare):
            return True
        if length <= _MOST_IN_ORDER:
            return is_order
        return is_order and length <= _MOST_IN_CLAUSES and any(map(str.isdigit, bare))

    def _wants_something(self, text: str) -> bool:
        """Whether a sentence says what its writer would like to be done with a thing of the game.

        What is said to other people, and what only tells of the game, is passed over.
        """
        if text.endswith("?"):
            return False
        if self._reader.names_card(text) or len(set(_SPACE.findall(text))) > 1:
            return True
        is_named = self._reader.names_something(f"so {text}", keys=True)
        return bool(_WANT.search(text)) and (
            bool(_NUMBERED.search(text)) or (is_named and not _TO_PEOPLE.search(text))
        )

    def _explain_short(self, text: str) -> str | None:
        """Explain what a short form without its key lacks."""
        for key, node in self._reader.root.properties.items() if self._reader.root else ():
            items = node.items
            parts = split_entries(items, text) if items is not None and items.short else []
            if parts and items and all(items.match_short(one) is not None for one in parts):
                is_plain = not any(map(str.isdigit, text)) and not self._reader.names_something(
                    text
                )
                if is_plain and len(text.split()) > _FEW_WITHOUT_NAMES:
                    continue
                return self._reader.explain_fault({key: parts}, Leniency.USUAL) or None
        return None


def _suggest_key(word: str, keys: Mapping[str, str]) -> str | None:
    """Find the key that was probably meant, never by its beginning alone."""
    if len(word) < 3 or any(one.startswith(fold(word)) and len(word) < 4 for one in keys):
        return None
    return suggest(word, keys.values())
