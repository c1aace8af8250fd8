"""Everything that is asked and changes nothing."""
