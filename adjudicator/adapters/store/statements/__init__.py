"""All statements, built once: building one each time would cost 30 times more."""
