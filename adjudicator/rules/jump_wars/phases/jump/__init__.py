"""The jump step and the reveal step: lists of jump orders, and the fights that follow."""
