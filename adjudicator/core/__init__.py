"""The nouns and verbs every game is told in; pure."""
