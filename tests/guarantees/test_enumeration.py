"""Exact output distributions of every registered procedure respect its claims, for every pair."""

import itertools

import numpy as np
import pytest

from discreet.mechanisms.stopping_probabilities import _no_and_yes
from discreet.testing import selection_probabilities, stopping_probabilities
from tests.harness.enumeration import worst_share, worst_shares
from tests.harness.procedures import Loop
from tests.harness.registered import ENUMERATED, PARTS
from tests.harness.samplers import SELECTION_NOISES
from tests.harness.universes import PAIRS, PLAIN


def _cases():
    for registered in ENUMERATED:
        for size in sorted({registered.ordinary, registered.full} - {0}):
            marks = [pytest.mark.slow] if size > registered.ordinary else []
            yield pytest.param(registered, size, id=f"{registered.name}, n <= {size}", marks=marks)


@pytest.mark.parametrize(("registered", "most_records"), [*_cases()])
def test_claims_hold_on_every_pair(registered, most_records, report):
    n_pairs, found = worst_shares(registered.procedure, range(1, most_records + 1))
    figures = ", ".join(f"{claim} {max(share.reached, 0):.4f}" for claim, share in sorted(found.items()))
    report(f"exact: {registered.name}", f"{n_pairs:,} pairs", figures)
    for claim, share in found.items():
        assert share.reached <= 1, f"{claim} is broken"
        assert share.error < 1e-4, f"{claim} is not known well enough"
    if most_records >= registered.needs:
        for claim, least in registered.reaches.items():
            assert found[claim].reached >= least, f"{claim} is far too large, or nothing was checked"


def test_the_pairs_are_all_there():
    assert len(PLAIN.types) == 8
    assert sum(len(list(PAIRS["replace"](PLAIN, n))) for n in (1, 2, 3, 4)) == 4_620
    assert sum(len(list(PAIRS["add-remove"](PLAIN, n))) for n in (1, 2, 3, 4)) == 1_320


@pytest.mark.parametrize(("epsilon", "possible"), [(1.0, 0.90), (0.1, 0.65)])
def test_smaller_budgets_attain_what_is_possible(epsilon, possible, report):
    madaboost = PARTS[0]
    found = worst_share(Loop(madaboost.measure, madaboost.learner, PLAIN, epsilon=epsilon), range(1, 5))
    report(f"exact: one round at epsilon {epsilon}", "4,620 pairs", f"pure {found:.4f}")
    assert possible <= found <= 1


@pytest.mark.parametrize("noise", SELECTION_NOISES)
def test_a_selection_by_itself(noise, report):
    """All scores of three candidates in 0..6, and all differences: the log ratio spans r/scale at most."""
    scale, most = 2.0, 6
    logs = {
        scores: np.log(selection_probabilities(np.array(scores, dtype=np.int64), noise, scale))
        for scores in itertools.product(range(most + 1), repeat=3)
    }
    reached = 0.0
    for one, other in itertools.combinations(logs, 2):
        moved, ratio = np.ptp(np.subtract(one, other)), logs[one] - logs[other]
        # Bounded range for Gumbel; for permute-and-flip the range pays for the pure loss, either way.
        loss = np.ptp(ratio) if noise == "gumbel" else np.abs(ratio).max()
        reached = max(reached, (loss - 1e-10) / (moved / scale)) if moved else reached
    pairs = len(logs) * (len(logs) - 1) // 2
    report(f"exact: selection with {noise} noise", f"{pairs:,} pairs", f"{reached:.6f} of the range")
    assert 0.99 <= reached <= 1


def test_a_threshold_test_by_itself(report):
    """Three queries within ten scales of the threshold, each moved by up to 1: every end of the run."""
    scale, worst, pairs = 4.0, 0.0, 0

    def log_ends(queries):
        left, found = 0.0, []
        for place in range(3):
            no, yes = np.log(stopping_probabilities(queries[: place + 1], scale))
            found.append(left + yes)
            left += no
        return np.array([*found, left])

    for queries in itertools.product((-40, -4, 0, 40), repeat=3):
        here = log_ends(queries)
        for move in itertools.product((-1, 0, 1), repeat=3):
            ratio = np.abs(here - log_ends(np.add(queries, move).tolist())).max()
            worst, pairs = max(worst, (ratio - 1e-10) / (2 / scale)), pairs + 1
    report("exact: threshold test", f"{pairs:,} pairs", f"{worst:.6f} of epsilon")
    # Three queries cannot do more: noise on two is as easily moved as the threshold.
    assert 0.74 <= worst <= 1


def test_a_longer_threshold_test_attains_its_claim(report):
    """Seven times no far above the threshold, then yes far below: only the threshold explains that."""
    scale = 4.0

    def log_of_yes_at_last(far):
        queries = (*[far] * 7, -far)
        answers = [_no_and_yes(queries[: place + 1], scale) for place in range(8)]
        return sum(np.log(no) for no, _ in answers[:-1]) + np.log(answers[-1][1])

    reached = abs(log_of_yes_at_last(41) - log_of_yes_at_last(40)) / (2 / scale)
    report("exact: threshold test of 8 queries", "1 pair", f"{reached:.6f} of epsilon")
    assert 0.99 <= reached <= 1


@pytest.mark.parametrize("noise", SELECTION_NOISES)
def test_a_selection_in_each_of_two_leaves(noise, report):
    """All scores of two leaves with two candidates each in 0..3: their ranges add up, and no more."""
    scale, most = 2.0, 3
    logs = {
        scores: np.log(selection_probabilities(np.array(scores, dtype=np.int64), noise, scale))
        for scores in itertools.product(range(most + 1), repeat=2)
    }
    moves = [
        (np.ptp(np.subtract(one, other)), logs[one] - logs[other])
        for one, other in itertools.product(logs, repeat=2)
    ]
    reached = 0.0
    for (moved, first), (moved_too, second) in itertools.combinations_with_replacement(moves, 2):
        ratio = np.add.outer(first, second)
        loss = np.ptp(ratio) if noise == "gumbel" else np.abs(ratio).max()
        if moved + moved_too:
            reached = max(reached, (loss - 1e-10) / ((moved + moved_too) / scale))
    pairs = len(moves) * (len(moves) + 1) // 2
    report(
        f"exact: selections in two leaves, {noise} noise", f"{pairs:,} pairs", f"{reached:.6f} of the range"
    )
    assert 0.99 <= reached <= 1
