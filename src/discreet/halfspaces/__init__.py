"""Large-margin halfspaces by random projection: the dimension of a record does not matter."""
