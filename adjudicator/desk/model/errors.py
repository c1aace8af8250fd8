"""Requests that the desk rejects, in words for whoever made them."""


class Refused(Exception):  # noqa: N818 - it is said of a wish
    """The wish cannot be granted; the message names the thing and the way out."""


class Unknown(Refused):
    """There is no such game, seat, step, kind or rule."""


class Already(Refused):
    """It stands in the books already, and it cannot happen twice."""


class Changed(Refused):
    """The rules of a running game say something else than when its steps were adjudicated."""


class Away(Refused):
    """A post office cannot be reached or does not let us in; nothing was lost, try again later."""
