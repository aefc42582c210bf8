"""`plan` says what the theorems say, and refuses by name."""

import math

import pytest

from discreet.errors import OptionError
from discreet.halfspaces import plan, practical
from discreet.theory.projected_halfspaces import DescentTheorem, NetTheorem
from discreet.theory.projected_halfspaces_as_printed import theorem_2, theorem_4


@pytest.mark.parametrize("n", [1, 10_000, 10**6])
def test_a_plan_with_delta_is_that_of_descent(n):
    asked = plan(alpha=0.2, beta=0.1, epsilon=0.5, delta=1e-5, margin=0.4, n=n)
    theorem = DescentTheorem(0.1, 0.5, 1e-5, 0.4)
    assert asked.method == "descent"
    assert asked.proven_records == theorem.n_records(0.2)
    assert (asked.n_components, asked.steps, asked.noise, asked.predicted_error) == (
        theorem.n_components(n),
        theorem.steps(n),
        theorem.sigma(n),
        theorem.error(n),
    )
    assert asked.printed == theorem_2(0.2, 0.1, 0.5, 1e-5, 0.4)
    assert asked.enough == (n >= asked.proven_records)


@pytest.mark.parametrize("n", [1, 10_000, 10**7])
def test_a_plan_without_delta_is_that_of_a_net(n):
    asked = plan(alpha=0.2, beta=0.1, epsilon=0.5, delta=0, margin=0.4, n=n)
    theorem = NetTheorem(0.1, 0.5, 0.4)
    assert (asked.method, asked.noise, asked.predicted_error) == ("net", 4, theorem.error(n))
    assert asked.log10_candidates == pytest.approx(
        theorem.n_components(n) * math.log10(1 + 2 / 0.04), rel=0.01
    )
    assert asked.printed == theorem_4(0.2, 0.1, 0.5, 0.4)
    assert asked.enough == (n >= asked.proven_records)


def test_the_print_has_the_figures_and_no_measurement_that_was_not_made(monkeypatch):
    monkeypatch.setattr(practical, "MEASURED", ())
    asked = plan()
    text = str(asked)
    assert (
        f"proven: n = {asked.proven_records:,} records, projected to m = {asked.proven_components:,}" in text
    )
    assert f"the paper's proof: n = {asked.printed.n_records:,}" in text
    assert text.endswith("not enough for the proof, which says nothing here")
    assert "measured" not in text
    some = plan(margin=0.3, n=50_000)
    assert str(some).endswith(f"not enough for the proof: error at most {some.predicted_error:.2g}")
    assert str(plan(margin=0.3, n=10**6)).splitlines()[-1].startswith("    enough: error at most 0.0")
    assert "candidates, noise 2 on each count" in str(plan(delta=0))


def row(**other):
    measured = {"method": "descent", "error": 0.1, "beta": 0.05, "epsilon": 1.0, "delta": 1e-6, "margin": 0.1}
    return practical.Practical(**{**measured, "n_components": 200, "n_records": 999, "command": "c", **other})


def test_a_measurement_at_least_as_hard_is_shown(monkeypatch):
    easier = [
        row(error=0.2),
        row(beta=0.1),
        row(epsilon=2.0),
        row(delta=1e-5),
        row(margin=0.2),
        row(method="net"),
    ]
    monkeypatch.setattr(practical, "MEASURED", tuple(easier))
    assert plan().practical is None
    monkeypatch.setattr(practical, "MEASURED", (*easier, row(n_records=2000), row(margin=0.05)))
    assert plan().practical == row(margin=0.05)
    assert "measured: n = 999, m = 200 gave error at most 0.1 at margin 0.05, epsilon = 1\n    (c)" in str(
        plan()
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("alpha", value) for value in (0, 1, -1, math.nan)),
        *(("beta", value) for value in (0, 1, math.nan)),
        *(("epsilon", value) for value in (0, -1, math.inf, math.nan)),
        *(("delta", value) for value in (-1e-9, 1, math.nan)),
        *(("margin", value) for value in (0, -0.1, 1.01, math.nan)),
        *(("n", value) for value in (0, 1.5, True)),
    ],
)
@pytest.mark.parametrize("delta", [0, 1e-6])
def test_what_is_out_of_range_is_refused_by_name(option, value, delta):
    with pytest.raises(OptionError, match=rf"^{option} must be"):
        plan(**{"delta": delta, option: value})
