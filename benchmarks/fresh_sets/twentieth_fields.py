"""Fields on grids, step by step; float64 unless said otherwise."""

import numpy as np

from .twentieth_frame import RNG, Names, f32, program, stepped, stepped_grad


# ---- an antenna between two walls: electric and magnetic fields in turn (FDTD), 96 x 96 cells, 80 steps, float32
@program
def antenna(library, runner):
    rng, lib = RNG(2031), runner.lib
    size, steps = 96, 80
    inside = np.ones((size, size), np.float32)
    inside[30:34, :40] = inside[60:64, 50:] = 0.25
    edge = np.minimum(np.arange(size), np.arange(size)[::-1])
    soft = np.minimum(1, 0.85 + 0.015 * np.minimum.outer(edge, edge)).astype(np.float32)
    pulse = np.sin(0.3 * np.arange(steps)).astype(np.float32) + f32(rng, steps, scale=0.01)
    e, hx, hy = np.zeros((size, size), np.float32), np.zeros((size, size - 1), np.float32), f32(rng, size - 1, size)
    hy *= 1e-3

    def step(e, hx, hy, pulse, inside, soft):
        hx = hx - 0.5 * (e[:, 1:] - e[:, :-1])
        hy = hy + 0.5 * (e[1:] - e[:-1])
        curl = (hy[1:, 1:-1] - hy[:-1, 1:-1]) - (hx[1:-1, 1:] - hx[1:-1, :-1])
        if library == "jax":
            e = e.at[1:-1, 1:-1].add(0.5 * inside[1:-1, 1:-1] * curl)
            e = e.at[size // 4, size // 2].add(pulse)
        else:
            e[1:-1, 1:-1] += 0.5 * inside[1:-1, 1:-1] * curl
            e[size // 4, size // 2] += pulse
        return e * soft, hx, hy

    def run(step, e, hx, hy, pulse, inside, soft):
        if library == "jax":
            state, _ = lib.lax.scan(lambda s, p: (step(*s, p, inside, soft), None), (e, hx, hy), pulse)
            return state[0], (state[0] * state[0]).sum()
        e = e + 0
        for k in range(steps):
            e, hx, hy = step(e, hx, hy, pulse[k], inside, soft)
        return e, (e * e).sum()

    return runner.stepwise(run, step, e, hx, hy, pulse, inside, soft)


# ---- gas that bursts in a tube of 400 cells: limited slopes, fluxes of HLL, steps as the fastest wave allows, till 0.15
@program
def burst(library, runner):
    rng, lib = RNG(2032), runner.lib
    n = Names(library, lib)
    xp = n.xp
    cells, end, gamma = 400, 0.15, 1.4
    x = (np.arange(cells) + 0.5) / cells
    density = np.where(x < 0.5, 1, 0.125) * (1 + 0.01 * rng.standard_normal(cells))
    pressure = np.where(x < 0.5, 1, 0.1)
    u = np.stack([density, 0 * x, pressure / (gamma - 1)])

    def parts(u):
        speed = u[1] / u[0]
        pressure = (gamma - 1) * (u[2] - 0.5 * u[1] * speed)
        return speed, pressure, xp.sqrt(gamma * pressure / u[0])

    def flux(u, speed, pressure):
        return xp.stack([u[1], u[1] * speed + pressure, speed * (u[2] + pressure)])

    def slowest(a, b):
        return xp.where(a * b > 0, xp.where(xp.abs(a) < xp.abs(b), a, b), 0 * a)

    def change(u):
        wide = n.cat([u[:, :1], u[:, :1], u, u[:, -1:], u[:, -1:]], 1)
        d = wide[:, 1:] - wide[:, :-1]
        slope = 0.5 * slowest(d[:, :-1], d[:, 1:])
        left, right = (wide[:, 1:-1] + slope)[:, :-1], (wide[:, 1:-1] - slope)[:, 1:]
        a, p, c = parts(left)
        b, q, d = parts(right)
        low, high = xp.minimum(a - c, b - d), xp.maximum(a + c, b + d)
        f, g = flux(left, a, p), flux(right, b, q)
        middle = (high * f - low * g + low * high * (right - left)) / (high - low)
        f = xp.where(low > 0, f, xp.where(high < 0, g, middle))
        return (f[:, :-1] - f[:, 1:]) * cells

    def step(u, t):
        speed, _, sound = parts(u)
        dt = xp.minimum(0.4 / cells / (xp.abs(speed) + sound).max(), end - t)
        one = u + dt * change(u)
        return 0.5 * (u + one + dt * change(one)), t + dt

    def run(step, u, t):
        t = t[0]
        if library == "jax":

            def body(state):
                return *step(*state[:2]), state[2] + 1

            u, t, count = lib.lax.while_loop(lambda s: s[1] < end - 1e-12, body, (u, t, 0))
            return u, count
        count = 0
        while t < end - 1e-12:
            u, t = step(u, t)
            count += 1
        return u, count

    return stepped(library, runner, run, step, u, np.zeros(1))


# ---- arrows on 48 x 48 places that like to point alike (XY): black and white places in turn, 25 rounds, float32
@program
def arrows(library, runner):
    rng, lib = RNG(2033), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, rounds, cold = 48, 25, 1.2
    angle = rng.uniform(0, 2 * np.pi, (size, size)).astype(np.float32)
    turn = rng.uniform(-1.5, 1.5, (rounds, 2, size, size)).astype(np.float32)
    luck = rng.random((rounds, 2, size, size)).astype(np.float32)
    black = (np.add.outer(np.arange(size), np.arange(size)) % 2 == 0)[None]
    black = np.concatenate([black, ~black])

    def half(angle, turn, luck, here):
        new, gain = angle + turn, 0.0
        for by, axis in ((1, 0), (-1, 0), (1, 1), (-1, 1)):
            beside = n.roll(angle, by, axis)
            gain = gain + xp.cos(new - beside) - xp.cos(angle - beside)
        return xp.where(here & (luck < xp.exp(cold * gain)), new, angle)

    def step(angle, turn, luck, black):
        angle = half(half(angle, turn[0], luck[0], black[0]), turn[1], luck[1], black[1])
        return angle, xp.sqrt(xp.cos(angle).mean() ** 2 + xp.sin(angle).mean() ** 2)

    def run(step, angle, turn, luck, black):
        if library == "jax":
            return lib.lax.scan(lambda a, given: step(a, *given, black), angle, (turn, luck))
        together = []
        for k in range(rounds):
            angle, one = step(angle, turn[k], luck[k], black)
            together.append(one)
        return angle, xp.stack(together)

    return runner.stepwise(run, step, angle, turn, luck, black)


# ---- soft shapes that live (Lenia): 96 x 96 cells, a ring of neighbours by frequencies, 20 steps, float32
@program
def soft_life(library, runner):
    rng, lib = RNG(2034), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, steps, reach = 96, 20, 12
    y, x = np.mgrid[:size, :size] - size // 2
    far = np.sqrt(x * x + y * y) / reach
    ring = np.where(far < 1, np.exp(-(((far - 0.5) / 0.15) ** 2) / 2), 0)
    waves = np.fft.rfft2(np.fft.ifftshift(ring / ring.sum()))
    waves = np.stack([waves.real, waves.imag]).astype(np.float32)
    cells = np.zeros((size, size), np.float32)
    cells[20:70, 20:70] = rng.random((50, 50))

    def step(cells, waves):
        near = xp.fft.irfft2(xp.fft.rfft2(cells) * waves)
        grown = 2 * xp.exp(-(((n.single(near) - 0.15) / 0.015) ** 2) / 2) - 1
        return xp.clip(cells + 0.1 * grown, 0, 1)

    def run(step, cells, waves):
        waves = waves[0] + 1j * waves[1]
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda k, c: step(c, waves), cells)
        for _ in range(steps):
            cells = step(cells, waves)
        return cells

    return runner.stepwise(run, step, cells, waves)


# ---- a crystal of six arms grows from a melt (Kobayashi): 80 x 80 places, angles of slopes, 30 steps
@program
def crystal(library, runner):
    rng, lib = RNG(2035), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, steps, h, dt, delta, thick = 80, 30, 0.03, 1e-4, 0.04, 0.01
    y, x = np.mgrid[:size, :size] - size / 2
    solid, heat = ((x * x + y * y) < 30).astype(np.float64), 0.01 * rng.standard_normal((size, size))

    def d(a, axis):
        return (n.roll(a, -1, axis) - n.roll(a, 1, axis)) / (2 * h)

    def bent(a):
        around = n.roll(a, 1, 0) + n.roll(a, -1, 0) + n.roll(a, 1, 1) + n.roll(a, -1, 1)
        return (around - 4 * a) / (h * h)

    def step(solid, heat):
        px, py = d(solid, 1), d(solid, 0)
        angle = xp.atan2(py, px)
        width = thick * (1 + delta * xp.cos(6 * (angle - 0.2)))
        turned = -thick * 6 * delta * xp.sin(6 * (angle - 0.2))
        both = width * turned
        square = width * width
        drive = 0.9 / np.pi * xp.atan(10 * (1.0 - heat))
        grows = d(both * px, 0) - d(both * py, 1) + square * bent(solid) + d(square, 1) * px + d(square, 0) * py
        grows = grows + solid * (1 - solid) * (solid - 0.5 + drive)
        new = solid + dt / 3e-4 * grows
        return new, heat + dt * bent(heat) + 1.8 * (new - solid)

    def run(step, solid, heat):
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda k, s: step(*s), (solid, heat))
        for _ in range(steps):
            solid, heat = step(solid, heat)
        return solid, heat

    return runner.stepwise(run, step, solid, heat)


# ---- what lies under the ground: waves through 48 x 64 places, 60 steps, heard at the top, gradient of all speeds
@program
def under_the_ground(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(2036), runner.lib
    n = Names(library, lib)
    deep, wide, steps = 48, 64, 60
    speed = 0.3 + 0.02 * rng.standard_normal((deep, wide))
    pulse, heard = np.exp(-((np.arange(steps) - 10) ** 2) / 12.0), 0.01 * rng.standard_normal((steps, wide))
    soft = np.ones((deep, wide))
    soft[-6:] = soft[:, :6] = soft[:, -6:] = 0.94
    source = np.zeros((deep, wide))
    source[2, 32] = 1

    def step(now, before, square, pulse, soft, source):
        edge = 0 * now[:, :1]
        row = 0 * now[:1]
        around = n.cat([now[1:], row], 0) + n.cat([row, now[:-1]], 0)
        around = around + n.cat([now[:, 1:], edge], 1) + n.cat([edge, now[:, :-1]], 1)
        after = soft * (2 * now - soft * before + square * (around - 4 * now)) + pulse * source
        return after, now

    def loss(step, speed, pulse, heard, soft, source):
        square, now, before = speed * speed, 0 * speed, 0 * speed
        if library == "jax":

            def one(state, given):
                after, now = step(*state, square, given[0], soft, source)
                return (after, now), ((after[1] - given[1]) ** 2).sum()

            return lib.lax.scan(one, (now, before), (pulse, heard))[1].sum()
        total = 0.0
        for k in range(steps):
            now, before = step(now, before, square, pulse[k], soft, source)
            total = total + ((now[1] - heard[k]) ** 2).sum()
        return total

    return stepped_grad(library, runner, loss, step, 1, speed, pulse, heard, soft, source)


# ---- a lid moves over a box of 41 x 41: streams and whirls, the streams by 25 rounds of Jacobi each, 30 steps
@program
def lid(library, runner):
    rng, lib = RNG(2037), runner.lib
    size, steps, rounds, h, dt, thick = 41, 30, 25, 1 / 40, 1e-3, 0.01
    whirl = 0.1 * rng.standard_normal((size, size))
    whirl[0] = whirl[-1] = whirl[:, 0] = whirl[:, -1] = 0
    n = Names(library, lib)
    frame = np.pad(np.ones((size - 2, size - 2)), 1)

    def inner(a, i, j):
        return a[1 + i : size - 1 + i, 1 + j : size - 1 + j]

    def framed(inside):
        """Zeros around it."""
        side = 0 * inside[:, :1]
        inside = n.cat([side, inside, side], 1)
        row = 0 * inside[:1]
        return n.cat([row, inside, row], 0)

    def around(a):
        return inner(a, 1, 0) + inner(a, -1, 0) + inner(a, 0, 1) + inner(a, 0, -1)

    def jacobi(stream, whirl):
        return framed(0.25 * (around(stream) + h * h * inner(whirl, 0, 0)))

    def step(stream, whirl):
        if library == "jax":
            stream = lib.lax.fori_loop(0, rounds, lambda k, s: jacobi(s, whirl), stream)
        else:
            for _ in range(rounds):
                stream = jacobi(stream, whirl)
        top = -2 * stream[-2:-1] / h**2 - 2 / h
        sides = -2 * stream[:, 1:2] / h**2, -2 * stream[:, -2:-1] / h**2
        walls = n.cat([-2 * stream[1:2] / h**2, whirl[1:-1], top], 0)
        whirl = n.cat([sides[0], walls[:, 1:-1], sides[1]], 1)
        u = (inner(stream, 1, 0) - inner(stream, -1, 0)) / (2 * h)
        v = (inner(stream, 0, -1) - inner(stream, 0, 1)) / (2 * h)
        along = u * (inner(whirl, 0, 1) - inner(whirl, 0, -1)) + v * (inner(whirl, 1, 0) - inner(whirl, -1, 0))
        new = inner(whirl, 0, 0) + dt * (thick * (around(whirl) - 4 * inner(whirl, 0, 0)) / h**2 - along / (2 * h))
        middle = n.cat([whirl[1:-1, :1], new, whirl[1:-1, -1:]], 1)
        return stream, n.cat([whirl[:1], middle, whirl[-1:]], 0)

    def run(step, stream, whirl):
        if library == "jax":
            return lib.lax.fori_loop(0, steps, lambda k, s: step(*s), (stream, whirl))
        for _ in range(steps):
            stream, whirl = step(stream, whirl)
        return stream, whirl

    return runner.stepwise(run, step, 0 * frame, whirl)
