"""YAML from people, read so that it cannot hurt."""
