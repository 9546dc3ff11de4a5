"""Which passages are tables, by the rule that docs state."""

import pytest

from evalspan.text.tables import is_table


@pytest.mark.parametrize(
    "passage",
    [
        "| Country | Days | Fee |\n|---|---|---|\n| Spain | 14 | €3.90 |",
        "Country | Days | Fee\n--- | --- | ---\nSpain | 14 | free",
        "| Spain | 14 | €3.90 |",
        "| one column |\n| a |",
        "Size\tChest\tWaist\nM\t98\t84",
        "<tr><td>Spain</td><td>14</td></tr>",
        '<TR class="odd">\n<td colspan="2">14</td>\n</TR>',
        "The rates:\n\n| Spain | 14 | free |\n\n| France | 3 | free |\n",
    ],
)
def test_a_passage_of_rows_is_a_table(passage: str) -> None:
    assert is_table(passage)


@pytest.mark.parametrize(
    "passage",
    [
        "",
        " \n ",
        "The fee is five pounds a day.",
        "Returns | Fernhill",
        "\tAn indented paragraph.",
        "if (a || b) then c || d;",
        "Size  Chest  Waist\nM     98     84",
        "The thread is <three> and <tribal>.",
        "Rates are below.\nThey hold until May.\n| Spain | 14 | free |",
        "Half of it.\n| Spain | 14 | free |",
    ],
)
def test_prose_code_and_what_is_table_by_half_is_none(passage: str) -> None:
    assert not is_table(passage)
