"""The help of commands says what a target is and gives examples that parse."""

from __future__ import annotations

import shlex

import pytest

from vitrify.cli.main import ON_ONE, parsers


@pytest.mark.parametrize("name", ON_ONE)
def test_help_has_examples_that_parse(name: str) -> None:
    parser, each = parsers()
    text = each[name].format_help()
    lines = [line.split("   ")[0].strip() for line in text.splitlines() if line.startswith("  vitrify ")]
    assert len(lines) == 3
    for line in lines:
        assert parser.parse_args(shlex.split(line)[1:]).target
    assert "MODULE:FUNCTION" in text


def test_commands_of_two_targets_or_none_have_no_such_examples() -> None:
    each = parsers()[1]
    assert not [name for name in set(each) - set(ON_ONE) if "examples:" in each[name].format_help()]
