"""Teaches the encoder the language: hides words of running text and has it guess them.

    python training/pretrain.py --data FOLDER --out FOLDER --seconds 520

FOLDER holds tokenizer.json, vectors.npz (vocabulary.py), corpus.txt.xz (corpus.py) and, to go on from one, encoder.npz.
Whole words are hidden, other ones at every step. What the encoder guesses for them is put into the text, and it has to tell
which words are not the author's: so it learns from every word, and from texts without gaps. [S] opens every sentence and
[TGT] stands for a name in most documents, as in what the reader will read.
"""
import argparse
import glob
import json
import lzma
import math
import os
import random
import re
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from data import mark
from model import Encoder, MaskedWords, start_from
from names import names_in
from store import load_arrays, load_vectors, save_arrays

CLS, SEP, MASK, S, FIRST_WORD = 2, 3, 4, 5, 7
WINDOW = 256
HIDDEN = 0.22
MARKED = 0.7  # share of documents in which a name is marked
REPLACED = 5.0  # weight of telling replaced words
SENTENCE_END = re.compile(r'(?<=[.!?”"])\s+(?=[A-Z“"])')


def encode(work):
    path, lines = work
    tokenizer = Tokenizer.from_file(path)
    out = []
    for line in lines:
        ids = [CLS]
        sentences = [s for part in line.split(' ⏎ ') for s in SENTENCE_END.split(part) if s.strip()]
        draw = random.Random(line[:200])
        names = names_in(sentences[0], sentences[1:40]) if sentences and draw.random() < MARKED else []
        if names:
            name = draw.choice(names)
            sentences = [mark(sentence, [name]) for sentence in sentences]
        for encoded in tokenizer.encode_batch(sentences, add_special_tokens=False):
            ids.append(S)
            ids += encoded.ids
        out.append(np.array(ids + [SEP], np.uint16))
    return np.concatenate(out)


def tokens_of(data, tiny):
    lines = lzma.open(f'{data}/corpus.txt.xz', 'rt').read().split('\n')
    lines = [line for line in (lines[:400] if tiny else lines) if line.strip()]
    # Windows run over document ends: neighbours should not be of one source.
    random.Random(0).shuffle(lines)
    parts = [(f'{data}/tokenizer.json', lines[i::64]) for i in range(64)]
    with ProcessPoolExecutor(max(1, os.cpu_count() - 1)) as pool:
        return np.concatenate(list(pool.map(encode, parts)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--seconds', type=float, default=520)
    parser.add_argument('--share', type=float, nargs=2, default=(0.0, 1.0), help='part of the schedule that this run does')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--batch', type=int, default=512)
    parser.add_argument('--rate', type=float, default=1e-3)
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--size', type=json.loads, default={}, help='sizes of the encoder, as JSON')
    parser.add_argument('--work', help='where this run leaves its state for the next')
    parser.add_argument('--tiny', action='store_true', help='three steps on a little text, to try it on a CPU')
    args = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    began = time.time()
    torch.manual_seed(args.seed)

    cached = f'{args.work}/tokens.npy' if args.work else None
    if cached and os.path.exists(cached):
        tokens = np.load(cached)
    else:
        tokens = tokens_of(args.data, args.tiny)
        if cached:
            os.makedirs(args.work, exist_ok=True)
            np.save(cached, tokens)
    text = torch.from_numpy(tokens.astype(np.int32)).to(device)
    print(f'{len(tokens)} tokens after {time.time() - began:.0f} s', flush=True)

    tokenizer = Tokenizer.from_file(f'{args.data}/tokenizer.json')
    encoder = Encoder(load_vectors(args.data), **args.size)
    if not args.size and glob.glob(f'{args.data}/encoder.npz*'):
        old = load_arrays(f'{args.data}/encoder.npz')
        if 'lift.weight' in old:
            encoder.load_state_dict(old, strict=False)
        else:
            start_from(encoder, old, tokenizer)
    model = MaskedWords(encoder).to(device)
    state = f'{args.work}/state.pt' if args.work else None
    decayed = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{'params': decayed, 'weight_decay': 0.05}, {'params': others, 'weight_decay': 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98), eps=1e-6, fused=device == 'cuda')
    if state and args.share[0] > 0:
        saved = torch.load(state, map_location=device)
        model.load_state_dict(saved['model'], strict=False)
        optimizer.load_state_dict(saved['optimizer'])
    goes_on = torch.zeros(tokenizer.get_vocab_size(), dtype=torch.long, device=device)
    for piece, i in tokenizer.get_vocab().items():
        goes_on[i] = piece.startswith('##')
    compiled = device == 'cuda'
    forward = torch.compile(model, dynamic=False) if compiled else model
    telling = torch.compile(model.tell_replaced, dynamic=False) if compiled else model.tell_replaced

    batch = 8 if args.tiny else args.batch
    chosen_count = int(batch * WINDOW * HIDDEN)
    first, last = args.share
    started, step = time.time(), 0
    model.train()
    while True:
        elapsed = (time.time() - started) / args.seconds
        if elapsed >= 1 or (args.tiny and step == 3):
            break
        at = first + (last - first) * elapsed
        rate = args.rate * min(1, at / 0.03) * (0.49 * (1 + math.cos(math.pi * min(1, at))) + 0.02)
        for group in optimizer.param_groups:
            group['lr'] = rate
        starts = torch.randint(0, len(text) - WINDOW, (batch,), device=device)
        ids = text[starts[:, None] + torch.arange(WINDOW, device=device)].long()
        ids[:, 0] = CLS
        # One draw for every word, the same for all its pieces; the lowest are hidden.
        word = torch.cumsum(1 - goes_on[ids], 1)
        draw = torch.rand(batch, WINDOW + 1, device=device).gather(1, word).reshape(-1)
        flat = ids.reshape(-1)
        draw = torch.where(flat < FIRST_WORD, torch.full_like(draw, 2.0), draw)
        chosen = draw.topk(chosen_count, largest=False).indices
        truth = flat[chosen]
        how = torch.rand(chosen_count, device=device)
        other = torch.randint(FIRST_WORD, len(goes_on), (chosen_count,), device=device)
        flat = flat.clone()
        flat[chosen] = torch.where(how < 0.8, torch.full_like(truth, MASK), torch.where(how < 0.9, other, truth))
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = forward(flat.view(batch, WINDOW), chosen, args.dropout)
        guessing = F.cross_entropy(logits.float(), truth)
        guessing.backward()
        # What it guesses, drawn by its own probabilities, stands in a text without gaps now.
        noise = -torch.log(-torch.log(torch.rand_like(logits, dtype=torch.float32).clamp(1e-9, 1 - 1e-9)))
        guess = (logits.detach().float() + noise).argmax(1)
        replaced = ids.reshape(-1).clone()
        replaced[chosen] = guess
        is_other = (replaced != ids.reshape(-1)).float()
        counts = ids.reshape(-1) >= FIRST_WORD
        with torch.autocast(device, dtype=torch.bfloat16):
            told = telling(replaced.view(batch, WINDOW), args.dropout)
        doubt = F.binary_cross_entropy_with_logits(told.float().reshape(-1)[counts], is_other[counts])
        (REPLACED * doubt).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        if step % 500 == 0 or step <= 3:
            speed = step * batch * WINDOW / (time.time() - started) / 1e6
            print(f'step {step} words {guessing.item():.3f} replaced {doubt.item():.4f} {speed:.2f} M tokens a second, {at:.2f} done', flush=True)
    if state:
        torch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict()}, state)
    save_arrays(encoder.state_dict(), args.out, 'encoder')
    print(f'{step} steps, {step * batch * WINDOW / len(tokens):.1f} passes, {time.time() - began:.0f} s')


if __name__ == '__main__':
    main()
