"""ONNX, both ways: programs as ONNX models (`export`), ONNX models as layers (`load`). Public as `vt.onnx`."""
