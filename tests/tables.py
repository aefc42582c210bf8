"""Small tables that several tests learn from."""

import numpy as np
import pandas as pd

from discreet import Boolean, Categorical, Numeric, Schema, Target

SCHEMA = Schema(
    {
        "age": Numeric(17, 90, bins=20),
        "sex": Categorical(["Female", "Male"]),
        "smoker": Boolean(),
    },
    target=Target("income", classes=["<=50K", ">50K"]),
)


def people(n, seed=0):
    """Income follows age and smoking; sex is noise. Returns (table, labels)."""
    rng = np.random.default_rng(seed)
    age, smoker = rng.integers(17, 91, n), rng.random(n) < 0.3
    rich = (age > 45) ^ smoker ^ (rng.random(n) < 0.05)
    table = pd.DataFrame({"age": age, "sex": rng.choice(["Female", "Male"], n), "smoker": smoker})
    return table, pd.Series(np.where(rich, ">50K", "<=50K"), name="income")
