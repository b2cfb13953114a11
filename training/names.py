"""Finds what may be names of organisations in unlabelled documents, for a student to learn from its teachers there.

    python training/names.py documents.ndjson unlabelled.ndjson.gz

Runs of capitalised words, the most frequent first. Some are people or products: the teachers say nothing of those, and
that too is worth learning.
"""
import collections
import gzip
import json
import re
import sys

RUN = re.compile(r"(?<![A-Za-z0-9])[A-Z][\w&'’.-]*(?:\s+(?:[A-Z&][\w&'’.-]*|of(?=\s[A-Z])))*")
ORDINARY = set(
    'The A An This That These Those It Its We Our He She They Their I In On At For With And But As By To From New First '
    'January February March April May June July August September October November December Monday Tuesday Wednesday '
    'Thursday Friday Saturday Sunday CEO CFO CTO President Chief U.S US UK USA Inc About What When Where Who How Why If '
    'All More After Before While Through Following Founded Based Dr Mr Ms Mrs No Yes Additionally However'.split()
)
MOST = 3


def names_in(title, sentences):
    counts = collections.Counter()
    for sentence in sentences:
        for found in RUN.finditer(sentence):
            words = found.group().rstrip(".'’-").removesuffix("'s").removesuffix('’s').split()
            while words and words[0] in ORDINARY:
                words = words[1:]
            name = ' '.join(words).rstrip(".,'’-")
            if len(name) > 2 and (len(words) > 1 or found.start() > 0) and words[0] not in ORDINARY:
                counts[name] += 1
    for name in counts:
        counts[name] += title.count(name)
    return [name for name, _ in counts.most_common(MOST)]


def main():
    source, target = sys.argv[1:]
    written = 0
    with gzip.open(target, 'wt') as out:
        for line in open(source):
            row = json.loads(line)
            names = names_in(row['title'], row['sents'])
            if names:
                companies = [{'name': name, 'also': [], 'signals': {}} for name in names]
                out.write(json.dumps({**{k: row[k] for k in ('id', 'title', 'sents')}, 'companies': companies}) + '\n')
                written += len(names)
    print(f'{written} names')


if __name__ == '__main__':
    main()
