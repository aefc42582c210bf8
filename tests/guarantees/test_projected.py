"""Projected halfspaces: the noise of descents against their stated guarantee, and nothing left behind."""

import contextlib
import io
import math

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import beta

from discreet import DiscreetError, ProjectedHalfspaceClassifier
from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces.descent import descend
from discreet.halfspaces.fit_plan import UNIT
from discreet.halfspaces.projected import projection_of
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.points import open_points
from tests.harness.artefacts import artefacts_of
from tests.harness.canaries import left_by_an_error
from tests.harness.points import shown

EPSILON, DELTA, ROUNDS = 1.0, 0.1, 4
"""With so large a delta, few runs show a guarantee that is too good."""

FALSE_ALARM = 1e-7


class Kept(OpenDPSampler):
    """OpenDP's noise, of a share of the stated scale, and everything that was released with it."""

    def __init__(self, share):
        self.released, self.share = [], share

    def vector(self, values, noise, scale):
        self.released.append(super().vector(values, noise, self.share * scale))
        return self.released[-1]


class Asked:
    """Answers with the sums of one neighbour, and notes those of both."""

    def __init__(self, engines, side):
        self.engines, self.side, self.sums = engines, side, ([], [])

    def sum_below(self, direction, least):
        for engine, sums in zip(self.engines, self.sums, strict=True):
            sums.append(engine.sum_below(direction, least))
        return self.sums[self.side][-1]


def log_ratios(runs, share):
    """Descend on each of two neighbours; return how much likelier the first one makes what was released.

    They are one record and its opposite, which move the first round's sum by all of the claim. The ratio is
    that of Gaussian densities over all coordinates of all rounds, each at the sum that either would have had:
    nothing tells the two apart better.
    """
    row = np.array([[3.0, -4.0, 12.0]])
    model = ProjectedHalfspaceClassifier(EPSILON, DELTA, 1.0, [0, 1], rounds=ROUNDS, n_components=2)
    plan = model.plan(1, 3)
    (terms,) = plan.terms
    projection, _ = projection_of("dense", 2, 3, 0, False)
    label = np.array([1], dtype=np.int8)
    engines = [HingeEngine(projection.vectors(open_points(one)), label, NORM) for one in (row, -row)]
    ratios = np.empty((2, runs))
    for side in (0, 1):
        for run in range(runs):
            sampler, asked = Kept(share), Asked(engines, side)
            descend(range(ROUNDS), plan, asked, Release(plan.terms, sampler))
            released = np.array(sampler.released, dtype=float)
            first, second = (np.sum((released - np.array(sums) * UNIT) ** 2.0) for sums in asked.sums)
            ratios[side, run] = (second - first) / (2 * (share * terms.scale) ** 2)
    return ratios


def shown_delta(ratios):
    """Return what delta is at least at the stated epsilon, but with probability ``FALSE_ALARM``.

    For any set A of outputs, P(A) - exp(epsilon) P'(A) <= delta; the A that shows most is where the ratio is
    above exp(epsilon). Both probabilities are bounded by their counts (Clopper, Pearson).
    """
    runs = ratios.shape[1]
    here, there = (ratios > EPSILON).sum(axis=1)
    at_least = beta.ppf(FALSE_ALARM / 2, here, runs - here + 1)
    at_most = beta.isf(FALSE_ALARM / 2, there + 1, runs - there)
    return at_least - math.exp(EPSILON) * at_most


@pytest.mark.slow
def test_the_noise_is_what_was_stated_and_less_of_it_is_seen(report):
    honest, too_good = (shown_delta(log_ratios(60_000, share)) for share in (1.0, 1 / 1.25))
    report("distinguishing: descent, 4 rounds", "2 x 60,000 fits", f"delta {honest:.3f} of {DELTA} shown")
    report("planted: descent with 1.25 times less noise", "1 bug", f"caught: delta {too_good:.3f}")
    assert honest <= DELTA < too_good
    assert honest > DELTA / 3  # or the test shows nothing


SECRETS = [f"{place}.7717{place}" for place in range(100, 200)]
"""Numbers that stand nowhere else; a sparse matrix is full of them."""


def planted():
    """Rows with secrets in them, and labels among which there are secrets."""
    rng = np.random.default_rng(0)
    rows = sp.random_array((300, 1_000), density=0.01, rng=rng).tolil()
    rows[np.arange(100), np.arange(100)] = np.array(SECRETS, dtype=float)
    labels = rng.integers(0, 2, 300).astype(object)
    labels[:20] = [f"zq{place}secret" for place in range(20)]
    return rows.tocsr(), labels


def secrets_in(text):
    return {secret for secret in [*SECRETS, "secret"] if secret in text}


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_a_fit_leaves_no_number_behind(adjacency, report):
    rows, labels = planted()
    model = ProjectedHalfspaceClassifier(
        classes=[0, 1], adjacency=adjacency, expected_records=1_000, rounds=5, progress=True
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        artefacts = artefacts_of(model, rows, labels, shown=shown)
    left = printed.getvalue() + "".join(content.decode("latin-1") for _, content in artefacts)
    assert "rounds: 100%" in left
    assert "fit: 5 rounds, epsilon = 1" in left
    report(f"canaries: projected halfspace, {adjacency}", "120 secrets", f"{len(left):,} letters")
    assert secrets_in(left) == set()
    assert ("300" in str(model.plan_)) == (adjacency == "replace")


ROWS, LABELS = planted()


def broken():
    rows = ROWS.copy()
    rows.indices[5] = 10**8
    return rows


@pytest.mark.parametrize(
    "breakage",
    [
        lambda fit: fit(ROWS, LABELS[:10]),
        lambda fit: fit(ROWS, None),
        lambda fit: fit(ROWS.toarray().astype(object), LABELS),
        lambda fit: fit(ROWS.toarray().astype(str), LABELS),
        lambda fit: fit(ROWS.toarray()[0], LABELS),
        lambda fit: fit(broken(), LABELS),
        lambda fit: fit(ROWS, LABELS, sample_weight=ROWS.data),
        lambda fit: fit(ROWS, LABELS).predict(ROWS[:, :50]),
        lambda fit: fit({"rows": SECRETS}, LABELS),
    ],
)
def test_no_error_shows_a_number(breakage):
    model = ProjectedHalfspaceClassifier(classes=[0, 1], rounds=2)
    error, text = left_by_an_error(lambda: breakage(model.fit))
    assert isinstance(error, DiscreetError)
    assert secrets_in(text) == set()
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
