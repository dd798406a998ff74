"""Programs that nothing was tuned for, each beside its peers, in turn, on one thread or two.

python benchmarks/fresh.py --peers <interpreter with NumPy, torch and jax>                 the first set
python benchmarks/fresh.py --peers ... --set fifth --threads 2                              another one
python benchmarks/fresh.py --peers ... --libraries np,torch,jax,ort,openvino                these two on our ONNX files
"""

import argparse
import importlib
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import fresh_exported
from sweep import Worker, in_turn, names
from sweep_worker import serve

SETS = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
ROUNDS, SECONDS = 5, 0.15  # of so many seconds


def leaves(made):
    """The arrays of nested tuples and lists."""
    for one in made:
        yield from leaves(one) if isinstance(one, (tuple, list)) else [one]


def preparing(programs, libraries):
    """What prepares a program of a set in a worker."""
    import numpy as np

    runners = {n: programs.LIBRARIES[n]() for n in libraries if n not in fresh_exported.ENGINES}

    def prepare(ask):
        library, program = ask["library"], ask["program"]
        if library in fresh_exported.ENGINES:
            weights = getattr(programs, "WEIGHTS", {}).get(program)
            made = fresh_exported.read(library, ask["file"], weights) if ask["file"] else None
        else:
            made = programs.PROGRAMS[program](library, runners[library])
        if made is None:
            return None
        return made[0], lambda result: [float(np.abs(np.asarray(a, np.float64)).sum()) for a in leaves(made[1](result))]

    def export(ask):
        return fresh_exported.write(runners["vt"], ask["path"])

    return prepare, {"export": export}


def measure(workers, program, folder, rounds, clock):
    """Answers to "prepare" and seconds per round, both by library."""
    answers = {"vt": workers["vt"].ask(do="prepare", library="vt", program=program, file="")}
    exported = workers["vt"].ask(do="export", path=f"{folder}/{program}") if folder else {}
    for library, worker in workers.items():
        if library != "vt":
            answers[library] = worker.ask(do="prepare", library=library, program=program, file=exported.get("file", ""))
    ready = [k for k, v in answers.items() if v.get("digest")]
    seconds = in_turn(ready, rounds, lambda k: workers[k].ask(do="time", library=k, clock=clock)["seconds"])
    for k, answer in answers.items():
        if "error" in answer:
            print(program, k, answer["error"], file=sys.stderr)
    if left_out := exported.get("left_out") or exported.get("error"):
        print(program, "ONNX", left_out, file=sys.stderr)
    compare(program, {k: answers[k]["digest"] for k in ready})
    return seconds


def compare(program, digests):
    """Say which libraries computed something else than the first one."""
    first = next(iter(digests.values()), ())
    for k, digest in digests.items():
        if any(abs(a - b) > 1e-3 * (abs(a) + 1e-6) for a, b in zip(first, digest, strict=True)):
            print(program, "results differ:", k, digest, first, file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--vitrify", default=sys.executable)
    parser.add_argument("--set", default="first", choices=SETS)
    parser.add_argument("--programs", type=names, help="only these")
    parser.add_argument(
        "--libraries", type=names, default=["np", "torch", "jax"], help="torch.compile takes minutes for long loops"
    )
    parser.add_argument("--threads", type=int, default=1, choices=(1, 2))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--cpu-time", action="store_true", help="on busy machines, one thread: time of the processor")
    parser.add_argument("--serve", type=names, help=argparse.SUPPRESS)
    args = parser.parse_args()
    programs = importlib.import_module(f"fresh_sets.{args.set}")
    if args.serve:
        prepare, others = preparing(programs, args.serve)
        serve(prepare, SECONDS, others)
        return
    workers = {}
    for python, libraries in ((args.vitrify, ["vt"]), (args.peers, args.libraries)):
        command = [__file__, "--set", args.set, "--serve", ",".join(libraries)]
        workers |= dict.fromkeys(libraries, Worker(python, libraries, command, args.threads, stderr=None))
    folder = tempfile.mkdtemp() if set(args.libraries) & set(fresh_exported.ENGINES) else ""
    print(f"| program | vitrify / fastest peer | peer | spread | vitrify, ms | {' | '.join(args.libraries)} |")
    print("|---|---:|---|---:|---:|" + "---:|" * len(args.libraries))
    for program in args.programs or programs.PROGRAMS:
        times = measure(workers, program, folder, args.rounds, "process_time" if args.cpu_time else "perf_counter")
        medians = {k: statistics.median(v) * 1e3 for k, v in times.items()}
        peers = {k: v for k, v in medians.items() if k != "vt"}
        if not peers:
            continue
        best = min(peers, key=peers.get)
        row = [f"{medians[k]:.3f}" if k in medians else "" for k in workers]
        shown = f"{medians['vt'] / medians[best]:.2f}" if "vt" in medians else ""
        spread = max((max(v) - min(v)) / statistics.median(v) for k, v in times.items() if k in ("vt", best))
        print(f"| {program} | {shown} | {best} | {spread:.0%} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
