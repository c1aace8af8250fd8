"""`python -m adjudicator`, and what the console script calls."""

import gc

from adjudicator.cli.app import cli

_OBJECTS = 100_000


def main() -> None:
    """Run the command line; exits with its code."""
    # What a command imports is kept until its end: looking for garbage among it every 700 objects
    # finds none and takes a tenth of the command's time.
    gc.set_threshold(_OBJECTS)
    cli.main(prog_name="adjudicator")


if __name__ == "__main__":
    main()
