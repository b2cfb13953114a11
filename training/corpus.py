"""Gathers the text to pretrain on: one document a line, " ⏎ " between paragraphs.

    python training/corpus.py --text corpus.txt more.txt --labelled LABELLED_FOLDER [MORE.ndjson …] --out corpus.txt

Documents of the test part are left out, also where the corpus holds them in full, so that not even their wording is
seen. Labelled texts of the training part come first: they are the kind of text that the reader will read.
"""
import argparse
import glob

from data import is_kept_apart, normal, read_rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--text', nargs='+', required=True)
    parser.add_argument('--labelled', nargs='+', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()

    kept_apart, lines = set(), []
    for path in sorted(p for part in args.labelled for p in (glob.glob(f'{part}/*.gz') or [part])):
        for row in read_rows(path):
            if is_kept_apart(row):
                kept_apart.update(normal(s)[:80] for s in [row['title'] or '', *row['sents'][:1]] if len(normal(s)) > 30)
            elif not row['id'].startswith('rel-'):  # releases stand in the corpus in full
                lines.append(' ⏎ '.join([row['title'] or '', ' '.join(row['sents'])]).strip(' ⏎'))
    own, left_out = len(lines), 0
    for path in args.text:
        for line in open(path):
            opening = [normal(part)[:80] for part in line.split(' ⏎ ')[:3]]
            if any(part in kept_apart for part in opening):
                left_out += 1
            else:
                lines.append(line.rstrip('\n'))
    with open(args.out, 'w') as out:
        out.writelines(line + '\n' for line in lines)
    print(f'{own} labelled texts, {len(lines) - own} documents, {left_out} of the test part left out')


main()
