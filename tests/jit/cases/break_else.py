def break_else(n):
    for i in range(n):
        if i * i > n:
            break
        i += 1
    else:
        i = -1
    return i


# --- converted


def break_else(n):
    i = vt_rt.Undefined('i')
    did_break_1 = False

    def get_state_1():
        return (did_break_1, i)

    def set_state_1(values_1):
        nonlocal did_break_1, i
        did_break_1, i = values_1

    def body_1(item_1):
        nonlocal did_break_1, i
        i = item_1

        def get_state_2():
            return (did_break_1, i)

        def set_state_2(values_2):
            nonlocal did_break_1, i
            did_break_1, i = values_2

        def then_1():
            nonlocal did_break_1, i
            did_break_1 = True

        def else_1():
            nonlocal did_break_1, i
            i += 1
        vt_rt.if_else(i * i > n, then_1, else_1, get_state_2, set_state_2, ('did_break_1', 'i'), ('did_break_1', 'i'))
    vt_rt.for_loop(vt_rt.call(range, n), lambda: vt_rt.not_(did_break_1), body_1, get_state_1, set_state_1, ('did_break_1', 'i'), ('did_break_1', 'i'))

    def get_state_3():
        return (i,)

    def set_state_3(values_3):
        nonlocal i
        i, = values_3

    def then_2():
        nonlocal i
        i = -1

    def else_2():
        nonlocal i
        pass
    vt_rt.if_else(vt_rt.not_(did_break_1), then_2, else_2, get_state_3, set_state_3, ('i',), ('i',))
    return vt_rt.load('i', i)
