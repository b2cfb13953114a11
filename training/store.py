"""Weights on disk: matrices as int8 rows with a scale each (a start, not an end), everything else in half precision."""
import glob
import io
import os

import numpy as np
import torch

PIECE = 15 << 20  # files are split so that none is large


def save_arrays(state, folder, name, as_int8=()):
    """Matrices named in `as_int8` are kept as int8."""
    arrays = {}
    for key, value in state.items():
        value = value.detach().float().cpu().numpy()
        if value.ndim == 2 and key in as_int8:
            scale = np.maximum(np.abs(value).max(1), 1e-8) / 127
            arrays[f'{key}//int8'] = np.round(value / scale[:, None]).astype(np.int8)
            arrays[f'{key}//scale'] = scale.astype(np.float32)
        else:
            arrays[key] = value.astype(np.float16)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    content = buffer.getvalue()
    os.makedirs(folder, exist_ok=True)
    for i in range(0, len(content), PIECE):
        with open(f'{folder}/{name}.npz.{i // PIECE}', 'wb') as out:
            out.write(content[i:i + PIECE])


def load_arrays(path):
    """Of one file, or of the pieces that save_arrays made of it."""
    parts = [path] if os.path.exists(path) else sorted(glob.glob(f'{path}.*'))
    content = np.load(io.BytesIO(b''.join(open(part, 'rb').read() for part in parts)))
    state = {}
    for key in content.files:
        name, _, kind = key.partition('//')
        if kind == 'scale':
            continue
        value = content[key].astype(np.float32)
        state[name] = torch.from_numpy(value * content[f'{name}//scale'][:, None] if kind == 'int8' else value)
    return state


def load_vectors(folder):
    content = np.load(f'{folder}/vectors.npz')
    return torch.from_numpy(content['table'].astype(np.float32) * float(content['scale']))
