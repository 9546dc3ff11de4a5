"""How well a passage answers, in words and in figures."""

from enum import IntEnum


class Grade(IntEnum):
    """The names stand for these figures wherever a grade is written; other figures are taken as they are."""

    HARMFUL = -1
    """Must not be used: an answer made from it would be wrong (outdated, of another country)."""
    IRRELEVANT = 0
    TANGENTIAL = 1
    """About it, and no answer."""
    SUPPORTING = 2
    """Part of an answer."""
    DIRECT = 3
    """Answers it."""


def parse_grade(value: object) -> int | None:
    """A name in any case, or a whole number; None for anything else."""
    if isinstance(value, str):
        name = value.strip().upper()
        if name in Grade.__members__:
            return Grade[name]
        sign, digits = (name[:1], name[1:]) if name[:1] in ("+", "-") else ("", name)
        return int(sign + digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def render_grade(grade: int) -> str:
    """As "direct (3)"; a figure without a name as it is."""
    return f"{Grade(grade).name.lower()} ({grade})" if grade in Grade.__members__.values() else str(grade)
