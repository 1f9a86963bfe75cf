"""The presets of the rules by the names that people use for them. Stored rows and typed options keep the short keys."""

from typing import Final

from bot.words.texts import Texts

EVERYDAY: Final = ("pagat", "murder", "kidnap", "kathmandu", "wikipedia", "gambiter", "wikipedia-2010")
"""Every preset by its key, in the order in which they are offered: the usual ones first."""


def preset_name(preset: str, texts: Texts) -> str:
    """Return the usual name of a preset, such as "Full Kathmandu"."""
    return texts(f"preset_name.{preset}")
