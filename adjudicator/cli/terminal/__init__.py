"""Options, arguments, output, questions and faults, shared by all commands."""
