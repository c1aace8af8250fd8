"""What players can order: checked, offered, and chosen at random."""
