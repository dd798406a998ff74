# numerics: ieee
def body(p0, p1, d0, lo, hi):
    for r in range(lo, hi):
        a1 = f32(0)
        for first in range(0, d0, 4096):
            a2 = f32(0)
            for j0 in range(first, min(first + 4096, d0)):
                t2 = p0[j0]
                a2 = fast_add(a2, f32(t2))
            a1 = a1 + a2
        p1[0] = a1
