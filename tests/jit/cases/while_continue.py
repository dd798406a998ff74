def while_continue(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2:
            continue
        total += n
    return total


# --- converted


def while_continue(n):
    total = 0

    def get_state_1():
        return (n, total)

    def set_state_1(values_1):
        nonlocal n, total
        n, total = values_1

    def test_1():
        nonlocal n, total
        return n > 0

    def body_1():
        nonlocal n, total
        n -= 1

        def get_state_2():
            return (total,)

        def set_state_2(values_2):
            nonlocal total
            total, = values_2

        def then_1():
            nonlocal total
            pass

        def else_1():
            nonlocal total
            total += n
        vt_rt.if_else(vt_rt.percent(n, 2), then_1, else_1, get_state_2, set_state_2, ('total',), ('total',))
    vt_rt.while_loop(test_1, body_1, get_state_1, set_state_1, ('n', 'total'), ('n', 'total'))
    return total
