"""Mistakes that were made elsewhere, planted one by one: an ordinary check must see each of them.

The checks are those of the other files of this folder, on as few tables as show the mistake; and each of them
finds nothing where nothing is planted.
"""

import warnings
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from discreet import Categorical, Ledger, Schema
from discreet.accounting import BoundedRange, SampledGaussianDP, guarantee
from discreet.boosting import features, plan, stopping
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.reweighting.smoothboost import SmoothBoost
from discreet.boosting.sensitivity import MassBounds
from discreet.boosting.weak_learners import centring, levelwise_tree, one_rule, topdown_tree
from discreet.boosting.weak_learners.centring import Centring
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.engines import projection, vectors
from discreet.engines.base import Direction
from discreet.engines.hinge import HingeEngine
from discreet.engines.local import LocalEngine
from discreet.errors import BudgetExceeded, InputError
from discreet.estimators import (
    boosted,
    boosted_rules,
    perturbed_leader,
    private,
    projected_halfspace,
    public_label,
    regularized_leader,
    released_margins,
)
from discreet.halfspaces import descent, fit_plan, stochastic
from discreet.halfspaces.fit_plan import make_projected_plan
from discreet.ledger.accounts import Reservation
from discreet.ledger.events import Reserved
from discreet.mechanisms import labels, perturbations, priced, pricing
from discreet.mechanisms import vectors as vectors_of_noise
from discreet.mechanisms.above_threshold import AboveThreshold
from discreet.mechanisms.labels import draw_costs
from discreet.mechanisms.pricing import release_loss
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.cells import meaning
from discreet.schema.encode import encode
from discreet.semiprivate import label_plan, labelling
from discreet.semiprivate.leader import minimiser
from discreet.semiprivate.leader import plan as leader_plan
from discreet.semiprivate.leader.geometry import PublicGeometry
from discreet.semiprivate.oracles import rules
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.perturbed import plan as perturbed_plan
from discreet.testing import ReplaySampler, SeededSampler, seeded_noise
from tests import leader_problems, perturbed_problems
from tests.harness import payments
from tests.harness import points as harness_points
from tests.harness.canaries import counted, figures_in, left_by_a_fit, left_by_an_error, planted, secrets_in
from tests.harness.enumeration import worst_share
from tests.harness.labelled import Labels
from tests.harness.ledgers import tool
from tests.harness.points import FEW_POINTS, Choice, replay_projection
from tests.harness.procedures import Loop, WholeFit
from tests.harness.registered import FITS, REPLAYED, agreement_tree, half_the_mass, madaboost, smoothboost
from tests.harness.replay import AnyOutcome, neighbours, outcomes_on, replay
from tests.harness.samplers import (
    LAPLACE_SCALES,
    SCALES,
    VECTOR_SCALES,
    Draws,
    VectorDraws,
    laplace_as_at,
    laplace_vectors,
    runs_in_children,
    six_bits_forty_times,
    stops,
    stops_as_at,
)
from tests.harness.universes import ODD, PLAIN, RAGGED, SINGLE, WIDE
from tests.tables import SCHEMA

# The checks ------------------------------------------------------------------------------------------------


def enumerated(measure=madaboost, learner=OneRule, adjacency="replace", rounds=1, sizes=(1, 2, 3)):
    procedure = Loop(measure, learner, PLAIN, adjacency, rounds, epsilon=4.0 * rounds)
    assert worst_share(procedure, sizes) <= 1


def enumerated_with_a_stop():
    procedure = Loop(smoothboost, OneRule, PLAIN, "add-remove", 3, epsilon=0.3, stop=half_the_mass)
    assert worst_share(procedure, (1,)) <= 1


def enumerated_on_a_sample():
    """One of two records may have a label outside the classes; two are drawn."""
    assert worst_share(Loop(madaboost, OneRule, RAGGED, epsilon=1.0, draws=2), (2,)) <= 1


def enumerated_trees():
    assert worst_share(Loop(madaboost, agreement_tree, PLAIN), (1, 2)) <= 1


def enumerated_in_full(name):
    assert worst_share(WholeFit(ODD, FITS[name] | {"rounds": 1, "delta": 0.0, "epsilon": 4.0}), (1, 2)) <= 1


def replayed(procedure, pairs=150):
    rng = np.random.default_rng(0)
    for place in range(pairs):
        one, other = neighbours(procedure, rng)
        replay(procedure, one, other, outcomes_on(procedure, one, SeededSampler(place)))


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


def enumerated_net():
    assert worst_share(Choice(FEW_POINTS, "replace"), (1, 2)) <= 1


def rows_by_themselves():
    rng = np.random.default_rng(0)
    for _ in range(100):
        replay_projection(rng)


def dense_rows(points):
    """Return rows as single-precision floats, all at once."""
    rows = np.zeros((points.n_records, points.n_features), np.float32)
    for part, (values, bounds, columns) in points.chunks():
        width = np.diff(bounds)
        places = columns if len(columns) else np.tile(np.arange(points.n_features), len(width))
        rows[np.repeat(np.arange(part.start, part.stop), width), places] = values
    return rows


def with_n_records(self, n):
    return make_projected_plan(self._options, n, self.universe.rows.shape[1])


def drew_at_its_scale():
    assert Draws.of(OpenDPSampler(), "gumbel", SCALES[0], 30_000).accept(SCALES[0])


def stopped_at_its_scale():
    assert stops_as_at(SCALES[2], SCALES[2], stops(OpenDPSampler(), SCALES[2], 10_000))


def drew_vectors_at_their_scale():
    scale = VECTOR_SCALES[9]
    assert VectorDraws.of(OpenDPSampler(), scale, 50_000).accept(scale)


def drew_laplace_vectors_at_their_scale():
    scale = LAPLACE_SCALES[10]
    assert laplace_as_at(scale, laplace_vectors(OpenDPSampler(), scale, 20_000))


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
        lambda claim, noise, scale: release_loss(claim, noise, 2 * scale),
    )


@bug("noise of a smaller scale than stated", drew_at_its_scale)
def _(patch):
    honest = OpenDPSampler.select
    patch.setattr(
        OpenDPSampler,
        "select",
        lambda self, scores, noise, scale: honest(self, scores, noise, 0.9 * scale),
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
    honest_labels, honest_write, seen = boosted.encode_labels, private.write_model, {}

    def encode_labels(*arguments):
        labels = honest_labels(*arguments)
        seen["positive"] = int((labels == 1).sum())
        return labels

    def write_model(model, path):
        honest_write(msgspec.structs.replace(model, parameters=model.parameters | seen), path)

    patch.setattr(boosted, "encode_labels", encode_labels)
    patch.setattr(private, "write_model", write_model)


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
    honest = priced._losses
    patch.setattr(priced, "_losses", lambda terms: [(loss, 1) for loss, _ in honest(terms)])


@dataclass(frozen=True)
class WeightOfTheCrowd:
    """Weighs every record by the number of records, and declares no slack for it."""

    def bounds(self, adjacency, max_records):
        return MassBounds(cap=2**20, slack=0, adjacency=adjacency)

    def weights(self, done, max_level, counts):
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

    def weights(self, done, max_level, counts):
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
        self._log_prior = np.where(np.repeat(reached[self._offered.first], 2), 0.0, -3.0)
        return honest(self, view, weights, release)

    patch.setattr(OneRule, "propose", propose)


@bug("theta that depends on more than levels", lambda: replayed_loop("lazy-bregman, one-rule, replace"))
def _(patch):
    """Only the positive records count towards the mass that theta is chosen by."""
    honest = LazyBregman.weights
    patch.setattr(
        LazyBregman,
        "weights",
        lambda self, done, max_level, counts: honest(self, done, max_level, lambda: counts() * [[0], [2]]),
    )


@bug("half the noise on the threshold", stopped_at_its_scale)
def _(patch):
    honest = AboveThreshold.__init__
    patch.setattr(
        AboveThreshold,
        "__init__",
        lambda self, noise, scale: honest(
            self, lambda asked: noise(asked / 2 if asked == scale else asked), scale
        ),
    )


@bug("stop test not charged", enumerated_with_a_stop)
def _(patch):
    honest = priced._losses
    patch.setattr(
        priced, "_losses", lambda terms: honest([term for term in terms if term.claim.kind != "threshold"])
    )


@bug("halved sensitivity of the mass", lambda: replayed_fit("smoothboost, replace"))
def _(patch):
    patch.setattr(stopping, "mass_sensitivity", lambda bounds: bounds.cap // 2)


@dataclass(frozen=True)
class MarginOfTheCrowd(SmoothBoost):
    """Asks more margin of each record the more records there are."""

    def weights(self, done, max_level, counts):
        margin = min(0.5 * int(counts().sum()), 4.0)
        return SmoothBoost(self.advantage, margin).weights(done, max_level, counts)


@bug(
    "margin that depends on n under add-remove",
    lambda: enumerated(lambda n: MarginOfTheCrowd(0.99, 0.0), adjacency="add-remove", rounds=2),
    lambda: replayed(Loop(lambda n: MarginOfTheCrowd(0.99, 0.0), OneRule, WIDE, "add-remove", rounds=3)),
)
def _(patch):
    pass  # A measure of its own: nothing is patched.


@dataclass(frozen=True)
class Balanced(MadaBoost):
    """Gives both classes the same mass in the first round, by their counts."""

    def weights(self, done, max_level, counts):
        n_class = np.maximum(counts().sum(axis=1), 1)
        smaller = int(n_class.min())
        return super().weights(done, max_level, counts) * smaller // n_class[:, None]


@bug(
    "balanced class weights",
    lambda: replayed(Loop(lambda n: Balanced(0.4), OneRule, WIDE, rounds=2)),
)
def _(patch):
    pass  # A measure of its own: nothing is patched.


@bug("amplified as if one record were drawn", enumerated_on_a_sample)
def _(patch):
    honest = pricing._on_a_sample
    patch.setattr(pricing, "_on_a_sample", lambda loss, sampling: honest(loss, replace(sampling, draws=1)))


@bug("no blanks: drawn by the share of all weights", enumerated_on_a_sample)
def _(patch):
    honest = LocalEngine.sample

    def sample(self, levels, weights, total, size, draw):
        total = max(1, int(np.append(weights.ravel(), 0)[levels.state].sum()))
        return honest(self, levels, weights, total, size, draw)

    patch.setattr(LocalEngine, "sample", sample)


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
        if view.masses(weights)[:, int(self._offered.n_codes[0]) - 1].any():
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


@bug(
    "the budget is charged after the fit",
    payments.charged_before_a_record_is_read,
    payments.refused_before_a_record_is_read,
)
def _(patch):
    honest = Ledger.reserve

    class Later:
        def __init__(self, ledger, *spend):
            self.ledger, self.account, self.arguments = ledger, spend[0], spend

        def commit(self):
            spent = honest(self.ledger, *self.arguments)
            spent.commit()
            self.spend = spent.spend

    patch.setattr(Ledger, "reserve", lambda self, *spend: Later(self, *spend))


@bug("a model is let out without a commit", payments.paid_when_it_is_let_out)
def _(patch):
    patch.setattr(Reservation, "commit", lambda self: None)


@bug("the commit waits until after the release", payments.paid_when_it_is_let_out)
def _(patch):
    """All commits together, before the next spend."""
    waiting, commit, honest = [], Reservation.commit, Ledger.reserve

    def reserve(self, *spend):
        while waiting:
            commit(waiting.pop())
        return honest(self, *spend)

    patch.setattr(Reservation, "commit", lambda self: waiting.append(self))
    patch.setattr(Ledger, "reserve", reserve)


@bug("a reservation is given back where a fit fails", payments.spent_although_it_failed)
def _(patch):
    honest = Ledger.reserve

    class Refundable:
        def __init__(self, ledger, *spend):
            self.address, self.spent = ledger.address, honest(ledger, *spend)
            self.account, self.spend, self.kept = self.spent.account, self.spent.spend, False

        def commit(self):
            self.spent.commit()
            self.kept = True

        def __del__(self):
            if not self.kept:
                with tool(self.address) as run:
                    run(f"DELETE FROM events WHERE sequence = {self.spend}")

    patch.setattr(Ledger, "reserve", lambda self, *spend: Refundable(self, *spend))


@bug("what is left is read before the ledger is locked", payments.nothing_lost_between_spenders)
def _(patch):
    def reserve(self, account, losses, what, adjacency="replace"):
        with self._shared.snapshot() as execute:
            opened, spent = self._standing(execute, account)
        after = opened.filter.after(spent, losses)
        if not opened.filter.admits(after):
            raise BudgetExceeded
        with self._shared.exclusive() as execute:
            event, digest = self._append(execute, account, Reserved.of(what, losses, after))
        return Reservation(account, event.sequence, lambda: self._commit(account, event.sequence, digest))

    patch.setattr(Ledger, "reserve", reserve)


TOPDOWN = "madaboost, top-down tree, replace"
GINI, AGREEMENT = "madaboost, gini tree, replace", "madaboost, agreement tree, replace"


@bug("sensitivity 4 of the thesis's Lemma 4.2.4 as the range", lambda: replayed_loop(TOPDOWN))
def _(patch):
    patch.setattr(topdown_tree, "best_first_range", lambda bounds: 4 * bounds.cap)


@bug("improvement as a share of the leaf", lambda: replayed_loop(TOPDOWN))
def _(patch):
    """Each leaf's parent term becomes a divisor, which is no longer common to its splits."""
    honest = topdown_tree.improvements

    def improvements(masses, candidates):
        whole = masses[:, :, : int(candidates.n_codes[0])].sum(axis=(1, 2))[:, None]
        return honest(masses, candidates) * 40 // np.maximum(whole >> 20, 1)

    patch.setattr(topdown_tree, "improvements", improvements)


@bug("labels by majority", lambda: replayed_loop(TOPDOWN))
def _(patch):
    honest = Release.select_per_leaf
    patch.setattr(
        Release,
        "select_per_leaf",
        lambda self, claim, scores, log_prior: (
            honest(self, claim, scores, log_prior) * 0 + scores.argmax(axis=1)
        ),
    )


@bug("one leaf's worth for a record that changes leaves", lambda: replayed_loop(AGREEMENT), enumerated_trees)
def _(patch):
    honest = levelwise_tree.leafwise_range
    patch.setattr(levelwise_tree, "leafwise_range", lambda bounds: honest(bounds) // 2)


@bug("Gini priced as agreement", lambda: replayed_loop(GINI))
def _(patch):
    patch.setattr(
        levelwise_tree,
        "leafwise_gini_range",
        lambda bounds, n_leaves: levelwise_tree.leafwise_range(bounds) + 4 * n_leaves,
    )


@bug("an empty leaf does not draw", lambda: replayed_loop(GINI), lambda: replayed_loop(AGREEMENT))
def _(patch):
    """An empty leaf has equal scores for all candidates, and gets the first of them."""
    honest = Release._selected

    def selected(self, terms, scores, log_prior):
        return honest(self, terms, scores, log_prior) if np.ptp(scores) else 0

    patch.setattr(Release, "_selected", selected)


@bug("a record counts in every leaf", lambda: replayed_loop(AGREEMENT))
def _(patch):
    honest = levelwise_tree.signed_literals

    def signed_literals(signed, candidates):
        scores = honest(signed, candidates)
        return np.repeat(scores.sum(axis=0, keepdims=True), len(scores), axis=0)

    patch.setattr(levelwise_tree, "signed_literals", signed_literals)


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


@bug("margins with the sensitivity of the other neighbours", lambda: replayed_loop("margins, replace"))
def _(patch):
    honest = released_margins.histogram_sensitivity
    patch.setattr(
        released_margins, "histogram_sensitivity", lambda adjacency, unit: honest("add-remove", unit)
    )


@bug("vectors with less noise than stated", drew_vectors_at_their_scale)
def _(patch):
    honest = OpenDPSampler.vector
    patch.setattr(
        OpenDPSampler,
        "vector",
        lambda self, values, noise, scale: honest(self, values, noise, 0.95 * scale),
    )


def enumerated_labels(adjacency="replace"):
    assert worst_share(Labels(ExactRules(), PLAIN, adjacency, 2), (1, 2)) <= 1


def enumerated_one_label():
    """With one point there is no slack for ties."""
    assert worst_share(Labels(ExactRules(), SINGLE, points=1), (1, 2)) <= 1


def replayed_labels():
    replayed(replace(REPLAYED["labels, rules, replace"]), pairs=40)


def replayed_public_fit():
    replayed(replace(REPLAYED["whole fit, labels, replace"]), pairs=20)


def drew_costs_at_their_scale():
    drawn = np.concatenate([draw_costs(1_000, 50.0) for _ in range(20)]).astype(float)
    assert laplace_as_at(50.0, drawn)


@bug("labels priced for a point too few", enumerated_labels)
def _(patch):
    honest = labels.labels_loss
    patch.setattr(
        pricing,
        "labels_loss",
        lambda claim, scale: honest(replace(claim, points=claim.points - 1), scale),
    )


@bug("labels priced for the other neighbours", enumerated_labels, replayed_labels)
def _(patch):
    patch.setattr(label_plan, "error_range", lambda adjacency: 1)


@bug("ties broken by what the records say", enumerated_one_label)
def _(patch):
    """The last labelling instead of the first, if the number of positive records is odd."""
    honest, positive = rules._RulesOnPoints._errors, []

    def errors(self, private, labels):
        positive.append(int((labels == 1).sum()))
        return honest(self, private, labels)

    def last_or_first(objectives, labellings):
        least = np.flatnonzero(objectives == objectives.min())
        return (max if positive[-1] % 2 else min)(least, key=lambda row: labellings[row].tobytes())

    patch.setattr(rules._RulesOnPoints, "_errors", errors)
    patch.setattr(rules, "best_of", last_or_first)


@bug("an oracle that is nearly exact", enumerated_labels)
def _(patch):
    """The runners-up lose more than they should."""
    honest = rules._RulesOnPoints._errors

    def errors(self, private, labels):
        found = honest(self, private, labels)
        return np.maximum(found, found.min() + (found > found.min()) * 2)

    patch.setattr(rules._RulesOnPoints, "_errors", errors)


@bug("Gaussian costs", drew_costs_at_their_scale)
def _(patch):
    """Of the same variance."""
    patch.setattr(labels, "_laplace", lambda scale: vectors_of_noise._gaussian(scale * 2**0.5))


@bug("points chosen from private rows", replayed_public_fit)
def _(patch):
    """The records that the witnesses disagree on are those of the private table."""
    honest, seen = labelling.witnesses_of, []

    def witnesses_of(oracle, schema, public):
        rows = seen[-1].values[:, : public.values.shape[1]]
        padded = np.resize(rows, public.values.shape) if rows.size else public.values
        return honest(oracle, schema, replace(public, values=padded))

    _keep_the_private_table(patch, seen)
    patch.setattr(labelling, "witnesses_of", witnesses_of)


@bug("private rows for public ones", replayed_public_fit)
def _(patch):
    honest, seen = public_label.resolve_schema, []

    def resolve_schema(schema, table):
        seen.append(table)
        return honest(schema, table)

    patch.setattr(public_label, "resolve_schema", resolve_schema)
    patch.setattr(public_label, "opened_public", lambda public: seen[-1])


def _keep_the_private_table(patch, seen):
    honest = public_label.resolve_schema

    def resolve_schema(schema, table):
        found = honest(schema, table)
        seen.append(encode(table, found))
        return found

    patch.setattr(public_label, "resolve_schema", resolve_schema)


LEADER = "leader, leverage, replace"


@bug("leverages not clipped", lambda: replayed_fit(LEADER))
def _(patch):
    """Vectors may then be as long as the norm of a function is small."""

    def records(self, vectors):
        turned = (vectors.astype(np.int64) @ self.axes.T) >> 20
        return np.clip(turned, -(2**15), 2**15 - 1).astype(np.int16)

    patch.setattr(PublicGeometry, "records", records)


@bug("features scaled by private data", lambda: replayed_fit(LEADER))
def _(patch):
    """The longest vector of the table has norm 1."""

    def records(self, vectors):
        turned = (vectors.astype(np.int64) @ self.axes.T) >> 20
        longest = int(np.sqrt((turned**2).sum(axis=1).max(initial=1))) + 1
        return (turned * centring.NORM // longest).astype(np.int16)

    patch.setattr(PublicGeometry, "records", records)


@bug("axes of the private records", lambda: replayed_fit(LEADER))
def _(patch):
    honest, tables = regularized_leader._points, []

    def open_table(table):
        tables.append(table)
        return honest_open(table)

    honest_open = regularized_leader.open_table
    patch.setattr(regularized_leader, "open_table", open_table)
    patch.setattr(regularized_leader, "_points", lambda public, schema: honest(tables[-1], schema))


@bug("solver's gap not charged", leader_problems.within_the_claims)
def _(patch):
    honest = leader_plan.released_l2
    patch.setattr(
        leader_plan,
        "released_l2",
        lambda objective, adjacency, tolerance, grid: honest(objective, adjacency, Fraction(0), grid),
    )


@bug("root of the dimension lost", leader_problems.within_the_claims)
def _(patch):
    """As in the Laplace case of the paper's Lemma 9."""
    patch.setattr(leader_plan, "released_l1", leader_plan.released_l2)


@bug("stability of the other neighbours", leader_problems.within_the_claims)
def _(patch):
    honest = leader_plan.released_l2
    patch.setattr(leader_plan, "released_l2", lambda one, adjacency, *rest: honest(one, "add-remove", *rest))


@bug("a solver that stops early", leader_problems.near_the_minimisers)
def _(patch):
    patch.setattr(minimiser, "_NEWTON_STEPS", 2)
    patch.setattr(minimiser, "is_certified", lambda *_: True)


@bug("a leader without noise in the model", lambda: replayed_fit(LEADER))
def _(patch):
    honest = regularized_leader.release_leader

    def release_leader(plan, records, labels, release):
        honest(plan, records, labels, release)
        point = minimiser.certified_minimiser(plan.objective, records, labels, plan.tolerance)
        return np.array([float(c) for c in point.coordinates])

    patch.setattr(regularized_leader, "release_leader", release_leader)


@bug("Laplace vectors with less noise than stated", drew_laplace_vectors_at_their_scale)
def _(patch):
    honest = OpenDPSampler.vector
    patch.setattr(
        OpenDPSampler, "vector", lambda self, values, noise, scale: honest(self, values, noise, 0.8 * scale)
    )


PROJECTED = "projected halfspace, replace, dense rows"
PROJECTED_FREE = "projected halfspace, add-remove, dense rows"
NET = "projected halfspace, net, replace"


@bug("halved sensitivity of the hinge's sum", lambda: replayed_loop(PROJECTED))
def _(patch):
    honest = fit_plan.hinge_sum_sensitivity
    patch.setattr(fit_plan, "hinge_sum_sensitivity", lambda adjacency, norm: honest(adjacency, norm) // 2)


@bug(
    "halved range of margin errors",
    lambda: replayed_loop(NET),
    enumerated_net,
)
def _(patch):
    patch.setattr(fit_plan, "margin_error_range", lambda adjacency: 2)


@bug("sums in finer units than the noise", lambda: replayed_loop(PROJECTED))
def _(patch):
    patch.setattr(descent, "UNIT", 2 * descent.UNIT)


@bug("projected by a product of float matrices", rows_by_themselves)
def _(patch):
    def vectors(self, points, threads=1):
        rows = dense_rows(points)
        signs = np.unpackbits(self.negative.view(np.uint8), axis=1, bitorder="little")
        projected = rows @ (1 - 2 * signs[:, : self.n_components].astype(np.float32))
        projected *= projection.NORM / np.linalg.norm(projected, axis=1, keepdims=True)
        return projected.astype(np.int16)

    patch.setattr(projection.Projection, "vectors", vectors)


@bug("normalised by the longest row of the table", rows_by_themselves)
def _(patch):
    honest = projection.Projection.vectors

    def vectors(self, points, threads=1):
        norms = np.linalg.norm(dense_rows(points), axis=1)
        return (honest(self, points, threads) * (norms / norms.max())[:, None]).astype(np.int16)

    patch.setattr(projection.Projection, "vectors", vectors)


@bug("matrix drawn from the data", lambda: replayed_fit("projected halfspace, replace, dense rows"))
def _(patch):
    honest = projected_halfspace.ProjectedHalfspaceClassifier.fit

    def fit(self, X, y):
        self.projection_seed = int(np.nan_to_num(X).astype(np.float32).view(np.uint32).sum())
        return honest(self, X, y)

    patch.setattr(projected_halfspace.ProjectedHalfspaceClassifier, "fit", fit)


@bug("n in the step under add-remove", lambda: replayed_loop(PROJECTED_FREE))
def _(patch):
    patch.setattr(fit_plan, "public_size", lambda options, n_records: (None, n_records))
    patch.setattr(harness_points.Descent, "plan_for", with_n_records)


@bug("a sum without noise in the weights", lambda: replayed_loop(PROJECTED))
def _(patch):
    patch.setattr(
        Release,
        "vector",
        lambda self, claim, values, release=Release.vector: (release(self, claim, values), values)[1],
    )


PERTURBED = "perturbed, replace"


@bug("root of the points lost", perturbed_problems.moves_the_furthest)
def _(patch):
    honest = perturbed_plan.released_l2
    patch.setattr(perturbed_plan, "released_l2", lambda moved, n_points, *rest: honest(moved, 1, *rest))


@bug("delta of the perturbations not charged", perturbed_problems.charged_for_noise_and_perturbations)
def _(patch):
    patch.setattr(perturbed_plan.PerturbedPlan, "guarantee", property(lambda plan: plan.price.guarantee))


@bug("one perturbation for all runs", perturbed_problems.rarely_beyond_the_claim)
def _(patch):
    honest = SeededSampler.perturbations
    patch.setattr(
        SeededSampler,
        "perturbations",
        lambda self, n_runs, n_points: np.repeat(honest(self, 1, n_points), n_runs, axis=0),
    )


@bug("perturbations too small", perturbed_problems.drew_perturbations_at_their_scale)
def _(patch):
    patch.setattr(perturbations, "PERTURBATION_SCALE", 0.9 * perturbations.PERTURBATION_SCALE)


@bug("perturbations kept in the model", perturbed_problems.perturbations_stay_secret)
def _(patch):
    honest = perturbed_leader.release_average

    def release_average(plan, points, private, labels, release):
        drawn = release.perturbations
        release.perturbations = lambda *sizes: plan.__dict__.setdefault("costs", drawn(*sizes))
        return honest(plan, points, private, labels, release)

    patch.setattr(perturbed_leader, "release_average", release_average)


def replayed_perturbed():
    """With perturbations of next to nothing, so that one record moves the sums."""
    rng, procedure = np.random.default_rng(0), replace(REPLAYED[f"whole fit, {PERTURBED}"])
    for _ in range(40):
        one, other = neighbours(procedure, rng)
        replay(procedure, one, other, outcomes_on(procedure, one, AnyOutcome(rng)))


@bug("a perturbed leader without noise", replayed_perturbed)
def _(patch):
    honest = Release.vector

    def vector(self, claim, values):
        honest(self, claim, values)
        return values

    patch.setattr(Release, "vector", vector)


STOCHASTIC = "stochastic descent, replace"


def repeats_are_paid():
    """Price what a descent asks the sampler for by itself: draws of one of n, a range of 4 for the choice."""
    n, procedure = 8, replace(REPLAYED[STOCHASTIC], steps=10**6)
    sampler = ReplaySampler([])
    counted = SeededSampler(0)
    sampler.draw = counted.draw
    sampler.vector = lambda *asked: (sampler.asked.append(asked), counted.vector(*asked))[1]
    sampler.select = lambda *asked: (sampler.asked.append(asked), counted.select(*asked))[1]
    procedure.run(tuple(range(n)), sampler)
    spent = [
        (BoundedRange(4 / scale) if noise == "gumbel" else SampledGaussianDP(2**35 / scale, 1 / n), 1)
        for _, noise, scale in sampler.asked
    ]
    stated = procedure.plan_for(n).guarantee
    found = guarantee([(loss, spent.count((loss, 1))) for loss in {loss for loss, _ in spent}], stated.delta)
    assert found.epsilon <= stated.epsilon * (1 + 1e-6), f"epsilon = {found.epsilon:g} is spent"


@bug("one descent of several is paid", repeats_are_paid)
def _(patch):
    honest, take = fit_plan.bill_of_repeats, Release._take
    patch.setattr(
        fit_plan,
        "bill_of_repeats",
        lambda target, steps, choice, n, k: honest(
            target, replace(steps, times=steps.times // k), choice, n, k
        ),
    )

    def endless(self, claim, kind):
        self._left[claim] = 1
        return take(self, claim, kind)

    patch.setattr(Release, "_take", endless)


@bug("the choice among repeats is not paid", repeats_are_paid)
def _(patch):
    patch.setattr(priced, "_losses", lambda terms: [(term.loss, term.times) for term in terms[:1]])


@bug("drawn once in n^2 times", repeats_are_paid)
def _(patch):
    patch.setattr(fit_plan, "draw_distance", lambda n: Fraction(1, n * n))


@bug("halved sensitivity of a drawn record", lambda: replayed_loop(STOCHASTIC))
def _(patch):
    honest = fit_plan.hinge_sum_sensitivity
    patch.setattr(fit_plan, "hinge_sum_sensitivity", lambda adjacency, norm: honest(adjacency, norm) // 2)


@bug("a drawn row in the weights", lambda: replayed_loop(STOCHASTIC))
def _(patch):
    honest = HingeEngine.one_below
    patch.setattr(stochastic, "whole_weights", lambda last: descent.whole_weights(last + rows[-1]))
    rows = []
    patch.setattr(
        HingeEngine,
        "one_below",
        lambda self, *asked: (rows.append(self._signed[asked[0]]), honest(self, *asked))[1],
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
    enumerated_trees,
    *(lambda name=name: replayed_loop(name) for name in REPLAYED if "one-rule" in name),
    *(lambda name=name: replayed_loop(name) for name in (TOPDOWN, GINI, AGREEMENT)),
    *(lambda name=name: replayed_fit(name) for name in FITS),
    lambda: replayed_fit("automatic settings, add-remove"),
    searched_for_cells,
    searched_for_figures,
    searched_an_error,
    lambda: replayed_fit("halfspace, madaboost, replace"),
    *(lambda name=name: replayed_loop(name) for name in (PROJECTED, PROJECTED_FREE, NET)),
    lambda: replayed_fit("projected halfspace, replace, dense rows"),
    lambda: replayed_loop(STOCHASTIC),
    repeats_are_paid,
    rows_by_themselves,
    enumerated_net,
    drew_at_its_scale,
    stopped_at_its_scale,
    drew_vectors_at_their_scale,
    drew_laplace_vectors_at_their_scale,
    lambda: replayed_fit(LEADER),
    leader_problems.within_the_claims,
    leader_problems.near_the_minimisers,
    drew_afresh,
    enumerated_with_a_stop,
    enumerated_on_a_sample,
    payments.charged_before_a_record_is_read,
    payments.refused_before_a_record_is_read,
    payments.paid_when_it_is_let_out,
    payments.spent_although_it_failed,
    payments.nothing_lost_between_spenders,
    enumerated_labels,
    enumerated_one_label,
    lambda: enumerated_labels("add-remove"),
    replayed_labels,
    replayed_public_fit,
    drew_costs_at_their_scale,
    replayed_perturbed,
    perturbed_problems.moves_the_furthest,
    perturbed_problems.charged_for_noise_and_perturbations,
    perturbed_problems.rarely_beyond_the_claim,
    perturbed_problems.drew_perturbations_at_their_scale,
    perturbed_problems.perturbations_stay_secret,
]


@pytest.mark.parametrize("check", SOUND)
def test_without_a_bug_nothing_is_reported(check):
    check()


def test_there_are_at_least_twelve():
    assert len(BUGS) >= 12
