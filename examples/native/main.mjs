// node main.mjs out/mlp/mlp.wasm
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { memory, __heap_base, mlp_memory, mlp_create, mlp_run, mlp_last_error } = instance.exports;

// Memory behind the module's own: the arena, the arrays, and two structs of a pointer to data and one to a shape.
const size = mlp_memory(0);
const arena = (__heap_base.value + 63) & ~63, x = (arena + size + 63) & ~63, y = x + 64 * 4, tables = y + 10 * 4;
const missing = tables + 16 - memory.buffer.byteLength;
if (missing > 0) memory.grow(Math.ceil(missing / 65536));
const model = mlp_create(arena, size);
new Float32Array(memory.buffer, x, 64).forEach((_, k, all) => (all[k] = k / 64));
new Uint32Array(memory.buffer, tables, 4).set([x, 0, y, 0]);

if (mlp_run(model, tables, tables + 8) === 0) {
  console.log(Array.from(new Float32Array(memory.buffer, y, 10)).join(" "));
} else {
  const text = new Uint8Array(memory.buffer, mlp_last_error(model));
  console.log("error:", new TextDecoder().decode(text.subarray(0, text.indexOf(0))));
}
