"""Labelled rows, the parts they belong to, and how a company is marked in a text."""
import gzip
import hashlib
import json
import os
import re

# Written from src/engine/signals by `npm run docs`: the built-in signals in the order of the outputs, each in several wordings.
with open(os.path.join(os.path.dirname(__file__), 'descriptions.json'), encoding='utf-8') as file:
    DESCRIPTIONS = json.load(file)
SIGNALS = list(DESCRIPTIONS)
# Two kinds of text that no part of the training sees: they tell how the reader does on what it was not made for.
UNSEEN_GENRES = {'newsletter', 'social'}


def read_rows(path):
    """Rows as in the labelled files: id, title, sents, companies."""
    with (gzip.open(path, 'rt') if path.endswith('.gz') else open(path)) as lines:
        return [json.loads(line) for line in lines if line.strip()]


def part_of(identity):
    """'test' (an eighth), 'validation' (a sixteenth: thresholds and calibration) or 'train', by hash of the id."""
    first = hashlib.sha256(identity.encode()).hexdigest()[0]
    return 'test' if first in '01' else 'validation' if first == '2' else 'train'


def is_kept_apart(row):
    return part_of(row['id']) == 'test' or row.get('genre') in UNSEEN_GENRES


def normal(text):
    return re.sub(r'[^a-z0-9]+', '', text.lower())


LEGAL_FORM = r"(?:,? (?:Inc|Corp|Ltd|LLC|PLC|plc|AG|GmbH|Co|S\.A|N\.V|Corporation|Company|Limited)\b\.?)?"


def mark(text, names):
    """Puts [TGT] for every mention of the company, its legal form included."""
    names = sorted({name for name in names if name and len(name) > 1}, key=len, reverse=True)
    if not names:
        return text
    pattern = r'(?<![A-Za-z0-9])(?:' + '|'.join(map(re.escape, names)) + r')(?![A-Za-z0-9])' + LEGAL_FORM
    return re.sub(pattern, ' [TGT] ', text)
