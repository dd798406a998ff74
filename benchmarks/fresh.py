"""Programs that nothing was tuned for, each beside its peers, in turn, on one thread or two.

python benchmarks/fresh.py --peers <interpreter with NumPy, torch and jax>                 ten of fresh_programs.py
python benchmarks/fresh.py --peers ... --module fresh_programs_later                        ten later ones
python benchmarks/fresh.py --peers ... --module fresh_programs_unseen --threads 2           and ten more
python benchmarks/fresh.py --peers ... --libraries np,torch,jax,ort,openvino                 these two on our ONNX files
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
ROUNDS, ROUND = 5, 0.15  # of so many seconds


def leaves(made):
    """The arrays of nested tuples and lists."""
    for one in made:
        yield from leaves(one) if isinstance(one, (tuple, list)) else [one]


def serve(module, names):
    """A worker: times programs of a module on request."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import fresh_exported
    import numpy as np

    programs = importlib.import_module(module)
    runners, ready = {n: programs.LIBRARIES[n]() for n in names if n not in fresh_exported.ENGINES}, {}
    for line in sys.stdin:
        ask = json.loads(line)
        key = (ask["library"], ask["program"])
        try:
            if key not in ready:
                if key[0] in fresh_exported.ENGINES:
                    weights = getattr(programs, "WEIGHTS", {}).get(key[1])
                    made = fresh_exported.read(key[0], ask["file"], weights) if ask.get("file") else None
                else:
                    made = programs.PROGRAMS[key[1]](key[0], runners[key[0]])
                ready[key] = made and made[0]
                answer = {
                    "digest": made
                    and [float(np.abs(np.asarray(a, np.float64)).sum()) for a in leaves(made[1](made[0]()))]
                }
                if key[0] == "vt" and ask.get("folder"):
                    answer |= fresh_exported.write(runners["vt"], f"{ask['folder']}/{key[1]}")
                if made:
                    made[
                        0
                    ]()  # weights ask for gradients since the first call: the second may be another program's first
            else:
                found, end = [], time.perf_counter() + ROUND
                while not found or time.perf_counter() < end:
                    start = time.perf_counter()
                    ready[key]()
                    found.append(time.perf_counter() - start)
                answer = {"seconds": statistics.median(found)}
        except Exception as error:  # broad: a library that can't run a program is left out, with its reason
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        out.write(json.dumps(answer) + "\n")
        out.flush()


def main():
    import fresh_exported

    from ops import ONE_THREAD, OVERRIDES

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--vitrify", default=sys.executable)
    parser.add_argument("--programs", default="")
    parser.add_argument("--libraries", default="np,torch,jax", help="peers; torch.compile takes minutes for long loops")
    parser.add_argument("--module", default="fresh_programs")
    parser.add_argument("--threads", type=int, default=1, choices=(1, 2))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--serve", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.module, args.serve.split(","))
        return
    PROGRAMS = importlib.import_module(args.module).PROGRAMS
    peers_asked = args.libraries.split(",")
    environment = {k: v for k, v in os.environ.items() if k not in OVERRIDES} | ONE_THREAD
    environment["FRESH_THREADS"] = str(args.threads)
    cores = sorted(os.sched_getaffinity(0))[-args.threads :]
    if args.threads > 1:
        del environment["XLA_FLAGS"]
        environment |= {k: str(args.threads) for k in ONE_THREAD if k.endswith("_THREADS")}
    workers = {}
    for python, names in ((args.vitrify, ["vt"]), (args.peers, peers_asked)):
        process = subprocess.Popen(
            [python, "-W", "ignore", __file__, "--module", args.module, "--serve", ",".join(names)], stdin=subprocess.PIPE, text=True,
            stdout=subprocess.PIPE, env=environment, preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )  # fmt: skip
        workers |= dict.fromkeys(names, process)

    folder = tempfile.mkdtemp() if set(peers_asked) & set(fresh_exported.ENGINES) else ""

    def ask(library, program, file=""):
        asked = {"library": library, "program": program, "folder": folder, "file": file}
        workers[library].stdin.write(json.dumps(asked) + "\n")
        workers[library].stdin.flush()
        return json.loads(workers[library].stdout.readline())

    shown_names = ["vt", *peers_asked]
    print(f"| program | vitrify / fastest peer | peer | spread | vitrify, ms | {' | '.join(peers_asked)} |")
    print("|---|---:|---|---:|---:|" + "---:|" * len(peers_asked))
    for program in args.programs.split(",") if args.programs else PROGRAMS:
        ready = {"vt": ask("vt", program)}
        ready |= {library: ask(library, program, ready["vt"].get("file", "")) for library in peers_asked}
        known = {k: v["digest"] for k, v in ready.items() if v.get("digest")}
        for k, v in ready.items():
            if "error" in v:
                print(program, k, v["error"], file=sys.stderr)
        if "left_out" in ready["vt"]:
            print(program, "ONNX", ready["vt"]["left_out"], file=sys.stderr)
        first = next(iter(known.values()))
        for k, digest in known.items():
            if any(abs(a - b) > 1e-3 * (abs(a) + 1e-6) for a, b in zip(first, digest, strict=True)):
                print(program, "results differ:", k, digest, first, file=sys.stderr)
        times = {k: [] for k in known}
        for turn in range(args.rounds):
            order = list(known)
            for k in order[turn % len(order) :] + order[: turn % len(order)]:
                times[k].append(ask(k, program)["seconds"])
        medians = {k: statistics.median(v) * 1e3 for k, v in times.items()}
        peers = {k: v for k, v in medians.items() if k != "vt"}
        best = min(peers, key=peers.get)
        row = [f"{medians[k]:.3f}" if k in medians else "" for k in shown_names]
        shown = f"{medians['vt'] / medians[best]:.2f}" if "vt" in medians else ""
        spread = max((max(v) - min(v)) / statistics.median(v) for k, v in times.items() if k in ("vt", best))
        print(f"| {program} | {shown} | {best} | {spread:.0%} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
