"""Who is compared: a script in `inside`, its environment, its settings, and what it promises."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchmarks.peers.environments import OWN

DELTA = 1e-5
REPLACE, ADD_REMOVE = "replace", "add-remove"


@dataclass(frozen=True)
class Contestant:
    """One row of the tables.

    Attributes
    ----------
    name : str
        As the tables call it.
    script : str
        The peer, a module of `inside`.
    environment : str
        Where it runs.
    settings : dict
        What the script passes on, if not the peer's defaults.
    adjacency : str
        Which tables are neighbours, as the peer states it; empty without privacy.
    delta : float
        The delta of the promise.
    """

    name: str
    script: str
    environment: str
    adjacency: str
    delta: float
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        """Whether it is this library."""
        return self.script == "ours"

    @property
    def is_private(self) -> bool:
        """Whether it promises anything."""
        return self.adjacency != ""


def _ours(name: str, delta: float = DELTA, adjacency: str = REPLACE, **settings: Any) -> Contestant:
    return Contestant(f"discreet {name}", "ours", OWN, adjacency, delta, {"adjacency": adjacency, **settings})


def _open(name: str, script: str, **settings: Any) -> Contestant:
    return Contestant(name, script, OWN, "", 0.0, settings)


def _diffprivlib(name: str, script: str, adjacency: str, **settings: Any) -> Contestant:
    return Contestant(f"diffprivlib {name}", script, "diffprivlib", adjacency, 0.0, settings)


def _perturbed(name: str, delta: float, share: float = 0.9, **settings: Any) -> Contestant:
    name = f"objective perturbation, {name}"
    return Contestant(name, "objective_perturbation", OWN, REPLACE, delta, {"share": share, **settings})


LEARNERS = ("rules", "trees", "halfspace")

DEFAULTS = tuple(_ours(learner, learner=learner) for learner in LEARNERS)
"""This library as it comes."""

CONTESTANTS = (
    *DEFAULTS,
    *(_ours(f"{name}, add/remove", adjacency=ADD_REMOVE, learner=name) for name in LEARNERS),
    *(_ours(f"{name}, pure", delta=0.0, learner=name) for name in ("rules", "trees")),
    _ours("halfspace, thermometer", learner="halfspace", coding="thermometer"),
    Contestant("DP-EBM", "dp_ebm", "interpret", ADD_REMOVE, DELTA),
    Contestant("DP-EBM, rate 0.1", "dp_ebm", "interpret", ADD_REMOVE, DELTA, {"learning_rate": 0.1}),
    _diffprivlib("LR, scaled", "diffprivlib_linear", REPLACE, numbers="scaled"),
    _diffprivlib("LR, bins", "diffprivlib_linear", REPLACE, numbers="bins"),
    _diffprivlib("forest", "diffprivlib_forest", ADD_REMOVE),
    # The settings of the examples in its repository, whose tables have some 30,000 rows and more.
    Contestant(
        "dp-xgboost",
        "dp_xgb",
        "dp-xgboost",
        ADD_REMOVE,
        0.0,
        {
            "trees": 20,
            "max_depth": 6,
            "learning_rate": 0.2,
            "lambda": 0.1,
            "subsample": 0.2,
            "min_child_weight": 500,
        },
    ),
    _perturbed("scaled", DELTA, numbers="scaled", shrunk=False),
    _perturbed("scaled, half noise", DELTA, share=0.5, numbers="scaled", shrunk=False),
    _perturbed("bins", DELTA, numbers="bins", shrunk=False),
    _perturbed("bins, shrunk", DELTA, numbers="bins", shrunk=True),
    _perturbed("scaled, pure", 0.0, numbers="scaled", shrunk=False),
    _open("logistic regression, scaled", "open_linear", numbers="scaled"),
    _open("logistic regression, bins", "open_linear", numbers="bins"),
    _open("XGBoost depth 1", "open_xgboost", max_depth=1, n_estimators=300),
    _open("XGBoost depth 6", "open_xgboost", max_depth=6, n_estimators=100, learning_rate=0.1),
)
"""In the order of the tables."""
