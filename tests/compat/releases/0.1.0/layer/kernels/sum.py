def body(p0, p1, d0, lo, hi):
    for r in range(lo, hi):
        a1 = f32(0)
        for j0 in range(d0):
            t1 = p0[j0]
            a1 = a1 + f32(t1)
        p1[0] = a1
