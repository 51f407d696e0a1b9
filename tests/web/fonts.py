"""Font sets for the browser, made from files that the locked packages bring: never those of the machine.

The bare set is DejaVu alone, as on a fresh Debian: wide letters. The rich set has a narrower sans (Lato) and
a slab serif as well. The serif set draws every word with serifs, wider still, as for a reader who chose it.
A fontconfig file of our own, named in FONTCONFIG_FILE, is all that the browser knows.
"""

from __future__ import annotations

import shutil
from pathlib import Path

FONT_SETS = ("bare", "rich", "serif")
_FAMILIES = {
    "bare": {"sans-serif": "DejaVu Sans", "serif": "DejaVu Serif", "monospace": "DejaVu Sans Mono"},
    "rich": {"sans-serif": "Lato", "serif": "Roboto Slab", "monospace": "DejaVu Sans Mono"},
    "serif": {"sans-serif": "DejaVu Serif", "serif": "DejaVu Serif", "monospace": "DejaVu Sans Mono"},
}


def fontconfig_file(fonts: str, folder: Path) -> Path:
    """Write a set's fonts and its fontconfig file into a folder; the path of the file."""
    _copy_dejavu(folder)
    if fonts == "rich":
        _unpack_lato_and_roboto(folder)
    aliases = "".join(
        f"<alias binding='same'><family>{generic}</family><prefer><family>{family}</family></prefer></alias>"
        for generic, family in _FAMILIES[fonts].items()
    )
    otherwise = (
        "<match target='pattern'><edit name='family' mode='append_last'>"
        f"<string>{_FAMILIES[fonts]['sans-serif']}</string></edit></match>"
    )
    path = folder / "fonts.conf"
    path.write_text(
        "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'fonts.dtd'><fontconfig>"
        f"<dir>{folder}</dir><cachedir>{folder / 'cache'}</cachedir>{aliases}{otherwise}</fontconfig>",
        "utf-8",
    )
    return path


def _copy_dejavu(folder: Path) -> None:
    import matplotlib

    for path in Path(matplotlib.get_data_path(), "fonts", "ttf").glob("DejaVu*.ttf"):
        if "Display" not in path.name:
            shutil.copy(path, folder)


def _unpack_lato_and_roboto(folder: Path) -> None:
    import mkdocs
    from fontTools.ttLib import TTFont

    for packed in Path(mkdocs.__file__).with_name("themes").glob("readthedocs/css/fonts/[Rl]*.woff"):
        with TTFont(packed) as font:
            font.flavor = None
            font.save(folder / f"{packed.stem}.ttf")
