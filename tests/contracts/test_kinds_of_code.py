"""The kinds of code (docs/architecture.md): a module is of one kind, and imports show it.

Kinds:
  schema   public facts, and codes: one record at a time, by public rules only
  engine   sees private records, returns exact aggregates, never adds noise
  scoring  pure functions of aggregates
  release  the only one that adds noise, the only one that imports OpenDP
  after    sees released things only: accounting, models, command line
  public randomness   what everybody may know, from a public seed; sees no record, no release
and the bindings, which pass aggregates to releases and are the only ones that may hold both.
"""

import ast
import importlib.util
from pathlib import Path

import pytest

PACKAGE = Path(importlib.util.find_spec("discreet").submodule_search_locations[0])

# The longest matching prefix decides.
KINDS = {
    "discreet": "after",
    "discreet.errors": "schema",
    "discreet.schema": "schema",
    "discreet.engines": "engine",
    "discreet.engines.base": "vocabulary",
    "discreet.mechanisms": "release",
    "discreet.mechanisms.claims": "vocabulary",
    "discreet.testing": "release",
    "discreet.accounting": "accounting",
    "discreet.ledger": "after",
    "discreet.models": "after",
    "discreet.theory": "after",
    "discreet.diagnostics": "after",
    "discreet.cli": "after",
    "discreet.datasets": "after",
    "discreet.estimators": "binding",
    "discreet.boosting": "binding",
    "discreet.semiprivate": "binding",
    "discreet.semiprivate.oracles": "engine",
    "discreet.halfspaces": "binding",
    "discreet.halfspaces.matrices": "public randomness",
    "discreet.boosting.literals": "schema",
    "discreet.boosting.trees": "schema",
    "discreet.boosting.features": "schema",
    "discreet.boosting.defaults": "schema",
    "discreet.boosting.options": "schema",
    "discreet.boosting.sensitivity": "scoring",
    "discreet.boosting.reweighting": "scoring",
    "discreet.boosting.weak_learners.candidates": "schema",
    "discreet.boosting.weak_learners.correlation": "scoring",
    "discreet.boosting.weak_learners.impurity": "scoring",
    "discreet.boosting.weak_learners.splitting": "scoring",
    "discreet.halfspaces.net": "schema",
    "discreet.halfspaces.sensitivity": "scoring",
}

# What each kind may import beside its own. "vocabulary" is protocols and frozen values without code.
MAY_IMPORT = {
    "schema": {"accounting"},
    "accounting": {"schema"},
    "vocabulary": {"accounting", "schema"},
    "public randomness": set(),
    "engine": {"schema", "vocabulary"},
    "scoring": {"schema", "accounting", "vocabulary"},
    "release": {"schema", "vocabulary", "accounting"},
    "after": {"schema", "accounting", "public face"},
    "binding": {
        "schema",
        "accounting",
        "vocabulary",
        "engine",
        "scoring",
        "release",
        "after",
        "public face",
        "public randomness",
    },
}

MAY_BE_RANDOM = {"release", "public randomness"}
RANDOM = {"random", "secrets", "numpy.random", "opendp"}
RECORDS = {"numba", "narwhals", "pandas", "polars", "pyarrow"}


def kind_of(module):
    prefixes = [name for name in KINDS if module == name or module.startswith(name + ".")]
    longest = max(prefixes, key=len)
    return "public face" if module == "discreet" else KINDS[longest]


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield (
            ".".join(parts[:-1] if parts[-1] == "__init__" else parts),
            ast.parse(path.read_text()),
        )


MODULES = dict(modules())


def imports(module, tree):
    """Every module that the code imports, and every name from a module that is itself a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            yield node.module
            yield from (
                f"{node.module}.{alias.name}"
                for alias in node.names
                if f"{node.module}.{alias.name}" in MODULES
            )


def attributes(tree):
    """Dotted uses such as np.random, with numpy's usual name spelled out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = {"np": "numpy"}.get(node.value.id, node.value.id)
            yield f"{owner}.{node.attr}"


def violations(module, tree):
    kind = kind_of(module)
    for target in imports(module, tree):
        if target.startswith("discreet"):
            other = kind_of(target)
            if kind != "public face" and other != kind and other not in MAY_IMPORT[kind]:
                yield f"{module} ({kind}) imports {target} ({other})"
        elif kind not in MAY_BE_RANDOM and any(
            target == name or target.startswith(name + ".") for name in RANDOM
        ):
            yield f"{module} ({kind}) imports {target}, a source of randomness"
        elif kind in ("scoring", "release", "accounting") and target.split(".")[0] in RECORDS:
            yield f"{module} ({kind}) imports {target}, which handles records"
    if kind not in MAY_BE_RANDOM:
        yield from (
            f"{module} ({kind}) uses {use}" for use in attributes(tree) if use.startswith("numpy.random")
        )


@pytest.mark.parametrize("module", MODULES)
def test_imports_show_the_kind(module):
    assert list(violations(module, MODULES[module])) == []


@pytest.mark.parametrize("module", MODULES)
def test_only_mechanisms_import_opendp(module):
    targets = list(imports(module, MODULES[module]))
    if any(target.split(".")[0] == "opendp" for target in targets):
        assert module.startswith("discreet.mechanisms.")


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("discreet.engines.local", "import opendp.prelude as dp"),
        ("discreet.engines.local", "from discreet.mechanisms.release import Release"),
        ("discreet.engines.kernels", "import numpy as np\nnp.random.normal()"),
        (
            "discreet.boosting.weak_learners.correlation",
            "from discreet.engines.local import LocalEngine",
        ),
        ("discreet.boosting.weak_learners.correlation", "from discreet.mechanisms import release"),
        ("discreet.mechanisms.selection", "from discreet.schema import encode\nimport pandas"),
        ("discreet.models.files", "from discreet.engines.local import LocalEngine"),
        ("discreet.models.scorecard", "from discreet.mechanisms.selection import OpenDPSampler"),
        ("discreet.diagnostics.diagnosis", "from discreet.engines.local import LocalEngine"),
        ("discreet.diagnostics.diagnosis", "from discreet.mechanisms.release import Release"),
        ("discreet.theory.halfspaces", "from discreet.mechanisms.claims import Claim"),
        ("discreet.accounting.losses", "import random"),
        ("discreet.schema.encode", "from discreet.boosting.loop import boost"),
        ("discreet.estimators.boosted_rules", "from numpy.random import default_rng"),
        ("discreet.engines.projection", "from numpy.random import Philox"),
        ("discreet.engines.projection", "from discreet.halfspaces.matrices import SignMatrix"),
        ("discreet.halfspaces.matrices", "from discreet.schema.points import Points"),
        ("discreet.halfspaces.matrices", "from discreet.mechanisms.release import Release"),
    ],
)
def test_the_walk_sees_a_trespass(module, code):
    assert list(violations(module, ast.parse(code)))


def test_layers_point_one_way():
    """estimators -> boosting -> engines, mechanisms -> accounting, schema."""
    layers = [
        "schema",
        "accounting",
        "theory",
        "ledger",
        "engines",
        "mechanisms",
        "boosting",
        "halfspaces",
        "semiprivate",
        "models",
        "diagnostics",
        "estimators",
        "datasets",
        "cli",
    ]
    rank = {layer: position for position, layer in enumerate(layers)}
    for module, tree in MODULES.items():
        here = module.split(".")[1] if "." in module else None
        if here not in rank:
            continue
        for target in imports(module, tree):
            there = target.split(".")[1] if target.startswith("discreet.") else None
            if there in rank:
                assert rank[there] <= rank[here], f"{module} imports {target}"
