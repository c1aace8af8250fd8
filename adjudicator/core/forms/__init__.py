"""Order forms: from what a player wrote to orders on file, and back to words."""
