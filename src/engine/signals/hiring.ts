import type { SignalRecord } from './record.ts'

export const hiring = {
  id: 'hiring',
  name: 'Hiring',
  description: 'The company recruits, or announces new jobs.',
  counts:
    'Counts for the company that recruits now: vacancies, a hiring drive, a job fair, or new jobs that it announces. The appointment of a single executive, and jobs at other companies, such as the clients of a recruiter, do not count.',
  wordings: [
    'is looking for staff',
    'open positions, vacancies, job adverts, hiring drives',
    'Companies that are growing their team right now',
    'recruiting people',
    'creates jobs',
    'wants to hire engineers, drivers, nurses or anybody else',
    'job fair or recruitment campaign',
  ],
  color: 'cyan',
  seldomRepeats: false,
  namesLocation: true,
  sides: [
    {
      predicate: 'is hiring',
      clause: 'is hiring',
      topic: 'the hiring',
      frames: [
        ['anyone', '<hire> {workers}', 'is hiring {workers}'],
        ['anyone', '<hire> … {jobs}', 'create~ {jobs}'],
        ['anyone', '<create> {jobs}', 'create~ {jobs}'],
        ['company', 'has|have|lists {jobs}', 'have~ {jobs}'],
        ['anyone', 'addition of {workers}', 'is hiring {workers}'],
        ['anyone', '<takeOn> … {workers}', 'is hiring {workers}'],
        ['anyone', '<want> for {workers}', 'is hiring {workers}'],
        ['anyone', 'take|takes|taking on {workers}', 'is hiring {workers}'],
        ['anyone', 'add|adds|adding … {workers}', 'is hiring {workers}'],
        [
          'company',
          'double|doubles|doubling its|the … workforce|headcount|staff|team',
          'plans to double its workforce',
        ],
        ['anyone', '{workers} … wanted|needed|recruited|hired|sought', 'is hiring {workers}'],
        ['anyone', 'wanted {workers}', 'is hiring {workers}'],
        ['company', '<takeOn> {number}', 'is hiring {number} people'],
        ['anyone', '{jobs}', 'is hiring for {jobs}'],
        ['anyone', '<want> for {job}', 'is hiring {job}'],
        ['company', 'hires|hired|recruits|recruited {job}', 'hire~ {job}'],
        ['anyone', 'hiring|seeking|seeks|recruiting {job}', 'is hiring {job}'],
      ],
      tails: [['anyone', '{eventplace} in {known}', ' in {known}']],
    },
  ],
  headline: {
    phrases: ['is hiring', 'to hire', 'plans to hire'],
    event: /^(?:is hiring|to hire|plans to hire|will hire|to create) .*\b\d/i,
  },
  draft: {
    kind: 'growth',
    topics: [[/(?:creates?|hires?|hiring|hiring for|has) (\d.*)$/, (people) => `the ${people}`]],
    departments: ['People', 'Operations', 'Executive'],
    near: /\b(?:hir\w+|recruit\w*|onboard\w*|talent|new (?:starters|joiners|colleagues|employees)|ramp|train\w*)\b/i,
    about: /\b(?:onboard\w*|new (?:colleagues|hires|starters|joiners)|recruit\w*)\b/i,
  },
} as const satisfies SignalRecord
