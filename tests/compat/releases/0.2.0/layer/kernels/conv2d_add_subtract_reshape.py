# numerics: ieee
def body(p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, d0, lo, hi):
    # Tiles of 3 channels x 16 pixels over 3 shifted copies of its rows.
    for c in range(1):
        at = 4 + c * 18
        for y in range(3):
            for x in range(3):
                p2[at + 0] = c * 9 + 0 + y * 3 + x * 1
                p2[at + 1] = c * 72 + 0 + y * 4 + x * 24
                at = at + 2
    p2[0] = 4
    p2[1] = 9
    p2[2] = 0
    p2[3] = 0
    panel_at = lo * 8 // d0 * 72
    sums_at = lo * 8 // d0 * 48
    for r in range(lo, hi):
        y0 = min(0 * 4, 0)
        for c in range(1):
            for i in range(6):
                h = (y0 + i + -1) * 1 + 0
                line = (r * 1 + 0) * 16 + (c * 4 + h) * 4
                to = panel_at + c * 72 + (0 + i) * 4
                if h < 0 or h >= 4:
                    for k in range(3):
                        for j in range(4):
                            p3[to + k * 4 * 6 + j] = f32(0.0)
                else:
                    for j in range(1):
                        p3[to + 0 + j] = f32(0.0)
                    for j in range(1, 4):
                        p3[to + 0 + j] = p0[line + -1 + j]
                    for j in range(4):
                        p3[to + 24 + j] = p0[line + 0 + j]
                    for j in range(3):
                        p3[to + 48 + j] = p0[line + 1 + j]
                    for j in range(3, 4):
                        p3[to + 48 + j] = f32(0.0)
        b_at = panel_at
        start = 4
        depth = 9
        a_at = 0 * 27
        first = 0
        q = 0 + (0 + 0 * 16)
        o = first + (0 + 0 * 3)
        outer_f32(3, 1, 16, p2, start, depth, p1, a_at + o * 9, 9, p3, b_at + q, p4, sums_at, 16)
        for e in range(3):
            channel = 0 * 3 + o + e
            for j in range(16):
                pixel = y0 * 4 + q + j
                t0 = p4[sums_at + (e * 16 + j)]
                t1 = p6[channel]
                t2 = t0 + t1
                t3 = p7[channel]
                t4 = t2 - t3
                t5 = p8[channel]
                t6 = t4 * t5
                t7 = p9[channel]
                t8 = t6 + t7
                t9 = at_least_f32(t8, f32(0))
                p5[(r * 3 + channel) * 4 * 4 + pixel] = t9
