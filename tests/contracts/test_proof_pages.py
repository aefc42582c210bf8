"""Every private procedure has a page that somebody read against the code as it is."""

import ast
from pathlib import Path

import pytest

from tests.contracts.test_kinds_of_code import MODULES, kind_of
from tests.harness.proof_pages import bare, code_of, pages

PAGES = pages()
SECTIONS = ("Claim", "Sensitivity", "Proof", "Composition", "References", "What checks it", "Covers")

# Protocols, and packages without code of their own.
WITHOUT_PROOF = {
    "discreet.boosting.reweighting.base": "a protocol",
    "discreet.boosting.weak_learners.base": "a protocol",
    "discreet.boosting.options": "checks options, sees no record",
    "discreet.boosting.defaults": "settles options from public numbers: accuracy, not privacy",
    "discreet.accounting.adjacency": "two words and their meaning",
    "discreet.testing": "names the samplers that void a guarantee",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_all_its_parts(name):
    page = PAGES[name]
    assert [title for title in SECTIONS if not page.section(title)] == []
    missing = [check for check in page.checks if not (Path(__file__).parents[2] / check).is_file()]
    assert missing == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_was_read_against_the_code_as_it_is(name):
    page = PAGES[name]
    assert page.stamp == page.digest(), (
        f"{', '.join(page.covers)}: this code changed after docs/proofs/{name}.md was read. Read the page "
        f"against it, mend what is no longer true, then: python -m tests.harness.proof_pages {name}"
    )


def test_private_code_is_covered():
    private = {
        module
        for module, tree in MODULES.items()
        if kind_of(module) in ("engine", "vocabulary", "scoring", "release", "accounting")
        or module.startswith("discreet.boosting.")
        if not all(
            isinstance(line, ast.Expr | ast.Import | ast.ImportFrom | ast.Assign) for line in tree.body
        )
    }
    covered = {name for page in PAGES.values() for name in page.covers}
    assert private - covered - WITHOUT_PROOF.keys() == set()
    assert WITHOUT_PROOF.keys() <= MODULES.keys()


def test_the_index_lists_every_page():
    index = (Path(__file__).parents[2] / "docs" / "proofs" / "README.md").read_text()
    assert [name for name in PAGES if f"]({name}.md)" not in index] == []


def test_a_digest_sees_code_and_nothing_else():
    one = 'def f(x):\n    """Add one."""\n    return x + 1  # one more\n'
    same = "\ndef f(x):\n\n    # Not what it says.\n    return x + 1\n"
    other = 'def f(x):\n    """Add one."""\n    return x + 2  # one more\n'
    moved = "def f(x):\n    pass\nreturn x + 1\n"
    assert bare(one) == bare(same) == "def f(x):\n    return x + 1"
    assert bare(one) != bare(other)
    assert bare(one) != bare(moved)
    assert code_of("discreet.boosting.reweighting.madaboost.BITS") == "BITS = 20"
    assert code_of("discreet.boosting.weak_learners.one_rule.OneRule.n_candidates").startswith(
        "    @property"
    )
    with pytest.raises(LookupError):
        code_of("discreet.boosting.reweighting.madaboost.BYTES")
