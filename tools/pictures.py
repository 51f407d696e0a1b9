"""The pictures of the library on the site: what the cells of the tour show, as files.

    python -m tools.pictures

Runs docs/tour.ipynb and writes docs/images/chart.svg, hand.svg, distribution.svg and par.svg.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
TOUR: Final = DOCS / "tour.ipynb"
SHOWN: Final = ("chart", "hand", "distribution", "par")
"""The cells with a picture, by their ids."""


def code_cells(notebook: Path) -> dict[str, str]:
    """The code of a notebook, cell by cell."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; the value of its last line."""
    *statements, last = ast.parse(source).body
    assert isinstance(last, ast.Expr), "a cell ends with what it shows"
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def picture_of(cell: str) -> Path:
    """The file that holds the picture of a cell."""
    return DOCS / "images" / f"{cell}.svg"


def main() -> None:
    names: dict[str, Any] = {}
    for cell, source in code_cells(TOUR).items():
        value = shown(source, names)
        if cell in SHOWN:
            picture_of(cell).write_text(value._repr_svg_() + "\n", "utf-8")


if __name__ == "__main__":
    main()
