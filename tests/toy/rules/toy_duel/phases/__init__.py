"""The course of a game: the deal, then round after round."""
