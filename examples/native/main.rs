// rustc main.rs -L out/mlp -l static=mlp && ./main
use std::ffi::{c_char, c_int, c_void, CStr};
use std::ptr::null;

#[repr(C)]
struct Tensor {
    data: *const c_void,
    shape: *const i64,
}

extern "C" {
    fn mlp_memory(dims: *const i64) -> usize;
    fn mlp_create(arena: *mut c_void, size: usize) -> *mut c_void;
    fn mlp_run(model: *mut c_void, inputs: *const Tensor, outputs: *const Tensor) -> c_int;
    fn mlp_last_error(model: *const c_void) -> *const c_char;
}

/// A model that owns its memory.
struct Model {
    model: *mut c_void,
    _arena: Vec<u8>,
}

impl Model {
    fn new() -> Model {
        let mut arena = vec![0u8; unsafe { mlp_memory(null()) }];
        let model = unsafe { mlp_create(arena.as_mut_ptr().cast(), arena.len()) };
        Model { model, _arena: arena }
    }

    fn run(&mut self, x: &[f32; 64]) -> Result<[f32; 10], String> {
        let mut y = [0f32; 10];
        let inputs = [Tensor { data: x.as_ptr().cast(), shape: null() }];
        let outputs = [Tensor { data: y.as_mut_ptr().cast_const().cast(), shape: null() }];
        match unsafe { mlp_run(self.model, inputs.as_ptr(), outputs.as_ptr()) } {
            0 => Ok(y),
            _ => Err(unsafe { CStr::from_ptr(mlp_last_error(self.model)) }.to_string_lossy().into_owned()),
        }
    }
}

fn main() {
    let mut x = [0f32; 64];
    for (k, number) in x.iter_mut().enumerate() {
        *number = k as f32 / 64.0;
    }
    match Model::new().run(&x) {
        Ok(y) => println!("{}", y.map(|number| number.to_string()).join(" ")),
        Err(text) => println!("error: {text}"),
    }
}
