"""Writing an archive's files: only what changed, each file whole, chain.txt last."""

from pathlib import Path

from adjudicator.adapters.archive import chainfile, places
from adjudicator.adapters.archive.pack import Files
from adjudicator.adapters.archive.trouble import ArchiveTrouble
from adjudicator.adapters.filing import inside, remove, replace


def write(folder: Path, files: Files) -> tuple[str, ...]:
    """Make the folder hold these files; tells which were written or taken away.

    A reader never sees half a file. Whoever is interrupted leaves an old chain.txt, which does
    not fit the new files; writing again mends that. Files that are not the archive's stay.
    """
    before = _listed(folder)
    in_order = sorted(files, key=lambda name: (name == places.CHAIN, name))
    changed = [
        path
        for path in in_order
        if replace(folder / path, files[path], private=path == places.PRIVATE)
    ]
    for path in sorted(before - set(files)):
        remove(folder, path)
        changed.append(path)
    return tuple(changed)


def _listed(folder: Path) -> set[str]:
    """What the archive that is there calls its own."""
    try:
        listed = chainfile.read((folder / places.CHAIN).read_bytes()).files
    except (OSError, ArchiveTrouble):
        return set()
    return {path for path in listed if inside(path)}
