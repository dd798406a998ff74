def closure(n):
    count = 0

    def add():
        nonlocal count
        count += 1

    while count < n:
        add()
    return count


# --- converted


def closure(n):
    count = 0

    def add():
        nonlocal count
        count += 1

    def get_state_1():
        return (count,)

    def set_state_1(values_1):
        nonlocal count
        count, = values_1

    def test_1():
        nonlocal count
        return count < n

    def body_1():
        nonlocal count
        vt_rt.call(vt_rt.unused(add))
    vt_rt.while_loop(test_1, body_1, get_state_1, set_state_1, ('count',), ('count',))
    return count
