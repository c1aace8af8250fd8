"""Read YAML from people safely."""
