"""The combination table is what the plans say, and the plans what the parts declare."""

from pathlib import Path

import pytest

from discreet.boosting.options import REWEIGHTINGS
from discreet.errors import DiscreetError
from discreet.estimators import combinations

PAGE = Path(__file__).parents[3] / "docs" / "combinations.md"


def test_the_page_is_what_the_command_prints():
    assert PAGE.read_text(encoding="utf-8") == combinations.document(), (
        "python -m discreet.estimators.combinations > docs/combinations.md"
    )


def test_every_pair_is_there_once():
    listed = [row[:3] for row in combinations.rows()]
    wanted = {
        (estimator, reweighting, adjacency)
        for estimator in combinations.BOOSTED
        for reweighting in REWEIGHTINGS
        for adjacency in ("replace", "add-remove")
    }
    assert len(listed) == len(set(listed))
    assert set(listed) == wanted


@pytest.mark.parametrize("row", [*combinations.rows()], ids=lambda row: ", ".join(row[:3]))
def test_a_line_is_the_claims_of_the_parts(row):
    """Made again from the measure's bounds and the weak learner's claims, without a plan."""
    name, reweighting, adjacency, each, _ = row
    model = combinations.BOOSTED[name](
        schema=combinations.SCHEMA, reweighting=reweighting, adjacency=adjacency
    )
    options = model._options_type.checked(model.get_params(deep=False))
    n = combinations.N_RECORDS
    if each.startswith("refused: "):
        with pytest.raises(DiscreetError) as refusal:
            model._assemble(options, combinations.SCHEMA, n)
        assert each == f"refused: {refusal.value}"
        return
    parts = model._assemble(options, combinations.SCHEMA, n)
    bounds = parts.measure.bounds(adjacency, n)
    declared = [claim.bound / (bounds.cap * claim.unit) for claim in parts.learner.claims(bounds)]
    assert [f"{bound:.6g}" for bound in declared] == [part.split()[-1] for part in each.split(", ")]


def test_class_weights_change_no_line():
    assert list(combinations.rows(class_weight={False: 0.3})) == list(combinations.rows())
