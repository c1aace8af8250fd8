"""Colours as eyes of several kinds see them, and how far apart they are."""

from collections.abc import Mapping, Sequence

Colour = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, full severity, for linear light.
EYES: Mapping[str, Sequence[Colour]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)


def light(written: str) -> Colour:
    """`#bb182c` as linear light."""
    parts = [int(written[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """As WCAG counts it, from 1 to 21."""
    bright, dark = sorted((_times(_TO_XYZ, light(c))[1] for c in (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def distance(one: str, other: str, eye: str) -> float:
    """CIE 1976 in Lab: about 2 can just be told apart side by side."""
    pairs = zip(_lab(one, eye), _lab(other, eye), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def measure_strength(written: str) -> float:
    """Chroma in Lab, as usual eyes see it: 0 for greys."""
    _, a, b = _lab(written, "usual")
    return float((a * a + b * b) ** 0.5)


def _lab(written: str, eye: str) -> Colour:
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(EYES[eye], light(written)))
    xyz = _times(_TO_XYZ, (red, green, blue))
    x, y, z = (_curve(part / white) for part, white in zip(xyz, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _curve(part: float) -> float:
    return float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116


def _times(matrix: Sequence[Colour], colour: Colour) -> Colour:
    one, two, three = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return one, two, three
