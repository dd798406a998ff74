# Written by `make stubs`; edits here are lost.

"""Several ranks that work together: exchanges of tensors, data-parallel training, and who takes part."""

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.distributed import elastic as elastic
from vitrify.distributed.data_parallel import DataParallel as DataParallel
from vitrify.distributed.data_parallel import ParallelEnv as ParallelEnv
from vitrify.distributed.data_parallel import ParallelEnv as _ParallelEnv
from vitrify.distributed.entries import CountFilterEntry as CountFilterEntry
from vitrify.distributed.entries import ProbabilityEntry as ProbabilityEntry
from vitrify.distributed.entries import ShowClickEntry as ShowClickEntry
from vitrify.distributed.exchanges import ReduceOp as ReduceOp
from vitrify.distributed.forecast.network import Network as Network
from vitrify.distributed.forecast.network import Network as _Network
from vitrify.distributed.forecast.outlook import Forecast as _Forecast
from vitrify.distributed.group import Group as Group
from vitrify.distributed.group import Group as _Group
from vitrify.distributed.group import ParallelMode as ParallelMode
from vitrify.distributed.parallel.static_pipeline import PipelineOptimizer as PipelineOptimizer
from vitrify.distributed.placements import Partial as Partial
from vitrify.distributed.placements import Placement as Placement
from vitrify.distributed.placements import Placement as _Placement
from vitrify.distributed.placements import ProcessMesh as ProcessMesh
from vitrify.distributed.placements import ProcessMesh as _ProcessMesh
from vitrify.distributed.placements import Replicate as Replicate
from vitrify.distributed.placements import Shard as Shard
from vitrify.distributed.slot_datasets import InMemoryDataset as InMemoryDataset
from vitrify.distributed.slot_datasets import QueueDataset as QueueDataset
from vitrify.distributed.tasks import Task as Task
from vitrify.distributed.tasks import Task as _Task
from vitrify.distributed.transpile.grad_all_reduce import GradAllReduce as GradAllReduce
from vitrify.distributed.transpile.gradient_merge import GradientMerge as GradientMerge
from vitrify.distributed.transpile.local_sgd import AdaptiveLocalSGD as AdaptiveLocalSGD
from vitrify.distributed.transpile.local_sgd import LocalSGD as LocalSGD
from vitrify.distributed.transpile.old_front import DistributeTranspiler as DistributeTranspiler
from vitrify.distributed.transpile.old_front import DistributeTranspilerConfig as DistributeTranspilerConfig
from vitrify.distributed.transpile.served_updates import ServedUpdates as ServedUpdates
from vitrify.distributed.transpile.sharded_parameters import ShardedParameters as ShardedParameters
from vitrify.distributed.transpile.sharded_states import MemoryPlan as MemoryPlan
from vitrify.distributed.transpile.sharded_states import MemoryPlan as _MemoryPlan
from vitrify.distributed.transpile.sharded_states import ShardedStates as ShardedStates
from vitrify.distributed.transpile.short_gradients import ShortGradients as ShortGradients
from vitrify.distributed.transpile.stages import TranspiledOptimizer as TranspiledOptimizer
from vitrify.distributed.transpile.top_gradients import TopGradients as TopGradients
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.runtime.observe.timeline import Timeline as _Timeline

def all_gather(tensor_list: _list[_Any], tensor: _Any, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Append the tensors of all ranks to a list.

    >>> from vitrify import to_tensor
    >>> found = []
    >>> all_gather(found, to_tensor(3.0)).wait(), len(found)
    (True, 1)"""

def all_gather_object(object_list: _list[_Any], obj: _Any, group: _Group | None = None) -> None:
    """Append the objects of all ranks to a list: numbers, texts, bytes, lists, tuples, dicts, sets, arrays, tensors.

    Each rank gets copies of its own. Errors: KindError for other objects.

    >>> found = []
    >>> all_gather_object(found, {"seen": {1, 2}})
    >>> found
    [{'seen': {1, 2}}]"""

def all_gather_of(x: _Any, group: _Group | None = None) -> _Any:
    """A new tensor: `x` of all ranks, stacked along a new first axis."""

def all_reduce(tensor: _Any, op: _Any = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Join a tensor over all ranks of the group, in place. sync_op=False: go on, until the task is waited for.

    A tensor that is read, or written to, before its task has ended waits for it.

    >>> from vitrify import to_tensor
    >>> x = to_tensor([1.0, 2.0])
    >>> all_reduce(x).wait(), x.tolist()
    (True, [1.0, 2.0])"""

def all_reduce_of(x: _Any, op: _Any = 'sum', group: _Group | None = None) -> _Any:
    """A new tensor: `x` of all ranks joined. Its gradient goes to the `x` of every rank."""

def all_to_all(out_tensor_list: _list[_Any], in_tensor_list: _Sequence[_Any], group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Append to a list what each rank has for this one: entry `rank` of its list."""

def all_to_all_of(x: _Any, group: _Group | None = None) -> _Any:
    """A new tensor: part k (along the first axis) of rank j becomes part j of rank k."""

def alltoall(out_tensor_list: _list[_Any], in_tensor_list: _Sequence[_Any], group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Append to a list what each rank has for this one: entry `rank` of its list."""

def average_gradients(parameters: _Any, group: _Group | None = None) -> None:
    """Replace `.grad` of parameters by its mean over the ranks; those without one are left out."""

def barrier(group: _Group | None = None) -> None:
    """Wait until each rank of the group has come here."""

def broadcast(tensor: _Any, src: _int = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Give every rank the tensor of rank `src`, in place."""

def broadcast_object_list(object_list: _list[_Any], src: _int = 0, group: _Group | None = None) -> None:
    """Give every rank the objects of rank `src`, in place. They are of the kinds that `all_gather_object` takes."""

def broadcast_of(x: _Any, src: _int = 0, group: _Group | None = None) -> _Any:
    """A new tensor: the `x` of rank `src`."""

def destroy_process_group(group: _Any = None) -> None:
    """Leave the run of several ranks: this process is rank 0 of 1 again. All ranks have to call it."""

def gather(tensor: _Any, gather_list: _list[_Any] | None = None, dst: _int = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Append the tensors of all ranks to a list of rank `dst`."""

def get_backend(group: _Any = None) -> _str:
    """What carries exchanges: "MPI", "SIMULATOR", or "GLOO", as on every CPU build, where there is one rank."""

def get_group(id: _int = 0) -> _Group:
    """The group of all ranks. Errors: ArgumentError for another number: keep what `new_group` gave."""

def get_rank(group: _Group | None = None) -> _int:
    """The number of this rank, 0 if there is only one; its place in a group, -1 outside of it.

    >>> get_rank(), get_world_size()
    (0, 1)"""

def get_world_size(group: _Group | None = None) -> _int:
    """How many ranks there are, in a group or in all."""

def init_parallel_env(timeout: _float | None = None, elastic: _bool | None = None) -> _ParallelEnv:
    """Take part in the run of several ranks that this process belongs to; alone it is rank 0 of 1.

    timeout: seconds that an exchange may wait for other ranks; default: VITRIFY_EXCHANGE_TIMEOUT, else half an hour.
    Then those that wait get an ExchangeError that names the ranks that haven't come.
    elastic: whether ranks may be lost (`distributed.elastic`); default: as `vitrify launch --elastic` says.
    Errors: MissingDependencyError where it was started with others and mpi4py isn't installed, or for an elastic run
    Open MPI; ArgumentError for a timeout that isn't above 0.

    >>> init_parallel_env().world_size
    1"""

def irecv(tensor: _Any, src: _int = 0, group: _Group | None = None) -> _Task:
    """`recv` that goes on: whoever reads the tensor waits. In a captured function it waits at once: call `isend` first.

    >>> from vitrify import distributed as dist, to_tensor, zeros
    >>> def swap():
    ...     x, peer = zeros([1]), 1 - dist.get_rank()
    ...     task = dist.irecv(x, peer)
    ...     sent = dist.isend(to_tensor([1.0 + dist.get_rank()]), peer)
    ...     return task.wait() and sent.wait(), x.item()
    >>> dist.run_ranks(swap, ranks=2)
    [(True, 2.0), (True, 1.0)]"""

def is_available() -> _bool:
    """Whether several processes can work together here: whether mpi4py is installed."""

def is_initialized() -> _bool:
    """Whether ranks exchange with others: after `init_parallel_env`, or in `run_ranks`."""

def isend(tensor: _Any, dst: _int = 0, group: _Group | None = None) -> _Task:
    """`send` that goes on: the tensor may be written to at once. In captured functions, too.

    Errors: CaptureError in a captured function behind an `irecv` that hasn't been waited for."""

def load_state_dict(state_dict: _dict[_str, _Any], path: _str, process_group: _Group | None = None, coordinator_rank: _int = 0, unique_id: _int | None = None, offload: _bool = False) -> None:
    """Fill a state dict with what `save_state_dict` wrote, on any number of ranks: tensors in place, other values anew.

    Of sharded parameters and states, given as parts or whole, each rank keeps its part. Names of the checkpoint that
    the state dict lacks are left out. An empty dict takes all that was saved below its name, as new tensors: `state =
    {}` at the top takes everything. Ranks don't wait for each other. The other arguments are Paddle's; `offload`
    changes nothing, as tensors lie in main memory.
    Errors: ArtifactError, with the file, where one is missing or damaged; StateError where a name is missing or a
    tensor has another type. Nothing is changed then."""

def memory_plan(parameters: _Sequence[_Any], optimizer: _Any, level: _int, ranks: _int) -> _MemoryPlan:
    """Bytes of one rank of `ranks`. level: 0 nothing is sharded, 1 states, 2 gradients, too, 3 parameters, too.

    >>> from vitrify.nn import Linear
    >>> from vitrify.optimizer import Adam
    >>> net = Linear(10, 10)
    >>> memory_plan(net.parameters(), Adam(parameters=net.parameters()), 1, 4)
    MemoryPlan(parameters=440, gradients=440, states=256)"""

def new_group(ranks: _Sequence[_int] | None = None, backend: _Any = None, **_: _Any) -> _Group:
    """A group of these ranks (default: all), in ascending order. Nothing is exchanged: ranks outside need not call it.

    Errors: ArgumentError for numbers that aren't ranks.

    >>> new_group([0]).nranks
    1"""

def record() -> _Iterator[_Timeline]:
    """Measure what each rank of a run through MPI does inside the block; all ranks have to come here.

    When the block ends, every rank has the lanes of all: computing, exchanging, and waiting for the last rank to come.
    The clocks of several machines are joined at a barrier, so they differ by its time. Errors: ModeError in
    `run_ranks`, where one rank runs at a time: `run_timed` has their lanes.

    >>> with record() as lanes:
    ...     pass
    >>> len(lanes.lanes)
    1"""

def recv(tensor: _Any, src: _int = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Take a tensor of the same type from rank `src`, in place."""

def reduce(tensor: _Any, dst: _int = 0, op: _Any = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Join a tensor over all ranks, in place on rank `dst`; the others keep theirs."""

def reduce_scatter(tensor: _Any, tensor_list: _Sequence[_Any], op: _Any = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Put entry k of all ranks' lists, joined, into the tensor of rank k."""

def reduce_scatter_of(x: _Any, op: _Any = 'sum', group: _Group | None = None) -> _Any:
    """A new tensor: part k of `x` (along its first axis, of as many parts as ranks) of all ranks joined, on rank k."""

def reshard(dist_tensor: _Any, mesh: _ProcessMesh, placements: _Sequence[_Placement]) -> _Any:
    """The same value marked to lie otherwise."""

def run_ranks(fn: _Callable[..., _Any], *args: _Any, ranks: _int, **kwargs: _Any) -> _list[_Any]:
    """Run `fn(*args, **kwargs)` as that many ranks in this process; what each returned, by rank.

    Each rank is a thread with its own random streams and names of parameters; one runs at a time, from exchange to
    exchange, so a run is the same each time. Sums are taken from rank 0 to the last. What `fn` reads from outside is
    shared: make models inside. Static programs and scopes are each rank's own, and empty at first.
    Errors: that of the first rank that failed; ExchangeError, with what each rank waits for and its line, where they
    don't ask for the same exchange.

    >>> from vitrify import to_tensor
    >>> from vitrify.distributed import all_reduce, get_rank
    >>> def total():
    ...     x = to_tensor([1.0 + get_rank()])
    ...     all_reduce(x)
    ...     return x.item()
    >>> run_ranks(total, ranks=3)
    [6.0, 6.0, 6.0]"""

def run_timed(fn: _Callable[..., _Any], *args: _Any, ranks: _int, network: _Network | _str = '10GbE', times: _Mapping[_str, _float] | None = None, **kwargs: _Any) -> _Timeline:
    """`run_ranks` with a virtual clock: what each rank would do when, if each had a core and a network between them.

    Computing between two exchanges counts with the median of all times that its rank came there; `times` (an earlier
    run's `.times`) are taken instead, and make two runs equal. The result holds a lane for each rank, and `.results`.
    Errors: those of `run_ranks`; ArgumentError for an unknown network.

    >>> from vitrify import to_tensor
    >>> from vitrify.distributed import all_reduce, get_rank
    >>> def total():
    ...     x = to_tensor([1.0 + get_rank()])
    ...     all_reduce(x)
    ...     return x.item()
    >>> found = run_timed(total, ranks=3, network="100GbE")
    >>> found.results, [lane.name for lane in found.lanes]
    ([6.0, 6.0, 6.0], ['rank 0', 'rank 1', 'rank 2'])"""

def save_state_dict(state_dict: _Mapping[_str, _Any], path: _str, process_group: _Group | None = None, coordinator_rank: _int = 0, unique_id: _int | None = None, async_save: _bool = False) -> None:
    """Save a state dict, or several below names, to the folder `path`; every rank of the group calls it.

    Each rank writes an equal part of the elements of each tensor. Tensors that differ between ranks (statistics of
    batches) and other values (numbers, texts, lists) are those of rank `coordinator_rank`, as in Paddle. States that
    are sharded come whole out of `optimizer.state_dict()`. Parameters that are sharded (`ShardedParameters`) may be
    given as parts, too: nothing is gathered then, and the checkpoint is the same. A former checkpoint is replaced when
    the new one is complete. unique_id: a folder of this number below `path`, so that several can stand there.
    Errors: StateError where ranks have other names or types of tensors, or parts of a parameter belong to other ranks
    than those that save; KindError for a value that isn't plain; ArtifactError, with the rank and the file, where a
    rank can't write; ArgumentError for `async_save`, and for a path that holds something else.

    >>> import tempfile
    >>> from vitrify.nn import Linear
    >>> def moved(net, other):
    ...     with tempfile.TemporaryDirectory() as folder:
    ...         save_state_dict({"model": net.state_dict()}, f"{folder}/step-1")
    ...         load_state_dict({"model": other.state_dict()}, f"{folder}/step-1")
    ...     return bool((net.weight == other.weight).all())
    >>> moved(Linear(2, 3), Linear(2, 3))
    True"""

def scatter(tensor: _Any, tensor_list: _Sequence[_Any] | None = None, src: _int = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Put entry k of rank `src`'s list into the tensor of rank k."""

def send(tensor: _Any, dst: _int = 0, group: _Group | None = None, sync_op: _bool = True) -> _Task:
    """Give a tensor to rank `dst`, which has to `recv` it. No gradient goes back."""

def shard_layer(layer: _Layer, process_mesh: _ProcessMesh, shard_fn: _Callable[[_str, _Layer, _ProcessMesh], None] | None = None, input_fn: _Callable[[_Any, _ProcessMesh], _Any] | None = None, output_fn: _Callable[[_Any, _ProcessMesh], _Any] | None = None) -> _Layer:
    """Mark a layer's parameters and buffers: `shard_fn(name, layer, mesh)` is called for each inner layer; what it
    leaves is marked as replicated. `input_fn` and `output_fn` get what each call takes and gives.

    Errors: ArgumentError (a ValueError) without a mesh; OtherModeError (a NotImplementedError) in static mode."""

def shard_tensor(data: _Any, mesh: _ProcessMesh, placements: _Sequence[_Placement], dtype: _Any = None, place: _Any = None, stop_gradient: _bool | None = None) -> _Any:
    """A tensor of the same value that is marked to lie on `mesh` so: `is_dist()`, `process_mesh` and `placements` tell.

    Parameters stay themselves. Results of operations aren't marked. Every rank keeps the whole value.
    Errors: ArgumentError for another count of placements than the mesh has dimensions, or an axis that isn't there.

    >>> mesh = ProcessMesh([0, 1], ["x"])
    >>> x = shard_tensor([[1.0, 2.0], [3.0, 4.0]], mesh, [Shard(0)])
    >>> x.is_dist(), x.placements, x.tolist()
    (True, [Shard(dim=0)], [[1.0, 2.0], [3.0, 4.0]])"""

def simulate(step: _Callable[..., _Any], *inputs: _Any, ranks: _int, network: _Network | _str = '10GbE', strategy: _Any = None, calls: _int = 5, speed: _float = 1.0, times: _Mapping[_str, _float] | None = None) -> _Forecast:
    """Predict a training step on `ranks` ranks: its time, each rank's memory, and the traffic.

    step: a function that makes the model on its rank, as for `run_ranks`, and returns the step with its inputs:
    `(step, x, y)`; it is called with `inputs`. Whatever strategy it uses (`DataParallel`, a fleet, a pipeline) is
    predicted. Or a captured training step of one rank, with example `inputs`: then the step is predicted with the
    gradients of its parameters averaged, as `DataParallel` does. inputs are those of one rank. The step runs `calls`
    times (and twice before) on this machine; the median of what it computes counts, divided by `speed` for ranks that
    are so many times as fast. network: a Network, or a name ("10GbE", "100GbE", "infiniband", "shared memory").
    strategy: a fleet.DistributedStrategy for which `fleet.init` is called before the function that makes the model: its
    `fleet.distributed_model` and `fleet.distributed_optimizer` then follow it, so one function serves all strategies.
    times: those of another prediction (`.timeline.times`), to compare both with the same computing.
    Parameters and states are afterwards as before. Values that come from other ranks are made up.
    Errors: ArgumentError for fewer than one rank or call, for a step without a parameter to train, and for one that
    exchanges with more than 64 kinds of ranks; KindError where `step` or what it returns isn't callable, and for a
    strategy beside a captured step, whose optimizer is chosen already.

    >>> import vitrify as vt
    >>> def make():
    ...     net = vt.DataParallel(vt.nn.Linear(64, 64))
    ...     optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
    ...     @vt.to_static
    ...     def step(x):
    ...         net(x).mean().backward()
    ...         optimizer.step()
    ...         optimizer.clear_grad()
    ...     return step, vt.ones([8, 64])
    >>> predicted = simulate(make, ranks=1024, network="10GbE")
    >>> predicted.memory.parameters, predicted.roles[0].exchanges, predicted.seconds > predicted.computing
    (16640, 1, True)"""

def spawn(func: _Callable[..., _Any], args: _tuple[_Any, ...] = ..., nprocs: _int = -1, **_: _Any) -> _list[_Any]:
    """Run `func(*args)` on `nprocs` ranks that are threads of this process, one at a time (`run_ranks`); their results.

    For ranks that run side by side start the program by `vitrify launch -n N`."""

def split(x: _Any, size: _Any, operation: _str, axis: _int = 0, num_partitions: _int = 1, gather_out: _bool = True, weight_attr: _Any = None, bias_attr: _Any = None, name: _str | None = None) -> _Any:
    """Make a layer in a static program, with weights [size] that are spread over all ranks, and give its result for x.

    operation "linear": axis 0 spreads the rows (x may be this rank's part of the last axis already), axis 1 the columns
    (gather_out: all of them are returned). "embedding": axis 0 spreads the rows of the table. num_partitions: how many
    ranks there are. bias_attr: False for no bias.
    Errors: ArgumentError; ModeError outside of static mode, where each call would make a new layer.

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> y = split(vt.static.data("x", [None, 3]), (3, 4), "linear", axis=1)
    >>> vt.disable_static()
    >>> y.shape
    [-1, 4]"""

def synchronise(layer: _Layer, group: _Group | None = None) -> None:
    """Give every rank the parameters and buffers of the group's first. Errors: ArgumentError for sharded parameters."""

def unshard_dtensor(dist_tensor: _Any) -> _Any:
    """The same value without a mark.

    >>> unshard_dtensor(shard_tensor([1.0], ProcessMesh([0]), [Replicate()])).is_dist()
    False"""

def wait(tensor: _Any, group: _Any = None, use_calc_stream: _bool = True) -> None:
    """Wait for the exchange that will write into a tensor, if there is one."""
