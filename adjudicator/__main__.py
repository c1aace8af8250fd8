"""`python -m adjudicator`, and what the console script calls."""

from adjudicator.cli.app import cli


def main() -> None:
    """Run the command line; exits with its code."""
    cli.main(prog_name="adjudicator")


if __name__ == "__main__":
    main()
