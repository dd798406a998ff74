def body(p0, p1, p2, p3, p4, lo, hi):
    for i in range(lo, hi):
        t0 = p0[i]
        t1 = p1[i]
        t2 = p2[i]
        t3 = (t1 - t2)
        t4 = (t3 * t0)
        t5 = p3[i]
        t6 = (t4 + t5)
        p0[i] = t0
        p4[i] = t6
