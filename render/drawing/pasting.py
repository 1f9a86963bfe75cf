"""Laying many small images upon one another, as every picture does."""

from PIL import Image


def paste(onto: Image.Image, image: Image.Image, x: int, y: int, mask: Image.Image | None = None) -> None:
    """What `Image.paste` does with an image of the same mode, without its checks: they take longer than to paste a small one.

    `onto` belongs to the caller alone: it is neither read from a file nor shared.
    """
    box = (x, y, x + image.width, y + image.height)
    if mask is None:
        onto.im.paste(image.im, box)
    else:
        onto.im.paste(image.im, box, mask.im)
