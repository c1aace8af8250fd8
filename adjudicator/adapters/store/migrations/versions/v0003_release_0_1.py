"""The schema of 0.1.0, the oldest that is brought up; a new store is made from the tables."""

revision = "0003"
down_revision = None
