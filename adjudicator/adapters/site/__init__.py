"""Games as pages to browse, for one reader or for everybody."""
