"""The exceptions of discreet, from general to particular.

Every message depends on public facts only: names of columns and options, types and lengths of
containers. None shows a cell, and none is chained to an exception of another library, because those
put cells into their texts (PRIVACY.md 10).

    DiscreetError
        SchemaError        a schema, or a column's declaration, that makes no sense
        OptionError        a hyper-parameter out of its range, or options that exclude each other
        InputError         a table or a label column of the wrong kind, length or columns
        PlanError          parts that cannot be combined, or a budget that no plan can meet
        EngineError        a request that an engine cannot carry out exactly
        ReleaseRefused     a release that the plan did not claim
        NotCertified       an optimiser could not prove that what it found is optimal
        ModelFileError     a model file that is damaged, foreign or from a later version
        LedgerError        a budget that is not there, or used in a way that a ledger does not allow
            BudgetExceeded     a spend that would take an account over its cap; nothing was spent
            LedgerDamaged      a ledger that was edited, cut, rolled back, or is none
            LedgerUnavailable  a ledger that cannot be opened or written: full disk, no permission, no server
        DatasetError       a public data set's file that is absent, damaged or cannot be downloaded
            SplitMissing   a training and test part of a data set that its publisher does not split
        MissingExtra       something that needs a package which is installed on request only
"""

from __future__ import annotations


class DiscreetError(Exception):
    """Base of every error that discreet raises on purpose."""


class SchemaError(DiscreetError, ValueError):
    """A schema, or the declaration of one column, is not valid."""


class OptionError(DiscreetError, ValueError):
    """A hyper-parameter is out of its range, or two options exclude each other."""


class InputError(DiscreetError, TypeError, ValueError):
    """A table or a label column has the wrong kind, length or columns.

    It is a ``TypeError`` as well as a ``ValueError``, because scikit-learn's users catch either.
    """


class PlanError(DiscreetError, ValueError):
    """The chosen parts cannot be combined, or no plan can meet the budget."""


class EngineError(DiscreetError, ValueError):
    """An engine was asked for something that it cannot do exactly."""


class ReleaseRefused(DiscreetError, RuntimeError):
    """Something tried to release what the plan did not claim."""


class NotCertified(DiscreetError, RuntimeError):
    """An oracle did not prove that its answer is optimal, and privacy rests on that."""


class ModelFileError(DiscreetError, ValueError):
    """A model file is damaged, of another kind, or of a later version."""


class LedgerError(DiscreetError, RuntimeError):
    """A ledger has no such account, or is used in a way that it does not allow."""


class BudgetExceeded(LedgerError):
    """A spend would take its account over the cap; it was refused, and nothing was spent."""


class LedgerDamaged(LedgerError):
    """A ledger was edited, cut or rolled back, or is none."""


class LedgerUnavailable(LedgerError):
    """A ledger cannot be opened, read or written."""


class DatasetError(DiscreetError):
    """The file of a public data set is absent, damaged, or cannot be downloaded or kept."""


class SplitMissing(DatasetError, AttributeError):
    """Somebody asked for the training or test part of a data set that its publisher does not split.

    It is an ``AttributeError`` as well, so that ``hasattr`` tells whether there is a split.
    """


class MissingExtra(DiscreetError, ImportError):
    """Something needs a package that is installed on request only.

    Parameters
    ----------
    what : str
        What needs it.
    extra : str
        The extra that has it.
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} needs more packages: pip install "discreet[{extra}]"')
