"""Rules that rewrite a random function (testing/functions.py) without changing what it computes.

An expression rule makes another expression of one, a statement rule another block of a block and a position in it; None
where the rule doesn't fit. Each rule is spelled as text: `{e}` is the expression, names of `fresh` are nobody else's.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable

Expression = Callable[[ast.expr, str], ast.expr | None]
Statement = Callable[[list[ast.stmt], int, str], list[ast.stmt] | None]

EXPRESSIONS: dict[str, Expression] = {}
STATEMENTS: dict[str, Statement] = {}
_VECTOR = re.compile(r"x|y|v\d+")
_JUMPS = (ast.Return, ast.Break, ast.Continue)
_LOOPS = (ast.For, ast.While)


def _expression(rule: Expression) -> Expression:
    EXPRESSIONS[rule.__name__.strip("_")] = rule
    return rule


def _statement(rule: Statement) -> Statement:
    STATEMENTS[rule.__name__.strip("_")] = rule
    return rule


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _statements(text: str) -> list[ast.stmt]:
    return ast.parse(textwrap.dedent(text)).body


def _text(node: ast.AST) -> str:
    return ast.unparse(node)


def _indented(body: list[ast.stmt]) -> str:
    return textwrap.indent("\n".join(map(_text, body)) or "pass", "    ")


def _holds(nodes: list[ast.stmt], kinds: tuple[type[ast.AST], ...]) -> bool:
    return any(isinstance(n, kinds) for node in nodes for n in ast.walk(node))


def _jumps_out(body: list[ast.stmt], kinds: tuple[type[ast.AST], ...]) -> bool:
    """Whether a `break`, `continue` or `return` of these kinds leaves the block itself."""
    for node in body:
        if isinstance(node, kinds):
            return True
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        inner = tuple(k for k in kinds if k is ast.Return) if isinstance(node, _LOOPS) else kinds
        for name in ("body", "handlers", "cases", "finalbody"):
            if inner and _jumps_out(getattr(node, name, None) or [], inner):
                return True
        if _jumps_out(getattr(node, "orelse", None) or [], kinds):
            return True
    return False


# ---- expressions: the value goes another way


def _worth(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp | ast.Call | ast.IfExp)


def _spelling(name: str, template: str) -> None:
    def rule(node: ast.expr, fresh: str) -> ast.expr | None:
        return _parsed(template.format(e=_text(node), t=fresh)) if _worth(node) else None

    EXPRESSIONS[name] = rule


for _name, _template in {
    "lambda": "(lambda: {e})()",
    "lambda of a default": "(lambda {t}={e}: {t})()",
    "lambda of an argument": "(lambda {t}: {t})({e})",
    "comprehension": "[{e} for {t} in range(1)][0]",
    "generator": "next(iter([{e}]))",
    "tuple": "({e}, 1)[0]",
    "list": "[None, {e}][-1]",
    "dict": "{{'{t}': {e}}}['{t}']",
    "dict of a comprehension": "{{{t}: {e} for {t} in (1,)}}[1]",
    "constant ternary": "({e} if m >= 0 else None)",
    "ternary of a tensor": "({e} if k.sum() >= 0 else {e})",
    "and": "(m >= 0 and {e})",
    "method": "Box({e}).value",
    "star": "(lambda *{t}: {t}[0])({e}, x)",
    "named": "(lambda **{t}: {t}['v'])(v={e})",
    "closure": "(lambda {t}: (lambda: {t}))({e})()",
}.items():
    _spelling(_name, _template)


@_expression
def _commute(node: ast.expr, fresh: str) -> ast.expr | None:
    """Sums and products of two operands commute in IEEE arithmetic, too."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        return ast.BinOp(node.right, node.op, node.left)
    return None


@_expression
def _sum_in_parts(node: ast.expr, fresh: str) -> ast.expr | None:
    """Sums of integers are associative."""
    parts = {"k.sum()": ("(k[:2].sum() + k[2:].sum())", "(k[0] + (k[1] + k[2]) + k[3])")}.get(_text(node))
    return None if parts is None else _parsed(parts[int(fresh[1:]) % 2])


_FLIPPED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.Eq: ast.Eq, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
_NEGATED = {ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.Eq: ast.NotEq, ast.LtE: ast.Gt, ast.GtE: ast.Lt}


@_expression
def _compare_backwards(node: ast.expr, fresh: str) -> ast.expr | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
        return ast.Compare(node.comparators[0], [_FLIPPED[type(node.ops[0])]()], [node.left])
    return None


@_expression
def _compare_negated(node: ast.expr, fresh: str) -> ast.expr | None:
    """Tests compare integers: there is no NaN."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _NEGATED:
        return ast.UnaryOp(ast.Not(), ast.Compare(node.left, [_NEGATED[type(node.ops[0])]()], node.comparators))
    return None


@_expression
def _compare_a_difference(node: ast.expr, fresh: str) -> ast.expr | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in (*_NEGATED, ast.NotEq):
        difference = ast.BinOp(node.left, ast.Sub(), node.comparators[0])
        return ast.Compare(difference, node.ops, [ast.Constant(0)])
    return None


@_expression
def _chain_apart(node: ast.expr, fresh: str) -> ast.expr | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 2:
        first = ast.Compare(node.left, node.ops[:1], node.comparators[:1])
        return ast.BoolOp(ast.And(), [first, ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])])
    return None


@_expression
def _de_morgan(node: ast.expr, fresh: str) -> ast.expr | None:
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return ast.UnaryOp(ast.Not(), ast.BoolOp(other, [ast.UnaryOp(ast.Not(), v) for v in node.values]))
    return None


@_expression
def _ternary_negated(node: ast.expr, fresh: str) -> ast.expr | None:
    if isinstance(node, ast.IfExp):
        return ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)
    return None


# ---- statements: assignments


def _assigned(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the value of a plain assignment to one name."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    return None


def _assignment(name: str, template: str, *, vectors: bool = False) -> None:
    def rule(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
        found = _assigned(body[k])
        if found is None or (vectors and not _VECTOR.fullmatch(found[0])):
            return None
        made = _statements(template.format(n=found[0], e=_text(found[1]), t=fresh))
        return [*body[:k], *made, *body[k + 1 :]]

    STATEMENTS[name] = rule


for _name, _template in {
    "temporary": "{t} = {e}\n{n} = {t}",
    "unpacked": "({n}, {t}) = ({e}, 0)",
    "unpacked one": "({n},) = [{e}]",
    "assigned twice": "{n} = {t} = {e}",
    "walrus in a test": "if ({t} := {e}) is None or m >= 0:\n    {n} = {t}",
    "walrus": "{n} = ({t} := {e})",
    "function": "def {t}():\n    return {e}\n{n} = {t}()",
    "function with a default": "def {t}({t}v={e}):\n    return {t}v\n{n} = {t}()",
    "generator function": "def {t}():\n    yield {e}\nfor {t}v in {t}():\n    {n} = {t}v",
    "loop of one": "for {t} in range(1):\n    {n} = {e}",
    "while of one": "{t} = 0\nwhile {t} < 1:\n    {t} += 1\n    {n} = {e}",
    "try": "try:\n    {t} = {e}\nfinally:\n    {t}n = 0\n{n} = {t}",
    "carried by a list": "{t} = []\n{t}.append({e})\n{n} = {t}.pop()",
    "carried by a dict": "{t} = {{}}\n{t}['v'] = {e}\n{n} = {t}.pop('v')",
    "carried by an object": "{t} = Box(None)\n{t}.value = {e}\n{n} = {t}.value",
    "dead branch": "{n} = {e}\nif m < 0:\n    {n} = None",
    "dead branch of a tensor": "{n} = {e}\nif k.sum() < 0:\n    {n} = {n}",
    "dead code": "{n} = {e}\n{t} = {n}",
    "both branches": "if k.sum() % 2 == 0:\n    {n} = {e}\nelse:\n    {n} = {e}",
}.items():
    _assignment(_name, _template)

for _name, _template in {
    "dead tensor code": "{n} = {e}\n{t} = vt.exp({n}) / 0.0",
    "reshaped there and back": "{n} = vt.reshape(vt.reshape({e}, [3, 1]), [3])",
    "transposed twice": "{n} = vt.transpose(vt.transpose(vt.reshape({e}, [1, 3]), [1, 0]), [1, 0])[0]",
    "stacked": "{t} = {e}\n{n} = vt.stack([{t} * 2.0, {t}])[1]",
    "joined and cut": "{t} = {e}\n{n} = vt.concat([{t}, {t}])[3:]",
    "reversed twice": "{n} = vt.flip(vt.flip({e}, [0]), [0])",
    "widened and narrowed": "{n} = ({e}).astype('float64').astype('float32')",
    "negated twice": "{n} = -(-({e}))",
    "times one": "{n} = ({e}) * 1.0",
    "looked up": "{n} = vt.gather({e}, vt.to_tensor([0, 1, 2]))",
    "chosen": "{t} = {e}\n{n} = vt.where(k.sum() >= 0, {t}, {t} * 2.0)",
    "set in place": "{t} = vt.zeros([3])\n{t}[:] = {e}\n{n} = {t}",
    "set one by one": "{t} = vt.zeros([3])\n{t}v = {e}\nfor {t}j in range(3):\n    {t}[{t}j] = {t}v[{t}j]\n{n} = {t}",
    "row by row": "{t} = {e}\n{n} = vt.stack([{t}v for {t}v in {t}])",
    "added in place": "{t} = vt.zeros([3])\n{t}.add_({e})\n{n} = {t}",
    "copied": "{n} = ({e}).clone()",
    "padded": "{n} = vt.concat([vt.zeros([2]), {e}])[2:]",
    "broadcast": "{n} = vt.broadcast_to({e}, [2, 3])[1]",
    "squeezed": "{n} = vt.squeeze(vt.unsqueeze({e}, 0), 0)",
}.items():
    _assignment(_name, _template, vectors=True)


@_statement
def _nonlocal(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """Parameters are surely bound, so an inner function may assign them."""
    found = _assigned(body[k])
    if found is None or found[0] not in ("x", "y"):
        return None
    made = _statements(f"def {fresh}():\n    nonlocal {found[0]}\n    {found[0]} = {_text(found[1])}\n{fresh}()")
    return [*body[:k], *made, *body[k + 1 :]]


@_statement
def _ternary_as_if(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    found = _assigned(body[k])
    name, choice = found or ("", None)
    if not isinstance(choice, ast.IfExp):
        return None
    lines = f"if {_text(choice.test)}:\n    {name} = {_text(choice.body)}\nelse:\n    {name} = {_text(choice.orelse)}"
    return [*body[:k], *_statements(lines), *body[k + 1 :]]


@_statement
def _augmented_expanded(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    node = body[k]
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add):
        made = _statements(f"{node.target.id} = {_text(node.value)} + {node.target.id}")
        return [*body[:k], *made, *body[k + 1 :]]
    return None


@_statement
def _augmented_in_place(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """The statement before made a new tensor, so nobody else sees the write."""
    node, before = body[k], _assigned(body[k - 1]) if k else None
    if not isinstance(node, ast.AugAssign) or before is None or _text(node.target) != before[0]:
        return None
    if not _VECTOR.fullmatch(before[0]) or not isinstance(before[1], ast.BinOp):
        return None
    ways = [
        "{n}.add_(vt.to_tensor({e}))",
        "{n}[:] = {n} + {e}",
        "{n}[0:2] += {e}\n{n}[2] += {e}",
        "{n}.copy_({n} + {e})",
    ]
    made = ways[int(fresh[1:]) % 4].format(n=before[0], e=_text(node.value))
    return [*body[:k], *_statements(made), *body[k + 1 :]]


@_statement
def _container_call(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """`append` as `+=`, `insert` or a slice; an item or attribute set by a method."""
    text, way = _text(body[k]), int(fresh[1:]) % 3
    forms = (
        (r"(\w+)\.append\((.*)\)", (r"\1 += [\2]", r"\1.insert(len(\1), \2)", r"\1[len(\1):] = [\2]")),
        (r"(\w+)\[0\] = (.*)", (r"\1[0:1] = [\2]", r"\1.__setitem__(0, \2)", r"\1[:] = [\2, *\1[1:]]")),
        (r"d\['(\w+)'\] = (.*)", (r"d.update(\1=\2)", r"d.update({'\1': \2})", r"d |= {'\1': \2}")),
        (r"(box|scaled)\.value = (.*)",
         (r"setattr(\1, 'value', \2)", r"\1.__dict__['value'] = \2", r"vars(\1).update(value=\2)")),
    )  # fmt: skip
    for pattern, ways in forms:
        if re.fullmatch(pattern, text, re.DOTALL):
            return [*body[:k], *_statements(re.sub(pattern, ways[way], text, flags=re.DOTALL)), *body[k + 1 :]]
    return None


# ---- statements: branches


@_statement
def _swap_branches(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    node = body[k]
    if not isinstance(node, ast.If) or any(isinstance(n, ast.NamedExpr) for n in ast.walk(node.test)):
        return None
    made = ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse or [ast.Pass()], node.body)
    return [*body[:k], made, *body[k + 1 :]]


@_statement
def _rest_as_else(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """What follows `if …: return` is its else."""
    node = body[k]
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], _JUMPS) and body[k + 1 :]:
        return [*body[:k], ast.If(node.test, node.body, body[k + 1 :])]
    return None


@_statement
def _else_as_rest(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    node = body[k]
    if isinstance(node, ast.If) and node.orelse and isinstance(node.body[-1], _JUMPS):
        return [*body[:k], ast.If(node.test, node.body, []), *node.orelse, *body[k + 1 :]]
    return None


@_statement
def _test_twice(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """A test with a name; its branches in two statements."""
    node = body[k]
    if not isinstance(node, ast.If):
        return None
    rest = _indented(node.orelse) if node.orelse else "    pass"
    lines = f"{fresh} = bool({_text(node.test)})\nif {fresh}:\n{_indented(node.body)}\nif not {fresh}:\n{rest}"
    return [*body[:k], *_statements(lines), *body[k + 1 :]]


@_statement
def _rest_in_both(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """What follows a branch stands in each."""
    node, rest = body[k], body[k + 1 :]
    if not isinstance(node, ast.If) or not rest or len(rest) > 3 or _holds(rest, (ast.FunctionDef, ast.Nonlocal)):
        return None
    tail = _indented(rest)
    other = _indented(node.orelse) if node.orelse else "    pass"
    lines = f"if {_text(node.test)}:\n{_indented(node.body)}\n{tail}\nelse:\n{other}\n{tail}"
    return [*body[:k], *_statements(lines)]


# ---- statements: loops


def _range(node: ast.stmt) -> str | None:
    """The count of `for … in range(count)`."""
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and _text(node.iter.func) == "range":
        return _text(node.iter.args[0]) if len(node.iter.args) == 1 else None
    return None


@_statement
def _split_loop(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """The first half, then the second."""
    node, count = body[k], _range(body[k])
    if count is None or not isinstance(node, ast.For) or node.orelse or _jumps_out(node.body, (ast.Break,)):
        return None
    inner, name = _indented(node.body), _text(node.target)
    lines = f"{fresh} = {count}\n{fresh}h = {fresh} // 2\nfor {name} in range({fresh}h):\n{inner}\n"
    return [*body[:k], *_statements(f"{lines}for {name} in range({fresh}h, {fresh}):\n{inner}"), *body[k + 1 :]]


@_statement
def _peel(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """The first iteration before the loop."""
    node, count = body[k], _range(body[k])
    if count is None or not isinstance(node, ast.For) or node.orelse:
        return None
    if _jumps_out(node.body, (ast.Break, ast.Continue)):
        return None
    inner, name = _indented(node.body), _text(node.target)
    first = f"if {count} > 0:\n    {name} = 0\n{inner}\n"
    return [*body[:k], *_statements(f"{first}for {name} in range(1, {count}):\n{inner}"), *body[k + 1 :]]


@_statement
def _for_as_while(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    node, count = body[k], _range(body[k])
    if count is None or not isinstance(node, ast.For):
        return None
    head = f"{fresh} = 0\nwhile {fresh} < {count}:\n    {_text(node.target)} = {fresh}\n    {fresh} += 1\n"
    tail = f"\nelse:\n{_indented(node.orelse)}" if node.orelse else ""
    return [*body[:k], *_statements(head + _indented(node.body) + tail), *body[k + 1 :]]


@_statement
def _while_as_for(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """No random loop goes on for as long as this one may."""
    node = body[k]
    if not isinstance(node, ast.While) or node.orelse:
        return None
    head = f"for {fresh} in range(9):\n    if not ({_text(node.test)}):\n        break\n"
    return [*body[:k], *_statements(head + _indented(node.body)), *body[k + 1 :]]


@_statement
def _test_inside(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    node = body[k]
    if not isinstance(node, ast.While) or node.orelse:
        return None
    head = f"while True:\n    if not ({_text(node.test)}):\n        break\n"
    return [*body[:k], *_statements(head + _indented(node.body)), *body[k + 1 :]]


@_statement
def _items_by_number(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """`for e in reversed([x, y])` by positions in a list made before."""
    node = body[k]
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name) or _range(node) is not None:
        return None
    if "parts" in _text(node.iter) or "chained" in _text(node.iter):
        return None  # a generator's tests come in between
    head = f"{fresh} = [{fresh}v for {fresh}v in {_text(node.iter)}]\nfor {fresh}j in range(len({fresh})):\n"
    tail = f"\nelse:\n{_indented(node.orelse)}" if node.orelse else ""
    lines = f"{head}    {_text(node.target)} = {fresh}[{fresh}j]\n{_indented(node.body)}{tail}"
    return [*body[:k], *_statements(lines), *body[k + 1 :]]


@_statement
def _guarded(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """The statement in a branch that is always taken."""
    if isinstance(body[k], ast.FunctionDef | ast.Return | ast.Nonlocal) or _holds([body[k]], (ast.FunctionDef,)):
        return None
    way = ("if m >= 0:", "try:", "if k.sum() >= 0:", "with Depth(Box(x)):")[int(fresh[1:]) % 4]
    tail = "\nfinally:\n    pass" if way == "try:" else ""
    return [*body[:k], *_statements(f"{way}\n{_indented([body[k]])}{tail}"), *body[k + 1 :]]


@_statement
def _once(body: list[ast.stmt], k: int, fresh: str) -> list[ast.stmt] | None:
    """The statement in a loop of one iteration."""
    if isinstance(body[k], ast.FunctionDef | ast.Nonlocal) or _jumps_out([body[k]], (ast.Break, ast.Continue)):
        return None
    if isinstance(body[k], ast.Return):
        return None
    return [*body[:k], *_statements(f"for {fresh} in range(1):\n{_indented([body[k]])}"), *body[k + 1 :]]
