"""What lies in an archive, and what does not."""

import pytest
import yaml
from msgspec.structs import replace

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.places import ArchiveTrouble
from adjudicator.adapters.archive.read import read_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.store.store import SqlStore
from adjudicator.core.document import decode, digest, encode
from tests.adapters.archive.conftest import GAME, packed


def _steps(files: dict[str, bytes]) -> list[str]:
    return sorted({path.split("/")[1] for path in files if path.startswith("steps/")})


REPORT = ("report.json", "report.txt", "report.html")


def test_every_step_has_a_folder_in_the_order_of_play(finished: SqlStore, texts: Texts) -> None:
    files = packed(finished, texts)
    names = _steps(files)
    assert names[:2] == ["000-setup", "001-pick"]
    assert {name[4:] for name in names} == {"setup", "pick", "prize", "ruling"}
    entries = list(yaml.safe_load(files["orders.yaml"]))
    assert [int(name.partition("-")[0]) for name in entries] == list(range(len(entries)))
    closed = [f"{int(name[:3])}-{name[4:]}" for name in names]
    assert [name for name in entries if name in closed] == closed


def test_a_step_holds_orders_events_state_and_everybodys_report(
    finished: SqlStore, texts: Texts
) -> None:
    files = packed(finished, texts)
    there = {path.removeprefix("steps/001-pick/") for path in files if "/001-pick/" in path}
    seats = ("red", "blue", "green")
    assert there == {
        *("events.jsonl", "state.json", "report.css", *REPORT),
        *(f"{seat}/{name}" for seat in seats for name in REPORT),
        *(f"{seat}/orders.json" for seat in seats),
    }
    events = [decode(line) for line in files["steps/001-pick/events.jsonl"].splitlines()]
    assert events[0]["kind"] == "played"
    assert decode(files["steps/001-pick/state.json"])["seats"] == list(seats)
    assert b"YOUR HAND" in files["steps/001-pick/red/report.txt"]
    assert b">Your hand</h2>" in files["steps/001-pick/red/report.html"]


def test_states_events_and_reports_are_canonical(finished: SqlStore, texts: Texts) -> None:
    files = packed(finished, texts)
    documents = [content for path, content in files.items() if path.endswith(".json")]
    lines = [
        line
        for path, text in files.items()
        if path.endswith(".jsonl")
        for line in text.split(b"\n")
    ]
    assert len(documents) > 30
    for content in [*documents, *filter(None, lines)]:
        assert encode(decode(content)) == content


def test_the_same_game_gives_the_same_bytes(finished: SqlStore, texts: Texts) -> None:
    assert packed(finished, texts) == packed(finished, texts)


def test_a_reader_finds_the_facts_in_game_yaml(finished: SqlStore, texts: Texts) -> None:
    files = packed(finished, texts)
    game = yaml.safe_load(files["game.yaml"])
    assert (game["id"], game["kind"], game["status"]) == ("tiny", "toy-duel", "over")
    assert game["options"] == {"rounds": 4}
    assert [s["player"] for s in game["seatings"]] == ["Ada", "Bo", None]
    assert game["seed_digest"] == digest(bytes.fromhex(game["seed"]))
    private = yaml.safe_load(files["private.yaml"])
    assert private["players"][0]["addresses"] == ["ada@example.org"]


def test_the_reason_of_a_ruling_is_told(finished: SqlStore, texts: Texts) -> None:
    entries = yaml.safe_load(packed(finished, texts)["orders.yaml"])
    (ruling,) = [entry for name, entry in entries.items() if name.endswith("-ruling")]
    assert ruling["reason"] == "a card was read wrongly"
    assert ruling["state"]["scores"] == {"red": 3, "blue": 1, "green": 0}


def test_struck_steps_stay_and_say_so(finished: SqlStore, texts: Texts) -> None:
    entries = yaml.safe_load(packed(finished, texts)["orders.yaml"])
    assert any(entry.get("undone") for entry in entries.values())


def test_chain_txt_lists_every_other_file(finished: SqlStore, texts: Texts) -> None:
    files = packed(finished, texts)
    _, _, listed = files["chain.txt"].decode().partition("\nfiles\n")
    pairs = [line.split("  ") for line in listed.splitlines()]
    assert {path: value for value, path in pairs} == {
        path: digest(content) for path, content in files.items() if path != "chain.txt"
    }


def test_the_orders_on_file_of_a_running_game_are_kept(running: SqlStore, texts: Texts) -> None:
    files = packed(running, texts)
    last = _steps(files)[-1]
    assert f"steps/{last}/state.json" not in files
    open_step = list(yaml.safe_load(files["orders.yaml"]).values())[-1]
    assert [open_step["sets"][seat]["executed"] for seat in ("red", "blue")] == [False, False]
    assert f"steps/{last}/red/orders.json" in files


# ---- what must not be seen


def test_a_running_game_tells_nobody_its_seed(running: SqlStore, texts: Texts) -> None:
    game = yaml.safe_load(packed(running, texts)["game.yaml"])
    assert not {"seed", "luck"} & set(game)


def test_the_public_archive_of_a_running_game_shows_what_everybody_saw(
    running: SqlStore, texts: Texts
) -> None:
    files = packed(running, texts, public=True)
    names = {path.split("/")[-1] for path in files}
    assert names == {"game.yaml", "orders.yaml", "chain.txt", "report.css", *REPORT}
    assert all(path.count("/") < 3 for path in files)
    everything = b"\n".join(files.values())
    for secret in (b"owls", b"Gl\xc3\xbcck", b"ada@example.org", b'"hands"', b"arrived"):
        assert secret not in everything
    with running.reading() as books:
        for orders in books.orders(GAME):
            assert orders.digest.encode() not in everything


def test_the_public_archive_of_a_finished_game_lacks_only_private_matters(
    finished: SqlStore, texts: Texts
) -> None:
    everything, public = packed(finished, texts), packed(finished, texts, public=True)
    assert set(everything) - set(public) == {"private.yaml", "history.jsonl"}
    assert b"ada@example.org" not in b"\n".join(public.values())


def test_no_key_of_any_letter_is_in_it(finished: SqlStore, texts: Texts) -> None:
    files = packed(finished, texts)
    reports = [decode(text) for path, text in files.items() if path.endswith("report.json")]
    forms = [report["form"] for report in reports if report["form"]]
    assert len(forms) > 5
    assert {form["envelope"]["key"] for form in forms} == {None}


def test_what_the_disk_has_damaged_is_named(finished: SqlStore, texts: Texts) -> None:
    with finished.reading() as books:
        dossier = collect_dossier(books, GAME)
    steps = [replace(s, events=b"[{") if s.number == 1 else s for s in dossier.record.steps]
    papers = [replace(p, document=b"\xff") for p in dossier.record.papers]
    for record in (
        replace(dossier.record, steps=tuple(steps)),
        replace(dossier.record, papers=tuple(papers)),
    ):
        with pytest.raises(ArchiveTrouble, match=r"^steps/00.*: what is kept of it is damaged"):
            pack_archive(replace(dossier, record=record), texts)


# ---- back again


@pytest.mark.parametrize("name", ["finished", "running"])
def test_what_was_packed_is_read_back(
    name: str, texts: Texts, request: pytest.FixtureRequest
) -> None:
    store: SqlStore = request.getfixturevalue(name)
    with store.reading() as books:
        dossier = collect_dossier(books, GAME)
    back = read_archive(pack_archive(dossier, texts)).dossier
    assert back.record.game == dossier.record.game
    assert back.record.steps == dossier.record.steps
    assert sorted(back.record.orders, key=repr) == sorted(dossier.record.orders, key=repr)
    assert sorted(back.record.papers, key=repr) == sorted(dossier.record.papers, key=repr)
    assert back.record.links == dossier.record.links
    assert (back.seatings, back.players, back.notes) == (
        dossier.seatings,
        dossier.players,
        dossier.notes,
    )
    assert back.letters == {s: numbers for s, numbers in dossier.letters.items() if numbers}
    assert pack_archive(back, texts) == pack_archive(dossier, texts)


@pytest.mark.parametrize("seat", ["..", "a/b", "", "with space", ".hidden"])
def test_a_name_that_leads_elsewhere_never_becomes_a_folder(
    seat: str, finished: SqlStore, texts: Texts
) -> None:
    with finished.reading() as books:
        dossier = collect_dossier(books, GAME)
    game = replace(dossier.record.game, seats=("red", seat))
    with pytest.raises(ArchiveTrouble, match="cannot be the name of a folder"):
        pack_archive(replace(dossier, record=replace(dossier.record, game=game)), texts)
