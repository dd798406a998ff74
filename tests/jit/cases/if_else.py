def if_else(x):
    if x > 0:
        y = x
    else:
        y = -x
    return y


# --- converted


def if_else(x):
    y = vt_rt.Undefined('y')

    def get_state_1():
        return (y,)

    def set_state_1(values_1):
        nonlocal y
        y, = values_1

    def then_1():
        nonlocal y
        y = x

    def else_1():
        nonlocal y
        y = -x
    vt_rt.if_else(x > 0, then_1, else_1, get_state_1, set_state_1, ('y',), ('y',))
    return y
