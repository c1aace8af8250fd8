"""The parts of the plan step."""
