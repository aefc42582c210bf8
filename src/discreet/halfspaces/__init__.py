"""Large-margin halfspaces by random projection: the dimension of a record does not matter."""

from discreet.halfspaces.planning import HalfspacePlan, plan

__all__ = ["HalfspacePlan", "plan"]
