"""Print pip constraints that pin every dependency to the lower bound of pyproject.toml."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
for requirement in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
    name, _, bound = requirement.partition(">=")
    # Constraints are for packages, not for their extras.
    print(f"{name.partition('[')[0]}=={bound}")
