"""One peer in one process, driven by JSON lines on stdin (see run.py).

The peer's own output goes to stderr; file descriptor 1 is kept for replies.
"""

import os
import sys
import time

_OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import gc
import importlib
import json
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def reply(**k):
    _OUT.write(json.dumps(k) + "\n")
    _OUT.flush()


def rss(field="VmRSS"):
    with open("/proc/self/status") as f:
        for line in f:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    return 0


def reset_peak():
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass


def trim():
    gc.collect()
    try:
        import ctypes

        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except OSError:
        pass


def set_autogroup(n):
    """Where Linux groups sessions (autogroup), `nice` works only inside a session: other people's niced
    jobs would still get an equal share.  This asks for our own session what their nice meant to give.
    """
    if n:
        try:
            with open("/proc/self/autogroup", "w") as f:
                f.write(str(n))
        except OSError:
            pass


def spread_threads(peer, a, b):
    """Two threads on two cores: keep them apart.  Where other jobs keep both cores busy the kernel may leave both
    threads of a pool on one core for a whole round.  OpenMP pools are bound by OMP_PLACES (run.py), onnxruntime
    by a session option; the rest is bound here: OpenBLAS's thread, numexpr's and XLA's pools.  Paddle's are left
    to the kernel (its own pools would inherit the main thread's core).
    """
    me = os.getpid()
    tasks = sorted(int(t) for t in os.listdir("/proc/self/task"))
    others = []
    for t in tasks:
        if t == me:
            continue
        try:
            with open(f"/proc/self/task/{t}/comm") as f:
                comm = f.read().strip()
            others.append((t, comm))
        except OSError:
            pass

    def pin(t, c):
        try:
            os.sched_setaffinity(t, {c})
        except OSError:
            pass

    if peer == "jax":
        for k, t in enumerate(t for t, c in others if "Eigen" in c):
            pin(t, (a, b)[k % 2])
    elif peer == "numexpr":
        for k, (t, _) in enumerate(others):
            pin(t, (b, a)[k % 2])
        pin(me, a)
    elif peer in ("numpy", "numba", "numba_poly", "ort", "vitrify", "vitrify_before"):
        for t, _ in others:
            pin(t, b)
        pin(me, a)


def queue_wait():
    """nanoseconds this process's threads stood runnable but not running"""
    w = 0
    for t in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{t}/schedstat") as f:
                w += int(f.read().split()[1])
        except (OSError, IndexError):
            pass
    return w


def measure(run, budget, cap=100000):
    """median seconds a call; calls under 20 us are timed in batches"""
    pc = time.perf_counter
    t = pc()
    run()
    one = pc() - t
    batch = max(1, int(20e-6 / max(one, 1e-7))) if one < 20e-6 else 1
    ts = []
    q0, c0, t0 = queue_wait(), time.process_time(), pc()
    end = t0 + budget
    gc_was = gc.isenabled()
    gc.disable()
    while True:
        if batch == 1:
            t = pc()
            run()
            e = pc()
            ts.append(e - t)
        else:
            t = pc()
            for _ in range(batch):
                run()
            e = pc()
            ts.append((e - t) / batch)
        if (e >= end and len(ts) >= 3) or len(ts) >= cap:
            break
    wall = pc() - t0
    cpu, q = time.process_time() - c0, queue_wait() - q0
    if gc_was:
        gc.enable()
    ts.sort()
    return {"med": ts[len(ts) // 2], "min": ts[0], "n": len(ts) * batch, "wall": wall, "cpu": cpu, "wait": q / 1e9}


def main():
    spec = json.loads(sys.argv[1])
    threads = spec["threads"]
    set_autogroup(spec.get("autogroup"))
    if spec.get("cores"):
        os.sched_setaffinity(0, spec["cores"])
    peer = None
    ref_dir = spec["refs"]
    case = None
    for line in sys.stdin:
        cmd = json.loads(line)
        try:
            c = cmd["cmd"]
            if c == "quit":
                reply(ok=True)
                break
            if c == "init":
                import numpy as np
                import workloads

                r0 = rss()
                t = time.perf_counter()
                mod = importlib.import_module("peers." + spec["module"])
                peer = mod.load(spec["peer"], threads)  # -> dict name -> build, "version"
                reply(
                    ok=True,
                    import_s=time.perf_counter() - t,
                    rss=rss() - r0,
                    version=peer["version"],
                    has=[w for w in workloads.ALL if w in peer["build"]],
                )
            elif c == "prepare":
                name = cmd["workload"]
                inputs = workloads.inputs_of(name)
                build = peer["build"][name]
                reset_peak()
                t = time.perf_counter()
                case = build(inputs)
                b = time.perf_counter()
                out = case[0]()
                f = time.perf_counter()
                outs = case[1](out)
                del out
                peak = rss("VmHWM")
                err = None
                rf = os.path.join(ref_dir, name + ".npz")
                if os.path.exists(rf):
                    z = np.load(rf)
                    err = workloads.check(name, outs, [z[k] for k in z.files], inputs)
                del outs
                if threads == 2 and spec.get("pair"):
                    spread_threads(spec["peer"], *spec["pair"])
                s = time.perf_counter()
                n = 0
                while n < 2 or (time.perf_counter() - s < cmd.get("warm", 0.25)):
                    case[0]()
                    n += 1
                    if time.perf_counter() - s > 2.0:
                        break
                reply(ok=True, build_s=b - t, first_s=f - b, err=err, tol=workloads.W[name].tol, peak=peak, rss=rss())
            elif c == "round":
                reply(ok=True, **measure(case[0], cmd["budget"]))
            elif c == "peak":  # memory of one warmed call over the resident floor
                case[0]()
                trim()
                reset_peak()
                base = rss()
                out = case[0]()
                top = rss("VmHWM")
                del out
                own = peer["mem"]() if "mem" in peer else None
                reply(ok=True, base=base, peak=top, own=own)
            elif c == "release":
                case = None
                if "release" in peer:
                    peer["release"]()
                trim()
                reply(ok=True)
        except Exception as e:  # noqa: BLE001 - reported to the parent
            traceback.print_exc()
            reply(ok=False, error=f"{type(e).__name__}: {str(e)[:300]}")
    sys.stderr.flush()
    os._exit(0)


main()
