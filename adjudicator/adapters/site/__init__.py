"""Games as pages: the archive written so that people like to browse it, for a reader or for all."""
