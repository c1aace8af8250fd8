"""What every game promises, as checks: `adjudicator conform` and the tests run the same ones."""
