def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        best = p0[r * 48]
        at = 0
        for j in range(1, 48):
            x = p0[r * 48 + j]
            if best == best and (x > best or (x != x and best == best)):
                best = x
                at = j
        p1[r] = at
