"""What `export --public` and `site` write, looked through byte by byte for planted secrets."""

import base64
import gzip
import html
import json
import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

PRESS, GREY, LUCK = "sesquipedalian", "borborygmus", "quincunx"
PLANNED = "777777777"
"""The turn for which there is a plan."""
PRIVATE = (PRESS, "tmesis", "zeugma", PLANNED)
PEOPLE = {"red": "Ada", "blue": "Bo", "green": "Cleo"}
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{24,}={0,2}")
_KEY = re.compile(r"^key: ([a-z0-9]{4}-[a-z0-9]{4})$", re.MULTILINE)


def _unpacked(content: bytes, depth: int = 3) -> Iterator[bytes]:
    """The bytes, and whatever may be written or packed in them."""
    yield content
    if not depth:
        return
    text = content.decode("utf-8", "replace")
    inner = [html.unescape(text).encode(), text.encode("unicode-escape").replace(b"\\\\u", b"\\u")]
    inner += [json.dumps(_strings(one)).encode() for one in _documents(text)]
    bare = [_base64(found) for found in _BASE64.findall(content)]
    inner += [*bare, *map(_inflated, bare)]
    for start in (b"\x1f\x8b", b"x\x9c", b"x\xda", b"x\x01"):  # gzip and zlib, as in a PNG
        at = content.find(start)
        while at >= 0:
            inner.append(_inflated(content[at:]))
            at = content.find(start, at + 1)
    for one in dict.fromkeys(inner):
        if one and one != content:
            yield from _unpacked(one, depth - 1 if len(one) < 5_000 else 0)


def _documents(text: str) -> Iterator[Any]:
    """JSON, also line by line, and YAML."""
    for part in (text, *text.splitlines()):
        if part[:1] in ("{", "["):
            try:
                yield json.loads(part)
            except ValueError:
                continue
    if re.match(r"(#.*\n)*[a-z0-9-]+:", text):
        try:
            yield yaml.safe_load(text)
        except yaml.YAMLError:
            return


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in _strings(one)]
    if isinstance(value, list):
        return [text for one in value for text in _strings(one)]
    return [str(value)]


def _base64(text: bytes) -> bytes:
    try:
        return base64.urlsafe_b64decode(text.translate(bytes.maketrans(b"+/", b"-_")))
    except ValueError:
        return b""


def _inflated(content: bytes) -> bytes:
    for wbits in (47, -15):  # the latter as behind the address of an order page
        try:
            return zlib.decompressobj(wbits).decompress(content, 1_000_000)
        except zlib.error:
            continue
    return b""


def _everything(folder: Path) -> bytes:
    """All that the files say, and what they are called; in small letters."""
    found = [str(path.relative_to(folder)).encode() for path in folder.rglob("*")]
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found += _unpacked(path.read_bytes())
    return b"\n".join(found).lower()


def _spelled(secret: bytes | str) -> list[bytes]:
    """A secret in the ways in which it could stand somewhere, and what it could be guessed from."""
    raw = secret.encode() if isinstance(secret, str) else secret
    return [
        raw.lower(),
        raw.hex().encode(),
        base64.b64encode(raw).strip(b"=").lower(),
        sha256(raw).hexdigest().encode() if isinstance(secret, str) else raw.hex().encode(),
    ]


def _squeezed(content: bytes) -> bytes:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeezer.compress(content) + squeezer.flush()


def test_the_search_finds_what_is_hidden() -> None:
    for content in (
        gzip.compress(b"x sesquipedalian y"),
        b"\x89PNG..." + zlib.compress(b"comment\0sesquipedalian"),
        base64.b64encode(b"a word: sesquipedalian, no less"),
        b'<a title="sesqui&#112;edalian">',
        b'{"a": ["sesqui\\u0070edalian"]}',
        b'a:\n  - "sesqui\\x70edalian"\n',
        base64.b64encode(gzip.compress(b'{"a": "sesqui\\u0070edalian"}')),
        b"/orders/jump-wars.html#"
        + base64.urlsafe_b64encode(_squeezed(b'{"a": "sesquipedalian"}')),
    ):
        assert any(PRESS.encode() in one for one in _unpacked(content)), content


@pytest.fixture
def planted(gm: Any, tmp_path: Path) -> tuple[Any, list[bytes]]:
    """A GM with a running game full of secrets, and what nobody may ever read of it."""
    seats = [f"--seat={seat}={name} <{name}@mailhost.example>" for seat, name in PEOPLE.items()]
    settings = ["press=grey", "substitutes=[Dan <dan@waiting.example>]"]
    gm(
        "new",
        "ember",
        "--kind=jump-wars",
        *seats,
        *(f"--setting={one}" for one in settings),
        "--option=turn_limit=2",
        f"--luck=red={LUCK}",
        "--start",
    )
    typed = f"build: 1\npress: [{{to: blue, text: {PRESS}}}, {{to: [red, gm], text: tmesis}}]\n"
    typed += f"ahead: [{{step: plan, if: {{turn: {PLANNED}}}, build: 1}}]\n"
    gm("submit", "ember", "red", "-", typed=typed)
    grey = f"press: [{{to: all, as: anonymous, text: {GREY}}}, {{to: red, text: zeugma}}]\n"
    gm("submit", "ember", "green", "-", typed=f"build: 1\n{grey}")
    assert PLANNED in gm("orders", "ember", "--reveal").stdout
    gm("report", "ember", "--seat", "red")
    gm("letters", "ember", "--out", tmp_path / "letters", "--all")
    letters = "".join(path.read_text() for path in (tmp_path / "letters").iterdir())
    keys = _KEY.findall(letters)
    assert len(keys) > 3
    assert PRESS in letters
    secret = (gm.home / "secret").read_bytes()
    never = [*PRIVATE, *keys, secret, "mailhost", "waiting.example", "without a name", "looked at"]
    return gm, [spelled for one in never for spelled in _spelled(one)]


def _published(gm: Any, folder: Path) -> bytes:
    gm("export", "ember", "--public", "--out", folder / "export")
    gm("export", "ember", "--record", "--out", folder / "record")
    gm("site", "ember", "--out", folder / "site")
    gm("site", folder / "export", "--out", folder / "again")
    assert "all is as it was recorded" in gm("verify", folder / "export").stdout
    return _everything(folder)


def test_no_planted_secret_is_in_what_is_published(
    planted: tuple[Any, list[bytes]], tmp_path: Path
) -> None:
    gm, never = planted
    seed = _seed(gm, tmp_path / "full")
    gm("close", "ember", "--now")
    told = _published(gm, tmp_path / "running")
    until_the_end = [one for word in (seed, LUCK) for one in _spelled(word)]
    assert [one for one in (*never, *until_the_end, b"sets:") if one in told] == []
    for path in sorted((tmp_path / "running").rglob("*")):
        assert path.parent.name not in PEOPLE or path.parent.parent.name == "seats", path
        assert path.name not in ("state.json", "events.jsonl", "orders.json", "private.yaml")
    assert GREY.encode() in told
    names = {path.name for path in (tmp_path / "running" / "site").rglob("*")}
    assert names >= {"feed.xml", "games.js", "story.js", "1.html", "league.html"}
    while gm.json("show", "ember")["status"] != "over":
        gm("close", "ember", "--now")
    told = _published(gm, tmp_path / "over")
    assert [one for one in never if one in told] == []
    assert [one for one in (seed.hex(), LUCK, GREY, "sets:") if one.encode() not in told] == []


def _seed(gm: Any, folder: Path) -> bytes:
    gm("export", "ember", "--out", folder)
    return bytes.fromhex(yaml.safe_load((folder / "private.yaml").read_text())["seed"])


def test_who_joins_is_nobodys_business_before_the_start(gm: Any, tmp_path: Path) -> None:
    seats = [f"--seat={seat}=Xanthippe{seat}" for seat in PEOPLE]
    gm("new", "ember", "--kind=jump-wars", *seats)
    gm("submit", "ember", "red", "-", typed=f"press: [{{to: all, text: {PRESS}}}]\n")
    gm("export", "ember", "--public", "--out", tmp_path / "out" / "export")
    gm("site", "ember", "--out", tmp_path / "out" / "site")
    told = _everything(tmp_path / "out")
    assert [word for word in (b"xanthippe", PRESS.encode()) if word in told] == []
