"""What the reader reads: a window of a document in which one company is marked.

    [CLS] [S] title [SEP] [S] sentence [S] sentence …               for the built-in signals
    [CLS] description [SEP] [S] title [SEP] [S] sentence …          for a signal described in words

The service builds the same windows (src/engine/classifier/windows.ts).
"""
import random

import numpy as np
from tokenizers import Tokenizer

from data import SIGNALS, mark

PAD, UNK, CLS, SEP, MASK, S, TGT = range(7)
WINDOW = 256
LONGEST_TITLE = 60
LONGEST_SENTENCE = 110
LONGEST_DESCRIPTION = 60


class Texts:
    """Tokenizes each text once."""

    def __init__(self, path):
        self.tokenizer = Tokenizer.from_file(path)
        self.known = {}

    def ids(self, text, longest=LONGEST_SENTENCE):
        key = (text, longest)
        if key not in self.known:
            self.known[key] = self.tokenizer.encode(text, add_special_tokens=False).ids[:longest]
        return self.known[key]


def examples_of(row, texts):
    """One example for each company of a labelled row."""
    for company in row['companies']:
        names = [company['name'], *(company.get('also') or [])]
        labels = np.zeros((len(row['sents']) + 1, len(SIGNALS)), np.float32)
        for signal, sentences in company['signals'].items():
            labels[sentences, SIGNALS.index(signal)] = 1
        yield {
            'id': row['id'],
            'name': company['name'],
            'genre': row.get('genre') or row['id'].split('-')[0],
            'title': texts.ids(mark(row['title'], names), LONGEST_TITLE) if row['title'] else None,
            'sentences': [texts.ids(mark(sentence, names)) for sentence in row['sents']],
            'as_written': texts.ids(company['name'])[:8],
            'labels': labels,
        }


def build(example, numbers, with_title=True, description=None, limit=WINDOW):
    """Token ids, places of [S], the rows of the labels they stand for; `numbers` are sentences, from 1."""
    ids = [CLS, *description, SEP] if description is not None else [CLS]
    places, rows = [], []
    if with_title and example['title']:
        places.append(len(ids))
        rows.append(0)
        ids = [*ids, S, *example['title'], SEP]
    for number in numbers:
        sentence = example['sentences'][number - 1]
        if len(ids) + 1 + len(sentence) > limit and rows and rows[-1] > 0:
            break
        places.append(len(ids))
        rows.append(number)
        ids = [*ids, S, *sentence]
    return ids[:limit + LONGEST_SENTENCE], places, rows


def windows_of(example, description=None, limit=WINDOW):
    """The windows as the service cuts them: consecutive sentences, each with the title."""
    total, at = len(example['sentences']), 1
    windows = []
    while at <= total:
        window = build(example, range(at, total + 1), True, description, limit)
        windows.append(window)
        at = window[2][-1] + 1
    return windows or [build(example, [], True, description, limit)]


def varied(example, rng, description=None):
    """A window for training: short and long ones alike, with and without the title, from any place."""
    total, title = len(example['sentences']), bool(example['title'])
    draw = rng.random()
    if title and (draw < 0.14 or total == 0):
        window = build(example, [], True, description)
    elif draw < 0.26:
        window = build(example, [rng.randint(1, total)], title and rng.random() < 0.4, description)
    elif draw < 0.42:
        size = rng.randint(1, min(5, total))
        first = rng.randint(1, total - size + 1)
        window = build(example, range(first, first + size), title and rng.random() < 0.6, description)
    elif draw < 0.56 and total > 2:
        window = build(example, [i for i in range(1, total + 1) if rng.random() < 0.7] or [1], True, description)
    else:
        limit = rng.choice((128, 192, WINDOW, WINDOW))
        window = rng.choice(windows_of(example, description, limit))
    return noisy(example, window, rng)


def noisy(example, window, rng):
    """Hides a few words now and then, and leaves some mentions of the company unmarked, as the name finder may."""
    ids, places, rows = window
    hidden = 0.06 if rng.random() < 0.3 else 0.0
    unmarked = 0.4 if rng.random() < 0.12 and ids.count(TGT) > 1 else 0.0
    if not hidden and not unmarked:
        return window
    out, moved, first = [], [], True
    starts = set(places)
    for at, piece in enumerate(ids):
        if at in starts:
            moved.append(len(out))
        if piece == TGT and unmarked and not first and rng.random() < unmarked:
            out += example['as_written']
        elif piece > TGT and hidden and rng.random() < hidden:
            out.append(MASK)
        else:
            out.append(piece)
        first = first and piece != TGT
    return out[:WINDOW + LONGEST_SENTENCE], moved, rows


def batch_of(windows):
    """Padded ids."""
    length = (max(len(ids) for ids, _, _ in windows) + 31) // 32 * 32
    out = np.zeros((len(windows), length), np.int64)
    for row, (ids, _, _) in zip(out, windows):
        row[:len(ids)] = ids
    return out


def random_for(*parts):
    return random.Random(repr(parts))
