"""Checks of what every game promises, run by `adjudicator conform` and the tests."""
