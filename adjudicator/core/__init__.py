"""The nouns and verbs of any game; pure."""
