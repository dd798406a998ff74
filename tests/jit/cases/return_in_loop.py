def return_in_loop(xs):
    for x in xs:
        if x:
            return x
    return None


# --- converted


def return_in_loop(xs):
    x = vt_rt.Undefined('x')
    return_value = vt_rt.Undefined('return value')
    did_return = False

    def get_state_1():
        return (did_return, x, return_value)

    def set_state_1(values_1):
        nonlocal did_return, x, return_value
        did_return, x, return_value = values_1

    def body_1(item_1):
        nonlocal did_return, x, return_value
        x = item_1
        return_value = vt_rt.not_returned(return_value)
        did_return = False

        def get_state_2():
            return (did_return, return_value)

        def set_state_2(values_2):
            nonlocal did_return, return_value
            did_return, return_value = values_2

        def then_1():
            nonlocal did_return, return_value
            return_value = x
            did_return = True

        def else_1():
            nonlocal did_return, return_value
            pass
        vt_rt.if_else(x, then_1, else_1, get_state_2, set_state_2, ('did_return', 'return_value'), ('did_return', 'return_value'))
    vt_rt.for_loop(xs, lambda: vt_rt.not_(did_return), body_1, get_state_1, set_state_1, ('did_return', 'x', 'return_value'), ('did_return', 'return_value'))

    def get_state_3():
        return (return_value,)

    def set_state_3(values_3):
        nonlocal return_value
        return_value, = values_3

    def then_2():
        nonlocal return_value
        return_value = None

    def else_2():
        nonlocal return_value
        pass
    vt_rt.if_else(vt_rt.not_(did_return), then_2, else_2, get_state_3, set_state_3, ('return_value',), ('return_value',))
    return vt_rt.returned(return_value)
