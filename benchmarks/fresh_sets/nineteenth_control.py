"""One tick of a control loop per call."""

import numpy as np

from .nineteenth_frame import RNG, Layers, Names, called, f32, load, program


# ---- where a robot is: moved by its wheels, corrected by ranges and bearings of four marks, float64
@program
def whereabouts(library, runner):
    rng, lib = RNG(1931), runner.lib
    n = Names(library, lib)
    xp = n.xp
    marks = rng.uniform(-10, 10, (4, 2))
    x, p = np.array([0.5, -0.3, 0.4]), np.diag([0.2, 0.2, 0.05])
    drive = np.array([0.8, 0.15])
    away = marks - np.array([1.2, 0.1])
    seen = np.stack([np.hypot(away[:, 0], away[:, 1]), np.arctan2(away[:, 1], away[:, 0]) - 0.5], 1)
    seen = seen + 0.05 * rng.standard_normal(seen.shape)
    q, r = np.diag([0.01, 0.01, 0.004]), np.diag([0.02, 0.01] * 4)
    one = np.eye(3)

    def wrapped(angle):
        return (angle + np.pi) % (2 * np.pi) - np.pi

    def run(x, p, drive, seen, marks, q, r, one):
        s, c = xp.sin(x[2]), xp.cos(x[2])
        zero = 0 * s
        x = xp.stack([x[0] + drive[0] * c, x[1] + drive[0] * s, x[2] + drive[1]])
        f = one + xp.stack([zero, zero, -drive[0] * s, zero, zero, drive[0] * c, zero, zero, zero]).reshape((3, 3))
        p = f @ p @ f.T + q
        away = marks - x[:2]
        dx, dy = away[:, 0], away[:, 1]
        square = dx * dx + dy * dy
        far = xp.sqrt(square)
        none = 0 * dx
        h = xp.stack([-dx / far, -dy / far, none, dy / square, -dx / square, none - 1], 1).reshape((8, 3))
        wrong = xp.stack([seen[:, 0] - far, wrapped(seen[:, 1] - (xp.arctan2(dy, dx) - x[2]))], 1).reshape(-1)
        gain = xp.linalg.solve(h @ p @ h.T + r, h @ p).T
        x = x + gain @ wrong
        x = xp.stack([x[0], x[1], wrapped(x[2])])
        return x, (one - gain @ h) @ p, (wrong * wrong).mean()

    return runner.call(run, x, p, drive, seen, marks, q, r, one)


# ---- what a walking machine does next: measures made even, a gated unit with memory, an action drawn, its likelihood
@program
def reflex(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1932), runner.lib
    n = Names(library, lib)
    xp = n.xp
    senses, hidden, joints = 28, 64, 8
    seen, memory = f32(rng, 1, senses, scale=3.0), f32(rng, 1, hidden, scale=0.5)
    middle, spread, luck = f32(rng, senses), 1 + rng.random(senses).astype(np.float32), f32(rng, 1, joints)
    parts = {
        "cell": [f32(rng, 3 * hidden, senses, scale=0.15), f32(rng, 3 * hidden, hidden, scale=0.1)]
        + [f32(rng, 3 * hidden, scale=0.1), f32(rng, 3 * hidden, scale=0.1)],
        "mean": [f32(rng, hidden, joints, scale=0.1), f32(rng, joints, scale=0.1)],
        "width": [f32(rng, hidden, joints, scale=0.1), f32(rng, joints, scale=0.1)],
    }

    def act(mean, width, luck):
        width = n.softplus(width) + 0.01
        raw = mean + width * luck
        action = xp.tanh(raw)
        likely = -0.5 * luck * luck - xp.log(width) - 0.9189385 - xp.log(1 - action * action + 1e-6)
        return action, likely.sum(1)

    def even(seen, middle, spread):
        return xp.clip((seen - middle) / spread, -5, 5)

    if library == "jax":

        def tick(p, seen, memory, middle, spread, luck):
            w, u, b, c = p["cell"]
            a, d = even(seen, middle, spread) @ w.T + b, memory @ u.T + c
            (ra, za, na), (rd, zd, nd) = xp.split(a, 3, 1), xp.split(d, 3, 1)
            z = n.sigmoid(za + zd)
            memory = (1 - z) * xp.tanh(na + n.sigmoid(ra + rd) * nd) + z * memory
            mean, width = (memory @ p[k][0] + p[k][1] for k in ("mean", "width"))
            return act(mean, width, luck), memory

        params = lib.tree.map(xp.asarray, parts)
        return runner.call(lambda *given: tick(params, *given), seen, memory, middle, spread, luck)
    L = Layers(library, lib)

    class Net(L.Base):
        def __init__(self):
            super().__init__()
            self.cell = lib.nn.GRUCell(senses, hidden)
            self.mean, self.width = L.Linear(hidden, joints), L.Linear(hidden, joints)

        def forward(self, seen, memory, middle, spread, luck):
            seen = even(seen, middle, spread)
            memory = self.cell(seen, memory)[1] if library == "vt" else self.cell(seen, memory)
            return act(self.mean(memory), self.width(memory), luck), memory

    net = load(library, lib, Net(), parts)
    net.eval()

    def tick(seen, memory, middle, spread, luck):
        with lib.no_grad():
            return net(seen, memory, middle, spread, luck)

    return called(library, runner, tick, seen, memory, middle, spread, luck)
