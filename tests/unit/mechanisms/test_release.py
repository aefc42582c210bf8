import numpy as np
import pytest

from discreet.accounting import PureDP
from discreet.errors import ReleaseRefused
from discreet.mechanisms.claims import Claim, Terms
from discreet.mechanisms.rehearsal import Raised, ReplaySampler, SeededSampler, enumerate_outcomes
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler, use_sampler
from discreet.testing import seeded_noise

CLAIM = Claim("selection", "range", 4, 1, "test")
OTHER = Claim("selection", "range", 2, 1, "test")
TERMS = Terms(CLAIM, 2, "exponential", 4.0, PureDP(1.0))
SCORES = np.array([1, 2, 3], dtype=np.int64)
FLAT = np.zeros(3)


def test_refuses_what_the_plan_did_not_claim():
    release = Release([TERMS], ReplaySampler([0]))
    with pytest.raises(ReleaseRefused, match="does not claim"):
        release.select(OTHER, SCORES, FLAT)


LEAVES = Terms(Claim("selections", "range", 4, 1, "test"), 2, "exponential", 4.0, PureDP(1.0))


def test_a_selection_in_each_leaf_is_one_release():
    sampler = ReplaySampler([0, 2, 1, 1, 1, 1])
    release = Release([LEAVES], sampler)
    rows = np.stack([SCORES, SCORES * 0, -SCORES])
    assert release.select_per_leaf(LEAVES.claim, rows, FLAT).tolist() == [0, 2, 1]
    assert [asked.scores.tolist() for asked in sampler.asked] == rows.tolist()
    release.select_per_leaf(LEAVES.claim, rows, FLAT)
    with pytest.raises(ReleaseRefused, match="2 releases are used up"):
        release.select_per_leaf(LEAVES.claim, rows, FLAT)


def test_one_kind_of_release_is_not_taken_for_the_other():
    release = Release([TERMS, LEAVES], ReplaySampler([0, 0]))
    with pytest.raises(ReleaseRefused, match=r"does not claim this selection$"):
        release.select(LEAVES.claim, SCORES, FLAT)
    with pytest.raises(ReleaseRefused, match="does not claim this selections"):
        release.select_per_leaf(CLAIM, SCORES[None], FLAT)


@pytest.mark.parametrize("scores", [SCORES, SCORES[None].astype(float), SCORES[None, :2]])
def test_refuses_leaves_without_exact_scores(scores):
    with pytest.raises(ReleaseRefused, match=r"int64|a row of scores"):
        Release([LEAVES], ReplaySampler([0])).select_per_leaf(LEAVES.claim, scores, FLAT)


def test_refuses_one_release_too_many():
    release = Release([TERMS], ReplaySampler([0, 1, 2]))
    assert [release.select(CLAIM, SCORES, FLAT) for _ in range(2)] == [0, 1]
    with pytest.raises(ReleaseRefused, match="2 releases are used up"):
        release.select(CLAIM, SCORES, FLAT)


@pytest.mark.parametrize("scores", [SCORES.astype(float), SCORES.astype(np.int32), SCORES[:2], SCORES[None]])
def test_refuses_scores_that_are_not_exact_integers_one_a_candidate(scores):
    with pytest.raises(ReleaseRefused, match="int64"):
        Release([TERMS], ReplaySampler([0])).select(CLAIM, scores, FLAT)


def test_the_base_measure_is_a_rounded_constant_per_candidate():
    sampler = ReplaySampler([0, 0])
    release = Release([TERMS], sampler)
    release.select(CLAIM, SCORES, np.log([0.5, 0.25, 1.0]))
    release.select(CLAIM, SCORES + 100, np.log([0.5, 0.25, 1.0]))
    assert sampler.asked[0].scores.tolist() == [
        1 - 3,
        2 - 6,
        3,
    ]  # round(4 ln .5) = -3, round(4 ln .25) = -6
    assert (sampler.asked[1].scores - sampler.asked[0].scores).tolist() == [100] * 3


def test_the_base_measure_is_limited_at_2_to_the_61():
    sampler = ReplaySampler([0])
    at_the_limit = np.array([0.0, -(2.0**61) / 4, 0.0])
    Release([TERMS], sampler).select(CLAIM, SCORES, at_the_limit)
    assert sampler.asked[0].scores.tolist() == [1, 2 - 2**61, 3]
    with pytest.raises(ReleaseRefused, match="64-bit"):
        Release([TERMS], ReplaySampler([0])).select(CLAIM, SCORES, at_the_limit * (1 + 1e-15))


def test_refuses_a_base_measure_beyond_64_bits():
    with pytest.raises(ReleaseRefused, match="64-bit"):
        Release([TERMS], ReplaySampler([0])).select(CLAIM, SCORES, np.array([0.0, -1e30, 0.0]))


def test_seeded_noise_is_confined_to_its_block_and_says_so():
    assert current_sampler()[1] is None
    with seeded_noise(1):
        assert current_sampler()[1] == "seeded noise"
    assert current_sampler()[1] is None


def test_a_sampler_in_place_of_opendp_s_voids_whatever_it_says_of_itself():
    class Sly(SeededSampler):
        reason = None

    with use_sampler(Sly(0)):
        assert current_sampler()[1] == "noise that is not OpenDP's"


def test_enumeration_walks_every_path_and_sums_to_one():
    def run(sampler):
        release = Release([TERMS], sampler)
        first = release.select(CLAIM, SCORES, FLAT)
        release.select(CLAIM, SCORES * (first + 1), FLAT)
        return "public"

    outcomes = enumerate_outcomes(run)
    assert set(outcomes) == {((i, j), "public") for i in range(3) for j in range(3)}
    assert abs(sum(outcomes.values()) - 1) < 1e-12
    # After a first outcome of 2 the scores are three times as far apart.
    p = {path: probability for (path, _), probability in outcomes.items()}
    assert p[2, 0] / p[2, 2] < p[0, 0] / p[0, 2]


def test_an_exception_is_an_output_and_the_limits_of_the_enumeration_are_not():
    def run(sampler):
        chosen = Release([TERMS], sampler).select(CLAIM, SCORES, FLAT)
        return ("low", 1 // chosen)

    outcomes = enumerate_outcomes(run)
    raised = Raised("ZeroDivisionError", "integer division or modulo by zero")
    assert set(outcomes) == {((0,), raised), ((1,), ("low", 1)), ((2,), ("low", 0))}
    for scores in (np.zeros(17, dtype=np.int64), SCORES * 10_000):
        with pytest.raises(ValueError, match="the error is proven"):
            enumerate_outcomes(lambda sampler, scores=scores: sampler.select(scores, "exponential", 4.0))
