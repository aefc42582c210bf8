"""What a benchmark needs beside the estimators: measures, tables of text, public tables.

`discreet bench` and the scripts in the repository's folder ``benchmarks/peers`` share it. Everything here
sees public tables only, and needs nothing but what the package itself needs.
"""
