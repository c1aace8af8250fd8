"""Archives that somebody made to harm us: limits before anything is read, and faults with files."""

import json
import os
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import yaml

from adjudicator.adapters.archive import folder as folders
from adjudicator.adapters.archive.chain_file import format_chain, parse_chain
from adjudicator.adapters.archive.folder import load_archive, write_archive
from adjudicator.adapters.archive.places import Files
from adjudicator.adapters.archive.verify import verify_archive
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.site.build import build_game
from adjudicator.adapters.site.exhibit import make_exhibit
from adjudicator.cli.site import read_shown_archive
from adjudicator.desk.model.errors import Refused
from tests.samples import examples

_BAD: list[Any] = [None, 0, -1, 10**17, "", "x", [], {}, [[]], {"a": 1}, True, "\u202e\x1b[2J"]


@pytest.fixture
def place(files: Files, tmp_path: Path) -> Path:
    """The archive as a folder."""
    write_archive(tmp_path / "tiny", files)
    return tmp_path / "tiny"


def listed(files: Files) -> Files:
    """The files with a chain.txt that lists them as they are now."""
    chain = parse_chain(files["chain.txt"])
    return {**files, "chain.txt": format_chain(chain.links, {p: files[p] for p in chain.files})}


def test_what_chain_txt_does_not_list_is_never_opened(place: Path) -> None:
    for number in range(24):
        (place / f"sparse{number}.json").touch()
        os.truncate(place / f"sparse{number}.json", 2**26)
    (place / "unreadable").symlink_to("/dev/zero")
    os.mkfifo(place / "waits.json")
    tracemalloc.start()
    read = load_archive(place)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**25
    assert read["sparse1.json"] == b""
    assert not {"unreadable", "waits.json"} & set(read)


def test_too_many_files_are_not_even_listed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_FILES", 100)
    (place / "steps" / "many").mkdir()
    for number in range(101):
        (place / "steps" / "many" / str(number)).touch()
    with pytest.raises(Refused, match="more files than any archive"):
        load_archive(place)


def test_files_too_large_together_are_not_opened(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MAX_ARCHIVE_BYTES", 10_000)
    with pytest.raises(Refused, match="together its files are larger than any archive"):
        load_archive(place)


def test_folders_and_documents_that_nest_too_deeply_are_not_read(place: Path) -> None:
    deep = place.joinpath(*["x"] * 50)
    deep.mkdir(parents=True)
    (deep / "y").touch()
    assert not [path for path in load_archive(place) if path.endswith("/y")]
    (place / "steps/001-pick/state.json").write_bytes(b'{"a":' * 100_000)
    with pytest.raises(Refused, match=r"001-pick/state\.json: it is nested more than 64 levels"):
        load_archive(place)


@pytest.mark.parametrize("name", ["game.yaml", "orders.yaml", "private.yaml"])
def test_sheets_that_nest_too_deeply_are_named(
    files: Files, name: str, toy_library: FolderLibrary
) -> None:
    files[name] = b"- " * 30_000 + b"x"
    (fault,) = verify_archive(listed(files), toy_library).faults
    assert fault.file == name


def mutate(document: Any, luck: random.Random) -> Any:
    """The document with one value that is missing or of a wrong kind."""
    node = document
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = luck.choice(keys)
        below = node[key]
        if isinstance(below, dict | list) and below and luck.random() < 0.75:
            node = below
            continue
        if isinstance(node, dict) and luck.random() < 0.4:
            del node[key]
        else:
            node[key] = luck.choice(_BAD)
        return document


def show(files: Files, library: FolderLibrary) -> None:
    """The pages of an archive."""
    dossier = read_shown_archive(library, files, "tiny")
    kind = library.kind("toy-duel")
    shown = make_exhibit(dossier, kind, kind.game)
    templates = tuple(library.templates())
    build_game(Printer([find_data_folder("templates")]), templates, kind, shown, None)


@pytest.mark.parametrize("number", range(examples(60)))
def test_a_malformed_document_is_named_with_its_file(
    files: Files, toy_library: FolderLibrary, number: int
) -> None:
    luck = random.Random(number)
    sheets = sorted(path for path in files if path.endswith((".json", ".yaml")))
    path = luck.choice(sheets)
    before = files[path]
    document = yaml.safe_load(before)
    if not document:
        return
    changed = json.dumps(mutate(document, luck), default=str, sort_keys=True, ensure_ascii=False)
    files = listed({**files, path: changed.encode()})
    faults, said = verify_archive(files, toy_library).faults, ""
    try:
        show(files, toy_library)
    except Refused as refused:
        said = str(refused)
    assert not said or faults or path.rpartition("/")[2] in said
    assert all(fault.file in files for fault in faults)


def test_votes_that_are_no_mapping_are_named(files: Files, toy_library: FolderLibrary) -> None:
    files["private.yaml"] = files["private.yaml"].replace(b"votes: {}", b"votes: [1]")
    (fault,) = verify_archive(listed(files), toy_library).faults
    assert fault.file == "private.yaml"


def test_a_number_names_one_step(files: Files, toy_library: FolderLibrary) -> None:
    struck = files["orders.yaml"].partition(b"\n6-prize:\n")[2].partition(b"\n7-pick:")[0]
    files["orders.yaml"] += b"6-theft:\n" + struck + b"\n"
    (fault,) = verify_archive(listed(files), toy_library).faults
    assert (fault.file, fault.message) == ("orders.yaml", "two steps have the number 6")


def test_a_report_that_no_page_can_show_is_named(
    files: Files, toy_library: FolderLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it was worded by another version, which only the chain's digests hold to."""
    path = "steps/001-pick/report.json"
    document = json.loads(files[path])
    for name in document:
        without = {key: value for key, value in document.items() if key != name}
        broken = listed({**files, path: json.dumps(without).encode()})
        monkeypatch.setattr("adjudicator.cli.site.verify_archive", _holds)
        with pytest.raises(Refused, match=r"report\.json"):
            show(broken, toy_library)


def test_a_table_whose_rows_do_not_fit_its_columns_is_named(
    files: Files, toy_library: FolderLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "steps/001-pick/red/report.json"
    document = json.loads(files[path])
    table = next(section for section in document["sections"] if section.get("rows"))
    table["rows"][-1].append("one more")
    monkeypatch.setattr("adjudicator.cli.site.verify_archive", _holds)
    with pytest.raises(Refused, match=r"red/report\.json: a table has rows that do not fit"):
        show(listed({**files, path: json.dumps(document).encode()}), toy_library)


def _holds(*_given: object, **_named: object) -> Any:
    class Held:
        faults = ()

    return Held()
