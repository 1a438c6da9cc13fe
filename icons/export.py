#!/usr/bin/env python3
"""Exports the icon to every size: `icons/export.py` (needs rsvg-convert: Debian's librsvg2-bin).

icon-small.svg is the drawing for 32 px and less, icon.svg for all others. .ico and .icns are containers of the same
PNG files, so they are written here, with nothing to install.
"""

import pathlib
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
FILES = {"16x16": 16, "32x32": 32, "64x64": 64, "128x128": 128, "128x128@2x": 256, "icon": 512}
ICO = [16, 24, 32, 48, 64, 128, 256]
ICNS = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
        b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512}


def png(size: int) -> bytes:
    """The icon as an RGBA PNG of `size` pixels."""
    drawing = HERE / ("icon-small.svg" if size <= 32 else "icon.svg")
    command = ["rsvg-convert", "--width", str(size), "--height", str(size), str(drawing)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def ico(sizes: list[int]) -> bytes:
    """Windows: a directory of 16 bytes an image, then the images."""
    images = [png(size) for size in sizes]
    offset = 6 + 16 * len(images)
    directory, body = struct.pack("<HHH", 0, 1, len(images)), b""
    for size, image in zip(sizes, images):
        directory += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), offset + len(body))
        body += image
    return directory + body


def icns(kinds: dict[bytes, int]) -> bytes:
    """macOS: chunks of a type, a length and a PNG."""
    chunks = b"".join(
        kind + struct.pack(">I", 8 + len(image)) + image for kind, image in ((k, png(s)) for k, s in kinds.items())
    )
    return b"icns" + struct.pack(">I", 8 + len(chunks)) + chunks


def main() -> None:
    for name, size in FILES.items():
        (HERE / f"{name}.png").write_bytes(png(size))
    (HERE / "icon.ico").write_bytes(ico(ICO))
    (HERE / "icon.icns").write_bytes(icns(ICNS))


if __name__ == "__main__":
    main()
