"""Canonical JSON: one byte form, whoever writes it."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from adjudicator.core.document import decode, digest, encode, to_plain

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | KEYS
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)
)


def test_keys_are_sorted_and_nothing_is_spaced() -> None:
    assert encode({"b": 1, "a": [True, None, "x"]}) == b'{"a":[true,null,"x"],"b":1}'


def test_letters_are_written_as_they_are() -> None:
    assert encode({"é": "🎲/\n"}) == '{"é":"🎲/\\n"}'.encode()


@given(DOCUMENTS)
def test_what_was_written_is_read(document: Any) -> None:
    assert decode(encode(document)) == document
    assert encode(decode(encode(document))) == encode(document)


@given(DOCUMENTS)
def test_the_standard_library_writes_the_same(document: Any) -> None:
    told = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    assert encode(document) == told.encode()


@given(st.dictionaries(KEYS, st.integers(0, 9), max_size=6), st.randoms())
def test_the_order_in_which_a_mapping_was_made_leaves_no_trace(
    document: dict[str, int], chance: Any
) -> None:
    items = list(document.items())
    chance.shuffle(items)
    assert encode(dict(items)) == encode(document)


def test_the_hash_seed_leaves_no_trace() -> None:
    code = (
        "from adjudicator.core.document import encode\n"
        "print(encode({c: {d: 1 for d in {'x', 'y', 'zz'}} for c in {'b', 'aa', 'é'}}).hex())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(made) == 1


class Fleet(Struct, frozen=True):
    """A value like those of the program."""

    at: str
    ships: tuple[int, ...]


def test_values_are_written_as_plain_documents() -> None:
    fleet = Fleet(at="C4", ships=(2, 1))
    assert to_plain(fleet) == {"at": "C4", "ships": (2, 1)}
    assert encode(fleet) == b'{"at":"C4","ships":[2,1]}'


def test_a_digest_is_sha_256_in_hex() -> None:
    # FIPS 180-2, B.1
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize("broken", [b"", b"{", b"{'a': 1}", b'{"a":1} x', b"\xff"])
def test_broken_text_is_an_error_and_never_half_a_document(broken: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|Input|utf"):
        decode(broken)
