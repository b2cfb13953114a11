import type { SignalRecord } from './record.ts'

export const ipo = {
  id: 'ipo',
  name: 'IPO',
  description: 'The company goes public, or files to.',
  counts:
    'Counts for the company that goes public: it lists, files to list, prices its offering, starts trading, lists directly, merges with a listed shell, or moves up to a bigger exchange. Ordinary news of its shares and offerings after the listing do not count.',
  wordings: [
    'stock exchange listing',
    'initial public offering, direct listing or SPAC merger',
    'shares start trading',
    'files a prospectus',
    'uplisting to a bigger exchange',
    'The company floats on the stock market.',
    'pricing of an IPO',
  ],
  color: 'grape',
  seldomRepeats: true,
  sides: [
    {
      predicate: 'goes public',
      clause: 'is going public',
      topic: 'the IPO',
      frames: [
        ['company', 'files|filed|filing … <list> … on {exchange}', 'file~ to list on {exchange}'],
        ['company', 'files|filed|filing … for … ipo|offering|listing', 'file~ for an IPO'],
        ['company', 'prices|priced|pricing … ipo|offering', 'price~ its IPO'],
        ['company', 'goes|went|going public on {exchange}', 'list~ on {exchange}'],
        [
          'anyone',
          'expected|will|to|anticipated to? begin|start|commence trading … on {exchange}',
          'be~ to list on {exchange}',
        ],
        ['anyone', 'begins|began|begin|begun|start|starts|started trading … on {exchange}', 'list~ on {exchange}'],
        ['company', '<list> … on {exchange}', 'list~ on {exchange}'],
        ['anyone', '{exchange} welcomes {self}', 'list~ on {exchange}'],
        [
          'company',
          'closes|closed|closing|completes|completed of? a|an|its|the? upsized? {sum} … offering|ipo',
          'complete~ an offering of {sum}',
        ],
        ['company', 'raises|raised|rakes|raked in? {sum} … ipo|offering', 'raise~ {sum} in its IPO'],
        ['involved', 'files|filed|filing … to … {exchange}', 'file~ to list on {exchange}'],
        ['involved', '<list> … on|to {exchange}', 'list~ on {exchange}'],
        ['company', 'heads|heading|uplists|moves|uplisting … for|to {exchange}', 'be~ to list on {exchange}'],
        ['company', 'ipo|listing|offering filing', 'file~ for an IPO'],
        ['company', 'submitted|submits|filed|files … s-1|prospectus|papers', 'file~ for an IPO'],
        ['anyone', 'priced|prices|price|pricing … at|of {price}', 'price~ its shares at {price}'],
        ['anyone', 'trading|admission|admitted|debut|float|listing|day … on|to {exchange}', 'list~ on {exchange}'],
        ['anyone', '{sum} ipo|float|listing|issue', 'go~ public in an offering of {sum}'],
        ['anyone', 'spac {org}', 'go~ public by merging with {org}'],
        ['company', 'registration statement', 'file~ for an IPO'],
      ],
    },
  ],
  headline: {
    phrases: ['IPO', 'goes public', 'go public', 'S-1', 'market debut'],
    event:
      /^(?:(?:confidentially |publicly )?(?:files|filed|files confidentially) (?:its |an |the )?(?:for (?:an? |its )?(?:US |U\.S\. )?(?:IPO|initial public offering)|to go public|S-1)|goes public|went public|prices (?:its )?IPO|raises .* in (?:its )?IPO|S-1\b|makes (?:its )?(?:stock )?market debut)/i,
  },
  draft: {
    kind: 'growth',
    isGoodNews: true,
    isTalkable: true,
    topics: [
      [/list(?:s|ed)? on (.+)$/, (exchange) => `the listing on ${exchange}`],
      [/offering/, 'the offering'],
    ],
    departments: ['Finance', 'Legal', 'Executive'],
    near: /\b(?:audit\w*|complian\w+|report\w*|public compan\w+|listed|controls|closes?|closing|books)\b/i,
    about: /\b(?:public compan\w+|listed compan\w+|listing|ipo)\b/i,
  },
} as const satisfies SignalRecord
