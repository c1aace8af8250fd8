"""`python -m adjudicator`, and what the console script calls."""

import gc

_OBJECTS = 150_000


def main() -> None:
    """Run the command line; exits with its code."""
    # What a command imports is kept until its end. To look for garbage among it every 700 objects,
    # and through all of it once more at the end, takes a quarter of a command's time.
    gc.set_threshold(_OBJECTS)
    from adjudicator.cli.app import cli

    try:
        cli.main(prog_name="adjudicator")
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
