"""The loops over rows of numbers: to whole numbers, through a matrix of signs, to vectors of one length.

A row is decided by itself, in integers, so that its vector is the same whatever rows stand beside it, in
whatever order they come, and whether zeros are written down or left out. Only the scale of a row is read off
floats, and that is the exponent of its largest number: a power of two, by which one multiplies without
rounding.
"""

from __future__ import annotations

import math

import numpy as np

from discreet.engines.compiled import kernel

SHORT_BITS = 24
"""A projected row is cut to numbers of so many bits before its norm is taken: 2^14 squares fit 62 bits."""

_LARGEST = np.finfo(np.float64).max
_LEAST_EXPONENT = -900
"""Smaller rows count as zero; the scale of any other is a float, and so is its inverse."""

_WORD = 64
_ALL_BUT_ONE = 2**63 - 1

ALL, SIGNS, SPARSE_SIGNS = 0, 1, 2
"""What a row goes through: nothing, a matrix of signs, a matrix of signs and zeros."""


@kernel
def clean(value):  # type: ignore[no-untyped-def]
    """Read one number: nan is 0, an infinity is the largest number."""
    if math.isnan(value):
        return 0.0
    return min(max(value, -_LARGEST), _LARGEST)


@kernel
def scale_of(values, bits):  # type: ignore[no-untyped-def]
    """Return the power of two by which the largest number of a row has so many bits; 0 for a zero row."""
    largest = 0.0
    for value in values:
        largest = max(largest, abs(clean(value)))
    _, exponent = math.frexp(largest)
    if largest == 0.0 or exponent < _LEAST_EXPONENT:
        return 0.0
    return math.ldexp(1.0, bits - exponent)


@kernel
def whole(value, scale):  # type: ignore[no-untyped-def]
    """Return a number in steps of its row, truncated toward zero."""
    return np.int64(clean(value) * scale)


@kernel
def constant_of(values, scale, bits, coarse):  # type: ignore[no-untyped-def]
    """Return the coordinate that stands for the intercept: as long as the row, in its steps.

    Squares are added up in steps 2^coarse times as large, so that those of a whole row fit 62 bits.
    """
    if scale == 0.0:
        return np.int64(1) << bits
    squares = np.int64(0)
    for value in values:
        part = abs(whole(value, scale)) >> coarse
        squares += part * part
    return _root(squares) << coarse


@kernel
def _root(square):  # type: ignore[no-untyped-def]
    """Return the smallest whole number whose square is no smaller."""
    root = np.int64(math.sqrt(np.float64(square)))
    while root * root < square:
        root += 1
    while root > 0 and (root - 1) * (root - 1) >= square:
        root -= 1
    return root


@kernel
def _add_through_signs(numbers, columns, negative, sums):  # type: ignore[no-untyped-def]
    """Add up a row through signs: the sum of its numbers, less twice that of those whose sign is negative.

    Four numbers at a time, so that a component is read and written once for all four.
    """
    count = len(numbers)
    n_words = negative.shape[1]
    last = count - count % 4
    for i in range(0, last, 4):
        a, b, c, d = numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]
        for place in range(n_words):
            p, q = negative[columns[i], place], negative[columns[i + 1], place]
            r, s = negative[columns[i + 2], place], negative[columns[i + 3], place]
            for bit in range(_WORD):
                sums[place * _WORD + bit] += (
                    (a & -((p >> bit) & 1))
                    + (b & -((q >> bit) & 1))
                    + (c & -((r >> bit) & 1))
                    + (d & -((s >> bit) & 1))
                )
    for i in range(last, count):
        for place in range(n_words):
            p = negative[columns[i], place]
            for bit in range(_WORD):
                sums[place * _WORD + bit] += numbers[i] & -((p >> bit) & 1)
    total = np.int64(0)
    for number in numbers:
        total += number
    for k in range(len(sums)):
        sums[k] = total - 2 * sums[k]


@kernel
def _add_through_few_signs(number, column, negative, present, sums):  # type: ignore[no-untyped-def]
    """Add one number of a row, in its column, to the components where the matrix is not 0."""
    for place in range(negative.shape[1]):
        signs = negative[column, place]
        first = place * _WORD
        there = present[column, place]
        bit = 0
        while there != 0:
            if there & 1:
                sums[first + bit] += -number if (signs >> bit) & 1 else number
            there = (there >> 1) & _ALL_BUT_ONE
            bit += 1


@kernel
def _shorten(sums, norm, vector):  # type: ignore[no-untyped-def]
    """Bring a row of sums to this norm, truncating toward zero; zero stays zero.

    With ``root`` the norm rounded up, abs(u) norm // root is at most abs(u) norm / |u| in each coordinate.
    """
    n_components = len(vector)
    largest = np.int64(0)
    for k in range(n_components):
        largest = max(largest, abs(sums[k]))
    down, up = 0, 0
    while (largest >> down) >= (1 << SHORT_BITS):
        down += 1
    while 0 < (largest << up) < (1 << (SHORT_BITS - 1)):
        up += 1
    squares = np.int64(0)
    for k in range(n_components):
        part = (abs(sums[k]) >> down) << up
        squares += part * part
    root = max(_root(squares), np.int64(1))
    for k in range(n_components):
        part = ((abs(sums[k]) >> down) << up) * norm // root
        vector[k] = np.int16(-part if sums[k] < 0 else part)


@kernel
def project(  # type: ignore[no-untyped-def]
    values, bounds, columns, bits, coarse, through, negative, present, intercept, norm, vectors
):
    """Make the vector of each row."""
    sums = np.zeros(max(vectors.shape[1], negative.shape[1] * _WORD), dtype=np.int64)
    longest = 1
    for i in range(len(vectors)):
        longest = max(longest, bounds[i + 1] - bounds[i] + 1)
    numbers, places = np.empty(longest, dtype=np.int64), np.empty(longest, dtype=np.int64)
    for i in range(len(vectors)):
        row = values[bounds[i] : bounds[i + 1]]
        scale = scale_of(row, bits)
        count = 0
        for place in range(len(row)):
            number = whole(row[place], scale)
            if number != 0:
                numbers[count] = number
                places[count] = columns[bounds[i] + place] if len(columns) else place
                count += 1
        if intercept >= 0:
            numbers[count] = constant_of(row, scale, bits, coarse)
            places[count] = intercept
            count += 1
        sums[:] = 0
        if through == SIGNS:
            _add_through_signs(numbers[:count], places[:count], negative, sums)
        for place in range(count if through != SIGNS else 0):
            if through == ALL:
                sums[places[place]] += numbers[place]
            else:
                _add_through_few_signs(numbers[place], places[place], negative, present, sums)
        _shorten(sums, norm, vectors[i])


@kernel
def score(  # type: ignore[no-untyped-def]
    values, bounds, columns, bits, coarse, coefficients, intercept, scores
):
    """Add up each row times the coefficients, in the order of its columns, divided by the row's norm.

    In floats: for predictions only. What is 0 is passed over, so zeros may be written down or left out.
    """
    for i in range(len(scores)):
        row = values[bounds[i] : bounds[i + 1]]
        scale = scale_of(row, bits)
        product, square = 0.0, 0.0
        for place in range(len(row)):
            number = np.float64(whole(row[place], scale))
            if number != 0.0:
                column = columns[bounds[i] + place] if len(columns) else place
                product += coefficients[column] * number
                square += number * number
        if intercept >= 0:
            constant = np.float64(constant_of(row, scale, bits, coarse))
            product += coefficients[intercept] * constant
            square += constant * constant
        scores[i] = product / math.sqrt(square) if square > 0.0 else 0.0


@kernel
def add_up(negative, present, sparse, weights, coefficients):  # type: ignore[no-untyped-def]
    """Set each coefficient to the sum of the weights with the signs of its column."""
    for column in range(len(coefficients)):
        total = np.int64(0)
        for k in range(len(weights)):
            word, bit = k // _WORD, k % _WORD
            if not sparse or (present[column, word] >> bit) & 1:
                sign = -((negative[column, word] >> bit) & 1)
                total += (weights[k] ^ sign) - sign
        coefficients[column] = total
