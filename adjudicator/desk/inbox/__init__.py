"""Letters in: who wrote them, and what becomes of them."""
