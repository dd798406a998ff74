# numerics: ieee
def body(p0, p1, lo, hi):
    for i in range(lo, hi):
        t0 = p0[i]
        t1 = t0 * f32(2.0)
        p1[i] = t1
