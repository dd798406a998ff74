"""Texts that numbers of a run choose: `[labels[i] for i in tags.tolist()]`, `names[int(t)]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

LABELS = {0: "O", 1: "B-PER", 2: "I-PER", 3: None, -1: "pad"}
NAMES = ["cat", "dog", "bird"]
TAGS = [[0, 1, 2], [2, 2, 2], [1, 0, -1, 2], [3], [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]]


def listed(tags: Any) -> Any:
    return [LABELS[i] for i in tags.tolist()]


def listed_names(tags: Any) -> Any:
    return {"names": [NAMES[i] for i in tags.tolist()], "sum": tags.sum()}


def in_rows(tags: Any) -> Any:
    return [[LABELS[i] for i in row] for row in vt.stack([tags, tags]).tolist()]


def from_numpy(tags: Any) -> Any:
    return [LABELS[int(i)] for i in tags.numpy()]


def decoded(tags: Any) -> Any:
    def labels(tags: Any) -> Any:
        return [LABELS[i] for i in tags.tolist()]

    found = labels(tags)
    loss = (tags * 2).sum()
    return found, loss


def values(x: Any) -> Any:
    if isinstance(x, dict):
        return {key: values(item) for key, item in x.items()}
    return type(x)(map(values, x)) if isinstance(x, (list, tuple)) else x.item() if isinstance(x, vt.Tensor) else x


@pytest.mark.parametrize("fn", [listed, listed_names, in_rows, from_numpy, decoded], ids=lambda f: f.__name__)
def test_labels_come_out(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for tags in TAGS:
        given = [abs(t) % 3 for t in tags] if fn is listed_names else tags
        assert values(compiled(vt.to_tensor(given))) == values(fn(vt.to_tensor(given)))


# ---- code that reads the list


def joined(labels: Any) -> Any:
    return " ".join(labels)


def counted(labels: Any) -> Any:
    return labels.count("dog"), len(labels)


def first_and_rest(labels: Any) -> Any:
    first, *rest = labels
    return first is None, rest


def compared(labels: Any) -> Any:
    return labels == ["cat", "dog"], labels[0] == "dog", labels[1] is None, "bird" in labels


def filtered(labels: Any) -> Any:
    return [label.upper() for label in labels if label != "cat"], isinstance(labels[1], str)


def shown(labels: Any) -> Any:
    print(labels, f"{labels}", "%s" % (labels,))  # noqa: UP031 - it is formatted so
    return labels


def added(labels: Any) -> Any:
    more = [*labels, "x"] + labels[1:]
    return "-".join(more), more[0].startswith("c"), sorted(more)


def zipped(labels: Any) -> Any:
    return dict(zip(["a", "b"], labels, strict=True)), [(k, label) for k, label in enumerate(labels)]


def counted_in_a_dict(labels: Any) -> Any:
    found: dict[str, int] = {}
    for label in labels:
        found[label] = found.get(label, 0) + 1
    return found


def changed(labels: Any) -> Any:
    labels.append("end")
    labels[0] = "begin"
    return labels, labels[-1]


class Kept:
    labels: Any = None


def stored(labels: Any) -> Any:
    kept = Kept()
    kept.labels = labels
    return kept.labels[1], len(kept.labels)


READERS = [
    joined,
    counted,
    first_and_rest,
    compared,
    filtered,
    shown,
    added,
    zipped,
    counted_in_a_dict,
    changed,
    stored,
]


@pytest.mark.parametrize("read", READERS, ids=lambda f: f.__name__)
def test_code_that_reads_labels(read: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    def labelled(tags: Any) -> Any:
        return read([NAMES[i] for i in tags.tolist()])

    compiled = vt.to_static(labelled)
    for tags in ([0, 1], [1, 1], [2, 0], [-1, 1]):
        found, told = compiled(vt.to_tensor(tags)), capsys.readouterr().out
        assert values(found) == values(labelled(vt.to_tensor(tags)))
        assert told == capsys.readouterr().out


def test_labels_that_an_object_keeps() -> None:
    def labelled(kept: Kept, tags: Any) -> Any:
        kept.labels = [NAMES[i] for i in tags.tolist()]
        return tags.sum()

    compiled = vt.to_static(labelled)
    for tags in ([0, 1], [2, 0]):
        ours, theirs = Kept(), Kept()
        compiled(ours, vt.to_tensor(tags))
        labelled(theirs, vt.to_tensor(tags))
        assert ours.labels == theirs.labels


def under_a_condition(tags: Any) -> Any:
    if tags.sum() > 2:
        return [NAMES[i] for i in tags.tolist()]
    return ["none"]


def test_labels_under_conditions() -> None:
    compiled = vt.to_static(under_a_condition)
    for tags in ([0, 1], [2, 1], [1, 1], [0, 0], [2, 2]):
        assert compiled(vt.to_tensor(tags)) == under_a_condition(vt.to_tensor(tags))


@pytest.mark.parametrize("source", [dict(enumerate(NAMES)), NAMES, tuple(NAMES)], ids=["dict", "list", "tuple"])
def test_a_number_without_a_label(source: Any) -> None:
    def labelled(tags: Any) -> Any:
        return [source[i] for i in tags.tolist()]

    def handled(tags: Any) -> Any:
        try:
            return [source[i] for i in tags.tolist()]
        except LookupError:
            return "none"

    for tags in ([0, 1], [0, 7], [-7, 1]):
        for fn in (labelled, handled):
            told = []
            for run in (fn, vt.to_static(fn)):
                try:
                    told.append(run(vt.to_tensor(tags)))
                except LookupError as error:
                    told.append((type(error).__name__, str(error)))
            assert told[0] == told[1]


@pytest.mark.parametrize("t", [0, 2, -3, 3])
def test_a_text_of_a_list_by_a_number(t: int, capsys: pytest.CaptureFixture[str]) -> None:
    def named(t: Any) -> Any:
        name = NAMES[int(t)]
        print(("lo", "hi", None)[int(t)], name)
        return name, len(name)

    told = []
    for run in (named, vt.to_static(named)):
        try:
            told.append((run(vt.to_tensor(t)), capsys.readouterr().out))
        except IndexError as error:
            told.append((str(error), ""))
    assert told[0] == told[1]
