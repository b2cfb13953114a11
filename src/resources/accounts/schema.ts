import { type Static, type TSchema, Type } from 'typebox'
import { Body, INTEGER_RANGE, Nullable, OneOf, PageQuery, Rec, Timestamp, WebLink } from '../../http/schema.ts'
import { ACCOUNT_MAX_LENGTHS } from '../../shared/max-lengths.ts'

export const STATUSES = ['suggested', 'active', 'rejected', 'unqualified', 'new'] as const
const status = OneOf([...STATUSES])

export const RELATIONSHIPS = ['customer', 'open_deal', 'lost_deal', 'former_customer', 'none'] as const
/** What the team has with a company, from its CRM. */
export const relationship = OneOf([...RELATIONSHIPS], {
  description: 'What you have with the company, from the deals of your CRM',
  'x-extension': true,
})
const ONE_RELATIONSHIP = `(?:${RELATIONSHIPS.join('|')})`
/** A filter by relationships; several are separated by commas. */
export const RelationshipFilter = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: `^${ONE_RELATIONSHIP}(?:,${ONE_RELATIONSHIP})*$`,
      maxLength: 100,
      description: `${description}: ${RELATIONSHIPS.join(', ')}; several are separated by commas`,
      'x-extension': true,
    }),
  )

export const MAX_TAGS = 100
export const MAX_TAG_CHARS = 60

const tags = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_CHARS, pattern: '\\S' }), {
  maxItems: MAX_TAGS,
  description: `At most ${MAX_TAGS} tags of an account, of at most ${MAX_TAG_CHARS} characters each`,
})
const ownerId = Type.String({ description: 'A member of the workspace', maxLength: 100 })
const text = (maxLength: number, description = '') =>
  Type.String({ maxLength, ...(description ? { description } : {}) })

const listFields = {
  id: Type.String(),
  name: Type.String(),
  domain: Nullable(Type.String()),
  status,
  score: Type.Integer({ description: '0 to 100' }),
  employees: Nullable(Type.Integer()),
  industry: Nullable(Type.String()),
  location: Nullable(Type.String()),
  country: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  owner_id: Nullable(Type.String()),
  network_url: Nullable(Type.String()),
  short_description: Nullable(Type.String()),
  logo_url: Nullable(Type.String()),
  created_at: Timestamp(),
  last_signal_at: Nullable(Timestamp()),
  is_hot: Type.Boolean(),
  qualified: Type.Boolean(),
  relationship,
}

const breakdown = () =>
  Nullable(Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }))

const counts = (description: string) =>
  Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' }, description })
const countedOf = (field: string) => OneOf(['people', 'postings'], { description: `What ${field} counts` })

const technologyFact = Type.Object({
  name: Type.String(),
  category: Type.String(),
  first_seen: Timestamp(),
  last_seen: Timestamp(),
  gone_at: Nullable(
    Timestamp({ description: 'When it was first missing on the pages that had shown it; null while it is present' }),
  ),
  evidence: Type.String({ description: 'The evidence: an address that pages load, a header, or a DNS record' }),
  evidence_url: Nullable(Type.String({ description: 'The page with the evidence; null for DNS records' })),
})
export type TechnologyFact = Static<typeof technologyFact>

const fullFields = {
  ...listFields,
  why_now_md: Nullable(Type.String()),
  suggestion_reason: Nullable(
    Type.String({ description: 'Extension: why it was suggested, where one of your contacts has joined it' }),
  ),
  unqualified_reason: Nullable(
    Type.String({
      description: 'Why an unqualified account does not fit the ideal customer; null for any other status',
      'x-extension': true,
    }),
  ),
  relationship_on: Nullable(
    Type.String({
      format: 'date',
      description: 'The day of the deal that decides the relationship: won, lost or opened',
      'x-extension': true,
    }),
  ),
  relationship_reason: Nullable(
    Type.String({ description: 'Why the deal was lost, as your CRM says', 'x-extension': true }),
  ),
  source: OneOf(['api', 'import', 'discovery', 'console', 'crm']),
  import: Nullable(
    Type.Unsafe<{ id: string; file_name: string | null }>({
      type: 'object',
      properties: { id: { type: 'string' }, file_name: { type: ['string', 'null'] } },
      description: 'The file that it came in with; null for other accounts',
      'x-extension': true,
    }),
  ),
  last_scanned_at: Nullable(Timestamp()),
  activated_at: Nullable(Timestamp()),
  founded_year: Nullable(Type.Integer()),
  technologies: Type.Array(Type.String()),
  technology_facts: Type.Array(technologyFact, {
    description: 'Products in use by the evidence of the company’s pages and DNS records; those that disappeared last',
    'x-extension': true,
  }),
  workforce_by_department: breakdown(),
  workforce_by_country: breakdown(),
  workforce_basis: Nullable(
    Type.Object(
      {
        text: Type.String({ description: 'For display: "from 7 people and 31 postings"' }),
        people: Type.Integer({
          description: 'Known people who have not left; far fewer than `employees`, so a sample',
        }),
        postings: Type.Integer({ description: 'Open positions on the company’s job boards' }),
        postings_on: Nullable(Type.String({ format: 'date', description: 'The day when the job boards were read' })),
        departments_of: Nullable(countedOf('`workforce_by_department`')),
        countries_of: Nullable(countedOf('`workforce_by_country`')),
        postings_by_department: counts('The open positions by department'),
        postings_by_country: counts('The open positions by country, without those of unknown country'),
      },
      {
        description:
          'From what the two breakdowns were computed. A breakdown counts known people; where none has a department or a country, it counts open positions, never both.',
        'x-extension': true,
      },
    ),
  ),
  overridden: Type.Array(Type.String(), {
    description:
      'Fields that a member has set and research does not overwrite; `status` where it was reset to suggested. PATCH with null resets a field.',
    'x-extension': true,
  }),
}

/** A field of an account that research fills and a member may set. */
const override = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Nullable({
      ...schema,
      description: 'Research no longer overwrites it; null resets it to the researched value',
    }),
  )

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  name: 'Northwind Freight',
  domain: 'northwind.example',
  status: 'active',
  score: 72,
  employees: 640,
  industry: 'Logistics',
  location: 'Hamburg',
  country: 'Germany',
  tags: ['rail', 'q4'],
  owner_id: null,
  network_url: null,
  short_description: 'Books rail freight across Europe.',
  logo_url: null,
  created_at: '2026-11-01T08:00:00.000Z',
  last_signal_at: '2026-11-12T06:30:00.000Z',
  is_hot: true,
  qualified: true,
  relationship: 'lost_deal',
}

const fullExample = {
  ...example,
  why_now_md: 'Raised a round on 11 November and is opening a second hub.',
  suggestion_reason: null,
  unqualified_reason: null,
  relationship_on: '2025-06-02',
  relationship_reason: 'price',
  source: 'api',
  import: null,
  last_scanned_at: '2026-11-14T06:30:00.000Z',
  activated_at: '2026-11-02T08:00:00.000Z',
  founded_year: 2012,
  technologies: ['Zendesk'],
  technology_facts: [
    {
      name: 'Zendesk',
      category: 'support and chat',
      first_seen: '2026-11-02T08:00:00.000Z',
      last_seen: '2026-11-14T06:30:00.000Z',
      gone_at: null,
      evidence: 'Loads static.zdassets.com',
      evidence_url: 'https://northwind.example/',
    },
  ],
  workforce_by_department: { Engineering: 420, Sales: 220 },
  workforce_by_country: { Germany: 500, Poland: 140 },
  workforce_basis: {
    text: 'from 640 people and 31 postings',
    people: 640,
    postings: 31,
    postings_on: '2026-11-09',
    departments_of: 'people',
    countries_of: 'people',
    postings_by_department: { Engineering: 22, Sales: 9 },
    postings_by_country: { Germany: 31 },
  },
  overridden: ['industry'],
}

/** Only the sent fields are known. */
const createdExample = {
  ...fullExample,
  status: 'suggested',
  score: 0,
  employees: null,
  industry: null,
  location: null,
  country: null,
  tags: ['rail'],
  short_description: null,
  last_signal_at: null,
  is_hot: false,
  qualified: false,
  relationship: 'none',
  relationship_on: null,
  relationship_reason: null,
  why_now_md: null,
  last_scanned_at: null,
  activated_at: null,
  founded_year: null,
  technologies: [],
  technology_facts: [],
  workforce_by_department: null,
  workforce_by_country: null,
  workforce_basis: null,
  overridden: [],
  created: true,
}

const latestFinding = Type.Object({
  signal_id: Type.String(),
  headline: Type.String(),
  detected_at: Type.String({ format: 'date', description: 'The day of the event' }),
})

export const ListedAccount = Rec(
  'ListedAccount',
  {
    ...listFields,
    latest_finding: Type.Optional(
      Nullable({ ...latestFinding, description: 'Only with `latest_finding=true`', 'x-extension': true }),
    ),
    unqualified_reason: Type.Optional(
      Nullable(
        Type.String({
          description: 'Why an unqualified account does not fit the ideal customer. Only with `latest_finding=true`',
          'x-extension': true,
        }),
      ),
    ),
  },
  example,
)
export const Account = Rec('Account', fullFields, fullExample)
export const CreatedAccount = Rec(
  'CreatedAccount',
  { ...fullFields, created: Type.Boolean({ description: 'false: the domain already existed and nothing changed' }) },
  createdExample,
)

export const EnrichedAccount = Rec(
  'EnrichedAccount',
  {
    ...fullFields,
    problems: Type.Array(Type.Object({ source: Type.String(), message: Type.String() }), {
      description: 'Sources that failed entirely or in part, with the reason',
    }),
  },
  {
    ...fullExample,
    problems: [{ source: 'People Data Labs', message: 'People Data Labs refuses us or our key (status 401).' }],
  },
)

/** Replaces an account that could not be stored, with `partial`. */
const RefusedAccount = Rec(
  'RefusedAccount',
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    }),
  },
  {
    error: {
      code: 'invalid_request',
      message: '3.domain must be a domain such as acme.com.',
      details: [{ path: '3.domain', message: 'must be a domain such as acme.com' }],
    },
  },
)

/** One account for one, a list for a list. */
export const CreatedOneOrMany = {
  anyOf: [CreatedAccount, Type.Array(Type.Unsafe<object>({ anyOf: [CreatedAccount, RefusedAccount] }))],
  examples: [createdExample],
}

export const CreateQuery = Type.Object({
  partial: Type.Optional(
    Type.Boolean({
      description:
        'For a list: true stores the valid accounts and returns an `error` in place of each invalid one; 400 or 422 when none is valid. A body with text that cannot be stored, such as NUL, is rejected as a whole. By default one invalid account rejects the list',
      'x-extension': true,
    }),
  ),
})

const domain = text(2048, 'A domain, host name or URL')
const newAccount = {
  name: Type.String({ minLength: 1, maxLength: ACCOUNT_MAX_LENGTHS.name, pattern: '\\S' }),
  domain: Type.Optional(Nullable(domain)),
  tags: Type.Optional(tags),
  owner_id: Type.Optional(Nullable(ownerId)),
}
const NewAccount = Body('NewAccount', newAccount, {
  name: 'Northwind Freight',
  domain: 'northwind.example',
  tags: ['rail'],
})
export type NewAccount = Static<typeof NewAccount>

export const MAX_CREATE = 500

/** One account or up to 500. Distinguished by `if`, so that an error names the field instead of a union. */
export const CreateAccounts = Type.Unsafe<NewAccount | NewAccount[]>({
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { type: 'array', items: NewAccount, minItems: 1, maxItems: MAX_CREATE },
  else: NewAccount,
  examples: [{ name: 'Northwind Freight', domain: 'northwind.example', tags: ['rail'] }],
})

export const UpdateAccount = Body(
  'UpdateAccount',
  {
    name: Type.Optional(newAccount.name),
    domain: Type.Optional(domain),
    tags: Type.Optional(tags),
    owner_id: newAccount.owner_id,
    status: Type.Optional(
      OneOf([...STATUSES], {
        description:
          'suggested reverts a rejection or an assessment, and an imported account becomes new; every other status has its own operation',
      }),
    ),
    employees: override(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    industry: override(text(ACCOUNT_MAX_LENGTHS.industry)),
    location: override(text(ACCOUNT_MAX_LENGTHS.location)),
    country: override(text(ACCOUNT_MAX_LENGTHS.country)),
    network_url: override(WebLink()),
    short_description: override(text(ACCOUNT_MAX_LENGTHS.short_description)),
  },
  { industry: 'Logistics', employees: 640 },
)
export type UpdateAccount = Static<typeof UpdateAccount>

/** A filter beyond the published specification. */
const flag = (description: string) => Type.Optional(Type.Boolean({ description, 'x-extension': true }))

export const AccountsQuery = Type.Object({
  status: Type.Optional(status),
  owner_id: Type.Optional(Type.String({ description: 'Only accounts of this owner' })),
  tag: Type.Optional(Type.String({ description: 'Only accounts with this tag' })),
  domain: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the domain' })),
  industry: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the industry' })),
  min_score: Type.Optional(Type.Integer({ ...INTEGER_RANGE, description: 'This score or higher' })),
  search: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the name or the domain' })),
  hot: flag('Only accounts that are hot, or only those that are not'),
  country: Type.Optional(
    Type.String({ maxLength: 300, description: 'The name of the country, not case-sensitive', 'x-extension': true }),
  ),
  relationship: RelationshipFilter('Only accounts with this relationship'),
  run_id: Type.Optional(Type.String({ description: 'Only accounts that matched in this run', 'x-extension': true })),
  import_id: Type.Optional(
    Type.String({
      description: 'Only accounts that came in with this file (GET /accounts/imports)',
      'x-extension': true,
    }),
  ),
  latest_finding: flag('Adds to each account what happened last, and why it is unqualified; not in CSV'),
  sort: Type.Unsafe<'score' | 'last_signal_at' | 'created_at'>(
    OneOf(['score', 'last_signal_at', 'created_at'], { default: 'score' }),
  ),
  order: Type.Unsafe<'asc' | 'desc'>(OneOf(['asc', 'desc'], { default: 'desc' })),
  ...PageQuery(50),
})
export type AccountsQuery = Static<typeof AccountsQuery>

/** The same filters, for operations that do not return a page. */
const { page: _page, per_page: _perPage, latest_finding: _latest, ...filters } = AccountsQuery.properties
export const AccountsFilter = Type.Object(filters)
export type AccountsFilter = Static<typeof AccountsFilter>

export const MAX_IDS = 10_000

export const AccountIds = Rec(
  'AccountIds',
  {
    ids: Type.Array(Type.String(), { description: `In the order of the list, at most ${MAX_IDS}` }),
    total: Type.Integer({ description: 'The number of matching accounts' }),
    truncated: Type.Boolean({ description: 'true: more accounts match than are listed' }),
  },
  { ids: [example.id], total: 1, truncated: false },
)

const MAX_BULK = 500

export const BulkAccounts = Body(
  'BulkAccounts',
  {
    ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: MAX_BULK }),
    action: OneOf(['activate', 'deactivate', 'reject', 'suggest', 'delete', 'tag', 'untag', 'owner', 'scan'], {
      description: 'suggest reverts a rejection or an assessment; an imported account becomes new',
    }),
    tags: Type.Optional({ ...tags, description: 'For tag and untag' }),
    owner_id: Type.Optional(Nullable(Type.String({ description: 'For owner; null: no owner', maxLength: 100 }))),
  },
  { ids: [example.id], action: 'tag', tags: ['q4'] },
)
export type BulkAccounts = Static<typeof BulkAccounts>

export const BulkDone = Rec(
  'BulkDone',
  {
    done: Type.Integer({
      description: 'The number of accounts in the requested state, including those that already were',
    }),
    results: Type.Array(Type.Object({ id: Type.String(), code: Type.String(), message: Type.String() }), {
      description: 'Accounts that were refused, with the error; they did not change',
    }),
    before: Type.Array(
      Type.Object({
        id: Type.String(),
        status,
        owner_id: Nullable(Type.String()),
        tags: Type.Array(Type.String()),
      }),
      { description: 'The former values of the accounts that changed, to revert the action' },
    ),
  },
  {
    done: 1,
    results: [
      { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88', code: 'not_found', message: 'No such account in this workspace.' },
    ],
    before: [{ id: example.id, status: 'active', owner_id: null, tags: ['rail'] }],
  },
)

export const ActivatedAccount = Rec(
  'ActivatedAccount',
  {
    ...fullFields,
    limitations: Type.Array(Type.String(), {
      description:
        'What research and monitoring cannot do for the account, and how to fix it; empty without limitations',
      'x-extension': true,
    }),
  },
  { ...fullExample, limitations: [] },
)

export const Activate = Body('ActivateAccount', { owner_id: Type.Optional(Nullable(ownerId)) }, {})
export const Tags = Body('Tags', { tags }, { tags: ['rail', 'q4'] })
export const TagsAnswer = Rec(
  'AccountTags',
  { id: Type.String(), tags: Type.Array(Type.String()) },
  { id: example.id, tags: ['rail', 'q4'] },
)
export const SetOwner = Body(
  'SetOwner',
  { owner_id: Nullable(ownerId) },
  { owner_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80' },
)
export const OwnerAnswer = Rec(
  'Owner',
  { id: Type.String(), owner_id: Nullable(Type.String()) },
  { id: example.id, owner_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80' },
)

export const ScoreExplanation = Rec(
  'AccountScore',
  {
    account_id: Type.String(),
    score: Type.Integer(),
    scored_at: Nullable(Timestamp({ description: 'null: the account has no score yet' })),
    components: Type.Array(Type.Object({ name: Type.String(), points: Type.Number(), because: Type.String() })),
  },
  {
    account_id: example.id,
    score: 72,
    scored_at: '2026-11-14T06:30:00.000Z',
    components: [{ name: 'funding', points: 41, because: 'Raised a round 3 days ago, reported by two sources' }],
  },
)

export const ScanStarted = Rec(
  'ScanStarted',
  { run_id: Type.String(), jobs: Type.Integer(), status: OneOf(['running']) },
  { run_id: example.id, jobs: 12, status: 'running' },
)

export const MonitorEvent = Rec(
  'MonitorEvent',
  {
    id: Type.String(),
    url: Type.String(),
    status: OneOf(['new', 'changed', 'unchanged', 'failed']),
    search_status: OneOf(['pending', 'searched', 'skipped', 'failed']),
    meaningful: Type.Boolean(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    reason: Type.String(),
    run_id: Type.String({
      description:
        'The run that read the new content; otherwise the check, which GET /runs/{id} returns and GET /runs does not list',
    }),
    created_at: Timestamp({ description: 'When it was first seen' }),
    count: Type.Integer({
      minimum: 1,
      description: 'The number of checks: pages that fail for the same reason are one event until they are read again',
      'x-extension': true,
    }),
    last_seen_at: Timestamp({ description: 'The time of the last of these checks', 'x-extension': true }),
    urls: Type.Array(Type.String(), { description: 'All pages of the event', 'x-extension': true }),
    is_ongoing: Type.Boolean({
      description: 'For a failure: whether one of its pages still fails',
      'x-extension': true,
    }),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d89',
    url: 'https://northwind.example/news',
    status: 'changed',
    search_status: 'searched',
    meaningful: true,
    confidence: 0.9,
    reason: 'A press release was added.',
    run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
    created_at: '2026-11-12T06:30:00.000Z',
    count: 1,
    last_seen_at: '2026-11-12T06:30:00.000Z',
    urls: ['https://northwind.example/news'],
    is_ongoing: false,
  },
)

export const EventsQuery = Type.Object({
  meaningful: flag(
    'true: only meaningful changes. false: only checks without any. By default (without `all`): meaningful changes and failures',
  ),
  all: flag('true: all checks of all pages'),
  ...PageQuery(25),
})
