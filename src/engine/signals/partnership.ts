import type { SignalRecord } from './record.ts'

export const partnership = {
  id: 'partnership',
  name: 'Partnership',
  description: 'The company partners with another organisation.',
  counts:
    'Counts for both sides of a named agreement, alliance, integration, reseller deal, joint venture, memorandum or sponsorship of business weight. A customer that buys a product, an event held together in passing, and membership of an association do not count.',
  wordings: [
    'signs an agreement or alliance with another company',
    'joint venture, reseller deal or integration',
    'two companies team up',
    'strategic partnership announced',
    'memorandum of understanding between organisations',
    'works together with a named partner from now on',
    'collaboration, co-marketing or distribution agreement',
  ],
  color: 'indigo',
  seldomRepeats: false,
  counterpartWords:
    /^(?:partner|allian|ally$|allie|collaborat|co-?operat|joint|team(?:s|ed|ing)?$|agree|pact|deals?$|mou$|memorand|integrat|sponsor|licen[cs]|franchis|resell|distribut|venture|consortium|ambassador|academy|join(?:s|ed|ing)?$|align)/,
  sides: [
    {
      predicate: 'enters a partnership',
      clause: 'entered a partnership',
      topic: 'the partnership',
      frames: [
        ['company', '<partner> up|forces? with {org}', 'partner~ with {org}'],
        ['company', '<sign> … <pact> with {org}', 'partner~ with {org}'],
        ['company', '<pact> with {org}', 'partner~ with {org}'],
        ['anyone', 'between {self} and|& {org}', 'partner~ with {org}'],
        ['anyone', 'between {actor} and|& {self}', 'partner~ with {actor}'],
        ['anyone', '{self} , and|&? {org} <be>? <be>? <ally>', 'partner~ with {org}'],
        ['anyone', '{actor} , and|&? {self} <be>? <be>? <ally>', 'partner~ with {actor}'],
        ['other', '<partner> up|forces? with {self}', 'partner~ with {actor}'],
        ['other', '<sign> … <pact> with {self}', 'partner~ with {actor}'],
        ['other', '<pact> with {self}', 'partner~ with {actor}'],
        ['involved', '<pact> … with {org}', 'partner~ with {org}'],
        ['involved', '<partner> up|forces|closely? with {org}', 'partner~ with {org}'],
        ['involved', 'integrates|integrated|integrating|ties|tied … with {org}', 'partner~ with {org}'],
        ['anyone', '{free} {self} , and|& {org}', 'partner~ with {org}'],
        ['anyone', '{free} {actor} , and|& {self}', 'partner~ with {actor}'],
        ['anyone', '{free} {self} {apposition} , and|& {org}', 'partner~ with {org}'],
        ['anyone', '{free} {actor} {apposition} , and|& {self}', 'partner~ with {actor}'],
        ['anyone', '{free} {actor} , in partnership|collaboration with {self}', 'partner~ with {actor}'],
        ['company', 'partner|sponsor of {org}', 'partner~ with {org}'],
        ['other', 'appoints|appointed|names|named|adds|added|joins|joined|retains {self}', 'partner~ with {actor}'],
        ['other', '<select> {self}', 'partner~ with {actor}'],
        ['company', '<select> {org}', 'partner~ with {org}'],
      ],
    },
  ],
  headline: {
    phrases: ['partners with', 'partnership'],
    event:
      /^(?:partners with|teams up with|and \p{Lu}[\p{L}\p{N} ]{1,30} (?:partner|team up|announce (?:a )?(?:strategic )?partnership))/u,
  },
  draft: {
    kind: 'market',
    isGoodNews: true,
    isTalkable: true,
    topics: [[/with (.+)$/, (partner) => `the partnership with ${partner}`]],
    departments: ['Sales', 'Marketing', 'Product', 'Executive'],
    near: /\b(?:partner\w*|channel\w*|together|joint\w*|shar\w+)\b/i,
    about: /\bpartners?\b/i,
  },
} as const satisfies SignalRecord
