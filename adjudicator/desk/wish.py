"""What comes of a wish in a letter."""

from msgspec import Struct


class Told(Struct, frozen=True, kw_only=True):
    """What came of a wish, in sentences for the one answer that the letter gets."""

    done: tuple[str, ...] = ()
    not_taken: tuple[str, ...] = ()
    """What was not done, and what to do instead."""
    answered: bool = False
    """A letter of its own answers it, so that one which only asks needs no receipt."""

    def __add__(self, other: "Told") -> "Told":
        """Both, one after the other."""
        return Told(
            done=self.done + other.done,
            not_taken=self.not_taken + other.not_taken,
            answered=self.answered or other.answered,
        )


def refused(*sentences: str) -> Told:
    """Nothing was done, because of this."""
    return Told(not_taken=sentences)
