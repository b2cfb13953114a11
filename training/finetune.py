"""Teaches the reader the signals.

    python training/finetune.py --data FOLDER --out FOLDER --name seed0 --seed 0
    python training/finetune.py --data FOLDER --out FOLDER --name student --teachers FOLDER/seed0 FOLDER/seed1

FOLDER holds tokenizer.json, vectors.npz, encoder.npz (pretrain.py), labelled/*.ndjson.gz, described/*.ndjson.gz and, for
a student, unlabelled.ndjson.gz, and for one that goes on from another, asked.ndjson.gz. With teachers, the mean of their judgements is learned too, on labelled and on unlabelled
texts: several readers become one. Prints scores on the validation part; the test part is not looked at here.
"""
import argparse
import glob
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from data import DESCRIPTIONS, SIGNALS, is_kept_apart, part_of, read_rows
from described import Described
from model import Encoder, Reader
from score import report
from store import load_arrays, load_vectors, save_arrays
from windows import LONGEST_DESCRIPTION, Texts, batch_of, examples_of, random_for, varied, windows_of

# What the service compares descriptions with, too.
DEVICE = 'cuda' if torch.cuda.is_available() else 'cpu'
BATCH = 64
DESCRIBED = 40


def load(data, texts):
    """Examples of the training and of the validation part."""
    parts = {'train': [], 'validation': []}
    for path in sorted(glob.glob(f'{data}/labelled/*.ndjson.gz')):
        for row in read_rows(path):
            if not is_kept_apart(row):
                parts[part_of(row['id'])] += examples_of(row, texts)
    return parts


def load_asked(data, texts):
    """Examples of which some signals were asked about, one sentence each: `asked` has the sentence and the answer."""
    path = f'{data}/asked.ndjson.gz'
    examples = []
    for row in read_rows(path) if os.path.exists(path) else []:
        for example, company in zip(examples_of(row, texts), row['companies']):
            examples.append({**example, 'asked': company['asked']})
    return examples


@torch.no_grad()
def label_asked(model, examples):
    """Labels them: what was asked by the answers, everything else by how likely the reader finds it."""
    cut = [(example, window) for example in examples for window in windows_of(example)]
    cut.sort(key=lambda one: len(one[1][0]))
    for first in range(0, len(cut), 256):
        batch = cut[first:first + 256]
        ids, of, at = to_device(flatten([window for _, window in batch]))
        told = judge(model, ids, of, at)[0].sigmoid().cpu().numpy()
        begin = 0
        for example, (_, _, rows) in batch:
            example['labels'][rows] = np.maximum(example['labels'][rows], told[begin:begin + len(rows)])
            begin += len(rows)
    for example in examples:
        for signal, (row, is_told) in example['asked'].items():
            if is_told:
                example['labels'][row, SIGNALS.index(signal)] = 1
            else:
                example['labels'][:, SIGNALS.index(signal)] = 0


class Batches(Dataset):
    """Batch `i` of all epochs; everything random follows from the seed and `i`."""

    def __init__(self, examples, described, descriptions, steps, seed, teachers=None, unlabelled=()):
        self.examples, self.described, self.descriptions = examples, described, descriptions
        self.steps, self.seed, self.teachers, self.unlabelled = steps, seed, teachers, unlabelled
        self.orders = {}

    def __len__(self):
        return self.steps

    def numbers(self, step):
        per_epoch = len(self.examples) // BATCH
        epoch, at = divmod(step, per_epoch)
        if epoch not in self.orders:
            order = list(range(len(self.examples)))
            random_for(self.seed, 'order', epoch).shuffle(order)
            self.orders = {epoch: order}
        return self.orders[epoch][at * BATCH:(at + 1) * BATCH]

    def __getitem__(self, step):
        rng = random_for(self.seed, step)
        chosen = [self.examples[i] for i in self.numbers(step)]
        windows = [varied(example, rng) for example in chosen]
        labels = [example['labels'][rows] for example, (_, _, rows) in zip(chosen, windows)]
        extra = [rng.choice(self.unlabelled) for _ in range(BATCH if self.unlabelled else 0)]
        windows += [varied(example, rng) for example in extra]
        return flatten(windows), np.concatenate(labels), np.stack([rows.max(0) for rows in labels]), self.about(rng)

    def about(self, rng):
        """A batch for the second head."""
        windows, told = [], []
        for _ in range(DESCRIBED):
            draw = rng.random()
            if draw < 0.55:
                window, tells = self.described.window(rng)
            elif draw < 0.75:
                # A document that has nothing to do with the description: most of what the service reads.
                window = varied(rng.choice(self.examples), rng, self.described.wording(rng))
                tells = np.zeros(len(window[2]), np.float32)
            else:
                example = rng.choice(self.examples)
                present = np.flatnonzero(example['labels'].max(0))
                use_present = len(present) and rng.random() < 0.6
                signal = int(rng.choice(list(present))) if use_present else rng.randrange(len(SIGNALS))
                window = varied(example, rng, rng.choice(self.descriptions[signal]))
                tells = example['labels'][window[2], signal]
            windows.append(window)
            told.append(tells)
        return flatten(windows), np.concatenate(told).astype(np.float32)


def flatten(windows):
    """Padded ids, and for every [S] its window and its place."""
    of = np.concatenate([np.full(len(places), i) for i, (_, places, _) in enumerate(windows)])
    at = np.concatenate([np.array(places, np.int64) for _, places, _ in windows])
    return batch_of(windows), of, at


def to_device(arrays):
    return [torch.from_numpy(np.ascontiguousarray(a)).to(DEVICE, non_blocking=True) for a in arrays]


def judge(model, ids, of, at, dropout=0.0):
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=DEVICE == 'cuda'):
        sentence, document, described = model(ids, ids != 0, dropout)
    return sentence.float()[of, at], document.float(), described.float()[of, at]


def soft_loss(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target, reduction='none').sum(1).mean()


def train(parts, described, descriptions, args, unlabelled, teachers):
    torch.manual_seed(args.seed)
    model = Reader(Encoder(load_vectors(args.data), **args.size), len(SIGNALS))
    if args.start:
        model.load_state_dict(load_arrays(f'{args.start}.npz'), strict=False)
    elif not args.size:
        model.encoder.load_state_dict(load_arrays(f'{args.data}/encoder.npz'), strict=False)
    model.to(DEVICE)
    heads = [p for name, p in model.named_parameters() if not name.startswith('encoder.')]
    groups = [{'params': list(model.encoder.parameters()), 'lr': args.rate}, {'params': heads, 'lr': args.rate * 3}]
    base = [group['lr'] for group in groups]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.02, fused=DEVICE == 'cuda')
    steps = args.steps or int(args.epochs * (len(parts['train']) // BATCH))
    batches = Batches(parts['train'], described, descriptions, steps, args.seed, teachers, unlabelled)
    loader = DataLoader(batches, batch_size=None, num_workers=args.workers, prefetch_factor=8 if args.workers else None)
    mean = {name: value.detach().clone() for name, value in model.state_dict().items()}
    weight = torch.full((len(SIGNALS),), args.positive, device=DEVICE)
    began, total = time.time(), 0.0
    model.train()
    for step, (flat, of_sentences, of_windows, about) in enumerate(loader):
        share = step / steps if args.seconds is None else (time.time() - began) / args.seconds
        if share >= 1:
            break
        for group, rate in zip(optimizer.param_groups, base):
            group['lr'] = rate * max(0.01, min(1, share / 0.06) * (1 - share))
        ids, of, at = to_device(flat)
        truth, truth_windows = to_device((of_sentences, of_windows))
        sentence, document, _ = judge(model, ids, of, at, args.dropout)
        loss = (
            F.binary_cross_entropy_with_logits(sentence[:len(truth)], truth, pos_weight=weight, reduction='none').sum(1).mean()
            + F.binary_cross_entropy_with_logits(document[:BATCH], truth_windows, pos_weight=weight, reduction='none').sum(1).mean()
        )
        if teachers:
            with torch.no_grad():
                seen = [judge(teacher, ids, of, at) for teacher in teachers]
                soft_sentence = torch.stack([s.sigmoid() for s, _, _ in seen]).mean(0)
                soft_document = torch.stack([d.sigmoid() for _, d, _ in seen]).mean(0)
            loss = 0.5 * loss + args.soft * (soft_loss(sentence, soft_sentence) + soft_loss(document, soft_document))
        (about_ids, about_of, about_at), told = about
        about_ids, about_of, about_at, told = to_device((about_ids, about_of, about_at, told))
        _, _, tells = judge(model, about_ids, about_of, about_at, args.dropout)
        matched = F.binary_cross_entropy_with_logits(tells, told)
        if teachers:
            with torch.no_grad():
                soft = torch.stack([judge(t, about_ids, about_of, about_at)[2].sigmoid() for t in teachers]).mean(0)
            matched = 0.5 * matched + 0.5 * F.binary_cross_entropy_with_logits(tells, soft)
        loss = loss + args.about * matched
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        total += loss.item() if step % 20 == 0 else 0
        # The mean of the weights over the last steps judges better than the last ones.
        with torch.no_grad():
            keep = min(0.999, (step + 1) / (step + 20))
            torch._foreach_lerp_(list(mean.values()), list(model.state_dict().values()), 1 - keep)
        if step % (steps // 6 or 1) == 0:
            print(f'{args.name} step {step} of {steps}, loss {loss.item():.3f}, {time.time() - began:.0f} s', flush=True)
    model.load_state_dict(mean)
    return model.eval()


@torch.no_grad()
def verdicts(models, examples, limit=None):
    """Probabilities of the built-in signals, (examples x signals): the best window's, half its whole, half its best
    sentence; the mean of the models."""
    windows, owners = [], []
    for i, example in enumerate(examples):
        for window in windows_of(example) if limit is None else windows_of(example, limit=limit):
            windows.append(window)
            owners.append(i)
    order = np.argsort([len(window[0]) for window in windows], kind='stable')
    scores = np.zeros((len(examples), len(SIGNALS)))
    for first in range(0, len(order), 256):
        numbers = order[first:first + 256]
        flat = flatten([windows[i] for i in numbers])
        ids, of, at = to_device(flat)
        mean = 0
        for model in models:
            sentence, document, _ = judge(model, ids, of, at)
            best = torch.full_like(document, -30).scatter_reduce(0, of[:, None].expand_as(sentence), sentence, 'amax')
            mean = mean + (document.sigmoid() + best.sigmoid()) / 2
        mean = (mean / len(models)).cpu().numpy()
        for row, number in zip(mean, numbers):
            scores[owners[number]] = np.maximum(scores[owners[number]], row)
    return scores


@torch.no_grad()
def matches(models, described):
    """How well the second head tells yes from near and no, each sentence alone: (probability, kind) of every one."""
    from windows import build
    windows, kinds = [], []
    for signal in described.signals:
        for ids, kind in signal['sentences']:
            windows.append(build({'title': None, 'sentences': [ids]}, [1], False, signal['wordings'][1]))
            kinds.append(kind)
    out = []
    for first in range(0, len(windows), 256):
        ids, of, at = to_device(flatten(windows[first:first + 256]))
        out.append(torch.stack([judge(m, ids, of, at)[2].sigmoid() for m in models]).mean(0).cpu().numpy())
    return np.concatenate(out), np.array(kinds)


def print_matches(title, probabilities, kinds):
    found, yes = probabilities >= 0.5, kinds == 'yes'
    right = int((found & yes).sum())
    precision, recall = right / max(1, found.sum()), right / max(1, yes.sum())
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    print(f'{title}: P {precision:.3f} R {recall:.3f} F1 {f1:.3f} (near taken {found[kinds == "near"].mean():.3f}, '
          f'no taken {found[kinds == "no"].mean():.3f})', flush=True)


def list_doubts(out, teachers, examples):
    """The unlabelled examples worth a label: the surest verdict is the least sure, most doubtful first."""
    scores = verdicts(teachers, examples)
    doubt = (0.5 - np.abs(scores - 0.5)).max(1)
    with open(f'{out}/doubts.ndjson', 'w') as lines:
        for i in np.argsort(-doubt)[:4000]:
            lines.write(json.dumps({'id': examples[i]['id'], 'name': examples[i]['name'], 'doubt': round(float(doubt[i]), 3)}) + '\n')


def open_reader(data, path, size):
    model = Reader(Encoder(load_vectors(data), **size), len(SIGNALS))
    model.load_state_dict(load_arrays(path), strict=False)
    return model.to(DEVICE).eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--name', required=True)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--epochs', type=float, default=10)
    parser.add_argument('--steps', type=int, help='instead of epochs')
    parser.add_argument('--seconds', type=float, help='stops by the clock, and takes the rate down by it')
    parser.add_argument('--start', help='a reader to go on from: a path without .npz')
    parser.add_argument('--repeat', type=int, default=1, help='how often an epoch has the examples that were asked about')
    parser.add_argument('--rate', type=float, default=3e-4)
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--positive', type=float, default=1.3, help='weight of a positive label')
    parser.add_argument('--about', type=float, default=2.0, help='weight of the second head')
    parser.add_argument('--soft', type=float, default=1.0, help="weight of the teachers' judgement")
    parser.add_argument('--teachers', nargs='*', default=[], help='readers that were trained before: paths without .npz')
    parser.add_argument('--size', type=json.loads, default={})
    parser.add_argument('--workers', type=int, default=3)
    parser.add_argument('--limit', type=int, help='only so many examples, to try it on a CPU')
    args = parser.parse_args()

    began = time.time()
    texts = Texts(f'{args.data}/tokenizer.json')
    parts = load(args.data, texts)
    described_rows = [row for path in sorted(glob.glob(f'{args.data}/described/*.ndjson.gz')) for row in read_rows(path)]
    described = Described([row for row in described_rows if part_of(row['id']) == 'train'], texts)
    watched = Described([row for row in described_rows if part_of(row['id']) != 'train'], texts)
    descriptions = [
        [texts.ids(wording, LONGEST_DESCRIPTION) for wording in wordings]
        for wordings in DESCRIPTIONS.values()
    ]
    asked = load_asked(args.data, texts) if args.start else []
    if asked:
        label_asked(open_reader(args.data, f'{args.start}.npz', args.size), asked)
        parts['train'] = parts['train'] + asked * args.repeat
    if args.limit:
        parts = {name: examples[:args.limit] for name, examples in parts.items()}
    unlabelled = []
    if args.teachers and os.path.exists(f'{args.data}/unlabelled.ndjson.gz'):
        for row in read_rows(f'{args.data}/unlabelled.ndjson.gz'):
            unlabelled += examples_of(row, texts)
    print(f'{args.name}: {len(parts["train"])} organisations to learn from, {len(parts["validation"])} to check on, '
          f'{len(described.signals)} described signals, {len(unlabelled)} unlabelled, {time.time() - began:.0f} s', flush=True)
    teachers = [open_reader(args.data, f'{path}.npz', args.size) for path in args.teachers]
    model = train(parts, described, descriptions, args, unlabelled, teachers)
    save_arrays(model.state_dict(), args.out, args.name)
    report(args.name, verdicts([model], parts['validation']), parts['validation'])
    print_matches(f'{args.name} described signals', *matches([model], watched))
    if teachers and unlabelled:
        list_doubts(args.out, teachers, unlabelled)
    if teachers:
        report('teachers', verdicts(teachers, parts['validation']), parts['validation'])
    print(f'{args.name} took {time.time() - began:.0f} s', flush=True)


if __name__ == '__main__':
    main()
