"""Questions: everything that only reads."""
