def body(p0, lo, hi):
    for i in range(lo, hi):
        t0 = p0[i]
        t1 = tanh_f32(t0)
        t2 = (t1 * f32(1.5))
        p0[i] = t2
