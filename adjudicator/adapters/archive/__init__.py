"""Games as folders: written after the commit, checked by anybody, read back in."""

from adjudicator.adapters.archive.dossier import Dossier, dossier_of
from adjudicator.adapters.archive.pack import Files, Render, pack
from adjudicator.adapters.archive.places import folder
from adjudicator.adapters.archive.read import Archive, read
from adjudicator.adapters.archive.restore import restore
from adjudicator.adapters.archive.texts import Texts
from adjudicator.adapters.archive.trouble import ArchiveTrouble
from adjudicator.adapters.archive.verify import Fault, Verdict, altered, load, reservations, verify
from adjudicator.adapters.archive.write import write

__all__ = [
    "Archive",
    "ArchiveTrouble",
    "Dossier",
    "Fault",
    "Files",
    "Render",
    "Texts",
    "Verdict",
    "altered",
    "dossier_of",
    "folder",
    "load",
    "pack",
    "read",
    "reservations",
    "restore",
    "verify",
    "write",
]
