"""Games as pages: the archive written so that people like to browse it, for a reader or for all."""

from adjudicator.adapters.site.build import Built, Kept, build
from adjudicator.adapters.site.catalogue import Catalogue, catalogue, front
from adjudicator.adapters.site.exhibit import Exhibit, exhibit
from adjudicator.adapters.site.sheet import Sheet
from adjudicator.adapters.site.write import is_behind, must_be_fit, set_apart, write

__all__ = [
    "Built",
    "Catalogue",
    "Exhibit",
    "Kept",
    "Sheet",
    "build",
    "catalogue",
    "exhibit",
    "front",
    "is_behind",
    "must_be_fit",
    "set_apart",
    "write",
]
