"""What pydantic finds wrong, in words about the file."""

import pytest
from pydantic import Field, ValidationError, field_validator

from evalspan.formats.values import wrong_values
from evalspan.value import Value


class Inner(Value):
    size: int = Field(ge=1)

    @field_validator("size")
    @classmethod
    def _odd(cls, size: int) -> int:
        if not size % 2:
            raise ValueError("is even")
        return size


class Outer(Value):
    inner: list[Inner] = []  # noqa: RUF012 - pydantic copies it


@pytest.mark.parametrize(
    ("value", "name", "said"),
    [
        ({"inner": [{}]}, "", ["inner[0].size: is missing"]),
        ({"inner": [{"size": 2}]}, "outer", ["outer.inner[0].size: is even"]),
        (
            {"inner": [{"size": 1, "more": 1}], "other": 1},
            "",
            ["inner[0].more: there is no such field", "other"],
        ),
    ],
)
def test_each_problem_says_where_it_is(value: object, name: str, said: list[str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(value)
    found = list(wrong_values(caught.value, name))
    assert len(found) == len(said)
    assert all(one.startswith(start) for one, start in zip(found, said, strict=True))
