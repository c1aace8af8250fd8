"""YAML as players and GMs read it."""

from typing import Any

import yaml


def dump_plainly(value: Any, *, width: int, flow: bool) -> str:
    """Write a value with its keys in their order, in letters as they are."""
    text = yaml.dump(
        value,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=flow,
        width=width,
    )
    return text.rstrip("\n")


class _Dumper(yaml.SafeDumper):
    """Text stays unquoted where it can; our reader takes every scalar as text anyway."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True
