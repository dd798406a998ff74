def match_mode(mode):
    match mode:
        case "mean" | "avg":
            return 1
        case _:
            return 2


# --- converted


def match_mode(mode):
    return_value = vt_rt.Undefined('return value')
    subject_1 = mode

    def get_state_1():
        return (return_value,)

    def set_state_1(values_1):
        nonlocal return_value
        return_value, = values_1

    def then_1():
        nonlocal return_value
        return_value = 1

    def else_1():
        nonlocal return_value
        return_value = 2
    vt_rt.if_else(vt_rt.or_(lambda: vt_rt.equals(subject_1, 'mean'), lambda: vt_rt.equals(subject_1, 'avg')), then_1, else_1, get_state_1, set_state_1, ('return_value',), ('return_value',))
    return return_value
