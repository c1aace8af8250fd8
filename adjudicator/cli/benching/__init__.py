"""What `adjudicator bench` measures, and against what."""
