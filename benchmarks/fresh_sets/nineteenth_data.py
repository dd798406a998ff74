"""Series and pictures."""

import numpy as np

from .nineteenth_frame import RNG, TORCH, Names, called, program


# ---- 8 sensors over 1,500 moments: medians of 11 moments, numbers too far from them replaced and counted
@program
def spikes(library, runner):
    rng, lib = RNG(1951), runner.lib
    n = Names(library, lib)
    xp = n.xp
    sensors, moments, window = 8, 1500, 11
    x = np.cumsum(rng.standard_normal((sensors, moments)), 1) * 0.2 + 0.1 * rng.standard_normal((sensors, moments))
    x = x + np.where(rng.random(x.shape) < 0.02, 5 * rng.standard_normal(x.shape), 0)
    at = np.arange(moments - window + 1)[:, None] + np.arange(window)

    def median(x):
        if library in TORCH:
            return x.median(-1).values
        return lib.median(x, -1) if library == "vt" else xp.median(x, -1)

    def windows(x, at):
        if library == "np":
            return np.lib.stride_tricks.sliding_window_view(x, window, 1)
        if library == "jax":
            return x[:, at]
        return lib.unfold(x, 1, window, 1) if library == "vt" else x.unfold(1, window, 1)

    def run(x, at):
        half = window // 2
        seen = windows(x, at)
        middle = median(seen)
        spread = 1.4826 * median(xp.abs(seen - middle[:, :, None]))
        inner = x[:, half:-half]
        far = xp.abs(inner - middle) > 3 * spread
        clean = n.cat([x[:, :half], xp.where(far, middle, inner), x[:, -half:]], 1)
        return clean, n.whole(far).sum(1), spread

    return runner.call(run, x, at)


# ---- 20,000 readings, those beyond three deviations taken out until none is; what is left: quantiles, mean, skewness
@program
def readings(library, runner):
    rng, lib = RNG(1952), runner.lib
    n = Names(library, lib)
    xp = n.xp
    count = 20000
    x = rng.standard_normal(count) * np.where(rng.random(count) < 0.05, 8, 1) + 3
    share = np.array([0.05, 0.25, 0.5, 0.75, 0.95])

    def run(x, share):
        kept, rounds = x, 0
        while True:
            mean = kept.mean()
            spread = xp.sqrt(((kept - mean) ** 2).mean())
            inside = kept[xp.abs(kept - mean) < 3 * spread]
            rounds += 1
            if inside.shape[0] == kept.shape[0]:
                break
            kept = inside
        found = xp.quantile(kept, [0.05, 0.25, 0.5, 0.75, 0.95] if library == "vt" else share)
        return found, mean, spread, (((kept - mean) / spread) ** 3).mean(), kept.shape[0], rounds

    def run_jax(x, share):
        def moments(good):
            number = good.sum()
            mean = xp.where(good, x, 0).sum() / number
            return mean, xp.sqrt(xp.where(good, (x - mean) ** 2, 0).sum() / number), number

        def body(state):
            good, _, rounds = state
            mean, spread, number = moments(good)
            new = good & (xp.abs(x - mean) < 3 * spread)
            return new, new.sum() < number, rounds + 1

        good, _, rounds = lib.lax.while_loop(lambda s: s[1], body, (xp.ones(count, bool), True, 0))
        mean, spread, number = moments(good)
        found = xp.nanquantile(xp.where(good, x, xp.nan), share)
        skew = xp.where(good, ((x - mean) / spread) ** 3, 0).sum() / number
        return found, mean, spread, skew, number, rounds

    return called(library, runner, run_jax if library == "jax" else run, x, share)


# ---- 24 series of 1,000 numbers: autocorrelation by Fourier, Ljung and Box's test, partial ones by Durbin and Levinson
@program
def echoes(library, runner):
    rng, lib = RNG(1953), runner.lib
    n = Names(library, lib)
    xp = n.xp
    series, moments, lags, partial = 24, 1000, 40, 16
    x = rng.standard_normal((series, moments))
    for k in range(2, moments):
        x[:, k] += 0.6 * x[:, k - 1] - 0.3 * x[:, k - 2]
    lag = np.arange(1, lags + 1)

    def flip(x):
        return xp.flip(x, [1]) if library == "vt" or library in TORCH else xp.flip(x, 1)

    def run(x, lag):
        x = x - n.mean(x, 1, True)
        f = xp.fft.rfft(x, 2048)
        cover = xp.fft.irfft(f * xp.conj(f), 2048)[:, : lags + 1]
        r = cover / cover[:, :1]
        test = moments * (moments + 2) * (r[:, 1:] ** 2 / (moments - lag)).sum(1)
        phi = r[:, 1:2]
        error = 1 - phi[:, 0] ** 2
        found = [phi[:, 0]]
        for k in range(2, partial + 1):
            last = (r[:, k] - (phi * flip(r[:, 1:k])).sum(1)) / error
            phi = n.cat([phi - last[:, None] * flip(phi), last[:, None]], 1)
            error = error * (1 - last * last)
            found.append(last)
        return r, test, xp.stack(found, 1), phi, error

    return runner.call(run, x, lag)


# ---- a grey picture with its greys spread anew in 64 tiles: cut histograms, sums, four tiles' tables between them
@program
def greys(library, runner):
    rng, lib = RNG(1954), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, tiles, levels, limit = 128, 8, 256, 4.0
    tile = size // tiles
    y, x = np.mgrid[:size, :size]
    picture = np.clip(90 + 40 * np.sin(x / 17) * np.cos(y / 23) + 12 * rng.standard_normal((size, size)), 0, 255)
    picture, line = picture.astype(np.int64), np.arange(size)

    def run(picture, line):
        place = line // tile
        number = place[:, None] * tiles + place
        table = n.double(n.count((number * levels + picture).reshape(-1), tiles * tiles * levels))
        table = table.reshape((tiles * tiles, levels))
        cut = xp.clip(table, 0, limit)
        cut = cut + (tile * tile - n.sum(cut, 1, True)) / levels
        grey = xp.cumsum(cut, 1) * ((levels - 1) / tile**2)
        where = (line + 0.5) / tile - 0.5
        low = xp.floor(where)
        part = where - low
        first = xp.clip(n.whole(low), 0, tiles - 1)
        second = xp.clip(n.whole(low) + 1, 0, tiles - 1)
        above = grey[first[:, None] * tiles + first, picture] * (1 - part)
        above = above + grey[first[:, None] * tiles + second, picture] * part
        below = grey[second[:, None] * tiles + first, picture] * (1 - part)
        below = below + grey[second[:, None] * tiles + second, picture] * part
        down = part[:, None]
        made = above * (1 - down) + below * down
        return made, n.count(n.whole(xp.round(made)).reshape(-1), levels)

    return runner.call(run, picture, line)


# ---- edges of a picture: smoothed, slopes, the highest across an edge, weak ones kept while they touch strong ones
@program
def edges(library, runner):
    rng, lib = RNG(1955), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size = 96
    y, x = np.mgrid[:size, :size]
    picture = 40 + x * ((x - 45) ** 2 + (y - 48) ** 2 < 1200) + y * (x + y > 120) // 2
    picture = picture + rng.integers(0, 24, (size, size))
    picture = picture.astype(np.float32)[None, None]
    blur = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]).astype(np.float32)[None, None] / 256
    sobel = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float32)
    sobel = np.stack([sobel, sobel.T])[:, None].copy()

    def filtered(x, w, padding):
        if library != "np":
            return n.conv2d(x, w, padding=padding)
        seen = np.lib.stride_tricks.sliding_window_view(np.pad(x[0, 0], padding), w.shape[2:])
        return np.einsum("ijab,cab->cij", seen, w[:, 0])[None]

    def grown(x):
        """Places that touch one of x, by row and column."""
        x = x | n.roll(x, 1, 0) | n.roll(x, -1, 0)
        return x | n.roll(x, 1, 1) | n.roll(x, -1, 1)

    def thin(picture, blur, sobel):
        slope = filtered(filtered(picture, blur, 2), sobel, 1)[0]
        h, v = slope[0], slope[1]
        a, b = xp.abs(h), xp.abs(v)
        high = a + b

        def peak(dy, dx):
            return (high >= n.roll(high, (dy, dx), (0, 1))) & (high > n.roll(high, (-dy, -dx), (0, 1)))

        slanted = xp.where(h * v > 0, peak(1, 1), peak(1, -1))
        top = xp.where(b < 0.4142 * a, peak(0, 1), xp.where(b > 2.4142 * a, peak(1, 0), slanted))
        return top & (high > 25), top & (high > 160)

    def run(picture, blur, sobel):
        weak, strong = thin(picture, blur, sobel)
        if library == "jax":

            def body(state):
                strong, _ = state
                new = grown(strong) & weak | strong
                return new, (new != strong).any()

            strong, _ = lib.lax.while_loop(lambda s: s[1], body, (strong, True))
        else:
            changed = True
            while changed:
                new = grown(strong) & weak | strong
                changed = (new != strong).any()
                strong = new
        return n.whole(strong), n.whole(weak).sum()

    return runner.call(run, picture, blur, sobel)


# ---- an apple and an orange joined: bands of three sizes, each joined by a softened mask, put together; float32
@program
def joined(library, runner):
    if library == "np":
        return None
    rng, lib = RNG(1956), runner.lib
    n = Names(library, lib)
    xp = n.xp
    size, depth = 96, 3
    one, two = rng.random((1, 3, size, size)).astype(np.float32), rng.random((1, 3, size, size)).astype(np.float32)
    mask = np.zeros((1, 1, size, size), np.float32)
    mask[..., : size // 2] = 1

    def half(x):
        if library == "jax":
            window = (1, 1, 2, 2)
            return lib.lax.reduce_window(x, 0.0, lib.lax.add, window, window, "VALID") / 4
        return n.F.avg_pool2d(x, 2)

    def double(x):
        if library == "jax":
            return lib.image.resize(x, (*x.shape[:2], 2 * x.shape[2], 2 * x.shape[3]), "linear")
        return n.F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)

    def run(one, two, mask):
        both = n.cat([one, two], 0)
        bands, masks = [], [mask]
        for _ in range(depth):
            small = half(both)
            bands.append(both - double(small))
            both = small
            masks.append(half(masks[-1]))
        made = masks[-1] * both[:1] + (1 - masks[-1]) * both[1:]
        for band, mask in zip(reversed(bands), reversed(masks[:-1])):
            soft = (mask + double(half(mask))) / 2
            made = double(made) + soft * band[:1] + (1 - soft) * band[1:]
        return xp.clip(made, 0, 1)

    return runner.call(run, one, two, mask)
