import { type Static, Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const count = Type.Integer({ minimum: 0 })

/** The outcome of a source in a run. */
const Source = Type.Object({
  name: Type.String(),
  outcome: OneOf(['items', 'nothing', 'failed']),
  items: count,
  reason: Nullable(Type.String({ description: 'Why it failed' })),
})

const Rule = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const fields = {
  id: Type.String(),
  signal_id: Nullable(Type.String({ description: 'The signal of a run about one; null for several' })),
  name: Type.String({ description: 'Derived from its signals or its account, unless POST /runs gave it a name' }),
  mode: OneOf(['discovery', 'monitor', 'both']),
  status: OneOf(['running', 'done', 'failed']),
  stats: Type.Object({ candidates: count, accounts: count, matched: count }),
  timeframe_days: Nullable(Type.Integer({ description: 'null for recency `all`: events of any age count' })),
  started_at: Timestamp(),
  finished_at: Nullable(Timestamp()),
  created_at: Timestamp(),
  failure: Nullable(Type.String({ description: 'Why a failed run failed' })),
  spec: Nullable({ ...Rule, description: 'The rule given to POST /runs; null for a scan', 'x-extension': true }),
}

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
  signal_id: null,
  name: 'Funded logistics in DACH',
  mode: 'discovery',
  status: 'done',
  stats: { candidates: 120, accounts: 9, matched: 9 },
  timeframe_days: 90,
  started_at: '2026-11-14T06:30:00.000Z',
  finished_at: '2026-11-14T06:41:12.000Z',
  created_at: '2026-11-14T06:30:00.000Z',
  failure: null,
  spec: {
    signals: { any_of: ['funding', 'expansion'], must_have: [], exclude: ['layoffs'] },
    recency: '90',
    geographies: ['DACH'],
    industries: ['Logistics'],
    employee_min: 50,
    employee_max: null,
  },
}

export const Run = Rec('Run', fields, example)

/** The statistics of a run; a scan and a discovery run fill those that apply to them. */
export const FullRun = Rec(
  'FullRun',
  {
    ...fields,
    stats: Type.Object({
      ...fields.stats.properties,
      documents: Type.Optional(count),
      signals: Type.Optional(Type.Integer({ description: 'The number of signals' })),
      detections: Type.Optional(Type.Integer({ description: 'New detections' })),
      pending: Type.Optional(Type.Integer({ description: 'Candidates that were not researched yet' })),
      existing: Type.Optional(Type.Integer({ description: 'Candidates that are accounts already' })),
      unresolved: Type.Optional(
        Type.Integer({
          description: 'Companies in the news whose domain was not found; GET /runs/{id}/unresolved lists them',
        }),
      ),
      monitored: Type.Optional(Type.Integer({ description: 'Candidates that are active accounts, checked again' })),
      failed: Type.Optional(Type.Integer({ description: 'Candidates that could not be researched' })),
      reading: Type.Optional(
        Type.Object(
          { url: Type.String(), pages: count },
          { description: 'Extension: the last page that a running scan has read, and their number' },
        ),
      ),
      sources: Type.Optional(Type.Array(Source, { description: 'The outcome of each source' })),
      lead_sources: Type.Optional(
        Type.Array(Source, { description: 'The outcome of each source of companies, and what was left out' }),
      ),
    }),
    account_id: Nullable(Type.String({ description: 'The account of a scan' })),
    jobs: Type.Array(
      Type.Object({
        signal_id: Type.String(),
        state: OneOf(['pending', 'found', 'absent', 'failed'], {
          description: 'pending: not checked yet. failed: not observable, because a source could not be read',
        }),
      }),
      { description: 'The signals of a scan' },
    ),
    spec: Nullable(Rule),
  },
  {
    ...example,
    stats: {
      ...example.stats,
      pending: 0,
      existing: 14,
      unresolved: 3,
      failed: 2,
      sources: [{ name: 'website', outcome: 'items', items: 31, reason: null }],
      lead_sources: [{ name: 'news', outcome: 'items', items: 6, reason: null }],
    },
    account_id: null,
    jobs: [],
  },
)

/** A company of a lead whose domain was not found. */
export const UnresolvedCompany = Rec(
  'UnresolvedCompany',
  {
    name: Type.String(),
    signal_id: Type.String({ description: 'The signal that the source reports' }),
    source: Type.String(),
    url: Type.String({ description: 'The page of the source' }),
    attempts: Type.Array(Type.String(), { description: 'What was tried, in sentences for users' }),
  },
  {
    name: 'Acme Robotics',
    signal_id: 'funding',
    source: 'GlobeNewswire',
    url: 'https://www.globenewswire.com/news-release/2026/11/12/3000001/0/en/acme-robotics-raises-20m.html',
    attempts: [
      'The release names no website.',
      'Wikidata: no company of this name.',
      'GLEIF: 3 companies of this name.',
      'Domains formed from the name: acme-robotics.com uses another name (Acme Foods); no page could be read at acmerobotics.com.',
    ],
  },
)

export const UnresolvedQuery = Type.Object(PageQuery(25))

export const RunsQuery = Type.Object({
  status: Type.Optional(OneOf(['running', 'done', 'failed'])),
  account_id: Type.Optional(Type.String({ description: 'Only scans of this account', 'x-extension': true })),
  asked: Type.Optional(
    Type.Boolean({ description: 'true: only runs that POST /runs started. false: only scans', 'x-extension': true }),
  ),
  ...PageQuery(25),
})
export type RunsQuery = Static<typeof RunsQuery>

const signalIds = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }))
const headcount = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const words = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 300 })

export const StartRun = Type.Object(
  {
    signals: Type.Object(
      { any_of: signalIds, must_have: signalIds, exclude: signalIds },
      { description: 'Ids of signals; at least one in any_of or must_have' },
    ),
    name: Type.Optional(Type.String({ maxLength: 200 })),
    mode: Type.Optional(
      OneOf(['discovery', 'monitor', 'both'], {
        default: 'discovery',
        'x-extension': true,
        description: 'Whether to research new companies, active accounts, or both',
      }),
    ),
    recency: Type.Optional(
      Type.String({
        pattern: '^(all|[1-9][0-9]{0,4})$',
        default: '90',
        description: 'Days within which signals count: a whole number from 1 to 99999, or all',
        'x-error-message': 'must be a whole number of days from 1 to 99999, such as "90", or "all"',
      }),
    ),
    geographies: Type.Optional({
      ...words,
      description:
        'Regions such as DACH and EMEA, countries or ISO codes, states such as Bavaria, cities such as Berlin',
    }),
    industries: Type.Optional({
      ...words,
      description: 'By any usual name, subindustries included. Unknown ones are rejected',
    }),
    employee_min: Type.Optional(headcount),
    employee_max: Type.Optional(headcount),
  },
  {
    examples: [
      {
        name: 'Funded logistics in DACH',
        signals: { any_of: ['funding', 'expansion'], exclude: ['layoffs'] },
        geographies: ['DACH'],
        industries: ['Logistics'],
        employee_min: 50,
      },
    ],
  },
)
export type StartRun = Static<typeof StartRun>

export const StartedRun = Type.Object(
  { run_id: Type.String(), status: OneOf(['running', 'done', 'failed']), created_at: Timestamp() },
  {
    examples: [
      { run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90', status: 'running', created_at: '2026-11-14T06:30:00.000Z' },
    ],
  },
)
