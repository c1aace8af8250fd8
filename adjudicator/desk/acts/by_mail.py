"""The GM's acts by letter: parse words into an act and its arguments, and word the outcome."""

import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from adjudicator.core.document import Document
from adjudicator.core.forms.clauses import trim_politeness
from adjudicator.core.names import fold, suggest
from adjudicator.desk.acts import TABLE, find_act
from adjudicator.desk.acts.act import Act, Argument
from adjudicator.desk.acts.perform import Performed, perform
from adjudicator.desk.model.context import Context, RequestOutcome
from adjudicator.desk.model.errors import Refused, Suggest, Unknown
from adjudicator.desk.steps.lock import lock_game

PREVIEW = "preview"
_YES = "yes"


class _Undone(Exception):  # noqa: N818 - it is the end of every preview
    """Leaves a nested transaction in which something was only tried."""


def do_gm_words(context: Context, value: Any, *, preview: bool = False) -> RequestOutcome:
    """Do what the GM asks, one act after the other; a rejected act leaves the others alone.

    With a preview everything is done by the very same code and then undone.
    """
    outcome = RequestOutcome()
    for request in value if isinstance(value, list | tuple) else [value]:
        outcome += _do_one(context, request, preview=preview)
    return outcome


def _do_one(context: Context, request: Any, *, preview: bool) -> RequestOutcome:
    try:
        act, words, content = _find_act(request)
    except Refused as why:
        return _reject("", str(why))
    preview = preview or any(fold(word) == PREVIEW for word in words)
    words = [word for word in words if fold(word) != PREVIEW]
    try:
        result, number = _do(context, act, words, content, preview=preview)
    except Refused as why:
        return _reject(f"{act.name}: ", phrase_refusal(why))
    remark = ", a preview; nothing was changed" if preview else ""
    sentence = f"{act.name}{remark}: {_describe(result, preview=preview)}"
    undo = "" if preview else _explain_undo(act, number)
    subject, would = result.done.subject or result.done.sentence, result.done.would
    if preview:
        subject = f"Preview: {would[0].lower()}{would[1:]}"
    return RequestOutcome(done=(f"{sentence}{undo}",), subjects=(subject,))


def _reject(act: str, why: str) -> RequestOutcome:
    return RequestOutcome(not_taken=(f"{act}{why}",), subjects=(f"NOT done: {act}{why}",))


def _explain_undo(act: Act, number: int | None) -> str:
    """Say how an act is undone, or why it cannot be."""
    if act.undo is not None and number is not None:
        return f" To undo it, write `gm: [undo {number}]`."
    return f" It cannot be undone: {act.lasting}." if act.lasting else ""


def _do(
    context: Context, act: Act, words: Sequence[str], content: Any, *, preview: bool
) -> tuple[Performed, int | None]:
    """Do the act in a part of the transaction, and undo it if it was only tried.

    The number is that of its note in the history.
    """
    if act.exports:
        raise Refused("this is done at the command line, since it writes an archive first")
    values, yes = read_words(act, words, content)
    results: list[Performed] = []
    number: int | None = None
    last = context.books.last_note(context.id)
    with suppress(_Undone), context.books.part():
        locked = lock_game(context.books, context.library, context.id, at=context.at)
        results.append(perform(locked, act, values, yes=yes or preview))
        for note in locked.books.notes(context.id):
            if note.act == act.name and note.number > last:
                number = note.number
        locked.note("gm", f"by letter: {act.name}")
        if preview:
            raise _Undone
        if results[0].done.failed:
            raise Refused(results[0].done.sentence)
    return results[0], number


def split_words(line: str) -> list[str]:
    """Split a line into words as a shell does; quotes hold words together."""
    try:
        return shlex.split(line)
    except ValueError:  # an unclosed quote
        return line.split()


def _find_act(request: Any) -> tuple[Act, list[str], Any]:
    """Find the act that is meant, and the words and values that follow its name."""
    content: Any = None
    if isinstance(request, Mapping):
        if len(request) != 1:
            raise Refused("write each request in a line of its own, as in [extend 24h, remind]")
        word, content = next(iter(request.items()))
        words = [str(word), *(split_words(content) if isinstance(content, str) else [])]
    else:
        words = split_words(str(request or ""))
    first = next((word for word in words if fold(word) != PREVIEW), "")
    name = next((one for one in TABLE if fold(one) == fold(first)), None)
    if name is None:
        raise Unknown(_explain_unknown(first))
    words.remove(first)
    return find_act(name), words, content


def read_act(text: str) -> str | None:
    """Read a line that is an act and nothing else, `extend 24h`; None for other words."""
    line = trim_politeness(text)
    try:
        act, words, content = _find_act(line)
        read_words(act, [word for word in words if fold(word) != PREVIEW], content)
    except (Refused, Unknown):
        return None
    is_free = any(one.sentence for one in act.arguments)
    is_prose = not _QUOTED.search(line) if is_free else _PROSE.search(line)
    # in `close now` it is more than a polite word
    urges = any(one.name == "now" for one in act.arguments) and "now" in _list_words(text)
    urgent = f"{line} now" if urges and "now" not in _list_words(line) else line
    return None if is_prose else urgent


def _list_words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", text.lower())


_QUOTED = re.compile(r'["\u201c]')
_PROSE = re.compile(r"\b(?:the|a|an|by|for|my|game|all|every\w*|players?)\b", re.IGNORECASE)


def guess_act(text: str) -> str | None:
    """Guess which act a sentence is about, as an example of it: `remind` in "remind them all"."""
    if "remind" in text.lower() and (words := _BY_THE_CLOCK.search(text)):
        return f"adjust remind={'none' if words['off'] else '12h'}"
    for word in _list_words(text):
        stems = (one for one in TABLE if word.startswith(one) and len(word) - len(one) < _ENDING)
        name = next(stems, None) or _OTHER_WORDS.get(word)
        if name is not None:
            return find_act(name).letter_examples()[0].strip("'")
    return None


_BY_THE_CLOCK = re.compile(
    r"\b(?:(?P<off>(?:no|stop|stop the|turn off|turn off the|without) (?:more |automatic )?remind"
    r"|reminders? off\b)|automatic|(?<!stop )the clock|(?:\d+ ?h|hours?|days?) (?:before|ahead)"
    r"|before (?:each|every)\b)",
    re.IGNORECASE,
)
"""Words on the reminders that the clock sends, not on one that is wanted now."""
_ENDING = 4
_OTHER_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("deadline", "extension", "longer", "postpone", "prolong"), "extend"),
    **dict.fromkeys(("kick", "substitute", "swap"), "replace"),
    **dict.fromkeys(("remove", "leaves", "left"), "resign"),
    **dict.fromkeys(("stop", "freeze", "halt"), "pause"),
    **dict.fromkeys(("continue", "unpause"), "resume"),
    **dict.fromkeys(("revert", "redo"), "rollback"),
    **dict.fromkeys(("tell", "write"), "message"),
    **dict.fromkeys(("finish", "adjudicate"), "close"),
    **dict.fromkeys(("pace", "setting", "settings"), "adjust"),
}


def _explain_unknown(word: str) -> str:
    suggestion = suggest(word, TABLE) if word else None
    hint = f'; did you mean "{suggestion}"?' if suggestion else "."
    return f'"{word[:40]}" is not an act{hint} The acts are {", ".join(TABLE)}.'


def read_words(act: Act, words: Sequence[str], content: Any) -> tuple[dict[str, Any], bool]:
    """Read the raw arguments of an act as a letter gives them, and whether it says yes."""
    values: dict[str, Any] = {}
    rest = _take_options(act, words, values)
    flags = {fold(one.name): one.name for one in act.arguments if one.place == "flag"}
    if act.asks:
        flags[_YES] = _YES
    while rest and fold(rest[-1].lstrip("-")) in flags:
        values[flags[fold(rest.pop().lstrip("-"))]] = True
    yes = bool(values.pop(_YES, False))
    if act.read_letter is not None:
        return {**values, **act.read_letter(rest, content)}, yes
    if isinstance(content, Mapping):
        return {**values, **_map_words(act, content)}, yes
    for argument in act.arguments:
        if argument.place == "word" and rest:
            values[argument.name] = _take_words(argument, rest)
    if rest:
        raise Refused(f'"{rest[0]}" was not expected here; write {_format_usage(act)}')
    return values, yes


def _take_options(act: Act, words: Sequence[str], values: dict[str, Any]) -> list[str]:
    """Return the words without those that give an option its value: `reason="a slip"`."""
    rest = []
    options = {fold(one.name): one for one in act.arguments if one.place == "option"}
    for word in words:
        name, equals, value = word.partition("=")
        option = options.get(fold(name.lstrip("-"))) if equals else None
        if option is None:
            rest.append(word)
        elif option.many:
            values[option.name] = (*values.get(option.name, ()), value)
        else:
            values[option.name] = value
    return rest


def _map_words(act: Act, content: Mapping[Any, Any]) -> dict[str, Any]:
    names = {fold(one.name): one.name for one in act.arguments}
    required = {one.name for one in act.arguments if one.required}
    values = {names.get(fold(str(key)), ""): value for key, value in content.items()}
    if "" in values or not required <= set(values):
        raise Refused(f"write {_format_usage(act)}")
    return values


def _take_words(argument: Argument, words: list[str]) -> Any:
    if not argument.many and not argument.sentence:
        return words.pop(0)
    rest, words[:] = tuple(words), []
    return rest if argument.many else " ".join(rest)


def _format_usage(act: Act) -> str:
    return " or ".join(f"`{one.strip(chr(39))}`" for one in act.letter_examples())


def phrase_refusal(why: Refused) -> str:
    """Phrase a refusal with its way out, as a letter is written."""
    if why.suggest is None:
        return str(why)
    return f"{why}; write {phrase_suggestion(why.suggest)}"


def phrase_suggestion(suggested: Suggest) -> str:
    """Phrase a way out as a letter writes it, or as a command where letters have none."""
    if suggested.command not in TABLE:
        command = " ".join([suggested.command, suggested.game, *suggested.words])
        return f"`adjudicator {command}` at the command line"
    options = [f'{name}="{value}"' for name, value in suggested.options.items()]
    flags = [flag.replace("_", "-") for flag in suggested.flags]
    return f"`{' '.join([suggested.command, *suggested.words, *options, *flags])}`"


def _describe(result: Performed, *, preview: bool) -> str:
    outcome = result.done
    sentences = [outcome.would if preview else outcome.sentence, *outcome.details]
    if preview and result.changes:
        sentences.append(f"What would change: {'; '.join(result.changes)}.")
    sentences += [f"Note: {note}." for note in outcome.notes]
    if outcome.next:
        command, *words = outcome.next
        line = " ".join([command, *words])
        sentences.append(f"Next: `{line}`.")
    return " ".join([*sentences, result.letter_line])


def guide_acts() -> list[Document]:
    """List every act for the GM's guide, by group: how it is written, and what it does."""
    groups: dict[str, list[Document]] = {}
    for name, entry in TABLE.items():
        act = find_act(name)
        if act.exports:
            continue
        flags = [
            f"With {one.name.replace('_', '-')}: {one.help[0].lower()}{one.help[1:]}"
            for one in act.arguments
            if one.place == "flag"
        ]
        about = " ".join([entry.help, act.about, *flags]).replace("  ", " ")
        lines = [_guide_line(one) for one in _plain_examples(act)]
        groups.setdefault(entry.group, []).append({"lines": lines, "about": about})
    return [{"title": title, "acts": acts} for title, acts in groups.items()]


def _plain_examples(act: Act) -> list[str]:
    """List the examples but for those that only show a flag; the words about it say enough."""
    flags = {one.name.replace("_", "-") for one in act.arguments if one.place == "flag"}
    first, *others = act.letter_examples()
    return [first, *(one for one in others if flags.isdisjoint(one.strip("'").split()))]


def _guide_line(example: str) -> str:
    return f"gm:\n- {example[1:-1]}" if example.startswith("{") else f"gm: [{example}]"
