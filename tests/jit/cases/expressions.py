def expressions(a, b):
    c = (a and not b) or (y := a)
    d = a if b else c
    assert 0 < d <= a, f"{d}"
    return [f(d) for f in (abs, int) if f is not None], y


# --- converted


def expressions(a, b):
    y = vt_rt.Undefined('y')

    def set_y_1(value_1):
        nonlocal y
        y = value_1
        return value_1
    c = vt_rt.or_(lambda: vt_rt.and_(lambda: a, lambda: vt_rt.not_(b)), lambda: set_y_1(a))
    d = vt_rt.if_exp(b, lambda: a, lambda: c)
    vt_rt.assert_(vt_rt.compare_chain(0, ('<', lambda: d), ('<=', lambda: a)), lambda: vt_rt.run_time_string(f'{vt_rt.shown(d)}'))
    return (vt_rt.gathered('list', lambda first_1, emit_1: vt_rt.each(first_1, lambda f: vt_rt.when(vt_rt.not_(vt_rt.identical(f, None)), lambda: emit_1(vt_rt.call(f, d))), emit_1), (abs, int)), vt_rt.load('y', y))
