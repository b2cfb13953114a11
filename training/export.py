"""Writes the reader as the service loads it: weights/reader.onnx (int8) and weights/reader.json.

    python training/export.py --data FOLDER --reader FOLDER/student --out weights

The word vectors are folded into the table of pieces, which is kept as int8 with one scale a row, like the matrices.
Prints how far int8 is from the model that was trained, and how long a window takes on one core.
"""
import argparse
import hashlib
import json
import os
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from data import SIGNALS
from finetune import open_reader


class Plain(torch.nn.Module):
    """The reader with its table of pieces as one constant, kept as int8 rows."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader
        table = reader.encoder.table().detach()
        scale = table.abs().amax(1, keepdim=True).clamp_min(1e-8) / 127
        self.register_buffer('rows', torch.round(table / scale).to(torch.int8))
        self.register_buffer('scale', scale)

    def forward(self, ids):
        encoder = self.reader.encoder
        ids = ids.long()
        mask = ids != 0
        x = self.rows[ids].float() * self.scale[ids]
        x = encoder.ne(x + encoder.pos.weight[:ids.shape[1]])
        bias = (1.0 - mask[:, None, None, :].float()) * -1e4
        for block in encoder.blocks:
            x = block(x, bias, 0.0)
        x = encoder.nf(x)
        return self.reader.sentence(x), self.reader.document(x[:, 0]), self.reader.described(x).squeeze(-1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    parser.add_argument('--reader', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--size', type=json.loads, default={})
    args = parser.parse_args()

    torch.manual_seed(0)
    plain = Plain(open_reader(args.data, f'{args.reader}.npz', args.size).cpu()).eval()
    ids = torch.randint(7, plain.rows.shape[0], (2, 128), dtype=torch.int32)
    every = {0: 'windows', 1: 'tokens'}
    axes = {'ids': every, 'sentence': every, 'document': {0: 'windows'}, 'described': every}
    os.makedirs(args.out, exist_ok=True)
    target = f'{args.out}/reader.onnx'
    with tempfile.TemporaryDirectory() as work:
        whole = f'{work}/whole.onnx'
        torch.onnx.export(plain, (ids,), whole, input_names=['ids'], output_names=['sentence', 'document', 'described'],
                          dynamic_axes=axes, opset_version=17, dynamo=False)
        # Seven bits: with eight, processors without VNNI add up pairs of products in 16 bits, and some overflow.
        quantize_dynamic(whole, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
                         op_types_to_quantize=['MatMul'], extra_options={'MatMulConstBOnly': True})
        onnx.checker.check_model(target)
        with torch.no_grad():
            wanted = plain.reader(ids.long(), ids != 0)[1].numpy()
        for path in (whole, target):
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            session = onnxruntime.InferenceSession(path, options)
            apart = np.abs(session.run(None, {'ids': ids.numpy()})[1] - wanted).max()
            began = time.time()
            for _ in range(20):
                session.run(None, {'ids': ids[:1].numpy()})
            took = (time.time() - began) / 20 * 1000
            print(f'{os.path.basename(path)}: {os.path.getsize(path) / 1e6:.1f} MB, logits differ by up to {apart:.3f}, {took:.1f} ms for 128 tokens')

    content = open(target, 'rb').read()
    vocabulary = json.load(open(f'{args.data}/tokenizer.json'))['model']['vocab']
    card = {
        'sha256': hashlib.sha256(content).hexdigest(),
        'signals': SIGNALS,
        # Until calibrate-reader has fitted it: half the whole window, half its best sentence.
        'calibration': {'weights': [0.5, 0.5], 'bias': dict.fromkeys(SIGNALS, 0), 'described': {'weight': 1, 'bias': 0}},
        'vocabulary': ' '.join(sorted(vocabulary, key=vocabulary.get)),
    }
    with open(f'{args.out}/reader.json', 'w') as out:
        json.dump(card, out, ensure_ascii=False, indent=1)
        out.write('\n')


main()
