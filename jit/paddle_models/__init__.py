"""Inference programs of PaddlePaddle (`.pdmodel`, `.json` and `.pdiparams`) as artifacts of ours.

wire.py and desc.py read the protobuf form, pir.py the JSON form, params.py the parameters; program_reader.py makes a
program of either, one operation after the other, by the rows in rows/. Nothing in a file is trusted or executed.
"""
