"""How long to leave a server alone that did not answer: twice as long each time."""


class Backoff:
    """Instants are seconds of any clock that only moves forward."""

    def __init__(self, first: float = 1.0, most: float = 60.0, slow: float = 300.0) -> None:
        self._first = first
        self._slow = slow
        self._most = most
        self._pause = 0.0
        self._until = 0.0

    def failed(self, now: float, *, slowly: bool = False) -> None:
        """It failed at this instant; `slowly` where trying often does harm (a wrong password)."""
        longer = self._pause * 2 if self._pause else self._first
        self._pause = self._slow if slowly else min(longer, self._most)
        self._until = now + self._pause

    def worked(self) -> None:
        """It works again: the next failure starts from the beginning."""
        self._pause = self._until = 0.0

    def left(self, now: float) -> float:
        """Seconds until it is worth trying again; 0 for now."""
        return max(0.0, self._until - now)
