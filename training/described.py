"""Signals described in words: the data of the second head.

Rows: {"id", "name", "description", "wordings": […], "yes": [[company, sentence], …], "near": […], "no": […]}. The
twelve built-in signals are described too (builtin-wordings.json of the engine), and judged on the labelled documents.
"""
from data import mark
from windows import LONGEST_DESCRIPTION, LONGEST_TITLE, build, noisy


class Described:
    def __init__(self, rows, texts):
        self.signals = []
        for row in rows:
            sentences = []
            for kind in ('yes', 'near', 'no'):
                for company, sentence in row[kind]:
                    sentences.append((texts.ids(mark(sentence, [company])), kind))
            wordings = [f"{row['name']}. {row['description']}", row['description'], *row['wordings'], row['name']]
            self.signals.append({
                'id': row['id'],
                'wordings': [texts.ids(wording, LONGEST_DESCRIPTION) for wording in wordings],
                'sentences': sentences,
            })

    def wording(self, rng):
        return rng.choice(rng.choice(self.signals)['wordings'])

    def window(self, rng):
        """Sentences of one signal, its near misses and others' sentences, in any order, under one of its wordings."""
        signal = rng.choice(self.signals)
        own = rng.sample(signal['sentences'], rng.randint(1, 4))
        if rng.random() < 0.5:
            own = own[:1]
        picked = [(ids, kind == 'yes') for ids, kind in own]
        for _ in range(rng.choice((0, 0, 1, 2, 3))):
            other = rng.choice(self.signals)
            if other is not signal:
                picked.append((rng.choice(other['sentences'])[0], False))
        rng.shuffle(picked)
        with_title = rng.random() < 0.3
        example = {
            'title': picked[0][0][:LONGEST_TITLE] if with_title else None,
            'sentences': [ids for ids, _ in (picked[1:] if with_title else picked)],
            'as_written': [],
        }
        # Names of several companies are marked in one window: no mention may be unmarked here.
        window = build(example, range(1, len(example['sentences']) + 1), True, rng.choice(signal['wordings']))
        told = [tells for _, tells in picked] if with_title else [False, *(tells for _, tells in picked)]
        return window, [float(told[row]) for row in window[2]]
