"""Programs whose gradients the tests take, as text."""

STRAIGHT = """program @p(%x: f64[3], %w: f64[3]) -> f64[3] {
  %0 = multiply %x, %w : f64[3]
  %1 = tanh %0 : f64[3]
  %2 = multiply %1, %1 : f64[3]
  return %2
}"""

BRANCH = """program @p(%x: f64[3], %w: f64[3], %c: bool[]) -> f64[3] {
  %0 = multiply %x, %w : f64[3]
  %r = if %c : f64[3] {
    %1 = sum %0 {axis = (0), keepdim = false} : f64[]
    %2 = exp %1 : f64[]
    %3 = multiply %2, %2 : f64[]
    %4 = multiply %x, %3 : f64[3]
    yield %4
  } else {
    yield %0
  }
  return %r
}"""

NESTED_BRANCH = """program @p(%x: f64[3], %c: bool[], %d: bool[]) -> f64[3] {
  %r = if %c : f64[3] {
    %0 = cumprod %x {axis = 0, reverse = false} : f64[3]
    %1 = if %d : f64[3] {
      %2 = cumprod %0 {axis = 0, reverse = false} : f64[3]
      %3 = multiply %2, %2 : f64[3]
      yield %3
    } else {
      %4 = multiply %0, %x : f64[3]
      yield %4
    }
    yield %1
  } else {
    %5 = cumsum %x {axis = 0, reverse = false} : f64[3]
    %6 = multiply %5, %5 : f64[3]
    yield %6
  }
  return %r
}"""

FOR = """program @p(%x: f64[3], %w: f64[3], %n: i64[]) -> f64[3] {
  %r = for %n, %x : f64[3] (%i: i64[], %h: f64[3]) {
    %1 = tanh %h : f64[3]
    %2 = multiply %1, %w : f64[3]
    %f = cast %i {dtype = f64} : f64[]
    %3 = multiply %2, %f : f64[3]
    %4 = add %3, %h : f64[3]
    yield %4
  }
  return %r
}"""

COUNT_I32 = """program @p(%x: f64[3], %n: i32[1]) -> f64[3] {
  %r = for %n, %x : f64[3] (%i: i64[], %h: f64[3]) {
    %f = cast %i {dtype = f64} : f64[]
    %1 = multiply %h, %f : f64[3]
    %2 = sin %1 : f64[3]
    %3 = add %2, %h : f64[3]
    yield %3
  }
  return %r
}"""

SWAP = """program @p(%x: f64[2], %y: f64[2], %n: i64[]) -> (f64[2], f64[2]) {
  %a, %b = for %n, %x, %y : f64[2], f64[2] (%i: i64[], %u: f64[2], %v: f64[2]) {
    %s = multiply %u, %v : f64[2]
    yield %v, %s
  }
  return %a, %b
}"""

UNUSED_CARRIED = """program @p(%x: f64[2], %y: f64[2], %n: i64[]) -> f64[2] {
  %a, %b = for %n, %x, %y : f64[2], f64[2] (%i: i64[], %u: f64[2], %v: f64[2]) {
    %s = sin %u : f64[2]
    %t = multiply %v, %s : f64[2]
    yield %s, %t
  }
  return %a
}"""

WHILE = """program @p(%x: f64[3], %w: f64[3]) -> (f64[3], i64[]) {
  %zero = constant {data = dense<i64[], 0>} : i64[]
  %r, %k = while %x, %zero : f64[3], i64[] (%a: f64[3], %b: i64[]) {
    %l = sum %a {axis = (0), keepdim = false} : f64[]
    %lim = constant {data = dense<f64[], 9.0>} : f64[]
    %c = less_than %l, %lim : bool[]
    yield %c
  } do (%a1: f64[3], %b1: i64[]) {
    %u = multiply %a1, %w : f64[3]
    %u1 = exp %u : f64[3]
    %two = constant {data = dense<i64[], 2>} : i64[]
    %b2 = add %b1, %two : i64[]
    yield %u1, %b2
  }
  return %r, %k
}"""

MIXED = """program @p(%x: f64[3], %w: f64[3], %n: i64[]) -> (f64[3], i64[]) {
  %z = constant {data = dense<i64[], 0>} : i64[]
  %one = constant {data = dense<i64[], 1>} : i64[]
  %r, %k = for %n, %x, %z : f64[3], i64[] (%i: i64[], %h: f64[3], %k0: i64[]) {
    %q, %s = while %h, %k0 : f64[3], i64[] (%a: f64[3], %b: i64[]) {
      %l = sum %a {axis = (0), keepdim = false} : f64[]
      %lim = constant {data = dense<f64[], 6.0>} : f64[]
      %c = less_than %l, %lim : bool[]
      yield %c
    } do (%a1: f64[3], %b1: i64[]) {
      %u = multiply %a1, %w : f64[3]
      %u1 = exp %u : f64[3]
      %odd = bitwise_and %b1, %one : i64[]
      %isodd = equal %odd, %one : bool[]
      %v = if %isodd : f64[3] {
        %e = for %i, %u1 : f64[3] (%j: i64[], %d: f64[3]) {
          %d1 = sin %d : f64[3]
          %d2 = multiply %d1, %x : f64[3]
          yield %d2
        }
        yield %e
      } else {
        %e2 = sqrt %u1 : f64[3]
        yield %e2
      }
      %t = add %v, %a1 : f64[3]
      %b2 = add %b1, %one : i64[]
      yield %t, %b2
    }
    %half = constant {data = dense<f64[], 0.3>} : f64[]
    %q2 = multiply %q, %half : f64[3]
    yield %q2, %s
  }
  return %r, %k
}"""

LOOPS_IN_BOTH_BRANCHES = """program @p(%x: f64[2], %n: i64[]) -> f64[2] {
  %two = constant {data = dense<i64[], 2>} : i64[]
  %r = for %n, %x : f64[2] (%i: i64[], %h: f64[2]) {
    %c = less_than %i, %two : bool[]
    %v = if %c : f64[2] {
      %e = for %two, %h : f64[2] (%j: i64[], %d: f64[2]) {
        %d1 = sin %d : f64[2]
        %d2 = multiply %d1, %x : f64[2]
        yield %d2
      }
      yield %e
    } else {
      %e2 = for %n, %h : f64[2] (%j2: i64[], %g: f64[2]) {
        %g1 = cos %g : f64[2]
        %g2 = multiply %g1, %h : f64[2]
        yield %g2
      }
      yield %e2
    }
    yield %v
  }
  return %r
}"""

SYMBOLIC = """program @p(%x: f64[N, 2], %w: f64[2, 2], %n: i64[]) -> f64[2] {
  %r = for %n, %x : f64[N, 2] (%i: i64[], %h: f64[N, 2]) {
    %1 = matmul %h, %w {transpose_x = false, transpose_y = false} : f64[N, 2]
    %2 = tanh %1 : f64[N, 2]
    yield %2
  }
  %s = mean %r {axis = (0), keepdim = false} : f64[2]
  return %s
}"""

EQUAL_SIZES = """program @p(%x: f64[N], %y: f64[M], %n: i64[]) -> f64[N] where N-M == 0 {
  %r = for %n, %x : f64[N] (%i: i64[], %h: f64[N]) {
    %1 = multiply %h, %y : f64[N]
    %2 = sin %1 : f64[N]
    yield %2
  }
  return %r
}"""

CALLBACK = """program @p(%x: f64[2], %y: f64[2], %n: i64[]) -> f64[2] {
  %r = for %n, %x : f64[2] (%i: i64[], %h: f64[2]) {
    %1 = callback %h, %i, %y {callee = "f", form = "array", gradient = "df", outputs = (f64[2])} : f64[2]
    yield %1
  }
  return %r
}"""
