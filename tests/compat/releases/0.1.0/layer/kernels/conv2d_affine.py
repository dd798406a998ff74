def body(p0, p1, p2, p3, p4, p5, p6, d0, lo, hi):
    # Tiles of 3 channels x 16 pixels over 3 shifted copies of its rows.
    for c in range(1):
        at = 4 + c * 18
        for y in range(3):
            for x in range(3):
                p5[at + 0] = c * 9 + 0 + y * 3 + x * 1
                p5[at + 1] = c * 72 + 0 + y * 4 + x * 24
                at += 2
    p5[0] = 4
    p5[1] = 9
    p5[2] = 0
    p5[3] = 0
    panel_at = (lo * 8 // (d0)) * 72
    for r in range(lo, hi):
        y0 = min(0 * 4, 0)
        for c in range(1):
            for i in range(6):
                h = (y0 + i + -1) * 1 + 0
                line = (r * 1 + 0) * 16 + (c * 4 + h) * 4
                for k in range(3):
                    to = panel_at + c * 72 + k * 24 + (0 + i) * 4
                    shift = -1 + k * 1
                    low = max(0, min(4, (0 - shift) // 1))
                    high = max(low, min(4, (3 - shift) // 1 + 1))
                    if h < 0 or h >= 4:
                        low, high = 4, 4
                    for j in range(0, low):
                        p6[to + j] = f32(0.0)
                    for j in range(low, high):
                        p6[to + j] = p0[line + shift + j]
                    for j in range(high, 4):
                        p6[to + j] = f32(0.0)
        b_at = panel_at
        start = 4
        depth = 9
        out_at = ((r * 1 + 0) * 3) * 16 + y0 * 4
        a_at = 0 * 27
        row_at = 0 * 3
        first = 0
        q = 0
        o = first + 0
        outer_f32(3, 1, 16, 3, p5, start, depth, p1, a_at + o * 9, 9, p6, b_at + q, p4, out_at + o * 16 + q, 16, p2, p3, p1, row_at + o)
