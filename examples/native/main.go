// CGO_CFLAGS="-I$PWD/out/mlp" CGO_LDFLAGS="$PWD/out/mlp/libmlp.a -lm" go run main.go
package main

// #include <stdlib.h>
// #include "mlp.h"
// static int run(mlp_model *model, float *x, float *y) {
//     mlp_tensor inputs[] = {{x, 0}}, outputs[] = {{y, 0}};
//     return mlp_run(model, inputs, outputs);
// }
import "C"

import "fmt"

func main() {
	size := C.mlp_memory(nil)
	arena := C.malloc(size)
	defer C.free(arena)
	model := C.mlp_create(arena, size)
	var x [64]C.float
	var y [10]C.float
	for k := range x {
		x[k] = C.float(k) / 64
	}
	if code := C.run(model, &x[0], &y[0]); code != C.MLP_OK {
		fmt.Println("error:", C.GoString(C.mlp_last_error(model)))
		return
	}
	for _, number := range y {
		fmt.Print(float32(number), " ")
	}
	fmt.Println()
}
