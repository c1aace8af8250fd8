"""Archives: games as folders, which can be verified and imported."""
