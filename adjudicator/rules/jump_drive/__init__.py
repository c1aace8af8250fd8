"""Jump Drive: developments and worlds chosen in secret, paid with cards, scored every round."""
