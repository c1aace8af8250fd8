"""What players write: checked, and made at random."""
