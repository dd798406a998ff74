def body(p0, p1, p2, lo, hi):
    for i in range(lo, hi):
        t0 = p0[0]
        t1 = i64(t0 + i64(1))
        t2 = p1[0]
        t3 = (t1 < t2)
        p0[0] = t1
        p2[0] = u8(t3)
