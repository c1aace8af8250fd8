"""Letters, bytes to values: pure, with a limit on everything that a stranger decides."""

from adjudicator.adapters.letter.incoming import MOST as MOST
from adjudicator.adapters.letter.incoming import read as read
