"""No measure, weak learner or mechanism of the package is missing from the harness."""

import inspect
import sys
from typing import get_type_hints

import pytest

from discreet.mechanisms.claims import NOISE, Claim
from discreet.mechanisms.release import Release
from tests.contracts.test_kinds_of_code import MODULES
from tests.harness.proof_pages import pages
from tests.harness.registered import ENUMERATED, PARTS, REPLAYED, VECTOR_PARTS
from tests.harness.universes import PLAIN

MEASURE = {"bounds", "weights"}
LEARNER = {"claims", "propose", "n_candidates"}


def classes(package, methods):
    """Every class of a package that has these methods and is no protocol."""
    for module in MODULES:
        if module.startswith(package):
            __import__(module)
            for name, found in inspect.getmembers(sys.modules[module], inspect.isclass):
                own = found.__module__ == module and methods <= set(dir(found))
                if own and not getattr(found, "_is_protocol", False):
                    yield name


def unregistered(package, methods, registered):
    return set(classes(package, methods)) - {type(part).__name__ for part in registered}


def test_every_measure_is_registered():
    measures = [part.measure(3) for part in PARTS]
    assert unregistered("discreet.boosting.reweighting", MEASURE, measures) == set()
    assert unregistered("discreet.boosting.reweighting", MEASURE, measures[:1]) == {
        "ClassWeights",
        "LazyBregman",
        "SmoothBoost",
    }


def test_every_weak_learner_is_registered():
    learners = [part.learner(PLAIN.schema) for part in (*PARTS, *VECTOR_PARTS)]
    assert unregistered("discreet.boosting.weak_learners", LEARNER, learners) == set()
    assert unregistered("discreet.boosting.weak_learners", LEARNER, learners[:1]) == {
        "Centring",
        "LevelwiseTree",
        "TopDownTree",
    }


def test_every_release_is_enumerated_or_replayed():
    """A mechanism is a method of Release with a kind of noise. Vectors have too many values to enumerate."""
    methods = {name for name in vars(Release) if not name.startswith("_")} - {"claims"}
    kinds = set(get_type_hints(Claim)["kind"].__args__)
    # Draws are secret: they release nothing.
    secret = {"draw", "perturbations"}
    assert methods == {"select", "select_per_leaf", "threshold_test", "vector", "labels", *secret}
    assert kinds == {"selection", "selections", "threshold", "vector", "labels"}
    enumerated, replayed = (
        {(term.claim.kind, term.noise) for procedure in procedures for term in procedure.plan_for(2).terms}
        for procedures in ([registered.procedure for registered in ENUMERATED], REPLAYED.values())
    )
    every = {(kind, noise) for (kind, _), noise in NOISE.items()}
    assert enumerated == {each for each in every if each[0] != "vector"}
    assert enumerated | replayed == every


def test_every_pair_of_parts_is_replayed():
    parts = (*PARTS, *VECTOR_PARTS)
    wanted = {f"{part.name}, {adjacency}" for part in parts for adjacency in part.adjacencies}
    assert wanted <= REPLAYED.keys()


def test_every_halfspace_has_a_page_and_says_so():
    for part in VECTOR_PARTS:
        (term,) = REPLAYED[f"{part.name}, replace"].plan_for(2).terms
        assert term.claim.proof == f"docs/proofs/{part.page}"
        assert part.page.removesuffix(".md") in pages()


@pytest.mark.parametrize("registered", ENUMERATED, ids=lambda registered: registered.name)
def test_every_procedure_has_a_page_and_says_so(registered):
    assert registered.page.removesuffix(".md") in pages()
    for term in registered.procedure.plan_for(2).terms:
        assert term.claim.proof.removeprefix("docs/proofs/").removesuffix(".md") in pages()
