"""How far one record can move what the learners of projected halfspaces release, next to the proof.

Margin errors of a net (PRIVACY.md 7). Candidate w has as its count the number of records with
y<w, x> below a public threshold. Whether a record counts is a function of that record and of w alone: the
projection and the net are public, and a vector is made from its record alone. A record outside the classes
counts for no candidate.

* Replace one record: the old one leaves each count by 0 or 1, the new one adds 0 or 1. So every count moves
  by -1, 0 or 1, and both ends can be reached at once, by different candidates: for records x and -x of equal
  labels, w = x gains and w = -x loses. The range is 2.
* Add or remove one: all counts move in the same direction, by 0 or 1. The range is 1.

OpenDP's map charges for even ranges only. So a score is -2 times a count, and its range twice that of counts.

The hinge's sum. For a released w, G(w) is the sum of y x over the records with y<w, x> below a public
threshold. A record adds its y x or nothing, by a rule that looks at this record and w alone: a vector of
norm at most ``norm``. A record outside the classes adds nothing.

* Replace one record: G loses one such vector and gains another. It moves by at most 2 norm, which records
  x and -x of equal labels reach.
* Add or remove one: by at most norm.

One drawn record. Of n records one is drawn uniformly, and its y x or nothing is released: as a function of
what is drawn, a vector of norm at most ``norm``. Another record in its place moves it by at most 2 norm.
Replacing one record of the table moves the distribution of the draw by 1/n in total variation.
"""

from __future__ import annotations

from fractions import Fraction

from discreet.accounting.adjacency import Adjacency

SCORE = -2
"""What one margin error adds to a candidate's score."""


def hinge_sum_sensitivity(adjacency: Adjacency, norm: int) -> int:
    """Return the largest L2 norm of G'(w) - G(w) over neighbours, for vectors of at most this norm."""
    return norm * (1 if adjacency == "add-remove" else 2)


def margin_error_range(adjacency: Adjacency) -> int:
    """Return the largest max_w (q'-q)(w) - min_w (q'-q)(w) over neighbours, for scores q = SCORE * count."""
    return abs(SCORE) * (1 if adjacency == "add-remove" else 2)


def draw_distance(n_records: int) -> Fraction:
    """Return how far one replaced record moves a uniform draw of one record, in total variation."""
    return Fraction(1, n_records)
