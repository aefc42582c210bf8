"""A table that its holder declares public: the only one that diagnostics look at."""

from __future__ import annotations

from typing import Any

from discreet.errors import OptionError


class PublicTable:
    """Records and labels that anybody may see.

    Diagnostics are exact statistics of the records they are computed on. On the training table they would
    be a leak that no budget paid for, so they take nothing but a table that is declared public in so many
    words: published data, or data that was made up.

    Parameters
    ----------
    X : table
        As for ``fit``.
    y : column
        The labels. Records with a label outside the classes are left out.
    public : bool
        Must be written out as ``public=True``.

    Examples
    --------
    >>> PublicTable([[1.0], [2.0]], ["no", "yes"], public=True)
    PublicTable(public=True)
    """

    def __init__(self, X: Any, y: Any, *, public: bool) -> None:
        if public is not True:
            raise OptionError(
                "a PublicTable needs public=True: diagnostics are exact statistics of its records, and "
                "nothing protects them"
            )
        self.X = X
        self.y = y

    def __repr__(self) -> str:
        return "PublicTable(public=True)"
