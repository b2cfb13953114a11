import type { NoticeSeed } from './types.ts'

/** Layoff notices published by states. */
export const NOTICES: readonly NoticeSeed[] = [
  {
    domain: 'kilnford.example',
    state: 'WA',
    company: 'Kilnford Foods, Inc. - Tacoma Bakery',
    place: 'Tacoma',
    people: 86,
    days: 9,
    starts: 51,
    tells: ['layoffs'],
  },
  {
    domain: 'pellworth.example',
    state: 'IN',
    company: 'Pellworth Castings',
    place: 'Richmond',
    people: 118,
    days: 25,
    starts: 65,
    event: 'richmond-foundry',
    tells: ['layoffs'],
  },
  {
    domain: 'quillstack.example',
    state: 'TX',
    company: 'QUILLSTACK INC (RESCINDED)',
    place: 'Austin',
    people: 40,
    days: 33,
    starts: 27,
    trap: { kind: 'denial', signals: ['layoffs'], why: 'The notice was taken back.' },
  },
]
