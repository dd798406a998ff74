def attributes(self, x):
    if x:
        self.h = x
        self.cell.c += 1
    return self.h


# --- converted


def attributes(self, x):

    def get_state_1():
        return (vt_rt.attribute(lambda: self, 'h', 'self.h'), vt_rt.attribute(lambda: self.cell, 'c', 'self.cell.c'))

    def set_state_1(values_1):
        value_1, value_2 = values_1
        vt_rt.set_attribute(lambda: self, 'h', value_1)
        vt_rt.set_attribute(lambda: self.cell, 'c', value_2)

    def then_1():
        self.h = x
        self.cell.c += 1

    def else_1():
        pass
    vt_rt.if_else(x, then_1, else_1, get_state_1, set_state_1, ('self.h', 'self.cell.c'), ('self.h', 'self.cell.c'))
    return self.h
