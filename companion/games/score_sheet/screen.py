"""What pages about the score sheet tell."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.score_sheet.model import MAX_POINTS, MAX_ROW_NAME, MAX_ROWS, MAX_TITLE


@dataclass(frozen=True, slots=True)
class Numbers:
    """The limits of a sheet, so that the words of its page cannot drift from the rules."""

    points: int = MAX_POINTS
    rows: int = MAX_ROWS
    row_name: int = MAX_ROW_NAME  # characters
    title: int = MAX_TITLE
