"""What exchanges cost by the model: figures done by hand, bounds, and what is refused."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vitrify import distributed as dist
from vitrify.base.errors import ArgumentError, KindError
from vitrify.distributed.forecast.network import NETWORKS, Parcel, network

PLAIN = dist.Network(latency=1e-3, bandwidth=1e6, overhead=0.0, joining=1e30)


def reduce_of(net: dist.Network, size: int, ranks: int) -> float:
    return net.seconds("all_reduce", size, ranks=ranks)


def test_a_message_takes_its_latency_and_its_bytes() -> None:
    assert PLAIN.seconds("send", 1000, ranks=2) == pytest.approx(2e-3)


def test_the_fixed_order_moves_each_byte_twice() -> None:
    size, ranks = 1_000_000, 4
    rounds = 2 + 3 + 3  # the ranks compare, each gives parts to 3 others, and the parts go around
    assert reduce_of(PLAIN, size, ranks) == pytest.approx(rounds * 1e-3 + 2 * size * 3 / 4 / 1e6)


def test_a_small_one_gives_all_arrays_to_all() -> None:
    assert reduce_of(PLAIN, 1000, 4) == pytest.approx((2 + 2) * 1e-3 + 3 * 1000 / 1e6)


@pytest.mark.parametrize(
    ("algorithm", "rounds", "times"), [("ring", 14, 1.75), ("recursive doubling", 6, 1.75), ("tree", 6, 6)]
)
def test_the_other_algorithms(algorithm: str, rounds: int, times: float) -> None:
    net = PLAIN.with_(algorithm=algorithm)
    assert reduce_of(net, 1_000_000, 8) == pytest.approx((rounds + 3) * 1e-3 + times * 1.0)


def test_the_fastest_is_the_least_of_three() -> None:
    for size in (8, 10_000, 100_000_000):
        three = [reduce_of(PLAIN.with_(algorithm=name), size, 32) for name in ("ring", "tree", "recursive doubling")]
        assert reduce_of(PLAIN.with_(algorithm="fastest"), size, 32) == pytest.approx(min(three))


def test_ranks_of_one_node_pay_what_is_within_it() -> None:
    near = PLAIN.with_(ranks_per_node=8, latency_within=0.0, bandwidth_within=1e30)
    assert reduce_of(near, 1_000_000, 8) < 1e-9
    assert near.price(Parcel("all_reduce", 1_000_000, tuple(range(8)))).crossing == 0
    assert near.price(Parcel("all_reduce", 1_000_000, tuple(range(16)))).crossing > 0


def test_the_ranks_of_a_node_share_its_card() -> None:
    parcel = Parcel("all_to_all", 1_600_000, tuple(range(16)))
    alone, shared = PLAIN.price(parcel), PLAIN.with_(ranks_per_node=4, bandwidth_within=1e30).price(parcel)
    assert alone.sent == shared.sent
    assert shared.crossing == 4 * 12 * 100_000 > alone.crossing == 15 * 100_000


@pytest.mark.parametrize("name", ["all_gather", "reduce_scatter", "all_to_all", "reduce", "gather_to"])
def test_more_bytes_and_more_ranks_never_take_less(name: str) -> None:
    times = [[PLAIN.seconds(name, size, ranks=n) for size in (8, 8000, 800_000)] for n in (2, 3, 8, 33)]
    assert all(a <= b for row in times for a, b in pairwise(row))
    assert all(a <= b for one, more in pairwise(times) for a, b in zip(one, more, strict=True))


def test_one_rank_pays_the_call_only() -> None:
    assert network("10GbE").seconds("all_reduce", 1 << 20, ranks=1) == network("10GbE").overhead


def test_networks_by_name() -> None:
    assert network("100GbE") is NETWORKS["100GbE"]
    assert network(PLAIN) is PLAIN
    with pytest.raises(ArgumentError, match="no network called 'token ring'"):
        network("token ring")
    with pytest.raises(KindError, match="not a int"):
        network(3)


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"latency": -1.0}, "latency"),
        ({"latency": float("nan")}, "latency"),
        ({"bandwidth": 0.0}, "bandwidth"),
        ({"ranks_per_node": 0}, "ranks_per_node"),
        ({"algorithm": "magic"}, "no algorithm 'magic'"),
    ],
)
def test_wrong_figures_are_refused(figures: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        PLAIN.with_(**figures)


def test_an_unknown_exchange_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no exchange called 'gossip'"):
        PLAIN.seconds("gossip", 8, ranks=2)
    with pytest.raises(ArgumentError, match="at least one rank"):
        PLAIN.seconds("all_reduce", 8, ranks=0)
