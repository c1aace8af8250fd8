"""Games as folders: written after the commit, checked by anybody, read back in."""
