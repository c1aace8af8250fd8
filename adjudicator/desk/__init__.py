"""What a GM does, as functions over ports."""
