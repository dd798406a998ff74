def early_return(x):
    if x < 0:
        return -x
    y = x + 1
    return y


# --- converted


def early_return(x):
    return_value = vt_rt.Undefined('return value')
    y = vt_rt.Undefined('y')

    def get_state_1():
        return (return_value, y)

    def set_state_1(values_1):
        nonlocal return_value, y
        return_value, y = values_1

    def then_1():
        nonlocal return_value, y
        return_value = -x

    def else_1():
        nonlocal return_value, y
        y = x + 1
        return_value = y
    vt_rt.if_else(x < 0, then_1, else_1, get_state_1, set_state_1, ('return_value', 'y'), ('return_value',))
    return return_value
