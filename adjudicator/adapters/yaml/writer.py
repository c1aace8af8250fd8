"""YAML as players and GMs read it."""

from typing import Any

import yaml


def dump_plainly(value: Any, *, width: int, flow: bool) -> str:
    """Write a value with its keys in their order, in letters as they are."""
    text = yaml.dump(
        value,
        Dumper=PlainDumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=flow,
        width=width,
    )
    return text.rstrip("\n")


class PlainDumper(yaml.SafeDumper):
    """Writes the same value twice as often as it stands there: our reader takes no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True
