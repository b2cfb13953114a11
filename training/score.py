"""Precision, recall, F1 and alarms of verdicts."""
import numpy as np

from data import SIGNALS


def truth_of(examples):
    return np.stack([example['labels'].max(0) for example in examples])


def figures(scores, truth, threshold=0.5):
    found = scores >= threshold
    right, wrong, missed = (found & (truth > 0)).sum(0), (found & (truth == 0)).sum(0), (~found & (truth > 0)).sum(0)
    return right, wrong, missed


def f1_of(right, wrong, missed):
    return 2 * right / max(1, 2 * right + wrong + missed)


def line(name, scores, truth, threshold=0.5):
    right, wrong, missed = (int(x.sum()) for x in figures(scores, truth, threshold))
    quiet = truth.sum(1) == 0
    alarms = (scores[quiet] >= threshold).any(1).mean() if quiet.any() else 0
    return (f'{name:12s} n {right + missed:5d}  P {right / max(1, right + wrong):.3f}  R {right / max(1, right + missed):.3f}  '
            f'F1 {f1_of(right, wrong, missed):.3f}  alarms {alarms:.3f}')


def report(name, scores, examples):
    truth = truth_of(examples)
    genres = np.array([example['genre'] if example['genre'] in ('rel', 'news', 'cyb', 'blog') else 'written' for example in examples])
    print(f'== {name}')
    for genre in sorted(set(genres)):
        print(line(genre, scores[genres == genre], truth[genres == genre]))
    print(line('all', scores, truth))
    best = max(np.arange(0.2, 0.8, 0.02), key=lambda t: f1_of(*(x.sum() for x in figures(scores, truth, t))))
    print(line(f'at {best:.2f}', scores, truth, best))
    right, wrong, missed = figures(scores, truth)
    for signal, r, w, m in zip(SIGNALS, right, wrong, missed):
        print(f'   {signal:20s} n {r + m:4d}  P {r / max(1, r + w):.2f}  R {r / max(1, r + m):.2f}  F1 {f1_of(r, w, m):.2f}')
    print(flush=True)
