"""A game by letters in one process: the post office, the people, and what they leave behind."""
