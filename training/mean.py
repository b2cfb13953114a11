"""Writes the mean of the weights of several readers that were trained on from the same one.

    python training/mean.py --data W --readers W/on0 W/on1 W/on2 W/shipped W/shipped W/shipped --out W --name mean

It judges better than each of them, and forgets less of the one they started from if that is among them.
"""
import argparse

import torch

from finetune import open_reader
from store import save_arrays


def folded(reader):
    """Its weights with the word vectors folded into the table of pieces: two that add up to the same are the same."""
    state = {key: value.detach().clone() for key, value in reader.state_dict().items()}
    state['encoder.tok.weight'] = reader.encoder.table().detach().clone()
    state['encoder.lift.weight'] = torch.zeros_like(state['encoder.lift.weight'])
    return state


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    parser.add_argument('--readers', nargs='+', required=True, help='paths without .npz')
    parser.add_argument('--out', required=True)
    parser.add_argument('--name', required=True)
    args = parser.parse_args()
    states = [folded(open_reader(args.data, f'{path}.npz', {})) for path in args.readers]
    mean = {key: torch.stack([state[key].float() for state in states]).mean(0) for key in states[0]}
    save_arrays(mean, args.out, args.name)


if __name__ == '__main__':
    main()
