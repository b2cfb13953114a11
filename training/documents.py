"""Cuts documents of a corpus into a title and its opening sentences, as the labels number them.

    python training/documents.py --text corpus.txt.xz [--labels labels.ndjson.gz] --out documents.ndjson

A line of a corpus is one document, with " ⏎ " between its paragraphs and, in a corpus of several sources, "source<TAB>"
before it. The id holds a hash of the line, so labels can be published without the texts: with --labels only the
documents that have labels are written, with their labels. A name that ends in .gz is compressed.
"""
import argparse
import gzip
import hashlib
import json
import lzma
import re

from data import read_rows

# Labels number these sentences: another value would shift or lose them.
MOST_SENTENCES = 12
LONGEST = 700
LONGEST_TITLE = 250
ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“‘'])(?:[A-Z]|[A-Z]\.[A-Z]|[ap]\.m|Inc|Corp|Ltd|Co|Cos|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|vs|Gov|Sen|Rep|Gen|Col|Lt|Capt|"
    r"Hon|Rev|Sgt|Dept|Est|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Ariz|Calif|Colo|Conn|Del|Fla|Ga|Ill|Ind|"
    r"Kan|Ky|La|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb|Nev|Okla|Ore|Pa|Tenn|Tex|Va|Vt|Wash|Wis|Wyo|U\.S|U\.K|U\.N|D\.C|S\.A|N\.V|e\.g|i\.e)\.$"
)
END = re.compile(r"[.!?][\"”’')\]]*\s+(?=[\"“‘'(\[]?[A-Z0-9$€£])")


def sentences_of(paragraph):
    start, found = 0, []
    for end in END.finditer(paragraph):
        head = paragraph[start : end.start() + 1]
        if head.endswith('.') and ABBREVIATION.search(head[-14:]):
            continue
        found.append(paragraph[start : end.end()].strip())
        start = end.end()
    found.append(paragraph[start:].strip())
    return [sentence[:LONGEST] for sentence in found if len(sentence) > 1]


def cut(line):
    """The title (the first paragraph if it is short and is no sentence) and up to twelve sentences after it."""
    source, text = line.split('\t', 1) if '\t' in line[:60] else ('release', line)
    paragraphs = [part.strip() for part in text.split(' ⏎ ') if part.strip()]
    titled = len(paragraphs) > 1 and len(paragraphs[0]) <= LONGEST_TITLE and len(sentences_of(paragraphs[0])) == 1
    title = paragraphs[0] if titled else ''
    sents = []
    for paragraph in paragraphs[1 if titled else 0 :]:
        if len(sents) >= MOST_SENTENCES or re.match(r'About [A-Z]|###|Media Contact|Forward[- ]Looking', paragraph):
            break
        sents += sentences_of(paragraph)
    kind = 'rel-y' if source == 'release' else 'news-' + source.removesuffix('-2').removesuffix('-3')
    identity = f'{kind}-{hashlib.sha256(line.encode()).hexdigest()[:10]}'
    return {'id': identity, 'title': title, 'sents': sents[:MOST_SENTENCES]}


def read_lines(path):
    with (lzma.open(path, 'rt') if path.endswith('.xz') else open(path)) as lines:
        for line in lines:
            yield line.rstrip('\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--text', nargs='+', required=True)
    parser.add_argument('--labels')
    parser.add_argument('--out', required=True)
    args = parser.parse_args()
    labels = {row['id']: row for row in read_rows(args.labels)} if args.labels else None
    written = set()
    with (gzip.open(args.out, 'wt') if args.out.endswith('.gz') else open(args.out, 'w')) as out:
        for path in args.text:
            for line in read_lines(path):
                row = cut(line)
                if row['id'] in written or (labels is not None and row['id'] not in labels):
                    continue
                written.add(row['id'])
                out.write(json.dumps({**row, **(labels[row['id']] if labels else {})}, ensure_ascii=False) + '\n')
    print(f'{len(written)} documents')


if __name__ == '__main__':
    main()
