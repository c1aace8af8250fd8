"""Games as values, for programs that import `adjudicator`, and the checks of `conform`."""
