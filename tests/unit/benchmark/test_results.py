import dataclasses
import math

from benchmarks.peers.contestants import CONTESTANTS
from benchmarks.peers.results import DONE, Result, ResultsFile, read_results
from benchmarks.peers.run import batches
from benchmarks.peers.summary import duels, representative, rows_of
from benchmarks.peers.tables import FOLDS


def result(contestant="discreet rules", epsilon=1.0, fold=0, accuracy=0.9, outcome=DONE, table="adult"):
    return Result(
        table=table,
        contestant=contestant,
        epsilon=epsilon,
        delta=1e-5,
        adjacency="replace",
        fold=fold,
        outcome=outcome,
        accuracy=accuracy,
        auc=accuracy,
        log_loss=0.3,
        brier=0.1,
        columns_used=7.0,
        seconds=0.5,
        n_train=100,
        n_test=50,
        software='a "package", 1.0',
        machine="a processor, 2 cores",
    )


def test_what_is_written_is_read(tmp_path):
    out = ResultsFile(tmp_path / "results.csv")
    lines = [
        result(),
        result(epsilon=math.inf, fold=3),
        result(outcome="ValueError: x, y", accuracy=math.nan),
    ]
    for line in lines:
        out.append(line)
    assert str(read_results(tmp_path / "results.csv")) == str(lines)


def test_a_new_run_knows_what_is_there(tmp_path):
    path = tmp_path / "results.csv"
    ResultsFile(path).append(result())
    again = ResultsFile(path)
    assert result().key in again
    assert result(fold=1).key not in again
    assert len(read_results(path)) == 1


def test_half_a_line_is_run_again(tmp_path):
    path = tmp_path / "results.csv"
    out = ResultsFile(path)
    for fold in range(2):
        out.append(result(fold=fold))
    for torn in (1, 20, 60):
        path.write_text(path.read_text()[:-torn])
        again = ResultsFile(path)
        assert result(fold=0).key in again
        assert result(fold=1).key not in again
        again.append(result(fold=1))
        assert [line.fold for line in read_results(path)] == [0, 1]


def test_batches_leave_out_what_is_done(tmp_path):
    out = ResultsFile(tmp_path / "results.csv")
    everything = list(batches(["adult"], CONTESTANTS, (0.1, 1.0, 3.0), out))
    assert all(len(batch.cells) == FOLDS for batch in everything if not batch.contestant.is_private)
    # The budgets that are wanted first come first, for every contestant.
    assert [batch.cells[0][0] for batch in everything[: len(CONTESTANTS)]].count(3.0) == 0
    for fold in range(FOLDS):
        out.append(result("XGBoost depth 6", math.inf, fold))
        out.append(result("DP-EBM", 0.1, fold))
    left = list(batches(["adult"], CONTESTANTS, (0.1, 1.0, 3.0), out))
    cells = {(batch.contestant.name, *cell) for batch in left for cell in batch.cells}
    assert len(cells) == sum(len(batch.cells) for batch in everything) - 2 * FOLDS
    assert ("DP-EBM", 0.1, 0) not in cells
    assert ("DP-EBM", 1.0, 0) in cells
    assert not any(name == "XGBoost depth 6" for name, *_ in cells)


def test_the_best_of_ours_stands_for_us_except_on_adult():
    def rows(table):
        means = {"discreet rules": 0.8, "discreet trees": 0.85, "discreet halfspace": 0.7, "DP-EBM": 0.82}
        lines = [
            result(name, 1.0, k, mean, table=table) for name, mean in means.items() for k in range(FOLDS)
        ]
        return rows_of(lines)[table]

    assert representative("adult", rows("adult"), 1.0).contestant == "discreet rules"
    assert representative("fair", rows("fair"), 1.0).contestant == "discreet trees"
    (duel,) = duels("adult", rows("adult"), 1.0)
    assert not duel.is_won
    assert duel.accuracy.mean < 0
    (duel,) = duels("fair", rows("fair"), 1.0)
    assert duel.is_won


def test_folds_are_paired_by_number_not_by_order():
    ours = [result(fold=k, accuracy=0.8 + k / 100) for k in range(FOLDS)]
    theirs = [
        dataclasses.replace(line, contestant="DP-EBM", accuracy=line.accuracy - 0.01)
        for line in reversed(ours)
    ]
    (duel,) = duels("adult", rows_of(ours + theirs)["adult"], 1.0)
    assert duel.accuracy.high - duel.accuracy.low < 1e-9


def test_nothing_is_compared_before_all_folds_are_there():
    lines = [result("discreet rules", 1.0, k) for k in range(FOLDS)]
    lines += [result("DP-EBM", 1.0, k) for k in range(FOLDS - 1)]
    lines.append(result("DP-EBM", 1.0, FOLDS - 1, math.nan, "no answer within 900 s"))
    assert duels("adult", rows_of(lines)["adult"], 1.0) == []
    # On Fair the best of three is taken, which needs all three.
    assert (
        representative(
            "fair", rows_of([dataclasses.replace(one, table="fair") for one in lines])["fair"], 1.0
        )
        is None
    )


def test_a_peer_under_add_remove_meets_both_of_ours():
    names = ("discreet rules", "discreet rules, add/remove", "DP-EBM", "diffprivlib LR, bins")
    lines = [result(name, 1.0, k, 0.9) for name in names for k in range(FOLDS)]
    fought = duels("adult", rows_of(lines)["adult"], 1.0)
    pairs = [(duel.ours.contestant, duel.theirs.contestant) for duel in fought]
    assert pairs == [(names[0], names[2]), (names[1], names[2]), (names[0], names[3])]
