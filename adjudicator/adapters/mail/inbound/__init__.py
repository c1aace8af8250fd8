"""Letters from bytes to values: pure, with a limit on everything that a stranger decides."""
