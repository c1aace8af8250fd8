"""The YAML sheets of an archive: game.yaml, private.yaml and result.yaml; and press.jsonl."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import yaml
from msgspec.structs import asdict

from adjudicator.adapters.archive.stored_game import Dossier
from adjudicator.adapters.yaml.writer import PlainDumper
from adjudicator.core.document import Document, digest, encode, escape_unseen, to_plain
from adjudicator.core.game import Over
from adjudicator.desk.model.lineage import list_counting_steps
from adjudicator.desk.model.ports import Kind
from adjudicator.desk.model.values import Seating
from adjudicator.desk.steps.record import Record

ARCHIVE_VERSION = "archive/2"
OLDER_VERSIONS = ("archive/1",)

RECORD, PUBLIC_ONLY, EVERYTHING = "record", "public", "everything"
"""What an archive contains."""

_SECRET = ("seed", "luck")
_OF_THE_HOME = ("archived",)
"""What says how a home lists the game, not what the game is."""
_HEAD = """\
# {kind} game {id}, as played. Check it with: adjudicator verify FOLDER
# chain.txt lists every change of state and the SHA-256 of every file.
"""
_PRIVATE_HEAD = "# For the GM alone: this opens all hands and all dice to come.\n"


def game_sheet(dossier: Dossier, kind: Kind, *, contents: str) -> bytes:
    """Format the public facts of the game; once it is over, also the seed and luck words."""
    game = dossier.record.game
    facts = {
        name: value for name, value in asdict(game).items() if name not in (*_SECRET, *_OF_THE_HOME)
    }
    if game.components is None:
        del facts["components"]
    if game.epoch == 1:
        del facts["epoch"]
    sheet = {
        "archive": ARCHIVE_VERSION,
        "contents": contents,
        "reporting_digest": kind.reporting,
        **facts,
        "components_digest": digest(encode(kind.components())),
        "since": dossier.record.since,
        **({"retold": True} if dossier.record.retold else {}),
        "seed_digest": dossier.seed_digest or digest(game.seed),
        "seatings": [_describe_seating(seating) for seating in dossier.seatings],
    }
    if dossier.record.is_revealed:
        sheet |= {"unrated": list(dossier.unrated)} if dossier.unrated else {}
        sheet |= _list_secrets(dossier.record)
    return format_sheet(sheet, _HEAD.format(kind=game.kind, id=game.id))


def _list_secrets(record: Record) -> dict[str, Any]:
    """List the secrets that reveal every draw, including those of a start that was undone."""
    starts = {"starts": [asdict(one) for one in record.starts]} if record.starts else {}
    return {"seed": record.game.seed.hex(), "luck": record.game.luck, **starts}


def _describe_seating(seating: Seating) -> dict[str, Any]:
    facts = {name: v for name, v in asdict(seating).items() if name not in ("game", "vote")}
    if seating.strength is None:
        del facts["strength"]  # as earlier versions wrote it
    return facts


def private_sheet(dossier: Dossier) -> bytes:
    """Format what only the GM may know."""
    votes = {f"{s.seat}/{s.number}": s.vote for s in dossier.seatings if s.vote != "none"}
    sheet = {
        **_list_secrets(dossier.record),
        "votes": votes,
        "letters": {seat: numbers for seat, numbers in dossier.letters.items() if numbers},
        "players": [asdict(player) for player in dossier.players],
        **{
            name: [_of_game(one) for one in getattr(dossier, name)]
            for name in ("plans", "absences", "observers", "signups")
            if getattr(dossier, name)
        },
    }
    return format_sheet(sheet, _PRIVATE_HEAD)


def _of_game(value: msgspec.Struct) -> dict[str, Any]:
    return {name: one for name, one in asdict(value).items() if name != "game"}


def summarize_result(record: Record, kind: Kind) -> Document:
    """Summarize how a game ended: last step, number of steps that count, winners and scores."""
    counting = [step for step in list_counting_steps(record.steps) if step.state is not None]
    last = counting[0]
    state = kind.state(last.state or b"")
    over = kind.rules.due(state)
    return {
        "last_step": last.name,
        "steps": len(counting),
        "winners": list(over.winners) if isinstance(over, Over) else [],
        "scores": dict(kind.rules.score(state)),
    }


def press_lines(dossier: Dossier) -> bytes:
    """Format every message, one per line."""
    return format_lines(_of_game(one) for one in dossier.press)


def format_lines(values: Iterable[object]) -> bytes:
    """Format each item as a line of JSON, without characters that control a terminal."""
    return escape_unseen("".join(f"{encode(value).decode()}\n" for value in values)).encode()


def format_sheet(sheet: Mapping[str, Any], head: str = "") -> bytes:
    """Format a sheet as YAML below its heading comments."""
    text: str = yaml.dump(
        msgspec.to_builtins(to_plain(sheet), str_keys=True),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )
    return (head + text).encode()


class _Dumper(PlainDumper):
    """Writes invisible characters so that they come back."""


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Escape invisible characters; PyYAML on its own would lose some (U+0085)."""
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
