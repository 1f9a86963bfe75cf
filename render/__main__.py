"""`python -m render gallery OUT/` writes every sample picture with its alt text."""

import argparse
from pathlib import Path

from render.gallery import animations, gallery


def main() -> None:
    """Read the command line and write the pictures."""
    parser = argparse.ArgumentParser(prog="python -m render", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    command = commands.add_parser("gallery", help="write every sample picture")
    command.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in gallery():
        (folder / f"{name}.png").write_bytes(picture.png)
        (folder / f"{name}.txt").write_text(picture.alt + "\n", encoding="utf-8")
        print(f"{name}: {picture.width} x {picture.height}, {len(picture.png) / 1024:.1f} KB")
    for name, animation in animations():
        (folder / f"{name}.gif").write_bytes(animation.gif)
        (folder / f"{name}.txt").write_text(animation.alt + "\n", encoding="utf-8")
        print(f"{name}: {animation.width} x {animation.height}, {len(animation.gif) / 1024:.1f} KB")


if __name__ == "__main__":
    main()
