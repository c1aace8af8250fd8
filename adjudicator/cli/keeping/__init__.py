"""Keeping a home: backups, moving, going on after a loss."""
