"""Load an exported model where its code isn't known, and predict: `digits_reload.py MODEL IMAGES OUT`."""

import sys

import numpy as np
from digits_callbacks import Quantise

import vitrify as vt


def main() -> None:
    """Predict the digits of the images in one .npy file and write the answers to another."""
    model_path, images_path, answers_path = sys.argv[1:4]
    model = vt.jit.load(model_path, callbacks={"Quantise": Quantise})
    model.eval()
    with vt.no_grad():
        logits = model(vt.to_tensor(np.load(images_path)))
    np.save(answers_path, logits.numpy())
    assert "digits" not in sys.modules, "the model's code must not be needed"


if __name__ == "__main__":
    main()
