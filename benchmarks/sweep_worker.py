"""The workers' side of sweep.py: times what it is asked for in one process, driven by JSON lines on stdin."""

import gc
import json
import os
import statistics
import sys
import time

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))
# Seconds of calls before a round, with several threads: a system that packs threads on few cores while little runs
# spreads them anew only after some ms of work.
WARM = 0.02 if THREADS > 1 else 0.0
PATIENCE = 0.3  # seconds, for threads that look for more work


def timed(run, seconds=0.008, clock=time.perf_counter):
    """Seconds of one call: the median of a round of so many seconds, short calls in batches."""
    warm = time.perf_counter() + WARM
    while time.perf_counter() < warm:
        run()
    start = clock()
    run()
    once = clock() - start
    if once > seconds:
        return once
    batch = max(1, int(0.0002 / max(once, 1e-7)))
    found, end = [], clock() + seconds
    while not found or clock() < end:
        start = clock()
        for _ in range(batch):
            run()
        found.append((clock() - start) / batch)
    return statistics.median(found)


def rest():
    """Wait until the threads of a library that was timed sleep: OpenBLAS's look for work for 0.1 s. Systems count in ticks."""
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        before = time.process_time()
        time.sleep(0.006)
        if time.process_time() - before < 0.001:
            return


def serve(prepare, seconds=0.008, others=None):
    """Answer questions until stdin ends. ``prepare(ask)`` gives a call and the digest of its result, or None.

    ``others`` answers further questions, by what they ask to do.

    What libraries print goes to stderr: file descriptor 1 is kept for answers.
    """
    out, ready = os.fdopen(os.dup(1), "w"), {}
    os.dup2(2, 1)
    for line in sys.stdin:
        ask = json.loads(line)
        try:
            if ask["do"] == "prepare":
                answer = {"skip": True}
                if made := prepare(ask):
                    run, digest = made
                    start = time.perf_counter()
                    answer = {"digest": digest(run()), "first": time.perf_counter() - start}
                    run()  # weights ask for gradients since the first call: the second may be another program's first
                    ready[ask["library"]] = run
            elif ask["do"] == "clear":
                ready.clear()
                gc.collect()  # compiled functions are cycles, and hold memory for results
                answer = {}
            elif others and ask["do"] in others:
                answer = others[ask["do"]](ask)
            else:
                clock = getattr(time, ask.get("clock", "perf_counter"))
                answer = {"seconds": timed(ready[ask["library"]], ask.get("lasting", seconds), clock)}
        except Exception as error:  # broad: a library that can't do a case is left out, with its reason
            answer = {"error": f"{type(error).__name__}: {error}".split("\n")[0][:300]}
        if THREADS > 1 and ask["do"] != "clear":
            rest()
        out.write(json.dumps(answer) + "\n")
        out.flush()
