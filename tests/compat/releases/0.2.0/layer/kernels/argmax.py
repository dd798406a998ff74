# numerics: ieee
def body(p0, p1, lo, hi):
    for r in range(lo, hi):
        best = p0[r * 48 + 0]
        start = 0
        for first in range(0, 48, 512):
            here = p0[r * 48 + first]
            for j in range(first, min(first + 512, 48)):
                here = largest_f32(here, p0[r * 48 + j])
            if (here > best) | (here != here) & (best == best):
                best = here
                start = first
        at = i32(512)
        for i in range(min(48 - start, 512)):
            x = p0[r * 48 + (start + i)]
            at = smallest_i32(at, select((x == best) | (x != x), i32(i), i32(512)))
        p1[r] = start + i64(at)
