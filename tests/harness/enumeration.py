"""Exact enumeration: every small table, every neighbour, every output with its probability.

An output is all that the procedure released, and what it returned or raised. The distribution on a table
is found by running the real code once for every prefix of releases, with a sampler that reports the
distribution of the next one instead of drawing it.
"""

from __future__ import annotations

from collections.abc import Iterable

from discreet.mechanisms.rehearsal import Raised
from discreet.testing import enumerate_outcomes
from tests.harness.divergences import Distribution, Share, shares
from tests.harness.procedures import Procedure
from tests.harness.universes import PAIRS, Table


def worst_shares(procedure: Procedure, sizes: Iterable[int]) -> tuple[int, dict[str, Share]]:
    """Return the number of pairs, and for each claim the largest share that a pair reaches.

    Parameters
    ----------
    procedure : Procedure
        What is run.
    sizes : iterable of int
        How many records the larger table of a pair has.

    Returns
    -------
    n_pairs : int
    shares : dict
        A share above 1 is a broken promise; an output that only one neighbour can produce gives infinity.

    Raises
    ------
    AssertionError
        The procedure raised on every path of a table: nothing was checked there.
    """
    known: dict[Table, Distribution] = {}

    def distribution(table: Table) -> Distribution:
        if table not in known:
            known[table] = enumerate_outcomes(lambda sampler: procedure.run(table, sampler))
            # An exception is an output like any other, but if there is no other, nothing is checked.
            assert any(not isinstance(result, Raised) for _, result in known[table]), next(iter(known[table]))
        return known[table]

    n_pairs, worst = 0, dict[str, Share]()
    for n in sizes:
        plan = procedure.plan_for(n)
        for one, other in PAIRS[procedure.adjacency](procedure.universe, n):
            n_pairs += 1
            for claim, share in shares(plan, distribution(one), distribution(other)).items():
                worst[claim] = max(worst.get(claim, share), share)
    return n_pairs, worst


def worst_share(procedure: Procedure, sizes: Iterable[int] = (1, 2, 3)) -> float:
    """Return the largest share of any claim."""
    return max(share.reached for share in worst_shares(procedure, sizes)[1].values())
