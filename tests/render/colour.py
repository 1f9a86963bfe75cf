"""How far apart colours look, also to colour-blind eyes: sRGB, CIELAB, CIEDE2000, contrast, and simulated sight.

Sources: IEC 61966-2-1 for sRGB, Sharma, Wu and Dalal 2005 for CIEDE2000, WCAG 2.2 for contrast, Machado, Oliveira and
Fernandes 2009 (severity 1.0, on linear RGB) for colour blindness.
"""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SIGHTS: Final = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_TO_XYZ: Final = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE: Final = np.array([0.95047, 1.0, 1.08883])


def linear(srgb: npt.ArrayLike) -> Floats:
    """Return linear light, 0 to 1, for channels from 0 to 255; colours are the last axis."""
    part = np.asarray(srgb, dtype=float) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(light: Floats) -> Floats:
    """Return the CIELAB coordinates of linear light, under D65."""
    xyz = light @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1
    )


def seen(srgb: npt.ArrayLike, sight: str) -> Floats:
    """Return the CIELAB coordinates of a colour as this kind of eye sees it."""
    return lab(np.clip(linear(srgb) @ SIGHTS[sight].T, 0, 1))


def contrast(one: npt.ArrayLike, other: npt.ArrayLike) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted(float(linear(colour) @ _TO_XYZ[1]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def ciede2000(one: Floats, other: Floats) -> float:
    """Return the colour difference of two CIELAB colours."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25.0**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    dh, h_mean = _hues(h1, h2, c1 * c2)
    dl, dc = l2 - l1, c2 - c1
    big_dh = 2 * sqrt(c1 * c2) * sin(radians(dh / 2))
    l_mean, c_mean = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(h_mean - 30))
        + 0.24 * cos(radians(2 * h_mean))
        + 0.32 * cos(radians(3 * h_mean + 6))
        - 0.20 * cos(radians(4 * h_mean - 63))
    )
    turn = 30 * exp(-(((h_mean - 275) / 25) ** 2))
    rotation = -sin(radians(2 * turn)) * 2 * sqrt(c_mean**7 / (c_mean**7 + 25.0**7))
    sl = 1 + 0.015 * (l_mean - 50) ** 2 / sqrt(20 + (l_mean - 50) ** 2)
    sc, sh = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * t
    lightness, chroma, hue = dl / sl, dc / sc, big_dh / sh
    return sqrt(lightness**2 + chroma**2 + hue**2 + rotation * chroma * hue)


def _hues(h1: float, h2: float, chromas: float) -> tuple[float, float]:
    """Return the difference and the mean of two hues, in degrees."""
    if chromas == 0:
        return 0.0, h1 + h2
    difference = (h2 - h1 + 180) % 360 - 180
    return difference, (h1 + difference / 2) % 360
