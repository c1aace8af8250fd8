"""What all commands share: options, arguments, output, questions, faults."""
