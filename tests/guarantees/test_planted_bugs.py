"""Mistakes that were made elsewhere, planted one by one: an ordinary check must see each of them.

The checks are those of the other files of this folder, on as few tables as show the mistake; and each of them
finds nothing where nothing is planted.
"""

import warnings
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import pytest

from discreet import Categorical, Schema
from discreet.boosting import features, plan
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.sensitivity import MassBounds
from discreet.boosting.weak_learners import centring, one_rule
from discreet.boosting.weak_learners.centring import Centring
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.engines import vectors
from discreet.engines.base import Direction
from discreet.errors import InputError
from discreet.estimators import boosted, boosted_rules
from discreet.mechanisms.selection import OpenDPSampler, selection_loss
from discreet.schema.cells import meaning
from discreet.testing import seeded_noise
from tests.harness.canaries import counted, figures_in, left_by_a_fit, left_by_an_error, planted, secrets_in
from tests.harness.enumeration import worst_share
from tests.harness.procedures import Loop, WholeFit
from tests.harness.registered import FITS, REPLAYED, madaboost
from tests.harness.replay import neighbours, outcomes_on, replay
from tests.harness.samplers import (
    SCALES,
    VECTOR_SCALES,
    Draws,
    VectorDraws,
    runs_in_children,
    six_bits_forty_times,
)
from tests.harness.universes import ODD, PLAIN, WIDE
from tests.tables import SCHEMA

# The checks ------------------------------------------------------------------------------------------------


def enumerated(measure=madaboost, learner=OneRule, adjacency="replace", rounds=1, sizes=(1, 2, 3)):
    procedure = Loop(measure, learner, PLAIN, adjacency, rounds, epsilon=4.0 * rounds)
    assert worst_share(procedure, sizes) <= 1


def enumerated_in_full(name):
    assert worst_share(WholeFit(ODD, FITS[name] | {"rounds": 1, "delta": 0.0, "epsilon": 4.0}), (1, 2)) <= 1


def replayed(procedure, pairs=150):
    rng = np.random.default_rng(0)
    for place in range(pairs):
        one, other = neighbours(procedure, rng)
        replay(procedure, one, other, outcomes_on(procedure, one, seed=place))


def replayed_loop(name):
    # A fresh copy: its plans are made with the bug in place.
    replayed(replace(REPLAYED[name]))


def replayed_fit(name):
    replayed(replace(REPLAYED[f"whole fit, {name}"]), pairs=40)


def searched_for_cells():
    assert secrets_in(left_by_a_fit(*planted(), rounds=5)) == set()


def searched_for_figures():
    df, y, figures = counted()
    with seeded_noise(0):
        assert figures_in(left_by_a_fit(df, y, rounds=5), figures) == set()


def searched_an_error():
    df, y = planted()
    fit = boosted_rules.BoostedRulesClassifier(schema=SCHEMA).fit
    assert secrets_in(left_by_an_error(lambda: fit(df[["age"]], y))[1]) == set()


def drew_at_its_scale():
    assert Draws.of(OpenDPSampler(), "gumbel", SCALES[0]).accept(SCALES[0])


def drew_vectors_at_their_scale():
    scale = VECTOR_SCALES[9]
    assert VectorDraws.of(OpenDPSampler(), scale, 50_000).accept(scale)


def drew_afresh():
    runs = [six_bits_forty_times("gumbel"), *runs_in_children("gumbel", "fork", 2)]
    assert len(set(runs)) == len(runs)


# The bugs --------------------------------------------------------------------------------------------------

BUGS = {}


def bug(name, *checks):
    """Register a function that plants a bug, with the checks each of which must see it."""

    def registered(plant):
        BUGS[name] = plant, checks
        return plant

    return registered


@bug("halved sensitivity", enumerated, lambda: replayed_loop("madaboost, one-rule, replace"))
def _(patch):
    honest = one_rule.correlation_range
    patch.setattr(one_rule, "correlation_range", lambda bounds: honest(bounds) // 2)


@bug("halved sensitivity, add-remove", lambda: enumerated(adjacency="add-remove"))
def _(patch):
    honest = one_rule.correlation_range
    patch.setattr(one_rule, "correlation_range", lambda bounds: honest(bounds) // 2)


@bug("sensitivity of the other neighbours", enumerated)
def _(patch):
    honest = one_rule.correlation_range
    patch.setattr(
        one_rule, "correlation_range", lambda bounds: honest(replace(bounds, adjacency="add-remove"))
    )


@bug("slack of the projection forgotten", lambda: replayed_loop("lazy-bregman, one-rule, replace"))
def _(patch):
    """With a slack of next to nothing to begin with, one weight's worth is taken off."""
    honest = LazyBregman.bounds

    def bounds(self, adjacency, max_records):
        found = honest(self, adjacency, max_records)
        return replace(found, cap=found.cap - found.slack, slack=0)

    patch.setattr(LazyBregman, "bounds", bounds)


@bug("plan priced at twice the scale that it uses", enumerated)
def _(patch):
    patch.setitem(
        plan.make_plan.__kwdefaults__,
        "loss_of",
        lambda claim, noise, scale: selection_loss(claim, noise, 2 * scale),
    )


@bug("noise of a smaller scale than stated", drew_at_its_scale)
def _(patch):
    honest = OpenDPSampler.select
    patch.setattr(
        OpenDPSampler,
        "select",
        lambda self, scores, noise, scale: honest(self, scores, noise, 0.95 * scale),
    )


@bug("seeded noise in production", drew_afresh)
def _(patch):
    def select(self, scores, noise, scale):
        return int(np.argmax(scores + np.random.gumbel(scale=scale, size=scores.shape)))

    patch.setattr(OpenDPSampler, "select", select)


@bug(
    "learnt categories",
    searched_for_cells,
    lambda: enumerated_in_full("madaboost, replace"),
    lambda: replayed_fit("madaboost, replace"),
)
def _(patch):
    honest = boosted.resolve_schema

    def resolve_schema(schema, table):
        declared = dict(honest(schema, table).columns)
        for name, column in declared.items():
            if isinstance(column, Categorical) and isinstance(column.values[0], str):
                cells = table.cells(table.positions([name])[0])
                unseen = {meaning(cell) for cell in cells if isinstance(meaning(cell), str)} - {"\ud800"}
                declared[name] = Categorical(sorted({*column.values, *unseen}))
        return Schema(declared, target=schema.target)

    patch.setattr(boosted, "resolve_schema", resolve_schema)


@bug("exact count in the file", searched_for_figures, lambda: replayed_fit("madaboost, replace"))
def _(patch):
    honest_labels, honest_write, seen = boosted.encode_labels, boosted.write_model, {}

    def encode_labels(*arguments):
        labels = honest_labels(*arguments)
        seen["positive"] = int((labels == 1).sum())
        return labels

    def write_model(model, path):
        honest_write(msgspec.structs.replace(model, parameters=model.parameters | seen), path)

    patch.setattr(boosted, "encode_labels", encode_labels)
    patch.setattr(boosted, "write_model", write_model)


@bug("smallest and largest cell in the pickle", searched_for_figures)
def _(patch):
    honest = boosted_rules.BoostedRulesClassifier.fit

    def fit(self, X, y):
        honest(self, X, y)
        self.data_min_, self.data_max_ = repr(float(X["age"].min())), repr(float(X["age"].max()))
        return self

    patch.setattr(boosted_rules.BoostedRulesClassifier, "fit", fit)


@bug("lost repeat count", lambda: enumerated(rounds=3, sizes=(1,)), lambda: enumerated(rounds=2))
def _(patch):
    honest = plan._losses
    patch.setattr(plan, "_losses", lambda terms: [(loss, 1) for loss, _ in honest(terms)])


@dataclass(frozen=True)
class WeightOfTheCrowd:
    """Weighs every record by the number of records, and declares no slack for it."""

    def bounds(self, adjacency, max_records):
        return MassBounds(cap=2**20, slack=0, adjacency=adjacency)

    def weights(self, max_level, counts):
        n = min(int(counts().sum()), 3)
        return np.full((2, 2 * max_level + 1), 2**20 * n // 3, dtype=np.int64)


@bug(
    "n in the weights under add-remove",
    lambda: enumerated(lambda n: WeightOfTheCrowd(), adjacency="add-remove"),
    lambda: replayed(Loop(lambda n: WeightOfTheCrowd(), OneRule, WIDE, "add-remove", rounds=2)),
)
def _(patch):
    pass  # A measure of its own: nothing is patched.


@bug("n in the settings under add-remove", lambda: replayed_fit("automatic settings, add-remove"))
def _(patch):
    honest = boosted_rules.assemble
    patch.setattr(
        boosted_rules,
        "assemble",
        lambda options, schema, n: honest(replace(options, expected_records=n or 1), schema, n),
    )


@dataclass(frozen=True)
class AboveTheCap(MadaBoost):
    """Forgets the 'min' of min(1, exp(-2 lambda s)): wrong records weigh more than declared."""

    def weights(self, max_level, counts):
        levels = np.arange(-max_level, max_level + 1)
        weight = np.exp(-2 * self.learning_rate * levels)
        return np.tile(np.floor(2**20 * weight).astype(np.int64), (2, 1))


@bug(
    "weight above the cap",
    lambda: enumerated(lambda n: AboveTheCap(1.5), rounds=2),
    lambda: replayed(Loop(lambda n: AboveTheCap(1.5), OneRule, WIDE, rounds=3)),
)
def _(patch):
    pass  # A measure of its own: nothing is patched.


@bug("float scores", enumerated)
def _(patch):
    honest = one_rule.literal_correlations
    patch.setattr(one_rule, "literal_correlations", lambda *arguments: honest(*arguments) / 1.0)


@bug("scores summed in single precision", lambda: replayed_loop("madaboost, one-rule, replace"))
def _(patch):
    def literal_correlations(masses, first, last, n_first_column):
        up_to = np.concatenate([[0], np.cumsum((masses[1] - masses[0]).astype(np.float32), dtype=np.float32)])
        return (2 * (up_to[last + 1] - up_to[first]) - up_to[n_first_column]).astype(np.int64)

    patch.setattr(one_rule, "literal_correlations", literal_correlations)


@bug("prior that depends on data", enumerated, lambda: replayed_loop("madaboost, one-rule, replace"))
def _(patch):
    """Candidates that hold for some record get a head start."""
    honest = OneRule.propose

    def propose(self, view, weights, release):
        reached = view.masses(np.ones_like(weights)).sum(axis=0) > 0
        self._log_prior = np.where(np.repeat(reached[self._first], 2), 0.0, -3.0)
        return honest(self, view, weights, release)

    patch.setattr(OneRule, "propose", propose)


@bug("theta that depends on more than levels", lambda: replayed_loop("lazy-bregman, one-rule, replace"))
def _(patch):
    """Only the positive records count towards the mass that theta is chosen by."""
    honest = LazyBregman.weights
    patch.setattr(
        LazyBregman,
        "weights",
        lambda self, max_level, counts: honest(self, max_level, lambda: counts() * [[0], [2]]),
    )


@bug("error that shows a cell", searched_an_error)
def _(patch):
    honest = boosted.resolve_schema

    def resolve_schema(schema, table):
        try:
            return honest(schema, table)
        except InputError as error:
            raise InputError(f"{error}; the first record begins with {table.cells(0)[0]!r}") from None

    patch.setattr(boosted, "resolve_schema", resolve_schema)


@bug("error chained to one that shows a cell", searched_an_error)
def _(patch):
    honest = boosted.resolve_schema

    def resolve_schema(schema, table):
        try:
            float(table.cells(0)[0])
        except ValueError:
            return honest(schema, table)

    patch.setattr(boosted, "resolve_schema", resolve_schema)


@bug("path that differs on missing cells", lambda: replayed_fit("madaboost, replace"))
def _(patch):
    """A second look where the first column has records in its bucket."""
    honest = OneRule.propose

    def propose(self, view, weights, release):
        if view.masses(weights)[:, int(self._n_codes[0]) - 1].any():
            view.level_counts()
        return honest(self, view, weights, release)

    patch.setattr(OneRule, "propose", propose)


@bug("warning about labels outside the classes", lambda: replayed_fit("madaboost, replace"))
def _(patch):
    honest = boosted.encode_labels

    def encode_labels(*arguments):
        labels = honest(*arguments)
        if (labels == 2).any():
            warnings.warn("some labels are not among the classes", UserWarning, stacklevel=2)
        return labels

    patch.setattr(boosted, "encode_labels", encode_labels)


@bug("halved sensitivity of a vector", lambda: replayed_loop("madaboost, centring, numeric, replace"))
def _(patch):
    honest = centring.vector_sensitivity
    patch.setattr(centring, "vector_sensitivity", lambda bounds, norm: honest(bounds, norm) // 2)


@bug(
    "norm not clipped",
    lambda: replayed_loop("madaboost, centring, numeric, replace"),
    lambda: replayed_fit("halfspace, madaboost, replace"),
)
def _(patch):
    patch.setattr(features, "shortened", lambda vectors: vectors.astype(np.int16))


@bug("levels that other rows move", lambda: replayed_loop("madaboost, centring, numeric, replace"))
def _(patch):
    """As a product of matrices in low precision has it: all rows are scaled to the largest coordinate."""
    honest = vectors.vector_kernels.set_levels

    def set_levels(rows, direction, rate, max_level, state):
        largest = int(np.abs(rows).max(initial=1))
        scaled = rows.astype(np.int64) * (centring.NORM // 2) // largest
        honest(scaled.astype(np.int16), direction, rate, max_level, state)

    patch.setattr(vectors.vector_kernels, "set_levels", set_levels)


@bug("private mass as the normaliser", lambda: replayed_loop("madaboost, centring, numeric, replace"))
def _(patch):
    honest = Centring.propose

    def propose(self, view, weights, release):
        mass = int((view.level_counts() * weights).sum())
        return replace(honest(self, view, weights, release), rate=1 / (centring.NORM**2 * (mass + 1)))

    patch.setattr(Centring, "propose", propose)


@bug("a direction without noise in the model", lambda: replayed_fit("halfspace, madaboost, replace"))
def _(patch):
    def propose(self, view, weights, release):
        (claim,) = release.claims
        exact = view.weighted_sum(weights)
        release.vector(claim, exact)
        return Direction(exact, self._rate)

    patch.setattr(Centring, "propose", propose)


@bug("vectors with less noise than stated", drew_vectors_at_their_scale)
def _(patch):
    honest = OpenDPSampler.vector
    patch.setattr(
        OpenDPSampler,
        "vector",
        lambda self, values, noise, scale: honest(self, values, noise, 0.95 * scale),
    )


# ----------------------------------------------------------------------------------------------------------

CAUGHT = [
    pytest.param(name, check, id=f"{name}, check {place}")
    for name, (_, checks) in BUGS.items()
    for place, check in enumerate(checks, start=1)
]


@pytest.mark.parametrize(("name", "check"), CAUGHT)
def test_it_is_caught(name, check, monkeypatch, report):
    plant, _ = BUGS[name]
    plant(monkeypatch)
    with pytest.raises(AssertionError) as caught:
        check()
    report(f"planted: {name}", "1 bug", f"caught: {str(caught.value).splitlines()[0][:40]}")


SOUND = [
    enumerated,
    lambda: enumerated(adjacency="add-remove"),
    lambda: enumerated(rounds=2),
    lambda: enumerated_in_full("madaboost, replace"),
    *(lambda name=name: replayed_loop(name) for name in REPLAYED if "whole fit" not in name),
    *(lambda name=name: replayed_fit(name) for name in FITS),
    lambda: replayed_fit("automatic settings, add-remove"),
    searched_for_cells,
    searched_for_figures,
    searched_an_error,
    lambda: replayed_fit("halfspace, madaboost, replace"),
    drew_at_its_scale,
    drew_vectors_at_their_scale,
    drew_afresh,
]


@pytest.mark.parametrize("check", SOUND)
def test_without_a_bug_nothing_is_reported(check):
    check()


def test_there_are_at_least_twelve():
    assert len(BUGS) >= 12
