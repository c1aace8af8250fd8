"""OAuth 2.0 for mailboxes: consent, tokens, and how they are shown to a mail server."""
