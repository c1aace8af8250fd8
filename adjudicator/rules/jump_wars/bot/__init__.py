"""A bot that knows what it wants: income first, then attack, then the homeworlds."""
