# numerics: ieee
def body(p0, p1, p2, p3, p4, d0, lo, hi):
    l0 = local_f32(128)
    iterations = p0[0]
    c0 = p1[0]
    x1 = p2
    y1 = p2
    share = ((d0 + 127) // 128 + 31) // 32
    for piece in range(lo, hi):
        for b in range(piece * share, min(piece * share + share, (d0 + 127) // 128)):
            base = b * 128
            rest = min(128, d0 - base)
            if p3[b] != 0:
                continue
            whole = rest == 128
            at = select(whole, base, 0)
            to = select(whole, base, 128)
            if not whole:
                for j in range(128):
                    p4[j] = x1[base + min(j, rest - 1)]
            u0 = select(whole, x1, p4)
            w1 = select(whole, y1, p4)
            for j in range(128):
                l0[j] = u0[at + j]
            t = i64(0)
            check = select(iterations < 6, -1, min(16, iterations) - 1)
            while t < iterations:
                if t == check:
                    for j in range(128):
                        w1[to + j] = l0[j]
                for j in range(128):
                    t0 = l0[j]
                    t1 = tanh_f32(t0)
                    t2 = t1 * f32(1.5)
                    l0[j] = t2
                if t == check:
                    changed = i64(0)
                    for j in range(128):
                        changed = changed | i64(differ(l0[j], w1[to + j]))
                    if changed == 0:
                        p3[b] = u8(1)
                        break
                    check = min(check + 16, iterations - 1)
                t = t + 1
            for j in range(128):
                w1[to + j] = l0[j]
            if not whole:
                for j in range(rest):
                    y1[base + j] = w1[to + j]
