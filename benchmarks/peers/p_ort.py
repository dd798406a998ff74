"""onnxruntime: graphs built with onnx.helper, run with IOBinding."""
import math
import os

import numpy as np
import workloads as w

onnx = ort = helper = numpy_helper = TP = None
THREADS = 1


def load(name, threads):
    global onnx, ort, helper, numpy_helper, TP, THREADS
    import onnx as o
    import onnxruntime as r
    onnx, ort, helper, numpy_helper, TP, THREADS = o, r, o.helper, o.numpy_helper, o.TensorProto, threads
    return {"version": r.__version__, "build": B}


class G:
    """a graph under construction; values are names"""

    def __init__(self, opset=20):
        self.nodes, self.init, self.n, self.opset = [], [], 0, opset
        self.cache = {}

    def c(self, a, dt=np.float32):
        a = np.asarray(a, dtype=dt)
        key = (a.dtype.str, a.shape, a.tobytes()) if a.size < 64 else None
        if key in self.cache:
            return self.cache[key]
        self.n += 1
        n = f"c{self.n}"
        self.init.append(numpy_helper.from_array(np.asarray(a, order="C"), n))
        if key:
            self.cache[key] = n
        return n

    def __call__(self, op, *a, outs=1, **k):
        a = [x if isinstance(x, str) else self.c(x) for x in a]
        o = []
        for _ in range(outs):
            self.n += 1
            o.append(f"v{self.n}")
        self.nodes.append(helper.make_node(op, a, o, **k))
        return o[0] if outs == 1 else o

    def ints(self, *a):
        return self.c(a, np.int64)


def np_type(a):
    return helper.np_dtype_to_tensor_dtype(a.dtype)


def serialized(g, inputs, outs):
    """inputs: name -> array; outs: [(name, tensor type)]"""
    gi = [helper.make_tensor_value_info(k, np_type(v), v.shape) for k, v in inputs.items()]
    go = [helper.make_tensor_value_info(k, t, None) for k, t in outs]
    m = helper.make_model(helper.make_graph(g.nodes, "g", gi, go, g.init),
                          opset_imports=[helper.make_opsetid("", g.opset)], ir_version=9)
    return m.SerializeToString()


def session(g, inputs, outs):
    """inputs: name -> array; outs: [(name, tensor type)]"""
    so = ort.SessionOptions()
    so.intra_op_num_threads, so.inter_op_num_threads = THREADS, 1
    so.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    so.log_severity_level = 3
    if THREADS == 2 and os.environ.get("OMP_PLACES"):  # the pool's second thread on the second core (counted from 1)
        so.add_session_config_entry("session.intra_op_thread_affinities",
                                    str(1 + int(os.environ["OMP_PLACES"].split("{")[2].rstrip("}"))))
    s = ort.InferenceSession(serialized(g, inputs, outs), so, providers=["CPUExecutionProvider"])
    io = s.io_binding()
    keep = []
    for k, v in inputs.items():
        keep.append(ort.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(v)))
        io.bind_ortvalue_input(k, keep[-1])
    for k, _ in outs:
        io.bind_output(k, "cpu")
    ro = ort.RunOptions()

    def run():
        s.run_with_iobinding(io, ro)
        return io
    run.keep = keep
    return run, lambda o: [x.numpy() for x in o.get_outputs()]


B = {}


def reg(n):
    def d(f):
        for k in n.split():
            B[k] = f
        return f
    return d


FT = 1  # TensorProto.FLOAT
DT = 11


@reg("dispatch")
def _(i):
    g = G()
    return session(g, {"x": i["x"]}, [(g("Add", g("Mul", "x", 2.0), 1.0), FT)])


@reg("gelu")
def _(i):
    g = G()
    y = g("Add", "res", g("Mul", g("Gelu", g("Add", "x", "bias"), approximate="tanh"), 0.7))
    return session(g, dict(i), [(y, FT)])


@reg("chain20")
def _(i):
    g = G()
    x = "x"
    a = g("Mul", x, 0.5)
    a15 = g("Add", a, 1.5)
    c, d, e = g("Log", a15), g("Exp", g("Neg", a)), g("Sqrt", a15)
    f = g("Where", g("Greater", x, 0.0), c, d)
    h = g("Add", g("Mul", g("Tanh", f), e), c)
    k = g("Sqrt", g("Add", g("Abs", h), 1.0))
    m = g("Log", g("Add", g("Exp", g("Neg", k)), 1.0))
    o = g("Div", g("Tanh", g("Mul", m, h)), g("Add", e, d))
    return session(g, {"x": i["x"]}, [(g("Where", g("Less", o, 0.1), o, g("Mul", e, m)), FT)])


@reg("bs_f32")
def _(i):
    g = G()
    r, v = w.RATE, w.VOL
    sq = g("Mul", g("Sqrt", "t"), v)
    d1 = g("Div", g("Add", g("Log", g("Div", "s", "k")), g("Mul", "t", r + .5 * v * v)), sq)
    d2 = g("Sub", d1, sq)
    n1, n2 = (g("Add", g("Mul", g("Erf", g("Mul", d, 0.7071067811865476)), 0.5), 0.5) for d in (d1, d2))
    disc = g("Mul", "k", g("Exp", g("Mul", "t", -r)))
    call = g("Sub", g("Mul", "s", n1), g("Mul", disc, n2))
    return session(g, dict(i), [(call, FT), (g("Add", g("Sub", call, "s"), disc), FT)])


@reg("softmax")
def _(i):
    g = G()
    return session(g, dict(i), [(g("Softmax", "x", axis=-1), FT)])


@reg("layernorm")
def _(i):
    g = G()
    return session(g, {"x": i["x"]}, [(g("LayerNormalization", "x", g.c(i["w"]), g.c(i["b"]), axis=-1), FT)])


@reg("rowred")
def _(i):
    g = G()
    ax = g.ints(-1)
    return session(g, dict(i), [(g(o, "x", ax, keepdims=0), FT) for o in ("ReduceSum", "ReduceMax", "ReduceSumSquare")])


def linear(g, x, p, n, act=None):
    y = g("Gemm", x, g.c(p[n + ".w"]), g.c(p[n + ".b"]))
    return g(act, y) if act else y


@reg("mlp_b1")
def _(i):
    g, p = G(), i["p"]
    h = linear(g, linear(g, "x", p, "fc1", "Relu"), p, "fc2", "Relu")
    return session(g, {"x": i["x"]}, [(linear(g, h, p, "fc3"), FT)])


@reg("lenet_infer")
def _(i):
    g, p = G(), i["p"]

    def conv(x, n, pad):
        y = g("Conv", x, g.c(p[n + ".w"]), g.c(p[n + ".b"]), kernel_shape=[5, 5], pads=[pad] * 4)
        return g("MaxPool", g("Relu", y), kernel_shape=[2, 2], strides=[2, 2])
    x = g("Flatten", conv(conv("x", "conv1", 2), "conv2", 0))
    x = linear(g, linear(g, x, p, "fc1", "Relu"), p, "fc2", "Relu")
    return session(g, {"x": i["x"]}, [(linear(g, x, p, "fc3"), FT)])


@reg("resnet18_infer")
def _(i):
    g, p, q = G(), i["p"], i["q"]
    stem, blocks, _ = w.resnet_plan(18)

    def cb(x, c, n, k, s, pad):
        y = g("Conv", x, g.c(p[c + ".w"]), kernel_shape=[k, k], strides=[s, s], pads=[pad] * 4)
        return g("BatchNormalization", y, *[g.c(v) for v in (p[n + ".g"], p[n + ".b"], q[n + ".m"], q[n + ".v"])],
                 epsilon=1e-5)
    x = g("Relu", cb("x", "stem", "bn0", 7, 2, 3))
    x = g("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for n, ci, co, s in blocks:
        y = g("Relu", cb(x, n + ".c1", n + ".n1", 3, s, 1))
        y = cb(y, n + ".c2", n + ".n2", 3, 1, 1)
        d = cb(x, n + ".cd", n + ".nd", 1, s, 0) if n + ".cd.w" in p else x
        x = g("Relu", g("Add", y, d))
    x = g("Flatten", g("GlobalAveragePool", x))
    return session(g, {"x": i["x"]}, [(linear(g, x, p, "fc"), FT)])


@reg("lstm_b1_fwd lstm_b32_fwd")
def _(i):
    """the ONNX LSTM operator (gate order i o f c)"""
    g, p, H = G(), i["p"], w.LH
    perm = np.r_[0:H, 3 * H:4 * H, H:2 * H, 2 * H:3 * H]
    wx, wh = p["wx"].T[perm][None], p["wh"].T[perm][None]
    b = np.concatenate([p["b"][perm], np.zeros(4 * H, np.float32)])[None]
    y = g("LSTM", "x", g.c(wx), g.c(wh), g.c(b), hidden_size=H)
    return session(g, {"x": i["x"]}, [(g("Squeeze", y, g.ints(1)), FT)])


@reg("newton")
def _(i):
    b = G()
    b.n = 1000

    def err(g, x):
        e = g("ReduceMax", g("Div", g("Abs", g("Sub", g("Mul", x, x), "a")), "a"), keepdims=0)
        return g("Greater", e, w.NEWTON_TOL)
    x = b("Mul", b("Add", "x_in", b("Div", "a", "x_in")), 0.5)
    cond = err(b, x)
    vi = helper.make_tensor_value_info
    body = helper.make_graph(b.nodes, "body", [vi("it", 7, []), vi("c_in", 9, []), vi("x_in", FT, [16])],
                             [vi(cond, 9, []), vi(x, FT, [16])], b.init)
    g = G()
    y = g("Loop", "", err(g, "a"), "a", body=body)
    return session(g, dict(i), [(y, FT)])


@reg("mandelbrot")
def _(i):
    b = G()
    b.n = 1000
    r2, i2 = b("Mul", "zr", "zr"), b("Mul", "zi", "zi")
    act = b("And", "act", b("LessOrEqual", b("Add", r2, i2), 4.0))
    zi = b("Where", act, b("Add", b("Mul", b("Mul", "zr", "zi"), 2.0), "ci"), "zi")
    zr = b("Where", act, b("Add", b("Sub", r2, i2), "cr"), "zr")
    ai = b("Cast", act, to=6)
    n = b("Add", "n", ai)
    cond = b("Greater", b("ReduceMax", ai, keepdims=0), b.c(0, np.int32))
    vi = helper.make_tensor_value_info
    s = [256, 256]
    body = helper.make_graph(
        b.nodes, "body", [vi("it", 7, []), vi("c_in", 9, []), vi("zr", FT, s), vi("zi", FT, s), vi("n", 6, s),
                          vi("act", 9, s)],
        [vi(cond, 9, []), vi(zr, FT, s), vi(zi, FT, s), vi(n, 6, s), vi(act, 9, s)], b.init)
    g = G()
    z = np.zeros((256, 256))
    o = g("Loop", g.c(w.MB_IT, np.int64), g.c(True, bool), g.c(z), g.c(z + 0.0), g.c(z, np.int32), g.c(z == 0, bool),
          outs=4, body=body)
    return session(g, dict(i), [(o[2], 6)])


def enc(g, x, p, pre, b, s):
    d, h = w.TD, w.TH

    def lin(x, n):
        return g("Add", g("MatMul", x, g.c(p[f"{pre}{n}.w"])), g.c(p[f"{pre}{n}.b"]))

    def ln(x, n):
        return g("LayerNormalization", x, g.c(p[f"{pre}{n}.g"]), g.c(p[f"{pre}{n}.b"]), axis=-1)
    q, k, v = g("Split", lin(x, "qkv"), axis=-1, num_outputs=3, outs=3)

    def heads(t, perm):
        return g("Transpose", g("Reshape", t, g.ints(b, s, h, d // h)), perm=perm)
    a = g("Softmax", g("Mul", g("MatMul", heads(q, [0, 2, 1, 3]), heads(k, [0, 2, 3, 1])), 1 / math.sqrt(d // h)), axis=-1)
    o = g("Reshape", g("Transpose", g("MatMul", a, heads(v, [0, 2, 1, 3])), perm=[0, 2, 1, 3]), g.ints(b, s, d))
    x = ln(g("Add", x, lin(o, "out")), "ln1")
    return ln(g("Add", x, lin(g("Gelu", lin(x, "ff1")), "ff2")), "ln2")


@reg("enc_fwd")
def _(i):
    g = G()
    return session(g, {"x": i["x"]}, [(enc(g, "x", i["p"], "", w.TB, w.TS), FT)])


@reg("bert_mini")
def _(i):
    g, p = G(), i["p"]
    x = g("Add", g("Gather", g.c(p["tok"]), "ids", axis=0), g.c(p["pos"][:w.BS_]))
    x = g("LayerNormalization", x, g.c(p["eln.g"]), g.c(p["eln.b"]), axis=-1)
    x = enc(g, enc(g, x, p, "a.", 1, w.BS_), p, "b.", 1, w.BS_)
    c = g("Gather", x, g.c(0, np.int64), axis=1)
    return session(g, {"ids": i["ids"].astype(np.int64)}, [(x, FT), (g("Tanh", linear(g, c, p, "pool")), FT)])


@reg("tower")
def _(i):
    g, p = G(), i["p"]
    h = "x"
    for n in range(w.TWL):
        t = g("Gemm", h, g.c(p[f"w{n}"]), g.c(p[f"b{n}"]))
        h = g("Add", h, g("Mul", g("Mul", g("Tanh", t), g("Sigmoid", t)), 0.1))
    return session(g, {"x": i["x"]}, [(h, FT)])
