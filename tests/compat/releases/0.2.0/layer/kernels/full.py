# numerics: ieee
def body(p0, lo, hi):
    for i in range(lo, hi):
        p0[0] = i64(0)
