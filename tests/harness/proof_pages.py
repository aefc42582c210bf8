"""The pages of docs/proofs, and whether the code that they cover is the code that somebody read them against.

    python -m tests.harness.proof_pages PAGE ...

stamps pages anew. Do it after reading them, with the changed code beside them.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import io
import re
import sys
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "docs" / "proofs"
_STAMP = re.compile(r"(Read against the code as of: `)(\w+)(`)")


@dataclass(frozen=True)
class Page:
    """One page."""

    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def section(self, title: str) -> str:
        """Return what stands under a heading of the second level; empty if there is none."""
        found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.text, re.M | re.S)
        return found[1].strip() if found else ""

    @property
    def covers(self) -> list[str]:
        """List the modules, and names in modules, whose code the page is about."""
        return re.findall(r"`(discreet[\w.]+)`", self.section("Covers"))

    @property
    def checks(self) -> list[str]:
        """List the files of tests that the page names."""
        return re.findall(r"`(tests/[\w/.]+)`", self.section("What checks it"))

    @property
    def stamp(self) -> str:
        """Return the digest that stands on the page."""
        (found,) = _STAMP.finditer(self.text)
        return found[2]

    def digest(self) -> str:
        """Return the digest of the code as it is."""
        code = "\n".join(f"{name}\n{code_of(name)}" for name in self.covers)
        return hashlib.sha256(code.encode()).hexdigest()[:16]

    def restamp(self) -> None:
        """Say that the page was read against the code as it is."""
        self.path.write_text(_STAMP.sub(rf"\g<1>{self.digest()}\g<3>", self.text), encoding="utf-8")


def pages() -> dict[str, Page]:
    """Return the pages by name."""
    return {path.stem: Page(path) for path in sorted(FOLDER.glob("*.md")) if path.stem != "README"}


def code_of(name: str) -> str:
    """Return the code of a module, class, function or constant, without what does not run."""
    module, path = name, list[str]()
    while not _is_module(module):
        module, _, last = module.rpartition(".")
        path.insert(0, last)
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return bare(Path(spec.origin).read_text(encoding="utf-8"), path)


def bare(source: str, path: Sequence[str] = ()) -> str:
    """Return the lines of what ``path`` names in a source, without comments, docstrings and blank lines.

    By lines and tokens: the syntax tree prints differently from one Python to the next.
    """
    node = tree = ast.parse(source)
    for name in path:
        node = _named(node, name)
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for text in filter(_is_text, ast.walk(tree)):
        lines[text.lineno - 1 : text.end_lineno] = [""] * (text.end_lineno - text.lineno + 1)
    if node is not tree:
        first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])
        lines = lines[first - 1 : node.end_lineno]
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _named(node: Any, name: str) -> Any:
    for child in ast.iter_child_nodes(node):
        if getattr(child, "name", None) == name:
            return child
        targets = getattr(child, "targets", [getattr(child, "target", None)])
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return child
    raise LookupError(f"the code has no {name}")


def _is_text(node: Any) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


if __name__ == "__main__":
    for chosen in sys.argv[1:]:
        page = pages()[chosen]
        page.restamp()
        print(f"{chosen}: read against {', '.join(page.covers)}: {page.stamp}")
