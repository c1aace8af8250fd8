"""The YAML sheets say exactly what they were given, whatever people call themselves."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adapters.archive.sheets import format_sheet
from adjudicator.adapters.yaml import reader

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    ["no", "yes", "null", "~", "010", "1_000", "12:30", "0x1f", "1e5", "- a", "# a", "a: b", "="]
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | TEXT
SHEETS = st.dictionaries(
    TEXT.filter(bool),
    st.recursive(
        SCALARS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    ),
    max_size=5,
)


@given(SHEETS)
def test_what_is_written_is_read(sheet: dict[str, Any]) -> None:
    assert reader.load_yaml(format_sheet(sheet).decode()) == sheet
