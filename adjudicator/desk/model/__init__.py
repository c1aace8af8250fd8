"""What the desk keeps books about, and the context of a transaction."""
