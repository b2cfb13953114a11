import { type SignalRecord, withDefiniteArticle } from './record.ts'

export const productLaunch = {
  id: 'product_launch',
  name: 'Product launch',
  description: 'The company launches a product, a service or a major version.',
  counts:
    'Counts for the company that launches, releases, unveils or starts to sell its own product, service, feature, major version, drug, model or programme for customers. Reports, surveys, books, events, campaigns, web sites, podcasts and awards do not count, nor does a plan without a step taken or the product of a partner.',
  wordings: [
    'new product released',
    'unveils or starts selling something new',
    'announces general availability of a feature or a version',
    'introduces a new service for customers',
    'Company brings something new to market.',
    'launch of an app, a drug, a model or a menu',
    'product news: first release or big update',
  ],
  color: 'orange',
  seldomRepeats: false,
  sides: [
    {
      predicate: 'launches a product',
      clause: 'launched something new',
      topic: 'the launch',
      frames: [
        ['company', '<launch> of? {product}', 'launch~ {product}'],
        ['company', '<launch> of? {kind}', 'launch~ {kind}'],
        ['company', '<launches> {thing}', 'launch~ {thing}'],
        ['company', '<launching> of {thing}', 'launch~ {thing}'],
        ['company', '<bring> {infinitive} {thing}', 'launch~ {thing}'],
        ['company', 'rolls|rolled|rolling out {thing}', 'launch~ {thing}'],
        ['company', 'announces|announced {gadget}', 'launch~ {gadget}'],
        ['company', 'adds|added|adding {gadget}', 'launch~ {gadget}'],
        ['company', 'now offering|offers|offer {thing}', 'offer~ {thing}'],
        ['anyone', 'its|our {gadget} <be> now? available|live', 'launch~ {gadget}'],
        ['company', '<grows> {gadget}', 'expand~ {gadget}'],
        ['company', 'starts|started|begins|began selling {thing}', 'launch~ {thing}'],
        ['involved', 'launch|introduction|release of {product}', 'launch~ {product}'],
        ['involved', 'launch|introduction|release of {thing}', 'launch~ {thing}'],
      ],
    },
  ],
  headline: {
    phrases: ['launches', 'unveils', 'announces general availability'],
    event: /^(?:launches|launched|unveils|releases|introduces|debuts) (?!.*\b(?:fund|probe|lawsuit|attack)\b)/i,
  },
  draft: {
    kind: 'market',
    isGoodNews: true,
    isTalkable: true,
    topics: [
      // A proper name has no article.
      [
        /(.+)$/,
        (claim, details) =>
          details?.product && claim.endsWith(` ${details.product.text}`) ? details.product.text : null,
      ],
      [/(?:launch(?:es)?|offers?|expands?) (.+)$/, withDefiniteArticle],
    ],
    departments: ['Product', 'Marketing', 'Sales', 'Engineering'],
    near: /\b(?:launch\w*|releas\w+|to market|new products?|adopt\w*|ship\w*)\b/i,
    about: /\blaunch\w*\b/i,
  },
} as const satisfies SignalRecord
