"""The words of a game explained: all of them, or those that somebody's own question names."""

import re
from collections.abc import Iterator, Mapping

from adjudicator.core.document import Document, Seat
from adjudicator.core.names import fold
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.outbox.form import answer_part
from adjudicator.desk.outbox.introduction import describe_word, describe_words
from adjudicator.desk.questions.question_words import Question, explain_not_asked

_MOST_WORDS, _MOST_RULES = 4, 2
_LONGEST = 3
"""The most words of one term: `ram scoops`."""
_WORD = re.compile(r"[\w-]+")
_RULE = re.compile(r"\b[A-Z]+-\d+[a-z]?\b", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*(.+?)\*\*")
_NOT_READ = (
    'The server does not understand "{}", but this is what it has to say of the words in it.{}'
)
_TO_GM = " `to gm: your question` asks the GM."


def words_part(context: Context, _seat: Seat, question: Question) -> Document:
    """Explain the words of the game, or only those asked about."""
    words = describe_words(context.kind)
    if not words:
        raise Refused(f"words: {context.kind.title} explains none")
    entries = list(_explain_named(context.kind, " ".join(question.rest)))
    return answer_part(f"Words of {context.kind.title}".upper(), entries or words)


def free_question_part(context: Context, seat: Seat, question: Question) -> Document:
    """Explain what a question in free words names; Refused if that is nothing of the game."""
    (text,) = question.rest
    entries = list(_explain_named(context.kind, text))
    to_gm = _TO_GM if context.settings.press != "none" and seat != GM else ""
    if not entries:
        raise Refused(explain_not_asked(text, to_gm))
    name, terms = fold(text.rstrip("?.! ")), find_terms(context.kind, text)
    clear = map(fold, (*terms[:1], *context.kind.rulebook))
    if {name, name.removesuffix("s")} & {*clear}:
        return answer_part("YOUR QUESTION", entries)
    return answer_part("YOUR QUESTION", [_NOT_READ.format(text[:100], to_gm), *entries])


def write_rule(number: str, text: str) -> str:
    """Write a rule as plain text."""
    plain = _MARKUP.sub(r"\1", text)
    return f"{number}: {plain}"


def find_terms(kind: Kind, text: str) -> list[str]:
    """Find the words of the game in a text, each as its glossary or its list of names has it."""
    terms_by_name = _list_terms(kind)
    words = _WORD.findall(text)
    terms: dict[str, None] = {}
    at = 0
    while at < len(words):
        for length in range(_LONGEST, 0, -1):
            name = fold(" ".join(words[at : at + length]))
            term = terms_by_name.get(name) or terms_by_name.get(name.removesuffix("s"))
            if term is not None:
                terms[term] = None
                break
        at += length
    return list(terms)[:_MOST_WORDS]


def find_rules(kind: Kind, text: str) -> list[str]:
    """Find the first rules that a text names by their numbers."""
    return list_rules(kind.rulebook, text)[:_MOST_WORDS]


def list_rules(book: Mapping[str, str], text: str) -> list[str]:
    """List the rules that a text names by their numbers, in the order of the rulebook."""
    numbers = {number.upper() for number in _RULE.findall(text)}
    return [one for one in book if one.upper() in numbers]


def _list_terms(kind: Kind) -> Mapping[str, str]:
    """List the words of a game by how they are matched."""
    names = {fold(one): one for names in kind.rules.names.values() for one in names}
    words = {fold(one["word"]): one["word"] for one in kind.guide.get("words", ())}
    return {**names, **words}


def _explain_named(kind: Kind, text: str) -> Iterator[str]:
    """Explain each word of the game in a text: as its glossary does, and by its rules."""
    explained = {one["word"]: one for one in kind.guide.get("words", ())}
    explain_name = getattr(kind.rules, "explain_name", lambda _: None)
    rules: dict[str, None] = dict.fromkeys(find_rules(kind, text))
    for term in find_terms(kind, text):
        sentence = explain_name(term)
        if sentence is not None:
            yield sentence
            rules |= dict.fromkeys(find_rules(kind, sentence))
        if term in explained:
            yield describe_word(explained[term])
            rules[explained[term]["rule"]] = None
        elif sentence is None or not find_rules(kind, sentence):
            rules |= dict.fromkeys(_choose_rules(kind.rulebook, term))
    yield from (write_rule(one, kind.rulebook[one]) for one in rules if one in kind.rulebook)


def _choose_rules(book: Mapping[str, str], term: str) -> list[str]:
    """Find the rules that begin with a word; if none does, those that say most of it."""
    parts = map(re.escape, term.split("-"))
    pattern = re.compile(rf"\b{'[- ]'.join(parts)}\b", re.IGNORECASE)
    own_rules = [number for number, text in book.items() if pattern.match(text)]
    if own_rules:
        return own_rules[:_MOST_RULES]
    counts = {number: len(pattern.findall(text)) for number, text in book.items()}
    most = max(counts.values(), default=0) or 1
    return [number for number, count in counts.items() if count >= most][:_MOST_RULES]
