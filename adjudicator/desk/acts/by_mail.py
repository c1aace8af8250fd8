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
    told = RequestOutcome()
    for said in value if isinstance(value, list | tuple) else [value]:
        told += _do_one(context, said, preview=preview)
    return told


def _do_one(context: Context, said: Any, *, preview: bool) -> RequestOutcome:
    try:
        act, words, content = _find_act(said)
    except Refused as why:
        return _reject("", str(why))
    preview = preview or any(fold(word) == PREVIEW for word in words)
    words = [word for word in words if fold(word) != PREVIEW]
    try:
        made, number = _do(context, act, words, content, preview=preview)
    except Refused as why:
        return _reject(f"{act.name}: ", phrase_refusal(why))
    tried = ", a preview; nothing was changed" if preview else ""
    told = f"{act.name}{tried}: {_describe(made, preview=preview)}"
    undo = "" if preview else _explain_undo(act, number)
    subject, would = made.done.subject or made.done.said, made.done.would
    if preview:
        subject = f"preview: {would[0].lower()}{would[1:]}"
    return RequestOutcome(done=(f"{told}{undo}",), subjects=(subject,))


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
    given, yes = read_words(act, words, content)
    made: list[Performed] = []
    number: int | None = None
    known = context.books.last_note(context.id)
    with suppress(_Undone), context.books.part():
        locked = lock_game(context.books, context.library, context.id, at=context.at)
        made.append(perform(locked, act, given, yes=yes or preview))
        for note in locked.books.notes(context.id):
            if note.act == act.name and note.number > known:
                number = note.number
        locked.note("gm", f"by letter: {act.name}")
        if preview:
            raise _Undone
        if made[0].done.failed:
            raise Refused(made[0].done.said)
    return made[0], number


def split_words(said: str) -> list[str]:
    """Split a line into words as a shell does; quotes hold words together."""
    try:
        return shlex.split(said)
    except ValueError:  # an unclosed quote
        return said.split()


def _find_act(said: Any) -> tuple[Act, list[str], Any]:
    """Find the act that is meant, and the words and values that follow its name."""
    content: Any = None
    if isinstance(said, Mapping):
        if len(said) != 1:
            raise Refused("write each request in a line of its own, as in [extend 24h, remind]")
        word, content = next(iter(said.items()))
        words = [str(word), *(split_words(content) if isinstance(content, str) else [])]
    else:
        words = split_words(str(said or ""))
    first = next((word for word in words if fold(word) != PREVIEW), "")
    name = next((one for one in TABLE if fold(one) == fold(first)), None)
    if name is None:
        raise Unknown(_explain_unknown(first))
    words.remove(first)
    return find_act(name), words, content


def read_act(text: str) -> str | None:
    """Read a line that is an act and nothing else, `extend 24h`; None for other words."""
    said = trim_politeness(text)
    try:
        act, words, content = _find_act(said)
        read_words(act, [word for word in words if fold(word) != PREVIEW], content)
    except (Refused, Unknown):
        return None
    is_free = any(one.sentence for one in act.arguments)
    is_prose = not _QUOTED.search(said) if is_free else _PROSE.search(said)
    # in `close now` it is more than a polite word
    urges = any(one.name == "now" for one in act.arguments) and "now" in _list_words(text)
    urgent = f"{said} now" if urges and "now" not in _list_words(said) else said
    return None if is_prose else urgent


def _list_words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", text.lower())


_QUOTED = re.compile(r'["\u201c]')
_PROSE = re.compile(r"\b(?:the|a|an|by|for|my|game|all|every\w*|players?)\b", re.IGNORECASE)


def guess_act(text: str) -> str | None:
    """Guess which act a sentence is about, as an example of it: `remind` in "remind them all"."""
    for word in _list_words(text):
        stems = (one for one in TABLE if word.startswith(one) and len(word) - len(one) < _ENDING)
        name = next(stems, None) or _OTHER_WORDS.get(word)
        if name is not None:
            return find_act(name).letter_examples()[0].strip("'")
    return None


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


def _explain_unknown(said: str) -> str:
    meant = suggest(said, TABLE) if said else None
    hint = f'; did you mean "{meant}"?' if meant else "."
    return f'"{said[:40]}" is not an act{hint} The acts are {", ".join(TABLE)}.'


def read_words(act: Act, words: Sequence[str], content: Any) -> tuple[dict[str, Any], bool]:
    """Read the raw arguments of an act as a letter gives them, and whether it says yes."""
    given: dict[str, Any] = {}
    left = _take_options(act, words, given)
    flags = {fold(one.name): one.name for one in act.arguments if one.place == "flag"}
    if act.asks:
        flags[_YES] = _YES
    while left and fold(left[-1].lstrip("-")) in flags:
        given[flags[fold(left.pop().lstrip("-"))]] = True
    yes = bool(given.pop(_YES, False))
    if act.read_letter is not None:
        return {**given, **act.read_letter(left, content)}, yes
    if isinstance(content, Mapping):
        return {**given, **_map_words(act, content)}, yes
    for argument in act.arguments:
        if argument.place == "word" and left:
            given[argument.name] = _take_words(argument, left)
    if left:
        raise Refused(f'"{left[0]}" was not expected here; write {_format_usage(act)}')
    return given, yes


def _take_options(act: Act, words: Sequence[str], given: dict[str, Any]) -> list[str]:
    """Return the words without those that give an option its value: `reason="a slip"`."""
    left = []
    options = {fold(one.name): one for one in act.arguments if one.place == "option"}
    for word in words:
        name, equals, value = word.partition("=")
        option = options.get(fold(name.lstrip("-"))) if equals else None
        if option is None:
            left.append(word)
        elif option.many:
            given[option.name] = (*given.get(option.name, ()), value)
        else:
            given[option.name] = value
    return left


def _map_words(act: Act, content: Mapping[Any, Any]) -> dict[str, Any]:
    names = {fold(one.name): one.name for one in act.arguments}
    required = {one.name for one in act.arguments if one.required}
    found = {names.get(fold(str(key)), ""): value for key, value in content.items()}
    if "" in found or not required <= set(found):
        raise Refused(f"write {_format_usage(act)}")
    return found


def _take_words(argument: Argument, words: list[str]) -> Any:
    if not argument.many and not argument.sentence:
        return words.pop(0)
    taken, words[:] = tuple(words), []
    return taken if argument.many else " ".join(taken)


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
        said = " ".join([suggested.command, suggested.game, *suggested.words])
        return f"`adjudicator {said}` at the command line"
    options = [f'{name}="{value}"' for name, value in suggested.options.items()]
    flags = [flag.replace("_", "-") for flag in suggested.flags]
    return f"`{' '.join([suggested.command, *suggested.words, *options, *flags])}`"


def _describe(made: Performed, *, preview: bool) -> str:
    done = made.done
    sentences = [done.would if preview else done.said, *done.details]
    if preview and made.changes:
        sentences.append(f"What would change: {'; '.join(made.changes)}.")
    sentences += [f"Note: {note}." for note in done.notes]
    if done.next:
        command, *words = done.next
        line = " ".join([command, *words])
        sentences.append(f"Next: `{line}`.")
    return " ".join([*sentences, made.letter_line])


def guide_acts() -> list[Document]:
    """List every act for the GM's guide, by group: how it is written, and what it does."""
    groups: dict[str, list[Document]] = {}
    for name, listed in TABLE.items():
        act = find_act(name)
        if act.exports:
            continue
        flags = [
            f"With {one.name.replace('_', '-')}: {one.help[0].lower()}{one.help[1:]}"
            for one in act.arguments
            if one.place == "flag"
        ]
        about = " ".join([listed.help, act.about, *flags]).replace("  ", " ")
        lines = [_guide_line(one) for one in _plain_examples(act)]
        groups.setdefault(listed.group, []).append({"lines": lines, "about": about})
    return [{"title": title, "acts": acts} for title, acts in groups.items()]


def _plain_examples(act: Act) -> list[str]:
    """List the examples but for those that only show a flag; the words about it say enough."""
    flags = {one.name.replace("_", "-") for one in act.arguments if one.place == "flag"}
    first, *others = act.letter_examples()
    return [first, *(one for one in others if flags.isdisjoint(one.strip("'").split()))]


def _guide_line(example: str) -> str:
    return f"gm:\n- {example[1:-1]}" if example.startswith("{") else f"gm: [{example}]"
