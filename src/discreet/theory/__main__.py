"""Print the tables of docs/theory.md."""

from discreet.theory.tables import TABLES

for name, table in TABLES.items():
    print(f"{name}\n\n{table()}\n")
