"""Orders: read, checked, filed and acknowledged."""
