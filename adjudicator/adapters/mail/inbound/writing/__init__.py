"""What a writer has put into a letter: forms, messages, lines of their own."""
