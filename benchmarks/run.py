#!/usr/bin/env python3
"""Run the peers side by side.  See README.md.

python run.py                          # everything, about 20 minutes with warm compile caches
python run.py -w gelu,softmax -p jax,torch_compile,numba_poly -t 1
python run.py --parts steady           # steady | compile | memory | import | machine
python run.py --parts steady -p vitrify,vitrify_before --before-python /elsewhere/.venv/bin/python --rounds 15
                                       # this checkout beside another one, round by round, and the ratio of their times
"""

import argparse
import json
import os
import queue
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
for _k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_k] = "1"  # the parent only calibrates
import bytecode  # noqa: E402
import numpy as np  # noqa: E402
import peers  # noqa: E402
import workloads  # noqa: E402

TMP = os.path.join(tempfile.gettempdir(), "vitrify-bench")
T_START = time.time()
AUTOGROUP = 0
PIN = True


def say(*a):
    print(f"[{time.time() - T_START:6.0f}s]", *a, flush=True)


class Dead(Exception):
    pass


def python_of(peer, args):
    """vitrify runs where it is installed; the other peers where they are"""
    return {"vitrify": args.vitrify_python, "vitrify_before": args.before_python}.get(peer, args.python)


def write_bytecode(args):
    for peer in ("vitrify", "vitrify_before"):
        if peer in args.peers:
            bytecode.write(python_of(peer, args))


class Worker:
    def __init__(self, peer, threads, python, cores, cache, extra_env=None):
        self.peer, self.threads = peer, threads
        mod, _ = peers.PEERS[peer]
        # Every peer chooses its kernels for this CPU itself: a machine-wide override would measure the override.
        env = {
            k: v
            for k, v in os.environ.items()
            if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_DEBUG_CPU_TYPE")
        }
        env.update(peers.omp(threads))
        env.update(
            {
                "PYTHONDONTWRITEBYTECODE": "1",
                "TORCHINDUCTOR_CACHE_DIR": os.path.join(cache, "torch"),
                "PYTENSOR_FLAGS": "base_compiledir=" + os.path.join(cache, "pytensor"),
                "NUMBA_CACHE_DIR": os.path.join(cache, "numba"),
                "VITRIFY_CACHE_DIR": os.path.join(cache, "vitrify"),
                "TF_CPP_MIN_LOG_LEVEL": "3",
                "GLOG_v": "0",
                "GLOG_minloglevel": "3",
            }
        )
        pair = sorted(os.sched_getaffinity(0))[:2] if threads == 2 and PIN else None
        if pair and not peer.startswith("paddle"):
            env.update({"OMP_PROC_BIND": "close", "OMP_PLACES": ",".join("{%d}" % c for c in pair)})
        env.update(extra_env or {})
        spec = {
            "peer": peer,
            "module": mod,
            "threads": threads,
            "cores": cores if threads == 1 else None,
            "autogroup": AUTOGROUP,
            "pair": pair,
            "refs": os.path.join(TMP, "refs"),
        }
        os.makedirs(os.path.join(TMP, "log"), exist_ok=True)
        self.log = open(os.path.join(TMP, "log", f"{peer}-t{threads}.log"), "a")
        self.p = subprocess.Popen(
            [python, os.path.join(HERE, "worker.py"), json.dumps(spec)],
            env=env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            start_new_session=True,
            cwd=TMP,
        )
        self.q = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.p.stdout:
            self.q.put(line)
        self.q.put(None)

    def call(self, timeout, **cmd):
        try:
            self.p.stdin.write(json.dumps(cmd) + "\n")
            self.p.stdin.flush()
            while True:
                line = self.q.get(timeout=timeout)
                if line is None:
                    raise Dead(f"process ended (exit {self.p.wait(5)})")
                try:
                    r = json.loads(line)
                except ValueError:
                    continue  # a stray print
                if not r.get("ok"):
                    r.setdefault("error", "?")
                return r
        except queue.Empty:
            self.kill()
            raise Dead(f"timeout after {timeout:.0f} s") from None
        except (BrokenPipeError, OSError) as e:
            self.kill()
            raise Dead(f"process died ({e})") from None

    def kill(self):
        try:
            os.killpg(self.p.pid, signal.SIGKILL)  # the worker and the compilers it started
        except (ProcessLookupError, PermissionError):
            pass
        self.p.wait()

    def close(self):
        if self.p.poll() is None:
            try:
                self.call(10, cmd="quit")
            except Dead:
                pass
        self.kill()
        self.log.close()

    def cpu_ns(self):
        n, d = 0, f"/proc/{self.p.pid}/task"
        try:
            for t in os.listdir(d):
                with open(f"{d}/{t}/schedstat") as f:
                    n += int(f.read().split()[0])
        except OSError:
            pass
        return n

    def settle(self, limit=0.3):
        """wait until its thread pools stop spinning"""
        end, a = time.time() + limit, self.cpu_ns()
        while time.time() < end:
            time.sleep(0.004)
            b = self.cpu_ns()
            if b - a < 400_000:
                return
            a = b


class Noise:
    """a fixed kernel before and after each round, on the cores that the round uses"""

    def __init__(self):
        self.a = np.ones((192, 192), np.float32)
        self.b = np.ones(1 << 20, np.float32)
        self.c = np.empty_like(self.b)
        self.all = os.sched_getaffinity(0)
        self.base = {}
        for c in sorted(self.all):
            self.base[c] = sorted(self._once(c) for _ in range(40))[4]
        self.hist = []

    def _once(self, core):
        os.sched_setaffinity(0, {core})
        best = 1.0
        for k in range(3):  # the first pass only warms the caches that a round left cold
            t = time.perf_counter()
            for _ in range(2):
                self.a @ self.a
                np.add(self.b, 1, out=self.c)
            best = min(best, time.perf_counter() - t) if k else best
        os.sched_setaffinity(0, self.all)
        return best

    def level(self, cores):
        v = 0
        for c in cores:
            t = self._once(c)
            self.base[c] = min(self.base[c], t)
            v = max(v, t / self.base[c])
        self.hist.append(v)
        return v

    def quiet(self, cores, tries=12):
        v = self.level(cores)
        while v > 1.15 and tries:
            time.sleep(0.02)
            v, tries = self.level(cores), tries - 1
        return v


def ensure_refs(names):
    d = os.path.join(TMP, "refs")
    os.makedirs(d, exist_ok=True)
    todo = [n for n in names if not os.path.exists(os.path.join(d, n + ".npz"))]
    if todo:
        say("computing float64 references:", ", ".join(todo))
        code = (
            "import sys; sys.path.insert(0, sys.argv[1]); import numpy as np, workloads as w\n"
            "for n in sys.argv[3:]: np.savez(sys.argv[2] + '/' + n + '.npz', *w.W[n].ref(w.inputs_of(n)))"
        )
        subprocess.run(
            [sys.executable, "-c", code, HERE, d, *todo],
            check=True,
            env={**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"},
        )


def steady(args, res):
    noise = Noise()
    allcores = sorted(noise.all)
    one = [args.core if args.core in noise.all else allcores[-1]]
    for threads in args.threads:
        cores = one if threads == 1 else allcores[:threads]
        ws = {}

        def start(p):
            try:
                k = Worker(p, threads, python_of(p, args), cores, args.cache)
                r = k.call(120, cmd="init")
                if not r["ok"]:
                    k.close()
                    res["skipped"][p] = r["error"]
                    return None
                res["versions"][p] = r["version"]
                k.has = set(r["has"])
                return k
            except Dead as e:
                res["skipped"][p] = str(e)
                return None

        for p in args.peers:
            if threads > 1 and p in peers.SINGLE:
                continue
            k = start(p)
            if k:
                ws[p] = k
            else:
                say(f"skip {p}: {res['skipped'][p]}")
        for name in args.workloads:
            live, out = [], {}
            for p in list(args.peers):
                if p not in ws or name not in ws[p].has:
                    continue
                try:
                    r = ws[p].call(args.prepare_timeout, cmd="prepare", workload=name)
                except Dead as e:
                    out[p] = {"error": str(e)}
                    say(f"{name} t{threads} {p}: {e}; restarting it")
                    ws.pop(p)
                    k = start(p)
                    if k:
                        ws[p] = k
                    continue
                if not r["ok"]:
                    out[p] = {"error": r["error"]}
                    say(f"{name} t{threads} {p}: {r['error'][:150]}")
                    continue
                out[p] = {
                    "first_s": r["build_s"] + r["first_s"],
                    "err": r["err"],
                    "tol": r["tol"],
                    "rounds": [],
                    "rss": r["rss"],
                    "peak": r["peak"],
                }
                if r["err"] is not None and not r["err"] <= r["tol"]:
                    out[p]["wrong"] = True
                    say(f"{name} t{threads} {p}: WRONG by {r['err']:.2e}")
                live.append(p)
            budget, rnd = args.round_s, 0
            while live and rnd < args.rounds + args.extra:
                todo = (
                    live if rnd < args.rounds else [p for p in live if spread(out[p]) > 0.15 or usable(out[p])[1] < 2]
                )
                if not todo:
                    break
                k = rnd % len(todo)
                for p in todo[k:] + todo[:k]:
                    o = out[p]
                    if rnd >= 3 and o["rounds"] and o["rounds"][0]["med"] > 1.0:
                        continue  # slow and certain
                    n0 = noise.quiet(cores)
                    try:
                        r = ws[p].call(60, cmd="round", budget=budget)
                    except Dead as e:
                        o["error"] = str(e)
                        live.remove(p)
                        ws.pop(p)
                        k2 = start(p)
                        if k2:
                            ws[p] = k2
                        continue
                    ws[p].settle()
                    if not r["ok"]:
                        o["error"] = r["error"]
                        live.remove(p)
                        continue
                    n1 = noise.level(cores)
                    r["noise"] = max(n0, n1)
                    r["ok_quiet"] = r["noise"] < 1.15 and (r["cpu"] > 0.9 * r["wall"] or r["wait"] < 0.1 * r["wall"])
                    o["rounds"].append(r)
                rnd += 1
            for p, o in out.items():
                if o.get("rounds"):
                    o["t"], o["quiet"] = estimate(o)
                    o["spread"] = spread(o)
                if p in ws:
                    try:
                        ws[p].call(60, cmd="release")
                    except Dead:
                        ws.pop(p)
                        k = start(p)
                        if k:
                            ws[p] = k
            res["steady"].setdefault(name, {})[str(threads)] = out
            good = sorted((o["t"], p) for p, o in out.items() if "t" in o and not o.get("wrong"))
            if good:
                say(
                    f"{name:15s} t{threads} "
                    + "  ".join(f"{p} {fmt(t)}" for t, p in good[:4])
                    + f"  | noise {statistics.median(noise.hist[-40:]):.2f}"
                )
            save(args, res)
        for k in ws.values():
            k.close()


def usable(o):
    """the quiet rounds; a round that got far fewer cores than the peer's best one had its threads on one core"""
    top = max(r["cpu"] / r["wall"] for r in o["rounds"])
    q = [r for r in o["rounds"] if r["ok_quiet"] and r["cpu"] / r["wall"] > 0.8 * top]
    return (q, len(q)) if len(q) >= 2 else (o["rounds"], len(q))


def estimate(o):
    q, n = usable(o)
    return statistics.median(r["med"] for r in q), n


def spread(o):
    q, n = usable(o)
    v = sorted(r["med"] for r in q)
    if len(v) < 2:
        return 1.0
    k = len(v) // 4
    return (v[len(v) - 1 - k] - v[k]) / v[len(v) // 2]


def fmt(s):
    return f"{s * 1e6:.2f}us" if s < 1e-4 else f"{s * 1e3:.3g}ms" if s < 1 else f"{s:.3g}s"


COMPILE = ("mlp_train", "lenet_train", "lstm_b32_fwd", "enc_train")
COMPILE_PEERS = ("torch_eager", "torch_compile", "jax", "paddle_static", "pytensor", "numba", "vitrify")


def compile_part(args, res):
    """fresh process, empty caches; then a fresh process with the caches that the first one left"""
    for p in args.peers:
        if p not in COMPILE_PEERS or p in res["skipped"]:
            continue
        for name in [w for w in COMPILE if w in args.workloads]:
            cache = tempfile.mkdtemp(prefix="cold-", dir=TMP)
            out = {}
            kinds = ("background", "cold", "warm") if p == "vitrify" else ("cold", "warm")
            for kind in kinds:
                further = {"BENCH_JAX_CACHE": os.path.join(cache, "jax")}
                if kind == "background":  # until the first result, with a cache that it leaves empty
                    further |= {"VITRIFY_COMPILE": "background", "VITRIFY_CACHE_DIR": os.path.join(cache, "other")}
                try:
                    k = Worker(
                        p,
                        args.compile_threads,
                        python_of(p, args),
                        None,
                        cache,
                        further,
                    )
                    i = k.call(120, cmd="init")
                    if not i["ok"]:
                        out["error"] = i["error"]
                        k.close()
                        break
                    if name not in i["has"]:
                        k.close()
                        break
                    r = k.call(args.compile_timeout, cmd="prepare", workload=name, warm=0.0)
                    k.close()
                    if not r["ok"]:
                        out["error"] = r["error"]
                        break
                    out[kind] = r["build_s"] + r["first_s"]
                    out[kind + "_peak"] = r["peak"]
                    out["import_s"], out["import_rss"] = i["import_s"], i["rss"]
                except Dead as e:
                    out["error"] = str(e)
                    break
            shutil.rmtree(cache, ignore_errors=True)
            if out:
                res["compile"].setdefault(name, {})[p] = out
                say(
                    f"compile {name} {p}: "
                    + ", ".join(
                        f"{k} {v:.2f}" if isinstance(v, float) else f"{k} {v}"
                        for k, v in out.items()
                        if not k.endswith(("peak", "rss"))
                    )
                )
                save(args, res)


def import_part(args, res):
    for p in args.peers:
        if p in res["skipped"]:
            continue
        ts, rs = [], []
        for _ in range(3):
            try:
                k = Worker(p, 1, python_of(p, args), None, args.cache)
                r = k.call(120, cmd="init")
                k.close()
                if not r["ok"]:
                    break
                ts.append(r["import_s"]), rs.append(r["rss"])
            except Dead:
                break
        if ts:
            res["import"][p] = {"s": statistics.median(ts), "rss": statistics.median(rs)}
            say(f"import {p}: {statistics.median(ts):.2f} s, {statistics.median(rs) / 2**20:.0f} MiB")
    save(args, res)


def memory_part(args, res):
    for p in args.peers:
        if p in res["skipped"]:
            continue
        try:
            k = Worker(
                p,
                1,
                python_of(p, args),
                None,
                args.cache,
                {"BENCH_MEM": "1", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"},
            )
            i = k.call(120, cmd="init")
            if i["ok"] and "tower" in i["has"]:
                a = k.call(args.prepare_timeout, cmd="prepare", workload="tower", warm=0.0)
                if a["ok"]:
                    m = k.call(60, cmd="peak")
                    if not m["ok"]:
                        res["memory"][p] = {"error": m["error"]}
                        k.close()
                        continue
                    res["memory"][p] = {
                        "delta": m["peak"] - m["base"],
                        "base": m["base"],
                        "own": m["own"],
                        "first_peak": a["peak"],
                    }
                    say(
                        f"memory {p}: one call +{(m['peak'] - m['base']) / 2**20:.0f} MiB over {m['base'] / 2**20:.0f}"
                        f" MiB resident (own figure {m['own']})"
                    )
                else:
                    res["memory"][p] = {"error": a["error"]}
            k.close()
        except Dead as e:
            res["memory"][p] = {"error": str(e)}
    save(args, res)


def machine_part(args, res):
    for t in args.threads:
        env = {**os.environ, **peers.omp(t)}
        pre = (lambda: os.sched_setaffinity(0, {args.core})) if t == 1 else None
        o = subprocess.run(
            [args.python, os.path.join(HERE, "machine.py"), str(t)],
            env=env,
            capture_output=True,
            text=True,
            timeout=180,
            preexec_fn=pre,
        )
        try:
            res["machine"][str(t)] = json.loads(o.stdout.strip().splitlines()[-1])
            say("machine", res["machine"][str(t)])
        except (IndexError, ValueError):
            say("machine part failed:", o.stderr[-500:])
    save(args, res)


def compare(res):
    """how long vitrify takes beside vitrify_before: the ratio of the medians, and of the least of the rounds"""
    for name, by_threads in res["steady"].items():
        for threads, out in by_threads.items():
            new, old = out.get("vitrify", {}), out.get("vitrify_before", {})
            if "t" not in new or "t" not in old:
                continue
            least = [min(r["med"] for r in o["rounds"]) for o in (new, old)]
            ratio, floor = new["t"] / old["t"], least[0] / least[1]
            slow = "  SLOWER" if min(ratio, floor) > 1.05 else ""
            say(f"{name:15s} t{threads}  {fmt(new['t'])} / {fmt(old['t'])} = {ratio:.3f}, least {floor:.3f}{slow}")


def save(args, res):
    res["seconds"] = time.time() - T_START
    with open(args.out + ".tmp", "w") as f:
        json.dump(res, f, indent=1)
    os.replace(args.out + ".tmp", args.out)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("-w", "--workloads", default="", help="comma list (default all): " + ",".join(workloads.ALL))
    ap.add_argument("-p", "--peers", default="", help="comma list (default all): " + ",".join(peers.PEERS))
    ap.add_argument("-t", "--threads", default="1,2")
    ap.add_argument("--parts", default="machine,import,steady,memory,compile")
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--extra", type=int, default=5, help="more rounds for those with a spread over 15%%")
    ap.add_argument("--round-s", type=float, default=0.06)
    ap.add_argument("--core", type=int, default=1, help="the core of the one-thread runs")
    ap.add_argument("--prepare-timeout", type=float, default=180)
    ap.add_argument("--compile-timeout", type=float, default=180)
    ap.add_argument("--compile-threads", type=int, default=2)
    ap.add_argument("--python", default=sys.executable, help="interpreter of the peers' environment")
    ap.add_argument("--vitrify-python", default=sys.executable, help="interpreter of vitrify's environment")
    ap.add_argument("--before-python", default="", help="interpreter of the checkout that vitrify_before is")
    ap.add_argument("--cache", default=os.path.join(TMP, "cache"), help="compile caches kept between runs")
    ap.add_argument("--out", default=os.path.join(TMP, "results.json"))
    ap.add_argument(
        "--autogroup",
        type=int,
        default=0,
        help="Linux: scheduler weight (-20..19) for our own sessions "
        "on a machine shared with niced jobs (needs the right to)",
    )
    ap.add_argument("--no-pin", action="store_true", help="two threads: leave them to the kernel")
    ap.add_argument("--append", action="store_true", help="add to the results already in --out")
    a = ap.parse_args()
    a.workloads = [w for w in (a.workloads.split(",") if a.workloads else workloads.ALL)]
    usual = [p for p in peers.PEERS if p != "vitrify_before" or a.before_python]
    a.peers = a.peers.split(",") if a.peers else usual
    for w in a.workloads:
        if w not in workloads.W:
            ap.error(f"no workload {w}")
    for p in a.peers:
        if p not in peers.PEERS:
            ap.error(f"no peer {p}")
    if "vitrify_before" in a.peers and not a.before_python:
        ap.error("vitrify_before needs --before-python")
    pythons = (a.python, a.vitrify_python, a.before_python)
    a.python, a.vitrify_python, a.before_python = (q and os.path.abspath(shutil.which(q) or q) for q in pythons)
    a.threads = [int(t) for t in a.threads.split(",")]
    global AUTOGROUP, PIN
    AUTOGROUP = a.autogroup
    PIN = not a.no_pin
    if AUTOGROUP:
        try:
            with open("/proc/self/autogroup", "w") as f:
                f.write(str(AUTOGROUP))
        except OSError:
            say("the autogroup weight could not be set")
    for d in (TMP, a.cache):
        os.makedirs(d, exist_ok=True)
    res = {
        "started": time.strftime("%Y-%m-%d %H:%M"),
        "versions": {},
        "skipped": {},
        "steady": {},
        "compile": {},
        "import": {},
        "memory": {},
        "machine": {},
    }
    if a.append and os.path.exists(a.out):
        with open(a.out) as f:
            res.update(json.load(f))
        res["skipped"] = {}
    ensure_refs(a.workloads)
    write_bytecode(a)
    parts = a.parts.split(",")
    for name, part in (
        ("machine", machine_part),
        ("import", import_part),
        ("steady", steady),
        ("memory", memory_part),
        ("compile", compile_part),
    ):
        if name in parts:
            part(a, res)
    compare(res)
    say("done ->", a.out)


if __name__ == "__main__":
    main()
