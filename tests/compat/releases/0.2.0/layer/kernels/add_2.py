# numerics: ieee
def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        for j in range(5):
            t0 = p0[r * 5 + j]
            t1 = p1[j]
            t2 = t0 + t1
            p0[r * 5 + j] = t2
