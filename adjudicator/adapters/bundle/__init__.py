"""A whole home in one file."""
