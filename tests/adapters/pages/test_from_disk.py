"""Whoever has nothing but the report document has all: text, page and pictures are made of it."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.png import render_png
from adjudicator.adapters.render.printer import Printer, draw_pictures
from adjudicator.core.document import decode
from tests.played import unpack_game

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import json, sys
from hashlib import sha256
from pathlib import Path
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.png import render_png
from adjudicator.adapters.render.printer import draw_pictures
from adjudicator.adapters.render.printer import Printer
printer, game = Printer([find_data_folder("templates")]), sys.argv[1]
document = json.loads(Path("report.json").read_text(encoding="utf-8"))
print("text", sha256(printer.text("report.txt", document, game).encode()).hexdigest())
print("page", sha256(printer.mail_page("report.html", document, game).encode()).hexdigest())
for one in draw_pictures(printer, document, game):
    png = render_png(one.content.decode())
    print(one.name, sha256(one.content).hexdigest(), sha256(png).hexdigest())
print("games", sum(name.startswith("adjudicator.rules.") for name in sys.modules))
print("files", *sorted(path.name for path in Path().iterdir()))
"""


@pytest.mark.parametrize(
    ("game", "played"),
    [("jump_wars", "three-square"), ("jump_gate", "three-second"), ("jump_drive", "three")],
)
def test_a_report_from_disk_is_rendered_alone(game: str, played: str, tmp_path: Path) -> None:
    path = sorted(unpack_game(played).glob("steps/*/red/report.json"))[-3]
    (tmp_path / "report.json").write_bytes(path.read_bytes())
    env = {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-c", PROGRAM, game]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=True)
    told = dict(line.split(" ", 1) for line in done.stdout.decode().splitlines())

    printer, document = Printer([find_data_folder("templates")]), decode(path.read_bytes())
    shown = {one.name: one.content.decode() for one in draw_pictures(printer, document, game)}
    assert told == {
        "text": _digest(printer.text("report.txt", document, game)),
        "page": _digest(printer.mail_page("report.html", document, game)),
        **{
            name: f"{_digest(svg)} {sha256(render_png(svg)).hexdigest()}"
            for name, svg in shown.items()
        },
        "games": "0",  # no rules were asked, no store was there
        "files": "report.json",
    }
    assert shown


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
