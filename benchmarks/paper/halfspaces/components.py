"""How many components? More lose fewer records to the projection, but let more noise into the unit ball.

    python -m benchmarks.paper.halfspaces.components [--seeds 10]

In 2,000 columns, on the source on which a mean is enough and on the one on which it is not. Writes
results/components.csv.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
import pandas as pd

from benchmarks.paper.halfspaces.dimension import RESULTS, projected, source_of

COLUMNS = 2000
COMPONENTS = (32, 64, 128, 256, 512, 1024)
RECORDS = (500, 1000, 2000)


def main() -> None:
    """Print and write the error of each fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    rows = []
    for name, n, seed in itertools.product(("exact", "pulled"), RECORDS, range(arguments.seeds)):
        random = np.random.default_rng([seed, n])
        source = source_of(name, COLUMNS, random)
        X, y = source.draw(n, random)
        for m in COMPONENTS:
            rows.append((name, n, m, seed, source.error(projected(X, y, m, seed))))
            print(*rows[-1], flush=True)
    table = pd.DataFrame(rows, columns=["source", "records", "components", "seed", "error"])
    table.to_csv(RESULTS / "components.csv", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
