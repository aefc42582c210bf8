"""The options of a fit by random projection."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from discreet.boosting.options import MAX_ROUNDS, Auto, Options, auto_or, one_of, real, whole
from discreet.engines.projection import MOST_COMPONENTS
from discreet.errors import OptionError
from discreet.halfspaces.matrices import PROJECTIONS
from discreet.halfspaces.matrices import Projection as Matrix

Method = Literal["descent", "net", "stochastic"]

METHODS: tuple[Method, ...] = ("descent", "net", "stochastic")

MOST_CANDIDATES = 10**8

LEAST_MARGIN = 1e-3

FAILURE = 0.05


@dataclass(frozen=True)
class ProjectedOptions(Options):
    """Validated options; the meaning of each is documented at the estimator."""

    margin: float
    method: Method
    n_components: int | Auto
    projection: Matrix
    projection_seed: int
    intercept: bool
    rounds: int | Auto
    max_candidates: int
    # An option that older model files do not have comes with a default.
    failure: float = field(default=FAILURE, kw_only=True)

    @classmethod
    def _checked_fields(cls, options: dict[str, Any]) -> dict[str, Any]:
        components, seed, intercept = (
            options[name] for name in ("n_components", "projection_seed", "intercept")
        )
        if not isinstance(intercept, bool):
            raise OptionError("intercept must be True or False")
        method = one_of(METHODS, options["method"], "method")
        failure = real(options.get("failure", FAILURE), "failure", above=0, below=1)
        if failure != FAILURE and method != "stochastic":
            raise OptionError(f"method={method!r} has no failure to choose; leave it at {FAILURE}")
        return super()._checked_fields(options) | {
            "failure": failure,
            "margin": real(options["margin"], "margin", least=LEAST_MARGIN, most=1),
            "method": method,
            "n_components": auto_or(whole, components, "n_components", least=1, most=MOST_COMPONENTS),
            "projection": one_of(PROJECTIONS, options["projection"], "projection"),
            "projection_seed": whole(seed, "projection_seed", least=0, below=2**63),
            "intercept": intercept,
            "rounds": auto_or(whole, options["rounds"], "rounds", least=1, most=MAX_ROUNDS),
            "max_candidates": whole(
                options["max_candidates"], "max_candidates", least=1, most=MOST_CANDIDATES
            ),
        }
