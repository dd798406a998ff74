# numerics: ieee
def body(p0, p1, lo, hi):
    for i in range(lo, hi):
        t0 = p0[0]
        t1 = i64(wrapping_add(t0, i64(1)))
        p1[0] = t1
