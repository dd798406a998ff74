# numerics: ieee
def body(p0, p1, lo, hi):
    for i in range(lo, hi):
        t0 = p0[0]
        t1 = i64(0) < t0
        p1[0] = u8(t1)
