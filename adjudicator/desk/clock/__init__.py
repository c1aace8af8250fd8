"""Deadlines, reminders, missed orders, outages."""
