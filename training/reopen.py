"""Opens weights/reader.onnx again, so that training can go on from the reader that is in use.

    python training/reopen.py --data W --reader weights/reader.onnx --out W --name shipped
"""
import argparse

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from data import SIGNALS
from model import Encoder, Reader
from store import load_vectors, save_arrays


def reopen(path, vectors):
    """The reader with its matrices as int8 left them."""
    graph = onnx.load(path).graph
    arrays = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    matrices = [
        (arrays[f'{name}_quantized'].astype(np.float32) * arrays[f'{name}_scale']).T
        for name in (key.removesuffix('_quantized') for key in arrays if key.endswith('_quantized'))
    ]
    plain = (key for key in arrays if key.startswith('reader.') and not key.endswith(('_scale', '_zero_point', '_quantized')))
    state = {key.removeprefix('reader.'): arrays[key] for key in plain}
    names = [f'encoder.blocks.{i}.{part}' for i in range(6) for part in ('qkv', 'o', 'up', 'down')]
    for name, matrix in zip([*names, 'sentence', 'document', 'described.0', 'described.2'], matrices, strict=True):
        state[f'{name}.weight'] = matrix
    # The word vectors are folded into the table: nothing is left to lift.
    state['encoder.tok.weight'] = arrays['rows'].astype(np.float32) * arrays['scale']
    reader = Reader(Encoder(vectors), len(SIGNALS))
    state['encoder.lift.weight'] = np.zeros_like(reader.encoder.lift.weight.detach().numpy())
    reader.load_state_dict({key: torch.from_numpy(np.array(value)) for key, value in state.items()})
    return reader.eval()


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    parser.add_argument('--reader', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--name', required=True)
    args = parser.parse_args()
    save_arrays(reopen(args.reader, load_vectors(args.data)).state_dict(), args.out, args.name)
