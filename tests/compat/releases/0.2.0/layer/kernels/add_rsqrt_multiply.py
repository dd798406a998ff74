# numerics: ieee
def body(p0, p1, p2, lo, hi):
    for i in range(lo, hi):
        t0 = p0[i]
        t1 = t0 + f32(9.999999747378752e-06)
        t2 = rsqrt_f32(t1)
        t3 = p1[i]
        t4 = t2 * t3
        p2[i] = t4
