"""Toy Duel: hidden hands, cards turned up together, a choice in mid-turn, and chance."""

from adjudicator.rules.toy_duel.game import ToyDuel

GAMES = {"toy-duel": ToyDuel}
