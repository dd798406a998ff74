# numerics: ieee
def body(p0, p1, p2, p3, p4, p5, d0, lo, hi):
    c0 = p0[0]
    for once in range(lo, hi):
        iterations = p1[0]
        if iterations == 0:
            for b in range((d0 + 127) // 128):
                p2[b] = u8(0)
        else:
            s0 = p3[0] != 0
            s2 = p4[0]
            k = i64(0)
            while k < iterations:
                if not s0:
                    break
                t0 = i64(wrapping_add(s2, i64(1)))
                t1 = t0 < c0
                n0 = t1
                n2 = t0
                s0 = n0
                s2 = n2
                k = k + 1
            p3[0] = u8(s0)
            p4[0] = s2
        limit = max(18181818 // (d0 + 1), 1)
        most = i64(0)
        for way in range(1):
            s0 = p3[0] != 0
            s2 = p4[0]
            k = i64(0)
            while k < limit:
                if not s0:
                    break
                t2 = i64(wrapping_add(s2, i64(1)))
                t3 = t2 < c0
                n0 = t3
                n2 = t2
                s0 = n0
                s2 = n2
                k = k + 1
            most = max(most, k)
        p1[0] = most
        p5[0] = u8(p1[0] > 0)
