#!/usr/bin/env python3
"""results.json (+ notes) -> Markdown tables:  python report.py results.json [notes.md] > results.md

notes.md: sections that start with `## <group number>` are set under the tables of that group;
`## top` goes under the summary.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import peers  # noqa: E402
import workloads as w  # noqa: E402


def ft(s):
    if s is None:
        return "-"
    return (
        f"{s * 1e6:.2f} us"
        if s < 1e-5
        else f"{s * 1e6:.1f} us"
        if s < 1e-3
        else f"{s * 1e3:.2f} ms"
        if s < 1
        else f"{s:.2f} s"
    )


def good(o):
    return sorted(
        ((v["t"], p) for p, v in o.items() if "t" in v and not v.get("wrong") and not p.startswith("vitrify"))
    )


def limit_s(name, m):
    """least time that the machine's measured limits allow (compulsory traffic, floating point work)"""
    k = w.W[name]
    if not m:
        return None
    bw = m["triad_48M"] if k.bytes > 3e6 else m["triad_L2_768K"]
    peak = max(m.get("sgemm_mkl_torch", 0), m.get("sgemm_openblas_numpy", 0))
    return max(k.bytes / bw / 1e9, k.flops / peak / 1e9)


def main():
    res = json.load(open(sys.argv[1]))
    notes = {}
    if len(sys.argv) > 2:
        for part in re.split(r"^## ", open(sys.argv[2]).read(), flags=re.M)[1:]:
            h, _, t = part.partition("\n")
            notes[h.strip()] = t.strip()
    pr = print
    pr(f"# Peers' results, run of {res['started']}\n")
    pr("Versions: " + ", ".join(f"{p} {v}" for p, v in res["versions"].items()) + ".  ")
    if res["skipped"]:
        pr("Skipped: " + "; ".join(f"{p} ({e})" for p, e in res["skipped"].items()) + ".")
    pr()
    mach = res["machine"]
    if mach:
        keys = [k for k in next(iter(mach.values())) if k not in ("threads", "numba_target")]
        keys += [k for k in mach.get("2", {}) if k not in keys and k not in ("threads", "numba_target")]
        pr("Machine limits, measured (GB/s counts each array once; GFLOP/s for sgemm n=1536):\n")
        pr("| | " + " | ".join(keys) + " |\n|---|" + "---|" * len(keys))
        for t, m in mach.items():
            pr(
                f"| {t} thread | "
                + " | ".join(f"{m[k]:.3g}" if isinstance(m.get(k), (int, float)) else "-" for k in keys)
                + " |"
            )
        pr(f"\nLLVM names the processor `{next(iter(mach.values())).get('numba_target')}`.\n")
    pr("## Summary\n")
    pr(
        "Limit: the larger of compulsory bytes / triad (or L2 triad for small sets) and FLOPs / sgemm peak; it ignores "
        "dispatch and the cost of transcendental functions.\n"
    )
    pr("| workload | 1 thread: best | second | limit | 2 threads: best | second |\n|---|---|---|---|---|---|")
    for name in w.ALL:
        s = res["steady"].get(name)
        if not s:
            continue
        c = [name]
        for t in ("1", "2"):
            g = good(s.get(t, {}))
            c.append(f"{ft(g[0][0])} {g[0][1]}" if g else "-")
            c.append(f"x{g[1][0] / g[0][0]:.2f} {g[1][1]}" if len(g) > 1 else "-")
            if t == "1":
                c.append(ft(limit_s(name, mach.get("1"))))
        pr("| " + " | ".join(c) + " |")
    pr()
    if "top" in notes:
        pr(notes["top"] + "\n")
    groups = []
    for name in w.ALL:
        if w.W[name].group not in groups:
            groups.append(w.W[name].group)
    for gr in groups:
        names = [n for n in w.ALL if w.W[n].group == gr and n in res["steady"]]
        if not names:
            continue
        pr(f"## Workload {gr}\n")
        for name in names:
            k = w.W[name]
            s = res["steady"][name]
            pr(f"### {name}: {k.title}\n")
            b = {t: (good(s.get(t, {})) or [(None, None)])[0][0] for t in ("1", "2")}
            unit = "GB/s" if k.bound == "bandwidth" else "GFLOP/s"
            work = k.bytes if k.bound == "bandwidth" else k.flops
            pr(
                f"| peer | 1 thread | ratio | {unit} | 2 threads | ratio | {unit} | first call 1t | error | note |\n"
                + "|---" * 10
                + "|"
            )
            ps = set(s.get("1", {})) | set(s.get("2", {}))
            order = sorted(
                ps, key=lambda p: s.get("1", {}).get(p, {}).get("t") or s.get("2", {}).get(p, {}).get("t") or 1e9
            )
            for p in order:
                row, note = [p], []
                for t in ("1", "2"):
                    o = s.get(t, {}).get(p, {})
                    if "t" in o and b[t]:
                        row += [
                            ft(o["t"]) + ("~" if o["spread"] > 0.15 else "") + ("!" if o["quiet"] < 2 else ""),
                            f"{o['t'] / b[t]:.2f}",
                            f"{work / o['t'] / 1e9:.3g}",
                        ]
                    else:
                        row += ["-"] * 3
                        if "error" in o:
                            note.append(f"{t}t: {o['error'][:120]}".replace("|", "/").replace("\n", " "))
                    if o.get("wrong"):
                        note.append(f"{t}t WRONG")
                o = s.get("1", {}).get(p) or s.get("2", {}).get(p)
                e = o.get("err")
                row += [
                    f"{o['first_s']:.2f} s" if "first_s" in o else "-",
                    f"{e:.0e}" if e is not None else "-",
                    "; ".join(note),
                ]
                pr("| " + " | ".join(row) + " |")
            pr()
        if gr == "12" and res["memory"]:
            pr("### Memory of one tower call (1 thread)\n")
            pr(
                f"Sum of all intermediates {w.TOWER_INTERMEDIATES / 2**20:.0f} MiB; input 4 MiB, output 4 MiB; the least a planner needs: "
                "output + one product buffer = 8 MiB (4 MiB + a tile when the product is fused by tiles).\n"
            )
            pr(
                "| peer | peak over resident floor | own figure | resident after warm-up | peak of build + first call |\n|---|---|---|---|---|"
            )
            mb = lambda v: f"{v / 2**20:.0f} MiB" if isinstance(v, (int, float)) else "-"
            for p, o in sorted(res["memory"].items(), key=lambda x: x[1].get("delta", 1e18)):
                pr(
                    f"| {p} | {mb(o.get('delta'))} | {mb(o.get('own'))} | {mb(o.get('base'))} | {mb(o.get('first_peak'))} |"
                    if "delta" in o
                    else f"| {p} | {o.get('error', '')[:80]} | | | |"
                )
            pr()
        if gr in notes:
            pr(notes[gr] + "\n")
    if res["compile"]:
        pr("## Workload 13: compile time (fresh process; build + first call; seconds)\n")
        names = list(res["compile"])
        pr(
            "| peer | import | "
            + " | ".join(f"{n} cold | warm" for n in names)
            + " | peak RSS cold |\n|---|---|"
            + "---|---|" * len(names)
            + "---|"
        )
        ps = [p for p in peers.PEERS if any(p in res["compile"][n] for n in names)]
        for p in ps:
            row, pk, imp = [], 0, None
            for n in names:
                o = res["compile"][n].get(p, {})
                row += [
                    f"{o['cold']:.2f}" if "cold" in o else o.get("error", "-")[:40],
                    f"{o['warm']:.2f}" if "warm" in o else "-",
                ]
                pk, imp = max(pk, o.get("cold_peak", 0)), o.get("import_s", imp)
            pr(
                f"| {p} | {imp:.2f} | " + " | ".join(row) + f" | {pk / 2**20:.0f} MiB |"
                if imp
                else f"| {p} | - | " + " | ".join(row) + " | - |"
            )
        pr()
    if res["import"]:
        pr("Import (after the interpreter and numpy; file cache warm):\n\n| peer | seconds | resident |\n|---|---|---|")
        for p, o in sorted(res["import"].items(), key=lambda x: x[1]["s"]):
            pr(f"| {p} | {o['s']:.2f} | {o['rss'] / 2**20:.0f} MiB |")
        pr()
    if "13" in notes:
        pr(notes["13"] + "\n")
    for k in notes:
        if k not in groups and k not in ("top", "13"):
            pr(f"## {k}\n\n{notes[k]}\n")
    pr(
        f"Wall time of the run: {res.get('seconds', 0) / 60:.0f} min.  Marks: ~ spread over 15 % after the repeats, ! fewer than two quiet rounds."
    )


main()
