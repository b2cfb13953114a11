import { type SignalRecord, withDefiniteArticle } from './record.ts'

const MONEY = '(?:an? |another |up to |over |nearly |more than )?(?:[$€£]|US\\$|USD |EUR )\\d'

export const funding = {
  id: 'funding',
  name: 'Funding',
  description: 'The company raised, closed or was granted capital.',
  counts:
    'Counts for the company that receives capital: it raised, closed, was granted or signed a round, loan, credit line, grant, placement or share offering after its listing. Does not count for the investor or lender, nor for money that the company pays out, its revenue or market value, or a raise that is only planned.',
  wordings: [
    'raises money from investors, a bank or a government',
    'new funding round, loan, grant or share placement',
    'Companies that just got financing',
    'Someone gave the company money: venture capital, debt, a grant or a share offering, not revenue.',
    'fresh capital',
    'closed a Series A, B or C',
    'secured a credit facility or investment',
  ],
  color: 'green',
  seldomRepeats: true,
  distinguishedBy: 'money',
  sides: [
    {
      predicate: 'raised capital',
      clause: 'raised capital',
      topic: 'the new funding',
      frames: [
        ['company', '<get> a|an? {sum} … grant', 'receive~ a grant of {sum}'],
        ['company', '<get> … grant of {sum}', 'receive~ a grant of {sum}'],
        ['company', '<raise> {sum} in|of? debt|loan', 'secure~ {sum} in debt financing'],
        ['company', '<raise> a|an|its|the? {sum} … loan|facility|notes|note|debenture', 'secure~ {sum}'],
        ['company', '<raise> of? a|an|its|the? new|upsized|oversubscribed? {sum}', 'raise~ {sum}'],
        ['company', '<raise> … round|financing|funding|investment|placement of {sum}', 'raise~ {sum}'],
        ['company', 'prices|priced|pricing of? a|an|its|the? upsized? {sum} … offering', 'price~ an offering of {sum}'],
        ['anyone', 'grant of {sum} … to {self}', 'receive~ a grant of {sum}'],
        ['other', 'invests|invested {sum} in {self}', 'raise~ {sum} from {actor}'],
        ['anyone', '{sum} in? {round}', 'raise~ {sum}'],
        ['company', 'borrows|borrowed|borrow {sum}', 'borrow~ {sum}'],
        ['anyone', 'raise|raises|raised|brings|brought in? {sum} for {self}', 'raise~ {sum}'],
        ['company', '<secures> … {sum}', 'raise~ {sum}'],
        ['company', 'takes|took|enters|pockets|scores|totaling|totalling|draws … {sum}', 'raise~ {sum}'],
        ['anyone', 'round|financing|placement of {sum}', 'raise~ {sum}'],
        ['involved', '{sum} … round|financing|funding|placement|investment', 'raise~ {sum}'],
        ['anyone', 'brought|brings in {sum}', 'raise~ {sum}'],
        ['anyone', 'proceeds of {onlysum}', 'raise~ {onlysum}'],
        ['involved', '{sum} gift|donation', 'receive~ {sum}'],
        ['other', '<take> … <stake> in {self}', 'sell~ a stake to {actor}'],
        [
          'involved',
          '{onlysum} … round|financing|funding|placement|offering|investment|loan|grant|presale|facility|raise',
          'secure~ {onlysum}',
        ],
        [
          'involved',
          'round|financing|funding|placement|placements|offering|investment|loan|grant|presale|facility … {onlysum}',
          'secure~ {onlysum}',
        ],
        [
          'other',
          'grants|granted|awards|awarded|gives|gave|commits|committed {sum} … to {self}',
          'receive~ {sum} from {actor}',
        ],
        ['other', 'invests|invested {sum}? in {self}', 'raise~ capital from {actor}'],
        ['other', 'led|leads|co-led the|its|a round', 'raise~ capital from {actor}'],
        ['involved', 'funding|investment|grant|loan|financing from {org}', 'raise~ capital from {org}'],
        ['company', '<secures> {financing}', 'secure~ {financing}'],
        ['company', 'secure|close|raise {infinitive} {financing}', 'secure~ {financing}'],
      ],
      tails: [
        ['anyone', '{round}', ' in {round}'],
        ['anyone', 'led|co-led by {org}', ' led by {org}'],
        ['anyone', '{sum} … from {org}', ' from {org}'],
        ['anyone', 'grant … from {org}', ' from {org}'],
        ['anyone', 'participation from|by {org}'],
      ],
    },
  ],
  headline: {
    phrases: ['raises', 'secures funding', 'Series A', 'Series B', 'Series C', 'seed round'],
    event: new RegExp(
      `^(?!.*\\bfund\\b)(?:has )?(?:raises|raised|secures|secured|closes|closed|lands|landed|nabs|bags|gets|nets|picks up|scores) (?:${MONEY}|(?:an? |its )?(?:new |oversubscribed )?(?:pre-?seed|seed|series [a-h]\\b|funding|growth round))`,
      'i',
    ),
  },
  draft: {
    kind: 'growth',
    isGoodNews: true,
    topics: [
      [/grant of (\S+(?: (?:thousand|million|billion|\p{L}+))?)/u, (sum) => `the ${sum} grant`],
      [/ stake to (.+)$/, (buyer) => `the stake of ${buyer}`],
      [/offering/, 'the offering'],
      [/^(?:secures|borrows) .*(?:debt|loan|facility|credit)|^borrows/, 'the new financing'],
      [/(?:secures|secure) ((?:a|an|its) .+)$/, withDefiniteArticle],
      [
        /(?:raises|raise|secures|secure|receives|receive) (?:up to )?(\S*\d\S*(?: (?:thousand|million|billion|\p{L}+)(?= |$))?)/u,
        (sum) => `the ${sum}`,
      ],
      [/ capital from (.+)$/, (investor) => `the funding from ${investor}`],
    ],
    departments: ['Finance', 'Executive'],
    areas: {
      Operations: 'putting the money to work',
      'Supply Chain': 'putting the money to work',
      Other: 'putting the money to work',
    },
    near: /\b(?:grow|growth|growing|scal\w+|invest\w+|rais\w+|fund\w+|board|burn|runway)\b/i,
  },
} as const satisfies SignalRecord
