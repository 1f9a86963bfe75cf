"""Pasting many small images on top of each other, as every picture does."""

from PIL import Image


def paste(onto: Image.Image, image: Image.Image, x: int, y: int, mask: Image.Image | None = None) -> None:
    """Do the same as `Image.paste` for images of the same mode, without its checks, which take longer than a small paste.

    `onto` must belong to the caller alone: it must not be read from a file or shared.
    """
    box = (x, y, x + image.width, y + image.height)
    if mask is None:
        onto.im.paste(image.im, box)
    else:
        onto.im.paste(image.im, box, mask.im)
